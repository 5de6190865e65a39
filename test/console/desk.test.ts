/** What the pages of the desk compute: questions, cells, files, rows of a long table, a year of sessions, totals. */
import { describe, expect, it } from 'vitest'
import { type Field, type ListedOrder, SojournError } from '../../client/src/index.ts'
import type { Clock } from '../../console/src/base/reading.ts'
import { chosenColumns, found } from '../../console/src/guests/columns.ts'
import { readWhole } from '../../console/src/guests/download.ts'
import { addressOf, filtersOf, readQuestion } from '../../console/src/guests/question.ts'
import { forgetAddress, rememberAddress, rememberedAddress } from '../../console/src/guests/remembered.ts'
import { createRows } from '../../console/src/guests/rows.ts'
import { rowsInView } from '../../console/src/guests/rows-in-view.ts'
import { orderBy } from '../../console/src/guests/sorting.ts'
import { asCurl, asLinkCommand, asTypeScript } from '../../console/src/guests/told.ts'
import { cellOf, textOf, valueAt } from '../../console/src/guests/values.ts'
import { daysFrom, nameOfOrder, totalsOf } from '../../console/src/orders/totals.ts'
import { countGuest, placeOf, placeSessions } from '../../console/src/sessions/year.ts'

describe('a question', () => {
  const told = { service: 'https://x.example/', language: 'ro', columns: ['name', 'address.city'] }

  it('is about the next thirty days, unless it says otherwise', () => {
    expect(readQuestion({}, '2026-11-21')).toMatchObject({
      by: 'dates',
      startDate: '2026-11-21',
      endDate: '2026-12-20',
    })
    expect(readQuestion({ startDate: '2026-02-30', endDate: '2026-03-01' }, '2026-11-21').startDate).toBe(
      '2026-11-21',
    )
    expect(
      filtersOf(readQuestion({ sessionId: 's1', status: 'paid', role: 'nobody' }, '2026-11-21')),
    ).toEqual({ sessionId: 's1', status: ['paid'] })
  })

  it.each([
    { arriving: '2026-11-21' },
    { inHouse: '2026-11-21', q: 'pop an' },
    { departing: '2026-11-21', status: 'paid,arrived', role: 'patient,guest', sort: '-lastName,firstName' },
    { sessionId: 's1', startDate: '2026-01-01', endDate: '2026-01-31' },
    { startDate: '2026-01-01', endDate: '2026-01-31' },
  ])('%j is the same in the address as the service is asked', (address) => {
    expect(addressOf(readQuestion(address, '2026-11-21'))).toEqual(address)
  })

  it('leaves out what the service does not know', () => {
    const address = { arriving: '2026-02-30', status: 'paid,gone', sort: 'pin', role: '' }
    expect(addressOf(readQuestion(address, '2026-11-21'))).toEqual({
      startDate: '2026-11-21',
      endDate: '2026-12-20',
      status: 'paid',
    })
  })

  it('is remembered until it is cleared', () => {
    const kept = new Map<string, string>()
    const memory = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, text: string) => void kept.set(name, text),
      removeItem: (name: string) => void kept.delete(name),
    }
    expect(rememberedAddress(memory)).toEqual({})
    rememberAddress(memory, { q: 'Pop & Ană', status: 'paid,arrived' })
    expect(rememberedAddress(memory)).toEqual({ q: 'Pop & Ană', status: 'paid,arrived' })
    forgetAddress(memory)
    expect(rememberedAddress(memory)).toEqual({})
  })

  it('is told as curl without the key, quoted for a shell', () => {
    const asked = { sessionId: "it's", role: 'patient,guest', q: 'pop' }
    expect(asCurl(readQuestion(asked, '2026-11-21'), told)).toBe(
      `curl -H "Authorization: Bearer $SOJOURN_KEY" -H 'X-LOCALE: ro' 'https://x.example/v1/guests?sessionId=it%27s&q=pop&role=patient,guest&project=name,address.city&length=100&start=1'`,
    )
  })

  it('is told as the command that makes a link for a spreadsheet', () => {
    const asked = readQuestion({ inHouse: '2026-11-21', status: 'paid,arrived' }, '2026-11-21')
    expect(asLinkCommand(asked, 'sjn_app_x', ['name', 'startDate'])).toBe(
      "sojourn links create --key sjn_app_x --name Guests '/guests?inHouse=2026-11-21&status=paid,arrived&project=name,startDate&format=csv'",
    )
  })

  it('is told as TypeScript that reads every page', () => {
    const program = asTypeScript(
      readQuestion({ startDate: '2026-01-01', endDate: '2026-01-31', sort: '-endDate' }, '2026-11-21'),
      told,
    )
    expect(program).toContain("from '@sojourn/client'")
    expect(program).toContain('sojourn.guests.all({')
    expect(program).toContain('"startDate": "2026-01-01"')
    expect(program).toMatch(/"sort": \[\s*"-endDate"\s*\]/)
  })
})

