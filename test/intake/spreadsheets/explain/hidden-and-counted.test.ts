/** What a proposal asks about: rows and columns that are hidden in a workbook, and columns that count people (ruling 43). */
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import { explainInParts } from '../../../../src/core/intake/spreadsheets/explain/explain.ts'
import { mapTables } from '../../../../src/core/intake/spreadsheets/mapping/map-rows.ts'
import { readMapping } from '../../../../src/core/intake/spreadsheets/mapping/read-mapping.ts'
import { readTables } from '../../../../src/core/intake/spreadsheets/tables/read-tables.ts'
import { inEnglish } from '../../../../src/core/locale/said.ts'
import { zip } from '../../../support/zip.ts'

const NOW = new Date('2027-01-01T00:00:00Z')

async function* bytesOf(bytes: Uint8Array) {
  yield Buffer.from(bytes)
}

async function explained(bytes: Uint8Array, name = 'guests.xlsx') {
  const { proposals } = await explainInParts({
    open: () => readTables(bytesOf(bytes), name),
    name,
    mappingName: 'guests.yaml',
    now: NOW,
    seen: () => [],
  })
  const [proposal] = [...proposals.values()]
  return proposal!
}

type Json = Readonly<Record<string, unknown>>

/** RFC 7396 */
const merged = (target: unknown, patch: unknown): unknown => {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const result: Record<string, unknown> = { ...(target as Json) }
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else result[key] = merged(typeof result[key] === 'object' ? result[key] : {}, value)
  }
  return result
}

/** The records of the file with this answer. */
async function records(
  { mapping: proposed, questions }: Awaited<ReturnType<typeof explained>>,
  bytes: Uint8Array,
  [question, answer]: readonly [number, number],
  name = 'guests.xlsx',
) {
  const { patch } = questions[question]!.answers[answer]!
  const mapping = readMapping(JSON.stringify(merged(proposed, patch)), 'guests.yaml', { now: NOW })
  const lines = await Array.fromAsync(mapTables(readTables(bytesOf(bytes), name), mapping, name))
  return lines.map(({ value }) => value as Json)
}

describe('hidden rows and columns', () => {
  const workbook = () =>
    writeXlsx({
      sheets: [
        {
          name: 'A',
          columns: [{}, {}, {}, {}, { hidden: true }, { hidden: true }],
          rows: [
            ['Booking', 'Last name', 'Arrival', 'Departure', 'Phone', 'Scratch'],
            ['R-1', 'Aalto', '2027-02-01', '2027-02-08', '+358 40 1', 'x1'],
            ['R-2', 'Bakke', '2027-02-02', '2027-02-09', '+47 55 2', 'y2'],
            ['R-3', 'Costa', '2027-02-03', '2027-02-10', '+351 21 3', 'z3'],
          ],
          rowDefs: new Map([[2, { hidden: true }]]),
        },
      ],
    })

  test('are asked about, and imported or left out as the answer says; a column that is not used is not asked about', async () => {
    const bytes = await workbook()
    const proposal = await explained(bytes)
    expect(proposal.questions.map(({ ask }) => inEnglish(ask))).toEqual([
      'Rows that are hidden in the file (1): 3. Are they to be imported?',
      'Column Phone ("+358 40 1") is hidden in the file. Is it to be imported?',
    ])
    const customers = async (question: number, answer: number) =>
      (await records(proposal, bytes, [question, answer])).filter(({ kind }) => kind === 'customer')
    const all = await customers(1, 0)
    expect(all.map(({ lastName, phone }) => [lastName, typeof phone])).toEqual([
      ['Aalto', 'string'],
      ['Bakke', 'string'],
      ['Costa', 'string'],
    ])
    expect((await customers(0, 1)).map(({ lastName }) => lastName)).toEqual(['Aalto', 'Costa'])
    expect((await customers(1, 1))[0]).not.toHaveProperty('phone')
  })

  /** As LibreOffice writes it: repeated elements, a row that a filter leaves out, and a first sheet with a hidden row of its own. */
  const ods = () => {
    const row = (cells: readonly string[], attributes = '') =>
      `<table:table-row table:style-name="ro1"${attributes}>${cells
        .map(
          (text) =>
            `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`,
        )
        .join('')}</table:table-row>`
    const empty = '<table:table-row table:number-rows-repeated="3"><table:table-cell/></table:table-row>'
    const notes = `<table:table table:name="Notes">${row(['Note'])}${row(['x'], ' table:visibility="collapse"')}</table:table>`
    const guests = [
      '<table:table-column table:number-columns-repeated="4"/>',
      '<table:table-column table:visibility="collapse" table:number-columns-repeated="2"/>',
      row(['Booking', 'Last name', 'Arrival', 'Departure', 'Phone', 'Scratch']),
      row(['R-1', 'Aalto', '2027-02-01', '2027-02-08', '+358 40 1', 'x1']),
      empty,
      row(['R-2', 'Bakke', '2027-02-02', '2027-02-09', '+47 55 2', 'y2'], ' table:visibility="filter"'),
      row(['R-3', 'Costa', '2027-02-03', '2027-02-10', '+351 21 3', 'z3'], ' table:visibility="visible"'),
      row(['R-4', 'Dahl', '2027-02-04', '2027-02-11', '+45 1', 'z4'], ' table:visibility="collapse"'),
      '<table:table-row table:visibility="collapse" table:number-rows-repeated="1048560"><table:table-cell/></table:table-row>',
    ]
    const name = 'urn:oasis:names:tc:opendocument:xmlns'
    return zip({
      mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
      'content.xml': `<office:document-content xmlns:office="${name}:office:1.0" xmlns:table="${name}:table:1.0" xmlns:text="${name}:text:1.0"><office:body><office:spreadsheet>${notes}<table:table table:name="Guests">${guests.join('')}</table:table></office:spreadsheet></office:body></office:document-content>`,
    })
  }

  test('of an ODS file are asked about, too', async () => {
    const bytes = ods()
    const proposal = await explained(bytes, 'guests.ods')
    expect(proposal.questions.map(({ ask }) => inEnglish(ask))).toEqual([
      'Rows that are hidden in the file (2): 6, 8. Are they to be imported?',
      'Column Phone ("+358 40 1") is hidden in the file. Is it to be imported?',
    ])
    const left = await records(proposal, bytes, [0, 1], 'guests.ods')
    expect(left.filter(({ kind }) => kind === 'customer').map(({ lastName }) => lastName)).toEqual([
      'Aalto',
      'Costa',
    ])
  })

  test('a workbook that hides nothing is not asked about', async () => {
    const bytes = await writeXlsx({
      sheets: [
        {
          name: 'A',
          rows: [
            ['Booking', 'Last name', 'Arrival', 'Departure'],
            ['R-1', 'Aalto', '2027-02-01', '2027-02-08'],
          ],
        },
      ],
    })
    expect((await explained(bytes)).questions).toEqual([])
  })
})

