import { describe, expect, test } from 'vitest'
import { type Change, type Dependency, touches } from '../../src/core/changes/change.ts'

const DAY = 86_400_000

const change = (over: Partial<Change> = {}): Change => ({
  kind: 'guest',
  id: 'b1',
  operation: 'changed',
  columns: ['bookings.status'],
  sessionIds: ['s1'],
  during: [[10 * DAY, 20 * DAY]],
  ...over,
})

describe('a change touches an answer', () => {
  const cases: [title: string, change: Change, dependency: Dependency, touched: boolean][] = [
    ['of its kind', change(), { kind: 'guest' }, true],
    ['not of another kind', change(), { kind: 'order' }, false],
    ['of its session', change(), { kind: 'guest', sessionIds: ['s0', 's1'] }, true],
    ['not of another session', change(), { kind: 'guest', sessionIds: ['s2'] }, false],
    ['of its days, the first one', change(), { kind: 'guest', during: { from: 0, to: 10 * DAY } }, true],
    [
      'of its days, the last one',
      change(),
      { kind: 'guest', during: { from: 20 * DAY, to: undefined } },
      true,
    ],
    ['not of days before', change(), { kind: 'guest', during: { from: undefined, to: 10 * DAY - 1 } }, false],
    ['not of days after', change(), { kind: 'guest', during: { from: 20 * DAY + 1, to: undefined } }, false],
    ['that shows its column', change(), { kind: 'guest', columns: new Set(['bookings.status']) }, true],
    [
      'not one that shows other columns',
      change(),
      { kind: 'guest', columns: new Set(['bookings.role']) },
      false,
    ],
    [
      'of its session when it came, whatever shows',
      change({ operation: 'created', columns: [] }),
      { kind: 'guest', sessionIds: ['s1'], columns: new Set(['bookings.role']) },
      true,
    ],
    [
      'of its session when it went, whatever shows',
      change({ operation: 'deleted', columns: [] }),
      { kind: 'guest', columns: new Set(['bookings.role']) },
      true,
    ],
    ['of its identifier', change({ kind: 'order', id: 'o1' }), { kind: 'order', ids: ['o1'] }, true],
    ['not of another identifier', change({ kind: 'order', id: 'o2' }), { kind: 'order', ids: ['o1'] }, false],
    [
      'of its kind as a whole, wherever and whatever',
      change({ id: '*', columns: [], sessionIds: [], during: [] }),
      {
        kind: 'guest',
        ids: ['b2'],
        sessionIds: ['s2'],
        during: { from: undefined, to: 0 },
        columns: new Set(),
      },
      true,
    ],
    [
      'where it was before, too',
      change({
        sessionIds: ['s1', 's2'],
        during: [
          [0, DAY],
          [30 * DAY, 31 * DAY],
        ],
      }),
      { kind: 'guest', sessionIds: ['s2'], during: { from: 30 * DAY, to: 40 * DAY } },
      true,
    ],
  ]
  test.each(cases)('%s', (_, moved, dependency, touched) => {
    expect(touches(moved, [dependency])).toBe(touched)
    expect(touches(moved, [{ kind: 'session', ids: ['none'] }, dependency])).toBe(touched)
  })
})