describe('a column', () => {
  it.each([
    ['startDate', [], 'ascending', ['-startDate']],
    ['startDate', ['-startDate'], 'descending', []],
    ['startDate', ['status'], 'none', []],
    ['name', [], 'none', ['lastName', 'firstName']],
    ['name', ['lastName', 'firstName'], 'ascending', ['-lastName', '-firstName']],
    ['name', ['-lastName', '-firstName'], 'descending', []],
  ] as const)('%s of guests sorted by %j', (column, sort, now, next) => {
    expect(orderBy(column, sort)).toEqual({ now, next })
  })

  it('that the service does not sort by is not sorted', () => {
    expect(orderBy('acc.roomId', [])).toBeUndefined()
  })
})

describe('a cell', () => {
  const row = {
    name: 'Ana',
    address: { city: null },
    list: ['a', 'b'],
    skippingMeals: { breakfast: ['2026-11-21'], lunch: [] },
  }

  it.each([
    ['name', 'Ana'],
    ['address.city', ''],
    ['address.city.more', ''],
    ['constructor', ''],
    ['list', 'a, b'],
    ['skippingMeals', 'breakfast: 2026-11-21'],
  ])('%s says %j', (name, text) => {
    expect(textOf(valueAt(row, name))).toBe(text)
  })

  const text = { type: 'string', format: null, example: null } as const
  const dates = {
    dob: '02/03/1941',
    startDate: '11/22/2026',
    sessionInterval: '11/12/2026 - 11/20/2026',
    programId: 'Rest',
    note: '11/12/2026',
    ids: {
      dob: '1941-02-03',
      startDate: '2026-11-21T23:30:00.000Z',
      sessionInterval: '2026-11-12T08:00:00.000Z/2026-11-20T10:00:00.000Z',
      programId: '2026-rest',
    },
  }
  it.each([
    ['dob', text, '03.02.1941'],
    ['startDate', text, '22.11.2026'],
    ['sessionInterval', text, '12.11.2026 – 20.11.2026'],
    ['programId', text, 'Rest'],
    // Its own text, whatever it looks like.
    ['note', null, '11/12/2026'],
  ])('writes days as the reader does: %s', (name, raw, shown) => {
    expect(cellOf(dates, { name, raw }, 'de', 'Europe/Berlin')).toBe(shown)
  })
})

describe('a file', () => {
  const fileOf = (type: string, count: number, pieces: readonly string[]) => ({
    type,
    count,
    body: ReadableStream.from(pieces.map((piece) => new TextEncoder().encode(piece))),
  })

  it('comes as it is, and tells how far it is', async () => {
    const seen: number[] = []
    const pieces = ['\uFEFFNume\r\nAna Pop\r', '\n"Ion ""Nelu"""\r\n']
    const whole = await readWhole(fileOf('text/csv; charset=utf-8', 2, pieces), (count) => seen.push(count))
    expect(Buffer.from(await whole.arrayBuffer()).toString()).toBe(pieces.join(''))
    expect(whole.type).toBe('text/csv; charset=utf-8')
    expect(seen).toEqual([1, 2])
  })

  it('tells no more steps than anybody sees, and never more records than there are', async () => {
    const seen: number[] = []
    const lines = Array.from({ length: 5000 }, () => '{}\n')
    await readWhole(fileOf('application/x-ndjson', 4999, lines), (count) => seen.push(count))
    expect(seen.length).toBeLessThanOrEqual(100)
    expect(Math.max(...seen)).toBeLessThanOrEqual(4999)
  })

  it('that is a workbook has no lines to count', async () => {
    const seen: number[] = []
    await readWhole(fileOf('application/vnd.ms-excel', 1, ['PK\n\n\n']), (count) => seen.push(count))
    expect(seen).toEqual([])
  })

  it('is not made where it was cut', async () => {
    const body = ReadableStream.from(
      (async function* () {
        yield new TextEncoder().encode('Nume\r\n')
        throw new SojournError('BAD_ANSWER', '')
      })(),
    )
    await expect(readWhole({ type: 'text/csv', count: 1, body }, () => {})).rejects.toThrow(SojournError)
  })
})

