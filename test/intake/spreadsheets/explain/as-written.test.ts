/** Cells as databases, forms and people write them: no values, yes and no, times of day, zones, addresses, and words for nothing. */
import { describe, expect, test } from 'vitest'
import { foodMeaning } from '../../../../src/core/intake/spreadsheets/explain/diets.ts'
import { addressesIn } from '../../../../src/core/intake/spreadsheets/mapping/email-addresses.ts'
import { readDate } from '../../../../src/core/intake/spreadsheets/mapping/formats.ts'
import { hashedIdentifier } from '../../../../src/core/intake/spreadsheets/mapping/identifiers.ts'
import { dateFormatsOf } from '../../../../src/core/intake/spreadsheets/mapping/written-forms.ts'
import { linesOf, proposalOf } from './generated/read-as-proposed.ts'

/** The records of a file as its unchanged proposal reads them, and the proposal. */
async function read(rows: readonly string[]) {
  const file = { bytes: Buffer.from(rows.join('\n')), name: 'guests.csv' }
  const proposal = await proposalOf(file)
  const lines = await linesOf(file, proposal)
  expect(lines.flatMap(({ problem }) => problem ?? [])).toEqual([])
  const of = (kind: string) =>
    lines.flatMap(({ value }) => (Object(value).kind === kind ? [Object(value)] : []))
  return { proposal, customers: of('customer'), bookings: of('booking') }
}

test('words of databases for no value are none, and a guest may be called Null', async () => {
  for (const nothing of ['NULL', 'null', '\\N', 'n/a', 'N/A', '(null)', '<null>', '[NULL]', '#N/A']) {
    const { proposal, customers, bookings } = await read([
      'Booking no;Last name;First name;Arrival;Departure;Phone;E-mail;Room;Allergies',
      'Z1;Null;Ines;2026-05-01;2026-05-04;0351 4455661;ines@example.net;12;Peanuts',
      `Z2;Falk;Udo;2026-05-01;2026-05-04;${nothing};${nothing};${nothing};${nothing}`,
      `Z3;Roth;Pia;2026-05-02;2026-05-06;0351 4455663;pia@example.net;14;${nothing}`,
    ])
    expect(customers.map(({ lastName }) => lastName)).toEqual(['Null', 'Falk', 'Roth'])
    for (const field of ['phone', 'email', 'meta']) expect(customers[1], nothing).not.toHaveProperty(field)
    expect(bookings[1], nothing).not.toHaveProperty('acc')
    expect(proposal, nothing).not.toContain(`${nothing}: allergy`)
  }
})

test('yes and no in any case and as check marks are booleans', async () => {
  for (const [cells, expected] of [
    [
      ['Oui', 'OUI', 'oui', 'Non', 'NON'],
      [true, true, true, false, false],
    ],
    [
      ['✓', '✗', '✓', '✓', '✗'],
      [true, false, true, true, false],
    ],
    [
      ['☑', '☐', '☑', '☐', '☐'],
      [true, false, true, false, false],
    ],
    [
      ['☒', '☐', '☐', '☒', '☐'],
      [true, false, false, true, false],
    ],
    [
      ['✔️', '❌', '✔', '❌', '✔️'],
      [true, false, true, false, true],
    ],
    [
      ['t', 'f', 'T', 'f', 'f'],
      [true, false, true, false, false],
    ],
    [
      ['Да', 'да', 'нет', 'Нет', 'нет'],
      [true, true, false, false, false],
    ],
  ] as const) {
    const rows = cells.map((cell, at) => `Y${at + 11},Abel,Tom${'abcde'[at]},2026-05-01,2026-05-04,${cell}`)
    const { customers } = await read(['Booking no,Last name,First name,Arrival,Departure,Vegan', ...rows])
    expect(
      customers.map(({ meta }) => Object.values(Object(meta))[0]),
      cells.join(),
    ).toEqual(expected)
  }
})

test('one word in several cases or encodings has one meaning', async () => {
  for (const [heading, cells, field, expected] of [
    ['Status', ['Storniert', 'STORNIERT', 'storniert'], 'status', ['cancelled', 'cancelled', 'cancelled']],
    [
      'Status',
      ['registered', 'Registered', 'REGISTERED'],
      'status',
      ['registered', 'registered', 'registered'],
    ],
    ['Rol', ['Pacient', 'Însoţitor', 'Însoțitor'], 'role', ['patient', 'companion', 'companion']],
    ['Role', ['Guest', 'GUEST', 'guest '], 'role', ['guest', 'guest', 'guest']],
    ['Companion', ['Sí', 'SÍ', 'No'], 'role', ['companion', 'companion', 'patient']],
  ] as const) {
    const { bookings } = await read([
      `Booking no;Last name;First name;Arrival;Departure;${heading}`,
      ...cells.map((cell, at) => `W${at};Böhm;${'ABC'[at]};2026-05-01;2026-05-04;${cell}`),
    ])
    expect(
      bookings.map((booking) => booking[field]),
      cells[1],
    ).toEqual(expected)
  }
})

