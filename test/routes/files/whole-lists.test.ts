/** The whole of each list as a file: the same records as all its pages, at one position in the changes. */
import { createHash } from 'node:crypto'
import { readXlsx } from 'hucre/xlsx'
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi, type TestCenter } from '../../support/api.ts'
import { readCsv } from '../../support/csv.ts'
import { guest, metaField, order, session, type TestRecord, term } from '../../support/world.ts'

const GUESTS = 230
const numbered = (n: number) => String(n).padStart(3, '0')

const RECORDS: readonly TestRecord[] = [
  metaField('signed', { type: 'date', label: 'Signed on' }),
  term('program', 'detox', 'Detox', { names: { ro: 'Detoxifiere' } }),
  term('unit', 'house', 'House'),
  session('s1', '2025-01-06T15:00', '2025-01-12T11:00', { programIds: ['detox'], unitIds: ['house'] }),
  session('s2', '2025-02-06T15:00', '2025-02-12T11:00', { text: '=1+1' }),
  ...Array.from({ length: GUESTS }, (_, n) =>
    guest(
      `g${numbered(n)}`,
      {
        startDate: `2025-01-${String(6 + (n % 3)).padStart(2, '0')}T14:00`,
        endDate: '2025-01-12T10:00',
        sessionIds: ['s1'],
        programId: 'detox',
        financial: { total: 1000.5, deposit: { paidAt: '2025-01-05T23:30:00Z' } },
        skippingMeals: { lunch: ['2025-01-07', '2025-01-08'] },
      },
      {
        firstName: `Ștefan ${numbered(n)}`,
        lastName: n === 7 ? '=HYPERLINK("http://evil")' : 'Pop',
        phone: '+40 722 000 111',
        dob: n === 0 ? '1899-05-06' : '1980-02-03',
        pin: '0012345',
        meta: { signed: '2025-01-02' },
      },
    ),
  ).flat(),
  ...Array.from({ length: 3 }, (_, n) =>
    order(`order_${n}`, {
      number: `00${n}`,
      totalAmount: 1234.5,
      items: [{ itemId: 'i', name: 'Tea; green', quantity: 2, price: 617.25 }],
    }),
  ),
]

let api: TestApi
let center: TestCenter
beforeAll(async () => {
  // The ETag of a file is of one local day.
  api = await startTestApi({ now: '2025-01-12T09:00:00Z' })
  center = await api.newCenter(RECORDS)
})

const FIELDS =
  'id,firstName,lastName,phone,dob,pin,startDate,programId,status,financial.total,financial.deposit.paidAt,skippingMeals,meta.signed'
const LISTS = [
  ['/v1/guests', 'sessionId=s1&project=id,name', 'id'],
  ['/v1/guests', `startDate=2025-01-01&endDate=2025-03-01&project=${FIELDS}`, 'id'],
  [
    '/v1/guests',
    'arriving=2025-01-07&q=pop%20stefan&phone=%2B40722000111&status=confirmed,arrived&role=patient,guest&sort=-firstName&project=id',
    'id',
  ],
  ['/v1/sessions', 'startDate=2025-01-01&endDate=2025-03-01', '_id'],
  ['/v1/orders', 'startDate=2025-01-01&endDate=2025-03-01&includeGuestNames=true', 'uuid'],
  ['/v1/orders', 'startDate=2025-01-01&endDate=2025-03-01&orderNumber=001&status=confirmed', 'uuid'],
] as const

const read = async (url: string, headers = {}, asker: Pick<TestCenter, 'get'> = center) => {
  const answer = await asker.get(url, headers)
  expect(answer.status, answer.text.slice(0, 300)).toBe(200)
  return answer
}

const digestOf = (ids: readonly unknown[]) =>
  createHash('sha256')
    .update(ids.map((id) => `${id}\n`).join(''))
    .digest('hex')

async function pagesOf(path: string, query: string) {
  const all: unknown[] = []
  for (let page = 1; ; page += 1) {
    const url = path === '/v1/orders' ? `${path}?${query}` : `${path}?${query}&length=100&start=${page}`
    const answer = await read(url)
    if (path === '/v1/orders') return [...answer.list]
    all.push(...answer.body.data)
    if (all.length >= answer.body.total) return all
  }
}

describe.each(LISTS)('%s as NDJSON (%s)', (path, query, idName) => {
  it('has the records of all pages, then how many and which', async () => {
    const answer = await read(`${path}?${query}&format=ndjson`)
    const lines = answer.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const { manifest } = lines.pop()
    expect(lines.length).toBeGreaterThan(0)
    expect(lines).toEqual(await pagesOf(path, query))
    const digest = digestOf(lines.map((record) => record[idName]))
    expect(manifest).toEqual({
      rows: lines.length,
      digest,
      cursor: answer.headers['snapshot-cursor'],
      // What is in it is in ruling-46.test.ts.
      received: expect.any(Array),
    })
    expect(answer.headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename="\w+\.ndjson"$/),
      'snapshot-count': String(lines.length),
      'snapshot-digest': digest,
      vary: expect.stringContaining('Accept'),
    })
  })

  it('has the same number of rows as CSV and XLSX', async () => {
    const { rows } = JSON.parse(
      (await read(`${path}?${query}&format=ndjson`)).text.trimEnd().split('\n').at(-1)!,
    ).manifest
    expect(readCsv((await read(`${path}?${query}&format=csv&bom=false`)).text)).toHaveLength(rows)
    const { sheets } = await workbook(`${path}?${query}&format=xlsx`)
    expect(sheets[0]!.rows).toHaveLength(rows + 1)
  })

  it('is a 304 while nothing is committed', async () => {
    const url = `${path}?${query}&format=csv`
    const { etag } = (await read(url)).headers
    expect(etag).toMatch(/^W\//)
    const again = await center.get(url, { 'if-none-match': String(etag) })
    expect([again.status, again.text]).toEqual([304, ''])
  })
})