describe('columns', () => {
  const field = (name: string, readable = true, label = name): Field => ({
    name,
    label,
    group: '',
    description: '',
    scope: 'guests',
    readable,
    custom: false,
    type: 'string',
    example: null,
    raw: null,
    values: null,
  })
  const fields = [field('name'), field('email'), field('pin', false), field('role', true, 'Rolul oaspetelui')]

  it('are those that were chosen and may be read, else the usual ones', () => {
    expect(chosenColumns(fields, ['email', 'pin']).map(({ name }) => name)).toEqual(['email'])
    expect(chosenColumns(fields, ['pin', 'gone']).map(({ name }) => name)).toEqual(['name', 'role'])
  })

  it('are found by each word of a name or label', () => {
    expect(found(fields, 'OASPETE rol').map(({ name }) => name)).toEqual(['role'])
    expect(found(fields, ' ')).toEqual(fields)
  })
})

describe('rows', () => {
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const clock: Clock = { now: () => 0, after: () => () => {} }
  const pageOf = (page: number, total: number, mark: string) => ({
    total,
    data: Array.from({ length: Math.min(100, total - (page - 1) * 100) }, (_, at) => ({
      id: `${mark}${(page - 1) * 100 + at}`,
    })),
  })

  it('are read a page at a time where somebody looks, and once', async () => {
    const asked: number[] = []
    const rows = createRows(
      async (page) => {
        asked.push(page)
        return pageOf(page, 10_000, '')
      },
      100,
      clock,
    )
    await settled()
    expect([asked, rows.state.value.total, rows.state.value.row(99)]).toEqual([[1], 10_000, { id: '99' }])
    rows.look(5080, 5120)
    rows.look(5085, 5125)
    await settled()
    expect(asked).toEqual([1, 51, 52])
    expect(rows.state.value.row(5100)).toEqual({ id: '5100' })
    expect(rows.state.value.row(3000)).toBeUndefined()
  })

  it('that are shown stay until a change has been read, and then only what is looked at is read', async () => {
    const asked: number[] = []
    let mark = 'a'
    const rows = createRows(
      async (page) => {
        asked.push(page)
        return pageOf(page, 250, mark)
      },
      100,
      clock,
    )
    await settled()
    rows.look(110, 120)
    await settled()
    mark = 'b'
    rows.refresh()
    expect(rows.state.value.row(115)).toEqual({ id: 'a115' })
    await settled()
    expect([asked, rows.state.value.row(115)]).toEqual([[1, 2, 2], { id: 'b115' }])
  })

  it('whose number has changed are read anew', async () => {
    let total = 250
    const asked: number[] = []
    const rows = createRows(
      async (page) => {
        asked.push(page)
        return pageOf(page, total, '')
      },
      100,
      clock,
    )
    await settled()
    total = 249
    rows.look(90, 130)
    await settled()
    expect(asked).toEqual([1, 2, 1])
    expect(rows.state.value.total).toBe(249)
  })

  it('keep what is known where the next page fails', async () => {
    const rows = createRows(
      async (page) => {
        if (page > 1) throw new SojournError('CONNECTION', '')
        return pageOf(1, 250, '')
      },
      100,
      clock,
    )
    await settled()
    rows.look(150, 160)
    await settled()
    expect(rows.state.value.problem?.kind).toBe('offline')
    expect(rows.state.value.row(5)).toEqual({ id: '5' })
  })
})

