/** What the pages of the desk compute: questions, cells, files, rows of a long table, a year of sessions, totals. */
import { describe, expect, it } from 'vitest'
import { type Field, SojournError } from '../../client/src/index.ts'
import type { Clock } from '../../console/src/base/clock.ts'
import type { Known } from '../../console/src/base/store.ts'
import { asCurl, asLinkCommand, asTypeScript } from '../../console/src/guests/as-text.ts'
import { chosenColumns, found } from '../../console/src/guests/columns.ts'
import { readWhole } from '../../console/src/guests/download.ts'
import { addressOf, askedOf, filtersOf, leftOutOf, readQuestion } from '../../console/src/guests/question.ts'
import { forgetAddress, rememberAddress, rememberedAddress } from '../../console/src/guests/remembered.ts'
import { createRows, type FirstRows, ROWS_MAX, recordsOf } from '../../console/src/guests/rows.ts'
import { orderBy } from '../../console/src/guests/sorting.ts'
import { cellOf, textOf, valueAt } from '../../console/src/guests/values.ts'
import type { WholeList } from '../../console/src/guests/whole-lists.ts'
import { widthsOf } from '../../console/src/guests/widths.ts'
import { isPeriod, monthAfter, monthBefore, monthOf, nameOfPeriod } from '../../console/src/orders/period.ts'
import { placeOf, placeSessions } from '../../console/src/sessions/year.ts'
import german from '../../console/words/de.json' with { type: 'json' }
import english from '../../console/words/en.json' with { type: 'json' }
import { nameOfOrder } from '../../src/documents/order-name.ts'
import { wordsOf } from '../../src/documents/words.ts'

describe('a question', () => {
  const reported = { service: 'https://x.example/', language: 'ro', columns: ['name', 'address.city'] }

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
    expect(filtersOf(readQuestion({ sessionId: 's1' }, '2026-11-21'))).toEqual({
      sessionId: 's1',
      active: true,
    })
  })

  it.each([
    { arriving: '2026-11-21' },
    { inHouse: '2026-11-21', q: 'pop an' },
    { departing: '2026-11-21', status: 'paid,arrived', role: 'patient,guest', sort: '-lastName,firstName' },
    { sessionId: 's1', startDate: '2026-01-01', endDate: '2026-01-31' },
    { startDate: '2026-01-01', endDate: '2026-01-31' },
    { inHouse: '2026-11-21', active: 'false' },
  ])('%j is the same in the address again', (address) => {
    expect(addressOf(readQuestion(address, '2026-11-21'), '2026-11-21')).toEqual(address)
    expect(leftOutOf(address, '2026-11-21')).toEqual([])
  })

  it('ruling 50: is about active bookings, unless it is about the others or about statuses', () => {
    const active = (query: Record<string, string>) => askedOf(readQuestion(query, '2026-11-21')).active
    expect(active({})).toBe('true')
    expect(active({ inHouse: '2026-11-21' })).toBe('true')
    expect(active({ inHouse: '2026-11-21', active: 'false' })).toBe('false')
    expect(active({ status: 'cancelled' })).toBeUndefined()
  })

  it.each([
    [{ startDate: '2026-13-45' }, ['startDate=2026-13-45']],
    [{ startDate: '2026-11-21' }, ['startDate=2026-11-21']],
    [{ startDate: '2026-11-21', endDate: '2026-11-20' }, ['startDate=2026-11-21', 'endDate=2026-11-20']],
    [{ inHouse: 'someday' }, ['inHouse=someday']],
    [{ status: 'paid,gone', room: '7' }, ['status=paid,gone', 'room=7']],
    [{ constructor: 'x' }, ['constructor=x']],
  ])('%j: says what of its address it leaves out', (query, parts) => {
    expect(leftOutOf(query, '2026-11-21')).toEqual(parts)
  })

  it('leaves out what the service does not know', () => {
    const address = { arriving: '2026-02-30', status: 'paid,gone', sort: 'pin', role: '' }
    expect(addressOf(readQuestion(address, '2026-11-21'), '2026-11-21')).toEqual({
      startDate: '2026-11-21',
      endDate: '2026-12-20',
      status: 'paid',
    })
  })

  it('is remembered until it is cleared', () => {
    const stored = new Map<string, string>()
    const memory = {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, text: string) => void stored.set(name, text),
      removeItem: (name: string) => void stored.delete(name),
    }
    expect(rememberedAddress(memory)).toEqual({})
    rememberAddress(memory, { q: 'Pop & Ană', status: 'paid,arrived' })
    expect(rememberedAddress(memory)).toEqual({ q: 'Pop & Ană', status: 'paid,arrived' })
    forgetAddress(memory)
    expect(rememberedAddress(memory)).toEqual({})
  })

  it('is shown as curl without the key, quoted for a shell', () => {
    const asked = { sessionId: "it's", role: 'patient,guest', q: 'pop' }
    expect(asCurl(readQuestion(asked, '2026-11-21'), reported)).toBe(
      `curl -H "Authorization: Bearer $SOJOURN_KEY" -H 'X-LOCALE: ro' 'https://x.example/v1/guests?sessionId=it%27s&active=true&q=pop&role=patient,guest&project=name,address.city&length=100&start=1'`,
    )
  })

  it('is shown as the command that makes a link for a spreadsheet', () => {
    const asked = readQuestion({ inHouse: '2026-11-21', status: 'paid,arrived' }, '2026-11-21')
    expect(asLinkCommand(asked, 'sjn_app_x', ['name', 'startDate'])).toBe(
      "sojourn links create --key sjn_app_x --name Guests '/guests?inHouse=2026-11-21&status=paid,arrived&project=name,startDate&format=csv'",
    )
  })

  it('is shown as TypeScript that reads every page', () => {
    const program = asTypeScript(
      readQuestion({ startDate: '2026-01-01', endDate: '2026-01-31', sort: '-endDate' }, '2026-11-21'),
      reported,
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
    expect(orderBy('email', [])).toBeUndefined()
  })
})

