import { expect, test } from 'vitest'
import type { Queryable } from '../../src/core/database/database.ts'
import { Stage } from '../../src/core/intake/stage/stage.ts'

/** The statements that join the lines of a record, where these are staged. */
async function joins(keys: Iterable<string>): Promise<string[]> {
  const texts: string[] = []
  const tx: Queryable = {
    async query({ text }) {
      texts.push(text)
      return []
    },
  }
  const stage = new Stage(tx)
  await stage.create()
  let seq = 0
  for (const key of keys) {
    seq += 1
    const [centerId = '', id = ''] = key.split('/')
    const name = { kind: 'customer', centerId, key: id } as const
    await stage.add(seq, { file: 'a', line: seq, loose: false }, name, '{}')
  }
  await stage.finish()
  return texts.filter((text) => text.includes('set first_seq'))
}

const many = (count: number) => Array.from({ length: count }, (_, n) => `spa/${n}`)

test('lines are joined only where a record may have several of them', async () => {
  expect(await joins(['spa/1', 'spa/2', 'lodge/1'])).toEqual([])
  expect(await joins([...many(50_000)])).toEqual([])
  expect(await joins(['spa/1', 'spa/2', 'spa/1'])).toHaveLength(1)
  // Of more records nobody remembers whether one repeats.
  expect(await joins(many(50_001))).toHaveLength(1)
  expect(await joins([...many(60_000), 'spa/0'])).toHaveLength(1)
})