describe('the rows in view', () => {
  it('are those of the scroller, and some beyond', () => {
    expect(rowsInView(0, 720, 10_000)).toEqual({ first: 0, end: 32 })
    expect(rowsInView(36_000, 720, 10_000)).toEqual({ first: 988, end: 1032 })
    expect(rowsInView(359_280, 720, 10_000)).toEqual({ first: 9968, end: 10_000 })
  })

  it('are none of an empty table, nor of one that has become shorter', () => {
    expect(rowsInView(0, 720, 0)).toEqual({ first: 0, end: 0 })
    expect(rowsInView(36_000, 720, 10)).toEqual({ first: 10, end: 10 })
  })
})

describe('a year of sessions', () => {
  const session = (id: string, from: string, to: string) => ({ id, name: id, number: null, from, to })

  it('has the first day at its left and the last at its right, leap years too', () => {
    expect(placeOf('2026-01-01', 2026)).toBe(0)
    expect(placeOf('2027-01-01', 2026)).toBe(100)
    expect(placeOf('2024-07-02', 2024)).toBe(50)
    expect(placeOf('2020-01-01', 2026)).toBe(0)
  })

  it('puts sessions at the same time below each other, and one after the other in a row', () => {
    const placed = placeSessions(
      [
        session('a', '2026-01-01', '2026-01-10'),
        session('b', '2026-01-05', '2026-01-15'),
        session('c', '2026-01-10', '2026-01-20'),
      ],
      2026,
    )
    expect(placed.map(({ id, lane }) => [id, lane])).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 0],
    ])
    expect(placed[0]?.width).toBeCloseTo((10 / 365) * 100)
  })

  it('counts a guest in each session, and nobody who does not come', () => {
    const counts = new Map<string, number>()
    countGuest(counts, { ids: { status: 'paid', sessionId: 'a', sessionIds: ['a', 'b'] } })
    countGuest(counts, { ids: { status: 'confirmed', sessionId: 'a' } })
    countGuest(counts, { ids: { status: 'cancelled', sessionId: 'a' } })
    countGuest(counts, { ids: { status: 'paid', sessionId: null } })
    expect([...counts]).toEqual([
      ['a', 2],
      ['b', 1],
    ])
  })
})

describe('totals', () => {
  const order = (currency: string, status: string, totalAmount: number, orderDate: string): ListedOrder => ({
    uuid: 'u',
    orderNumber: null,
    orderDate: '',
    totalAmount: '',
    status,
    items: [],
    paymentMethod: null,
    paymentStatus: null,
    createdAt: null,
    updatedAt: null,
    ids: {
      orderDate,
      totalAmount,
      currency,
      status,
      items: [],
      paymentMethod: null,
      paymentStatus: null,
      createdAt: null,
      updatedAt: null,
    },
  })

  it('of two currencies are never added together', () => {
    const orders = [
      order('EUR', 'Paid', 10, '2026-11-01T08:00:00Z'),
      order('RON', 'Paid', 100, '2026-11-01T08:00:00Z'),
      order('RON', 'Draft', 50, '2026-11-02T08:00:00Z'),
    ]
    const totals = totalsOf(orders, (moment) => moment.slice(0, 10))
    expect(totals.map(({ currency, count, amount }) => [currency, count, amount])).toEqual([
      ['RON', 2, 150],
      ['EUR', 1, 10],
    ])
    expect([...(totals[0]?.byStatus ?? [])]).toEqual([
      ['Paid', { count: 1, amount: 100 }],
      ['Draft', { count: 1, amount: 50 }],
    ])
    expect([...(totals[0]?.byDay.keys() ?? [])]).toEqual(['2026-11-01', '2026-11-02'])
  })

  it('of a long range have a bounded number of bars', () => {
    expect(daysFrom('2026-11-01', '2026-11-03', 92)).toEqual(['2026-11-01', '2026-11-02', '2026-11-03'])
    expect(daysFrom('2026-01-01', '2026-12-31', 92).length).toBe(92)
  })
})

it.each([
  [{ orderNumber: '2026-1', uuid: 'ec9a7742-edc8-41f8-a493-ca62ea4ae404' }, '2026-1'],
  [{ orderNumber: null, uuid: 'ec9a7742-edc8-41f8-a493-ca62ea4ae404' }, 'ec9a7742…'],
  [{ orderNumber: null, uuid: 'order-2' }, 'order-2'],
])('%j is called %s', (order, name) => {
  expect(nameOfOrder(order)).toBe(name)
})
