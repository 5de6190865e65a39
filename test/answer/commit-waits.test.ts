/** Waiting for a commit without a service: the gate, the clock and the timers are the test's. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Admission } from '../../src/core/access/gate.ts'
import { type CommitWaitsOptions, createCommitWaits } from '../../src/core/answer/commit-waits.ts'
import { generationNamed } from '../../src/core/database/generation.ts'
import { GENERATION, keyState } from '../access/key-state.ts'

const LOOK_MS = 500

const admission = (revision: number, generation = GENERATION) =>
  ({ key: keyState({ revision, generation }) }) as Admission

function start() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const state = { now: 0, revision: 1, generation: GENERATION, looks: 0 }
  const readmit: CommitWaitsOptions['gate']['readmit'] = async () => {
    state.looks += 1
    return admission(state.revision, state.generation)
  }
  const commitWaits = createCommitWaits({ gate: { readmit }, monotonic: () => state.now })
  const wait = (raw: { destroyed: boolean } = { destroyed: false }, until = 30_000) =>
    commitWaits.next(
      { request: {} as FastifyRequest, reply: { raw } as FastifyReply, admission: admission(1) },
      until,
    )
  return { commitWaits, state, wait, look: () => vi.advanceTimersByTimeAsync(LOOK_MS) }
}

test('one timer serves all who wait, and ends with the last of them', async () => {
  const { state, wait, look } = start()
  const all = [wait(), wait()]
  expect(vi.getTimerCount()).toBe(1)
  await look()
  expect(state.looks).toBe(2)
  state.revision = 2
  await look()
  expect((await Promise.all(all)).map((now) => now?.key.revision)).toEqual([2, 2])
  expect(vi.getTimerCount()).toBe(0)
  const again = wait()
  await look()
  expect((await again)?.key.revision).toBe(2)
  expect(vi.getTimerCount()).toBe(0)
})

test('a look comes every half second, not earlier', async () => {
  const { state, wait } = start()
  const waiting = wait()
  await vi.advanceTimersByTimeAsync(LOOK_MS - 1)
  expect(state.looks).toBe(0)
  state.revision = 2
  await vi.advanceTimersByTimeAsync(1)
  expect((await waiting)?.key.revision).toBe(2)
})

test('at the end of its time a request is not looked for again', async () => {
  const { state, wait, look } = start()
  expect(await wait({ destroyed: false }, 0)).toBeUndefined()
  const waiting = wait({ destroyed: false }, 1000)
  state.now = 999
  await look()
  state.now = 1000
  await look()
  expect(await waiting).toBeUndefined()
  expect(state.looks).toBe(2)
})

test('nothing is asked for a client that left, nor when the service stops', async () => {
  const { commitWaits, state, wait, look } = start()
  const raw = { destroyed: false }
  const left = wait(raw)
  raw.destroyed = true
  await look()
  expect(await left).toBeUndefined()
  const open = wait()
  commitWaits.close()
  expect(await open).toBeUndefined()
  expect(await wait()).toBeUndefined()
  expect(state.looks).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
})

test('a failover ends the wait, although the center has the same revision again', async () => {
  const { state, wait, look } = start()
  const waiting = wait()
  await look()
  state.generation = generationNamed('promoted')
  await look()
  expect((await waiting)?.key.revision).toBe(1)
})