/** As a program reads it that is not the one that wrote it would be better; LibreOffice does, in the slower tests. */
async function workbook(url: string) {
  const answer = await api.app.inject({ url, headers: center.key.bearer })
  expect(answer.statusCode).toBe(200)
  return readXlsx(new Uint8Array(answer.rawPayload), { readStyles: true })
}

const named = (query: string) => `/v1/guests?sessionId=s1&project=${FIELDS}&${query}`

describe('a table', () => {
  it('for people has labels, numbers, and local days that every spreadsheet reads', async () => {
    const [first, second] = readCsv((await read(named('format=csv&bom=false'))).text)
    expect(first).toEqual({
      'First name': 'Ștefan 000',
      'Last name': 'Pop',
      // As a text, so that a spreadsheet program keeps its zeros.
      'National identification number': '="0012345"',
      Phone: '+40 722 000 111',
      'Date of birth': '1899-05-06',
      Identifier: 'g000',
      Program: 'Detox',
      'Start of stay': '2025-01-06',
      Status: 'Confirmed',
      Total: '1000.5',
      // 23:30 by UTC's clocks is the next day by the center's.
      'Deposit: paid on': '2025-01-06',
      'Skipped meals: breakfast': '',
      'Skipped meals: lunch': '2025-01-07, 2025-01-08',
      'Skipped meals: dinner': '',
      'Signed on': '2025-01-02',
    })
    expect(second!['Date of birth']).toBe('1980-02-03')
  })

  it('with values=raw has the names of the fields and the values of ids', async () => {
    const [first] = readCsv((await read(named('format=csv&values=raw&bom=false'))).text)
    expect(first).toMatchObject({
      id: 'g000',
      programId: 'detox',
      status: 'confirmed',
      startDate: '2025-01-06T12:00:00.000Z',
      'financial.deposit.paidAt': '2025-01-05T23:30:00.000Z',
      'financial.total': '1000.5',
      'skippingMeals.lunch': '2025-01-07|2025-01-08',
      'meta.signed': '2025-01-02',
    })
    const [one] = readCsv(
      (await read('/v1/sessions?startDate=2025-01-01&endDate=2025-01-31&format=csv&values=raw&bom=false'))
        .text,
    )
    expect(one).toMatchObject({ availablePrograms: 'detox', availableUnits: 'house' })
  })

  it('is what the spreadsheets of the language expect, unless set otherwise', async () => {
    const url = '/v1/guests?sessionId=s1&project=firstName,financial.total&format=csv'
    const firstLines = async (more: string, locale: string) =>
      (await read(url + more, { 'x-locale': locale })).text.split('\r\n').slice(0, 2)
    expect(await firstLines('', 'de')).toEqual(['\uFEFFVorname;Gesamtbetrag', 'Ștefan 000;1000,5'])
    expect(await firstLines('', 'en')).toEqual(['\uFEFFFirst name,Total', 'Ștefan 000,1000.5'])
    expect(await firstLines('&delimiter=comma&bom=false', 'de')).toEqual([
      'Vorname,Gesamtbetrag',
      'Ștefan 000,1000.5',
    ])
    expect(await firstLines('&delimiter=tab', 'ro')).toEqual(['\uFEFFPrenume\tTotal', 'Ștefan 000\t1000,5'])
    expect(await firstLines('&delimiter=semicolon&decimal=comma', 'en')).toEqual([
      '\uFEFFFirst name;Total',
      'Ștefan 000;1000,5',
    ])
  })

  it('of orders has amounts as numbers with their currency, and items as text', async () => {
    const [first] = readCsv(
      (await read('/v1/orders?startDate=2025-01-01&endDate=2025-03-01&format=csv&bom=false')).text,
    )
    expect(first).toMatchObject({
      'Order identifier': 'order_0',
      'Order number': '="000"',
      Date: '2025-01-05',
      Total: '1234.5',
      Currency: 'EUR',
      'Order status': 'Confirmed',
      Items: '2 × Tea; green (€617.25)',
    })
    expect(first).not.toHaveProperty('Guests')
  })

  it('has no formula, and texts as they are where they are none', async () => {
    const { text } = await read(named('format=csv&bom=false'))
    expect(text).toContain(`,"'=HYPERLINK(""http://evil"")",`)
    expect(text).toContain(',+40 722 000 111,')
    expect((await read('/v1/sessions?startDate=2025-01-01&endDate=2025-03-01&format=csv')).text).toContain(
      ",'=1+1,",
    )
  })

  it('as a workbook has dates that are dates, numbers that are numbers, and texts that are texts', async () => {
    const { sheets } = await workbook(named('format=xlsx'))
    const [head, first, second] = sheets[0]!.rows
    const cells = (row: readonly unknown[]) => Object.fromEntries(head!.map((name, at) => [name, row[at]]))
    expect(sheets[0]!.name).toBe('guests')
    // Before the first day of Excel's calendar, a day is a text.
    expect(cells(first!)).toMatchObject({
      'Date of birth': '1899-05-06',
      'National identification number': '0012345',
      Phone: '+40 722 000 111',
      'Start of stay': new Date('2025-01-06T00:00:00Z'),
      Total: 1000.5,
      'Signed on': new Date('2025-01-02T00:00:00Z'),
    })
    expect(cells(second!)['Date of birth']).toEqual(new Date('1980-02-03T00:00:00Z'))
    expect(sheets[0]!.rows.flat()).toContain('=HYPERLINK("http://evil")')
  })

  it('as a workbook has a bold head that stays, columns as wide as their texts, and formats of dates and amounts', async () => {
    const { sheets } = await workbook(named('format=xlsx'))
    const [{ rows, cells, columns, freezePane }, ages] = sheets as [(typeof sheets)[0], (typeof sheets)[0]]
    const [head = []] = rows
    expect(freezePane).toMatchObject({ rows: 1 })
    const styles = (row: number) => head.map((_, at) => cells?.get(`${row},${at}`)?.style)
    expect(styles(0).every((style) => style?.font?.bold === true)).toBe(true)
    expect(ages.cells?.get('0,0')?.style?.font?.bold).toBe(true)
    const [, second] = [styles(1), styles(2)]
    const formats = Object.fromEntries(head.map((name, at) => [name, second[at]?.numFmt]))
    expect(second.some((style) => style?.font?.bold)).toBe(false)
    expect(formats).toMatchObject({
      'Date of birth': 'yyyy-mm-dd',
      'Start of stay': 'yyyy-mm-dd',
      Total: '#,##0.00',
      Phone: undefined,
    })
    const widths = Object.fromEntries(head.map((name, at) => [name, columns?.[at]?.width]))
    // As its longest text and its heading, and two characters.
    expect(widths).toMatchObject({
      'Last name': '=HYPERLINK("http://evil")'.length + 2,
      Total: 10,
      'National identification number': 'National identification number'.length + 2,
    })
  })
})