test('a time with an offset needs no other time', async () => {
  for (const offset of ['+0530', ' -03', '+05:30', ' +0100']) {
    const { proposal } = await read([
      'Booking no;Last name;First name;Arrival;Departure',
      `O1;Böhm;Iris;2026-05-01 15:20:00${offset};2026-05-04 10:40:00${offset}`,
    ])
    expect(proposal, offset).not.toContain('no time of day')
  }
})

test('a column of hours belongs to its day', async () => {
  for (const [heading, hours, expected] of [
    ['Arrivée,Heure,Départ,Heure départ', ['9:05', '17:40'], ['09:05:00', '17:40:00']],
    ['Check in,Check in time,Check out,Check out time', ['8:15 AM', '10:30 PM'], ['08:15:00', '22:30:00']],
    ['Llegada,Hora de llegada,Salida,Hora de salida', ['14.20', '11.00'], ['14:20:00', '11:00:00']],
    ['Arrival,ETA,Departure,ETD', ['14:20', ''], ['14:20:00', '11:00:00']],
  ] as const) {
    const row = (id: string, name: string) => `${id},${name},2026-05-01,${hours[0]},2026-05-04,${hours[1]}`
    const rows = [row('T-1', 'Ada Ahn'), row('T-2', 'Bo Berg'), row('T-3', 'Cy Cruz')]
    const { proposal, bookings } = await read([`Booking no,Guest name,${heading}`, ...rows])
    expect(bookings[0], heading).toMatchObject({
      startDate: `2026-05-01T${expected[0]}`,
      endDate: `2026-05-04T${expected[1]}`,
    })
    expect(proposal, heading).toContain('is the time of day')
  }
})

test('the name of a time zone after a time is read, and one that means two zones is not', () => {
  for (const [text, expected] of [
    ['2026-05-01 15:00 UTC', '2026-05-01T15:00:00Z'],
    ['2026-05-01T15:00:00 GMT', '2026-05-01T15:00:00Z'],
    ['2026-05-01 15:00:00.000 CEST', '2026-05-01T15:00:00+02:00'],
    ['2026-05-01 15:00 EEST', '2026-05-01T15:00:00+03:00'],
    ['2026-05-01 15:00 (MESZ)', '2026-05-01T15:00:00+02:00'],
    ['2026-05-01 15:00 UTC+3', '2026-05-01T15:00:00+03:00'],
    ['2026-05-01 15:00 GMT-04:30', '2026-05-01T15:00:00-04:30'],
    ['2026-05-01 15:00 Europe/Madrid', '2026-05-01T13:00:00Z'],
    ['2026-05-01T15:00:00+02:00[Europe/Madrid]', '2026-05-01T15:00:00+02:00'],
    ['2026-05-01 15:00 America/Argentina/Salta', '2026-05-01T18:00:00Z'],
    ['2026-05-01 15:00 CST', undefined],
    ['2026-05-01 15:00 Europe/Nowhere', undefined],
    ['2026-05-01 UTC', undefined],
  ] as const) {
    expect(readDate(text, []), text).toBe(expected)
  }
  expect(dateFormatsOf('01.05.2026 15:00 CET')).toEqual(['DD.MM.YYYY'])
  expect(dateFormatsOf('May 1, 2026 3:00 PM EDT')).toEqual(['MMM D YYYY'])
})

