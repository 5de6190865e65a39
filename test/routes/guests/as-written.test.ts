/** Names and phone numbers as people write them, stored and looked for: by `q`, `phone`, `GET /guests/match` and `GET /search`. */
import { beforeAll, expect, it } from 'vitest'
import { plainDigits } from '../../../src/core/locale/digits.ts'
import { guestIds, startTestApi, type TestApi, type TestCenter } from '../../support/api.ts'
import { guest } from '../../support/world.ts'

const YEAR = 'startDate=2025-01-01&endDate=2025-12-31'
const STAY = { startDate: '2025-03-01T15:00', endDate: '2025-03-05T10:00' }

/** By identifier of the booking. */
const NAMES = {
  keyboard: "В'яземська",
  quotation: 'Лук’янов',
  modifier: 'Солов\u02bcяненко',
  okina: 'Liliʻuokalani',
  halfRing: 'al-Raʾīs',
  acute: 'D´Angelo',
} as const
const PHONES = {
  spaced: '0911 / 48 20 17',
  country: '+43 1 / 890 55 31',
  dashes: '0341\u2013771\u200945\u200918',
  arabic: '٠٧٧١ ٢٣٤ ٥٥ ٨٨',
  devanagari: '+९१ ९८७६५ ४३२१०',
  wide: '０３−５５４４−２２１１',
  two: '0361 4455667 / 0172 9988776',
  lines: '+40 744 100 200\n+40 744 100 201',
  words: 'acasă 021 310 44 55, mobil 0722 555 888',
  cyrillic: '8 912 345-67-89 или 8 912 345-67-90',
  extensions: '030 7766550 / 51',
} as const

let service: TestApi
let api: TestCenter
beforeAll(async () => {
  service = await startTestApi()
  api = await service.newCenter([
    ...Object.entries(NAMES).flatMap(([id, lastName]) => guest(id, STAY, { firstName: 'A', lastName })),
    ...Object.entries(PHONES).flatMap(([id, phone]) =>
      guest(id, STAY, { firstName: 'P', lastName: 'Q', phone }),
    ),
  ])
})

it('ruling 16: every apostrophe is one, and a name is also found without it', async () => {
  const wrong: string[] = []
  const look = async (asked: string, id: string) => {
    const found = await guestIds(api, `${YEAR}&q=${encodeURIComponent(asked)}`)
    if (found.join() !== id) wrong.push(`q=${asked}: ${found.join()}`)
  }
  for (const [id, name] of Object.entries(NAMES)) {
    for (const mark of ["'", '’', '\u02bc', '\u02bb', '`']) {
      const asked = name.replaceAll(/['’´\u02bc\u02bb\u02be]/g, mark)
      await look(asked, id)
      const { body } = await api.get(`/v1/guests/match?${YEAR}&name=${encodeURIComponent(asked)}`)
      const [first] = body.data as unknown as readonly { id: string }[]
      if (first?.id !== id) wrong.push(`match ${asked}: ${first?.id}`)
    }
  }
  await look('Вяземська', 'keyboard')
  await look('Viazemska', 'keyboard')
  await look('Lukianov', 'quotation')
  await look('Solovianenko', 'modifier')
  await look('Liliuokalani', 'okina')
  expect(wrong).toEqual([])
})

it('ruling 16: each number of a field is found, in any notation and script', async () => {
  const asked: readonly (readonly [string, string])[] = [
    ...Object.entries(PHONES).map(([id, phone]) => [phone, id] as const),
    ['0911482017', 'spaced'],
    ['+49 911 482017', 'spaced'],
    ['0911/482017', 'spaced'],
    ['01 8905531', 'country'],
    ['0341 7714518', 'dashes'],
    ['+964 771 234 5588', 'arabic'],
    ['۰۷۷۱۲۳۴۵۵۸۸', 'arabic'],
    ['098765 43210', 'devanagari'],
    ['03-5544-2211', 'wide'],
    ['0361 4455667', 'two'],
    ['+49 172 9988776', 'two'],
    ['0744100200', 'lines'],
    ['0744 100 201', 'lines'],
    ['021 3104455', 'words'],
    ['0722/555/888', 'words'],
    ['+7 912 345 67 89', 'cyrillic'],
    ['+7 912 345 67 90', 'cyrillic'],
    ['0307766550', 'extensions'],
  ]
  const wrong: string[] = []
  for (const [phone, id] of asked) {
    const found = await guestIds(api, `${YEAR}&phone=${encodeURIComponent(phone)}`)
    if (found.join() !== id) wrong.push(`${phone}: ${found.join()}`)
  }
  expect(wrong).toEqual([])
  // An area code of one number and the digits of the next are no number.
  expect(await guestIds(api, `${YEAR}&phone=${encodeURIComponent('4455667 0172')}`)).toEqual([])
})

it('a search finds parts of each number, with the digits of any script', async () => {
  for (const [q, id] of [
    ['9988776', 'two'],
    ['100 201', 'lines'],
    ['٢٣٤ ٥٥ ٨٨', 'arabic'],
    ['7714518', 'dashes'],
  ] as const) {
    const { body } = await api.get(`/v1/search?q=${encodeURIComponent(q)}`)
    const { guests } = body as unknown as { guests: { data: { id: string; matched: unknown }[] } }
    expect(guests.data, q).toMatchObject([{ id, matched: [{ by: 'phone', value: PHONES[id] }] }])
  }
})

it('digits of all scripts are 0 to 9', () => {
  expect(plainDigits('٠١٢٣٤٥٦٧٨٩ ۹ ९ ０９ ๙ ៩ 𝟗𝟎 a ½')).toBe('0123456789 9 9 09 9 9 90 a ½')
})
