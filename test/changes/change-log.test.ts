import { describe, expect, it } from 'vitest'
import { createChangeLog } from '../../src/core/changes/change-log.ts'
import { generationNamed } from '../../src/core/database/generation.ts'
import { centerId } from '../../src/core/records/centers/center.ts'

const SPA = centerId('spa')
const NOTES_MAX = 2000

type Note = readonly [revision: number, id: string]

/**
 * A log over a center whose commits changed these guests; `asked` says from which revision to which it was read.
 * @param forgotten commits up to this revision are no longer known
 */
function logOf(notes: readonly Note[], { forgotten = 0 } = {}) {
  const asked: [after: number, upTo: number][] = []
  const waiting: (() => void)[] = []
  let generation = generationNamed('a')
  const log = createChangeLog({
    generation: () => generation,
    queryReserved: async <Row>({ values }: { values: unknown[] }) => {
      const [after, upTo] = values.filter((value): value is number => typeof value === 'number')
      if (after === undefined || upTo === undefined) throw new Error('the revisions are not in the statement')
      asked.push([after, upTo])
      await new Promise<void>((resolve) => waiting.push(resolve))
      const between = notes.filter(([revision]) => revision > after && revision <= upTo)
      const row = {
        commits: upTo - Math.max(after, forgotten),
        notes: between
          .toReversed()
          .map(([revision, id]) => [revision, 'guest', id, 'changed', ['bookings.status'], ['s1'], []]),
      }
      // What a driver answers has the type that the caller says.
      return [row as Row]
    },
  })
  const isTouched = (shown: number, current: number, id: string) =>
    log.isTouched({ center: SPA, generation }, shown, current, [{ kind: 'guest', ids: [id] }])
  return {
    asked,
    /** Another server answers from now on. */
    failOver: () => {
      generation = generationNamed('b')
    },
    /** Lets the readings under way end. */
    answer: () => {
      for (const done of waiting.splice(0)) done()
    },
    start: isTouched,
    async isTouched(shown: number, current: number, id: string) {
      const touched = isTouched(shown, current, id)
      for (const done of waiting.splice(0)) done()
      return touched
    },
  }
}

describe('an answer of an earlier revision', () => {
  it('is touched by the commits after it, up to the current one, that changed what it shows', async () => {
    const { isTouched, asked } = logOf([
      [2, 'b1'],
      [4, 'b2'],
    ])
    expect(await isTouched(2, 4, 'b1')).toBe(false)
    expect(await isTouched(2, 4, 'b2')).toBe(true)
    expect(await isTouched(3, 4, 'b2')).toBe(true)
    expect(await isTouched(2, 3, 'b2')).toBe(false)
    expect(await isTouched(4, 4, 'b2')).toBe(false)
    expect(asked).toEqual([[2, 4]])
    expect(await isTouched(2, 6, 'b1')).toBe(false)
    expect(asked).toEqual([
      [2, 4],
      [4, 6],
    ])
  })

  it('counts as touched where it is older than what is known', async () => {
    const { isTouched, asked } = logOf([])
    expect(await isTouched(5, 6, 'b1')).toBe(false)
    expect(await isTouched(4, 6, 'b1')).toBe(true)
    expect(asked).toEqual([[5, 6]])
  })

  it('counts as touched where a commit in between is no longer known', async () => {
    const { isTouched } = logOf([], { forgotten: 3 })
    expect(await isTouched(2, 5, 'b1')).toBe(true)
    expect(await isTouched(5, 6, 'b1')).toBe(false)
  })

  it('counts as touched, without a reading, where it is a thousand commits behind', async () => {
    const { isTouched, asked } = logOf([])
    expect(await isTouched(1, 1001, 'b1')).toBe(false)
    expect(await isTouched(1001, 2002, 'b1')).toBe(true)
    expect(asked).toEqual([[1, 1001]])
  })

  it('counts as touched where so much has changed since that the notes of its commits were dropped', async () => {
    const commits = 1000
    const notes = Array.from({ length: NOTES_MAX + 2 }, (_, at): Note => [2 + Math.floor(at / 3), `b${at}`])
    const { isTouched } = logOf(notes)
    const [last] = notes.at(-1)!
    expect(last).toBeLessThan(commits)
    expect(await isTouched(1, last, 'none')).toBe(true)
    expect(await isTouched(2, last, 'none')).toBe(false)
    // The third note of the second commit is there still, and those of the first are not.
    expect(await isTouched(2, last, 'b5')).toBe(true)
  })
})

describe('answers that are asked for at one moment', () => {
  it('share one reading, and who needs a later commit reads on', async () => {
    const { start, answer, asked } = logOf([[3, 'b1']])
    const first = start(1, 3, 'b1')
    const same = start(1, 3, 'b2')
    const later = start(1, 4, 'b2')
    answer()
    expect(await first).toBe(true)
    expect(await same).toBe(false)
    expect(asked).toEqual([
      [1, 3],
      [3, 4],
    ])
    answer()
    expect(await later).toBe(false)
  })
})

describe('after a failover', () => {
  it('the commits of the other server count for nothing', async () => {
    const { isTouched, asked, failOver } = logOf([[3, 'b1']])
    expect(await isTouched(2, 3, 'b2')).toBe(false)
    failOver()
    expect(await isTouched(2, 3, 'b1')).toBe(true)
    expect(asked).toEqual([
      [2, 3],
      [2, 3],
    ])
  })

  it('a reading that began before it is refused, and not remembered', async () => {
    const { start, answer, failOver, isTouched, asked } = logOf([[3, 'b1']])
    const touched = start(2, 3, 'b2')
    failOver()
    answer()
    await expect(touched).rejects.toThrow('another database server')
    expect(await isTouched(2, 3, 'b2')).toBe(false)
    expect(asked).toHaveLength(2)
  })
})
