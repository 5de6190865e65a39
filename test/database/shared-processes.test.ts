import { expect, test } from 'vitest'
import { shareProcesses } from '../../src/core/database/shared-processes.ts'

/** Answers with these processes, one after the other. */
const processes = (...pids: number[]) => {
  let at = 0
  return async () => pids[at++ % pids.length] ?? 0
}

test.each([
  ['each has a process of its own', [7], [8], false],
  ['both have the one that is free', [7], [7], true],
  ['the pooler uses its connections one after the other', [1, 3, 1], [2, 4, 2], true],
  ['one of them once had that of the other', [7, 7, 8], [8], true],
])('two connections: %s', async (_, first, second, expected) => {
  expect(await shareProcesses(processes(...first), processes(...second))).toBe(expected)
})
