/** What the page of contradictions computes: the order of kinds, pages of a long list, and the compared values in words. */
import { describe, expect, it } from 'vitest'
import { SojournError } from '../../client/src/error.ts'
import type { Field, ListContradictionsAnswer, Sojourn } from '../../client/src/index.ts'
import { kindsOf } from '../../console/src/base/outdated-answers.ts'
import { readContradictions } from '../../console/src/contradictions/contradictions-reading.ts'
import { readNames } from '../../console/src/contradictions/evidence-names.ts'
import english from '../../console/words/en.json' with { type: 'json' }
import { type Contradiction, KINDS, type Kind, SEVERITIES } from '../../src/documents/contradiction-kinds.ts'
import { fieldText, valueText } from '../../src/documents/evidence-text.ts'
import { wordsOf } from '../../src/documents/words.ts'
import { KIND_FACTS } from '../../src/parts/contradictions/kinds.ts'

const one = (id: string, kind: Kind, more: Partial<Contradiction> = {}): Contradiction => ({
  id,
  kind,
  severity: KINDS[kind].severity,
  since: '2025-01-12T09:00:00.000Z',
  changedAt: '2025-01-12T09:00:00.000Z',
  evidence: { digest: id, records: [{ kind: 'guest', id, name: 'Ana' }], compared: [] },
  dismissed: null,
  ...more,
})
const dismissed = { at: '2025-01-12T10:00:00.000Z', by: 'Maria', reason: 'Twins' }

/** A service with this list, which counts its requests. */
function serviceOf(all: readonly Contradiction[], more: Partial<ListContradictionsAnswer> = {}) {
  const asked: unknown[] = []
  const list: Sojourn['contradictions']['list'] = async (query = {}) => {
    asked.push(query)
    const { kind, severity, dismissed: isDismissed, length = 100, start = 1 } = query
    const found = all.filter(
      (of) =>
        (kind === undefined || kind.includes(of.kind)) &&
        (severity === undefined || severity.includes(of.severity)) &&
        (isDismissed === undefined || isDismissed === (of.dismissed !== null)),
    )
    return {
      data: found.slice((start - 1) * length, start * length),
      total: found.length,
      withheld: [],
      notReported: [],
      complete: true,
      ...more,
    }
  }
  const sojourn = { contradictions: { list } } as unknown as Sojourn
  const read = (length: number, pages = 1) =>
    readContradictions(sojourn, { length, pages }, new AbortController().signal)
  return { asked, read }
}

describe('the list', () => {
  it('has the kinds and severities of the service, the severe ones first', () => {
    expect(Object.keys(KINDS).sort()).toEqual(Object.keys(KIND_FACTS).sort())
    const severities = Object.entries(KINDS).map(([kind, { severity }]) => {
      expect([kind, severity]).toEqual([kind, KIND_FACTS[kind as Kind].severity])
      return SEVERITIES.indexOf(severity)
    })
    expect(severities).toEqual(severities.toSorted())
  })

  it('of one page is one request: by kind, the dismissed apart', async () => {
    const { asked, read } = serviceOf([
      one('a', 'arrivedWithoutIdentifier'),
      one('b', 'overlappingStays'),
      one('c', 'overlappingStays', { dismissed }),
      one('d', 'roomOverfull'),
    ])
    const found = await read(10)
    expect(found.groups.map(({ kind, total }) => [kind, total])).toEqual([
      ['roomOverfull', 1],
      ['overlappingStays', 1],
      ['arrivedWithoutIdentifier', 1],
    ])
    expect(found).toMatchObject({ open: 3, hasMore: false, complete: true, dismissed: { total: 1 } })
    expect(asked).toHaveLength(1)
  })

  it('of many pages has the severe ones also behind older ones, and the number of each kind', async () => {
    const minor = Array.from({ length: 7 }, (_, at) => one(`m${at}`, 'arrivedWithoutIdentifier'))
    const { read } = serviceOf([...minor, one('n', 'guestWithoutOrder'), one('s', 'roomOverfull')])
    const found = await read(3)
    expect(found.groups.map(({ kind, total, entries }) => [kind, total, entries.length])).toEqual([
      ['roomOverfull', 1, 1],
      ['arrivedWithoutIdentifier', 7, 3],
      ['guestWithoutOrder', 1, 0],
    ])
    expect(found).toMatchObject({ open: 9, hasMore: true })
    const more = await read(3, 3)
    expect(more.groups.map(({ total, entries }) => total - entries.length)).toEqual([0, 0, 0])
    expect(more.hasMore).toBe(false)
  })

  it('is not complete if any of its answers is not', async () => {
    expect((await serviceOf([], { complete: false }).read(10)).complete).toBe(false)
    const many = Array.from({ length: 5 }, (_, at) => one(`m${at}`, 'roomOverfull'))
    expect((await serviceOf(many, { complete: false }).read(2)).complete).toBe(false)
  })

  it('is read again when contradictions change, and when a record does that is not evaluated yet', () => {
    expect(kindsOf(new URL('https://x.example/v1/contradictions?length=100'))).toEqual([
      'contradictions',
      'guests',
      'sessions',
      'orders',
    ])
  })
})