describe('people', () => {
  test('who have no allergy are on no list of allergies, in each language; a food or an exception is never none', () => {
    const none =
      'no known food allergies|No allergies reported|Keine bekannten Allergien|ohne Unverträglichkeiten|aucune allergie connue|' +
      "pas d'allergies|sans allergie|no tiene alergias|ninguna alergia alimentaria|nessuna allergia nota|senza allergie|" +
      'sem alergias|nenhuma alergia conhecida|fără alergii cunoscute|nu am alergii|nie mam alergii|brak znanych alergii|' +
      'žádné alergie|bez alergií|žiadne alergie|bez alergie|nincs allergiája|nincs ismert allergia|nema alergija|bez alergija|' +
      'brez alergij|няма алергии|нет аллергии|без аллергии|немає алергії|без алергій|δεν έχω αλλεργίες|καμία αλλεργία|' +
      'alerjisi yok|alerji yok|geen allergieën|geen bekende allergieën|ingen allergier|ingen kendte allergier|inga allergier|' +
      'inga kända allergier|ikke allergisk|ei allergioita|engin ofnæmi|keine bekannt|ninguna conocida|' +
      'NKDA|N.K.D.A.|nka|R.A.S.|o.B.|denies allergies|аллергии отсутствуют|алергії відсутні|n’a pas'
    const others =
      'no nuts|no allergies except nuts|keine Nüsse|nicht bekannt|not known|sin gluten|bez glutenu|allergy|senza lattosio|' +
      'no allergy to penicillin known'
    expect(none.split('|').filter((text) => foodMeaning(text) !== 'none')).toEqual([])
    expect(others.split('|').filter((text) => foodMeaning(text) === 'none')).toEqual([])
  })

  test('of whom nobody knows whether they have an allergy are asked about, and have none called so', async () => {
    for (const [unknown, other] of [
      ['Unknown', 'unknown'],
      ['k.A.', 'K.A.'],
      ['non renseigné', 'Non renseigné'],
      ['не указано', 'Не указано'],
      ['?', '?'],
    ]) {
      const rows = [
        'Booking no;Last name;First name;Arrival;Departure;Allergies',
        'U1;Böhm;Iris;2026-05-01;2026-05-04;Peanuts',
        `U2;Falk;Udo;2026-05-01;2026-05-04;${unknown}`,
        `U3;Roth;Pia;2026-05-02;2026-05-06;${other}`,
      ]
      const proposal = await proposalOf({ bytes: Buffer.from(rows.join('\n')), name: 'guests.csv' })
      expect(proposal, unknown).toMatch(/Allergies: what does ".+" mean\? Rows that have it: 2\./)
      expect(proposal, unknown).toContain('not asked')
      expect(proposal, unknown).not.toContain(`${unknown}: allergy`)
    }
  })

  test('e-mail addresses are found in what address books and forms write', async () => {
    for (const [text, expected] of [
      ['Iris Böhm <iris@example.net>', ['iris@example.net']],
      ['"Böhm, Iris" <iris@example.net>', ['iris@example.net']],
      ['mailto:iris@example.net?subject=Hi', ['iris@example.net']],
      ['iris@example.net (private)', ['iris@example.net']],
      ['iris@example.net, IRIS@example.net / office@example.net', ['IRIS@example.net', 'office@example.net']],
      ['a@example.net\nb@example.net', ['a@example.net', 'b@example.net']],
      ['iris at example.net', []],
      ['@example.net', []],
    ] as const) {
      expect(addressesIn(text), text).toEqual(expected)
    }
    const { proposal, customers } = await read([
      'Booking no;Last name;First name;Arrival;Departure;E-mail',
      'E11;Böhm;Iris;2026-05-01;2026-05-04;Iris Böhm <iris@example.net>',
      'E12;Falk;Udo;2026-05-01;2026-05-04;udo@example.net / home@example.net',
    ])
    expect(customers.map(({ email }) => email)).toEqual(['iris@example.net', 'udo@example.net'])
    expect(proposal).toMatch(/email: .*# check: .*udo@example.net \/ home@example.net.*first one/)
  })

  test('are one with cedilla or comma below, and with each apostrophe', () => {
    const one = hashedIdentifier(['Ştefan Ţurcanu', "O'Hara"], 'c-')
    expect(hashedIdentifier(['Ștefan Țurcanu', 'O’Hara'], 'c-')).toBe(one)
    expect(hashedIdentifier(['ștefan  ţurcanu', 'O\u02bcHara'], 'c-')).toBe(one)
    expect(hashedIdentifier(['Stefan Turcanu', "O'Hara"], 'c-')).not.toBe(one)
  })
})

test('rows of months in the column of days are left out, also as the first row', async () => {
  for (const titles of [
    ['MAI', 'JUNI'],
    ['Week A', 'Week B'],
    ['Май', 'Июнь'],
  ]) {
    const { bookings } = await read([
      'Arrival,Departure,Guest name,Room,Total',
      `${titles[0]},,,,`,
      '2026-05-01,2026-05-04,Ada Ahn,1,300',
      '2026-05-02,2026-05-04,Bo Berg,2,310',
      `${titles[1]},,,,`,
      '2026-06-01,2026-06-04,Cy Cruz,1,320',
    ])
    expect(
      bookings.map(({ startDate }) => String(startDate).slice(0, 10)),
      titles[0],
    ).toEqual(['2026-05-01', '2026-05-02', '2026-06-01'])
  }
})