describe('which form', () => {
  const url = '/v1/guests?sessionId=s1'
  const typeOf = async (accept: string, more = '') =>
    String((await read(url + more, { accept })).headers['content-type'])

  it('is the one that Accept would rather have, and format decides over it', async () => {
    expect(await typeOf('text/csv')).toContain('text/csv')
    expect(await typeOf('application/x-ndjson, application/json;q=0.5')).toContain('application/x-ndjson')
    expect(await typeOf('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')).toContain(
      'spreadsheetml',
    )
    expect(await typeOf('application/json, text/csv')).toContain('application/json')
    expect(await typeOf('text/html,*/*;q=0.8')).toContain('application/json')
    expect(await typeOf('text/csv', '&format=json')).toContain('application/json')
    expect(await typeOf('application/json', '&format=csv')).toContain('text/csv')
  })

  it('refuses what belongs to another form, pages with a file, and a comma that is to be both', async () => {
    const problems = async (more: string) => {
      const answer = await center.get(url + more)
      expect(answer.status).toBe(400)
      return answer.body.error.details!.map(({ parameter }) => parameter)
    }
    expect(await problems('&format=csv&start=1&length=50')).toEqual(['start', 'length'])
    expect(await problems('&values=raw')).toEqual(['values'])
    expect(await problems('&format=xlsx&bom=true')).toEqual(['bom'])
    expect(await problems('&format=ndjson&values=raw&decimal=comma')).toEqual(['values', 'decimal'])
    expect(await problems('&format=csv&delimiter=comma&decimal=comma')).toEqual(['decimal'])
    expect(await problems('&format=excel')).toEqual(['format'])
  })

  it('needs the scopes that a page needs, and shows nothing of another center', async () => {
    const kitchen = api.as(await api.createKey({ center: center.id, scopes: ['guests'] }))
    expect((await kitchen.get(`${url}&project=pin&format=csv`)).status).toBe(403)
    expect((await kitchen.get('/v1/orders?startDate=2025-01-01&endDate=2025-01-31&format=csv')).status).toBe(
      403,
    )
    const other = await api.newCenter([])
    const none = await read(`${url}&project=id&format=csv&bom=false`, {}, other)
    expect([none.text, none.headers['snapshot-count']]).toEqual(['Identifier\r\n', '0'])
  })

  it('answers HEAD with the headers of GET and nothing else', async () => {
    const answer = await center.request('HEAD', `${url}&format=csv`)
    expect([answer.status, answer.text, answer.headers['snapshot-count']]).toEqual([200, '', String(GUESTS)])
  })
})