describe('names of sessions and orders', () => {
  const compared = (values: Record<string, readonly (string | readonly string[] | null)[]>) => ({
    digest: 'd',
    records: [{ kind: 'guest' as const, id: 'b', name: 'Ana' }],
    compared: Object.entries(values).map(([field, of]) => ({
      field,
      values: of.map((value) => (typeof value === 'string' || value === null ? value : [...value])),
    })),
  })
  const all = [
    one('a', 'sessionsAtOneTime', {
      evidence: compared({
        sessionIds: [['s1'], ['s2']],
        sessionStartDate: [['2025-03-10T12:00:00.000Z'], ['2025-03-05T12:00:00.000Z']],
        sessionEndDate: [['2025-03-19T12:00:00.000Z'], ['2025-03-12T12:00:00.000Z']],
      }),
    }),
    one('b', 'depositTwice', { evidence: compared({ orderUuid: ['o1', 'gone', 'o1', null, 'bare'] }) }),
  ]
  const serviceWith = () => {
    const asked: unknown[] = []
    const sojourn = {
      sessions: {
        async *all(query: object) {
          asked.push(query)
          yield { _id: 's1', name: 'Snowdrop' }
          yield { _id: 's3', name: 'Harvest' }
        },
      },
      orders: {
        async get(uuid: string) {
          asked.push(uuid)
          if (uuid === 'gone') throw new SojournError('NOT_FOUND', 'none', { status: 404 })
          return { orderNumber: uuid === 'bare' ? null : `number of ${uuid}` }
        },
      },
    } as unknown as Sojourn
    const read = (...scopes: string[]) =>
      readNames(
        sojourn,
        all,
        { length: 100, mayRead: (scope) => scopes.includes(scope) },
        new AbortController().signal,
      )
    return { asked, read }
  }

  it('are read in the days of the sessions, and once for each order', async () => {
    const { asked, read } = serviceWith()
    const { sessions, orders } = await read('sessions', 'orders')
    expect(sessions.get('s1')).toBe('Snowdrop')
    expect([...orders]).toEqual([['o1', 'number of o1']])
    expect(asked).toEqual([
      { startDate: '2025-03-04', endDate: '2025-03-20', length: 100 },
      'o1',
      'gone',
      'bare',
    ])
  })

  it('are not asked for without the scope, or if no value has one', async () => {
    const { asked, read } = serviceWith()
    expect(await read('guests')).toEqual({ sessions: new Map(), orders: new Map() })
    expect(asked).toEqual([])
  })
})

describe('a compared value', () => {
  const status = { name: 'status', label: 'Status', values: [{ value: 'arrived', label: 'Arrived' }] }
  const writing = {
    t: wordsOf(english),
    language: 'de',
    zone: 'Europe/Bucharest',
    fields: [status as unknown as Field],
    names: {
      sessions: new Map([['session-08', 'Sleep Well']]),
      orders: new Map([['7d3f1c52-8a4e-4b6f', '2026-00042']]),
    },
  }
  const text = (field: string, value: Contradiction['evidence']['compared'][number]['values'][number]) =>
    valueText(one('a', 'overlappingStays'), { field, values: [value] }, 0, writing)

  it.each([
    ['startDate', '2025-01-12T22:30:00.000Z', '13.01.2025 00:30'],
    ['dob', '1980-02-03', '03.02.1980'],
    ['nights', ['2025-01-12/2025-01-15', '2025-01-20/2025-01-21'], '12.01.2025 – 14.01.2025, 20.01.2025'],
    ['status', 'arrived', 'Arrived'],
    ['status', 'new', 'new'],
    ['beds', 1234.5, '1.234,5'],
    ['meta.diet', [], 'None'],
    ['meta.diet', ['nuts', 'milk'], 'nuts, milk'],
    ['meta.diet', null, '–'],
    ['sessionIds', ['session-08', 'session-99'], 'Sleep Well, session-99'],
    ['orderUuid', '7d3f1c52-8a4e-4b6f', '2026-00042'],
    ['orderUuid', '81f0c4a7-e2b6-4e7a', '81f0c4a7…'],
    ['orderUuid', null, '–'],
  ] as const)('%s %j reads %s', (field, value, expected) => {
    expect(text(field, Array.isArray(value) ? [...value] : (value as string | number | null))).toBe(expected)
  })

  it('of an order is what the page of orders says', () => {
    const order = one('o', 'orderDoesNotAddUp')
    const compared = [
      { field: 'problems', values: [['totalDiffersFromItems', 'noMainGuest']] },
      { field: 'itemsTotal', values: [90] },
    ]
    const of = { ...order, evidence: { ...order.evidence, compared } }
    expect(valueText(of, compared[0]!, 0, writing)).toBe(
      'The total differs from the items: 90, No main guest',
    )
    expect(fieldText(of, 'status', writing)).toBe('Status')
    expect(fieldText(of, 'unheardOf', writing)).toBe('unheardOf')
  })
})