describe('ruling 43: a column that counts people', () => {
  const csv = (...lines: string[]) => Buffer.from(`${lines.join('\n')}\n`)
  const one = csv(
    'Booking,Last name,Arrival,Departure,Adults,Children',
    'R-1,Aalto,2027-02-01 15:00,2027-02-08 11:00,1,0',
    'R-2,Bakke,2027-02-02 16:30,2027-02-09 11:00,2,3',
  )

  test('is asked about if the others have no rows', async () => {
    const { questions } = await explained(one, 'guests.csv')
    expect(questions.map(({ ask }) => inEnglish(ask))).toEqual([
      'Adults and Children: people are counted here (5 in row 3). Does each of them have a row?',
    ])
  })

  test.each(['No_of_Adult', 'Anzahl Erwachsene', 'počet osôb', 'Yetişkin', 'Взрослых'])(
    'is known by its heading, as %s is',
    async (heading) => {
      const file = csv(`Booking,Last name,Arrival,Departure,${heading}`, 'R-1,Aalto,2027-02-01,2027-02-08,2')
      expect((await explained(file, 'guests.csv')).questions.map(({ ask }) => inEnglish(ask))).toEqual([
        `${heading}: people are counted here (2 in row 2). Does each of them have a row?`,
      ])
    },
  )

  test('makes the others additional people on the days of the stay, or nothing', async () => {
    const proposal = await explained(one, 'guests.csv')
    const meals = async (answer: number) =>
      (await records(proposal, one, [0, answer], 'guests.csv'))
        .filter(({ kind }) => kind === 'booking')
        .map((booking) => booking.meals)
    expect(await meals(0)).toEqual([undefined, undefined])
    expect(await meals(1)).toEqual([undefined, [{ from: '2027-02-02', until: '2027-02-09', guests: 4 }]])
  })

  test('is not asked about if each has a row, or is counted alone', async () => {
    const rows = csv(
      'Booking,First name,Last name,Arrival,Departure,Pax',
      'R-1,Eva,Aalto,2027-02-01,2027-02-08,2',
      'R-1,Olli,Aalto,2027-02-01,2027-02-08,2',
      'R-2,Ida,Bakke,2027-02-02,2027-02-09,1',
    )
    const asked = async (bytes: Uint8Array) =>
      (await explained(bytes, 'guests.csv')).questions.filter(({ ask }) => inEnglish(ask).includes('count'))
    expect(await asked(rows)).toEqual([])
    expect(
      await asked(csv('Booking,Last name,Arrival,Departure,Pax', 'R-1,Aalto,2027-02-01,2027-02-08,1')),
    ).toEqual([])
  })
})