describe('a cell', () => {
  const row = {
    name: 'Ana',
    address: { city: null },
    list: ['a', 'b'],
    isMain: true,
    deposit: { amount: 10, isPaid: false, notes: null },
  }
  const words = wordsOf(german)
  const shown = { language: 'de', zone: 'Europe/Berlin', words }

  it.each([
    ['name', 'Ana'],
    ['address.city', ''],
    ['address.city.more', ''],
    ['constructor', ''],
    ['list', 'a, b'],
    ['isMain', 'Ja'],
    ['deposit', '10, Nein'],
  ])('%s says %j', (name, text) => {
    expect(textOf(valueAt(row, name), words)).toBe(text)
  })

  it('says skipped meals in words', () => {
    const skippingMeals = { breakfast: ['2026-11-21', '2026-11-22'], lunch: [], dinner: ['2026-11-21'] }
    const skips = { name: 'skippingMeals', raw: null }
    expect(cellOf({ skippingMeals }, skips, shown)).toBe(
      'Frühstück: 21.11.2026, 22.11.2026; Abendessen: 21.11.2026',
    )
    expect(cellOf({ skippingMeals: { breakfast: [], lunch: [], dinner: [] } }, skips, shown)).toBe('')
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
  ])('writes days as the reader does: %s', (name, raw, written) => {
    expect(cellOf(dates, { name, raw }, shown)).toBe(written)
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
  const list = (total: number, mark = '') =>
    Array.from({ length: total }, (_, at) => ({ id: `${mark}${at}` }))
  /** A list that a test changes, and what was asked of it. `askedAt` moves with each change. */
  const sourceOf = (data: { rows: { id: string }[]; others?: number; askedAt?: number }, of = clock) => {
    const asked: string[] = []
    let list: WholeList | undefined
    const first = async () => ({
      value: { data: data.rows.slice(0, 100), total: data.rows.length, others: data.others },
      askedAt: data.askedAt ?? 0,
      asOf: () => data.askedAt ?? 0,
      isCurrent: () => true,
    })
    return {
      asked,
      clock: of,
      memory: {
        get: () => list,
        set: (next: WholeList | undefined) => {
          list = next
        },
      },
      recall: (): Promise<Known<FirstRows> | undefined> => Promise.resolve(undefined),
      first: () => {
        asked.push('first')
        return first()
      },
      whole: async () => {
        asked.push('whole')
        return data.rows
      },
    }
  }

  it('are all of the list, and one page is enough for a short one', async () => {
    const short = sourceOf({ rows: list(100), others: 4 })
    const long = sourceOf({ rows: list(3000) })
    const [one, other] = [createRows(short), createRows(long)]
    await settled()
    expect([short.asked, one.state.value.rows.length, one.state.value.others]).toEqual([['first'], 100, 4])
    expect([long.asked, other.state.value.rows.length, other.state.value.rest]).toEqual([
      ['first', 'whole'],
      3000,
      'none',
    ])
  })

  it('say that the rest is missing while it is read, and where it is too long', async () => {
    const states: string[] = []
    const rows = createRows(sourceOf({ rows: list(250) }))
    const end = rows.state.subscribe(({ rest, rows, total }) =>
      states.push(`${rows.length}/${total} ${rest}`),
    )
    await settled()
    end()
    expect(states).toEqual(['0/undefined none', '100/250 reading', '250/250 none'])
    const tooLong = sourceOf({ rows: list(ROWS_MAX + 1) })
    const first = createRows(tooLong)
    await settled()
    expect([tooLong.asked, first.state.value.rows.length, first.state.value.rest]).toEqual([
      ['first'],
      100,
      'tooLong',
    ])
    const refused = createRows({
      ...sourceOf({ rows: list(250) }),
      whole: async () => {
        throw new SojournError('INVALID_PARAMETER', 'too many')
      },
    })
    await settled()
    expect([refused.state.value.rest, refused.state.value.problem]).toEqual(['tooLong', undefined])
  })

  it('that are shown stay whole until a change has been read', async () => {
    const data = { rows: list(250, 'a'), askedAt: 0 }
    const source = sourceOf(data)
    const rows = createRows(source)
    await settled()
    // What was changed elsewhere needs no other list.
    rows.refresh()
    await settled()
    expect(source.asked).toEqual(['first', 'whole', 'first'])
    data.rows = list(240, 'b')
    data.askedAt = 1
    rows.refresh()
    expect(rows.state.value.rows[115]).toEqual({ id: 'a115' })
    await settled()
    expect([rows.state.value.rows[115], rows.state.value.total]).toEqual([{ id: 'b115' }, 240])
    expect(source.asked).toEqual(['first', 'whole', 'first', 'first', 'whole'])
    // A page that is opened again has them at once, also without a connection.
    const offline = async () => {
      throw new SojournError('CONNECTION', '')
    }
    const again = createRows({ ...source, recall: source.first, first: offline })
    await settled()
    expect([again.state.value.rows.length, again.state.value.rest, again.state.value.problem?.kind]).toEqual([
      240,
      'none',
      'offline',
    ])
  })

  it('of a long list that changes all the time are read a fifth of the time at most', async () => {
    let now = 0
    const waits: number[] = []
    const slow: Clock = {
      now: () => now,
      after: (ms) => {
        waits.push(ms)
        return () => {}
      },
    }
    const takesTime = async () => {
      now += 500
      return list(250)
    }
    const source = { ...sourceOf({ rows: list(250) }, slow), whole: takesTime }
    const rows = createRows(source)
    await settled()
    rows.refresh()
    rows.refresh()
    expect(waits).toEqual([2000, 2000])
    now += 2000
    rows.refresh()
    expect(waits).toEqual([2000, 2000])
  })

  it('keep what is known where reading fails, and nothing where the key has ended', async () => {
    const source = sourceOf({ rows: list(50) })
    let code: 'CONNECTION' | 'UNAUTHORIZED' | undefined
    const first = async () => {
      if (code !== undefined) throw new SojournError(code, '')
      return source.first()
    }
    const rows = createRows({ ...source, first })
    await settled()
    code = 'CONNECTION'
    rows.refresh()
    await settled()
    expect([rows.state.value.problem?.kind, rows.state.value.rows.length]).toEqual(['offline', 50])
    code = 'UNAUTHORIZED'
    rows.refresh()
    await settled()
    expect([rows.state.value.problem?.kind, rows.state.value.rows.length]).toEqual(['ended', 0])
  })

  it('are read from a file, however its bytes are cut, without its manifest', async () => {
    const bytes = new TextEncoder().encode('{"name":"Ștefan"}\n{"name":"Ana"}\n{"manifest":{"rows":2}}\n')
    const pieces = Array.from(bytes, (_, at) => bytes.slice(at, at + 1))
    expect(await recordsOf(ReadableStream.from(pieces))).toEqual([{ name: 'Ștefan' }, { name: 'Ana' }])
  })

  it('have columns as wide as their texts, within bounds', () => {
    const lengthOf = (text: string) => text.length * 10
    expect(widthsOf(['Name', 'Room', 'Notes'], [['Ana Popescu', '1', 'x'.repeat(90)]], lengthOf)).toEqual([
      130, 78, 320,
    ])
  })
})

describe('a year of sessions', () => {
  const session = (id: string, from: string, to: string) => ({
    id,
    name: id,
    number: null,
    guests: undefined,
    from,
    to,
  })

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
})

describe('the period of orders', () => {
  it('is a month with its own last day, also in February and at the end of a year', () => {
    expect(monthOf('2024-02-10')).toEqual({ startDate: '2024-02-01', endDate: '2024-02-29' })
    expect(monthOf('2026-12-31')).toEqual({ startDate: '2026-12-01', endDate: '2026-12-31' })
    expect([monthBefore('2026-01-31'), monthAfter('2026-12-31')]).toEqual(['2025-12-01', '2027-01-01'])
  })

  it('is at most a leap year', () => {
    expect(isPeriod({ startDate: '2024-01-01', endDate: '2024-12-31' })).toBe(true)
    expect(isPeriod({ startDate: '2024-01-01', endDate: '2025-01-01' })).toBe(false)
    expect(isPeriod({ startDate: '2024-02-01', endDate: '2024-01-01' })).toBe(false)
    expect(isPeriod({ startDate: 'x', endDate: '2024-01-01' })).toBe(false)
  })

  it('has the name of its month, or its days', () => {
    const t = wordsOf(english)
    expect(nameOfPeriod(t, monthOf('2026-10-05'), 'en')).toBe('Oct 2026')
    expect(nameOfPeriod(t, { startDate: '2026-10-01', endDate: '2026-10-30' }, 'en')).toBe(
      '10/01/2026 – 10/30/2026',
    )
  })
})

it.each([
  [{ orderNumber: '2026-1', uuid: 'ec9a7742-edc8-41f8-a493-ca62ea4ae404' }, '2026-1'],
  [{ orderNumber: null, uuid: 'ec9a7742-edc8-41f8-a493-ca62ea4ae404' }, 'ec9a7742…'],
  [{ orderNumber: null, uuid: 'order-2' }, 'order-2'],
])('%j is called %s', (order, name) => {
  expect(nameOfOrder(order)).toBe(name)
})
