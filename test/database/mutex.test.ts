import { expect, test } from 'vitest'
import { Mutex, WaitedTooLong } from '../../src/core/database/queue/mutex.ts'

test('one holder at a time, first come, first served', async () => {
  const mutex = new Mutex()
  const said: string[] = []
  const round = (name: string) =>
    mutex.run(async () => {
      said.push(`${name} in`)
      await Promise.resolve()
      await Promise.resolve()
      said.push(`${name} out`)
    })
  await Promise.all([round('a'), round('b'), round('c')])
  expect(said).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out'])
})

test('a holder that fails lets the next one in, and its error reaches its own caller only', async () => {
  const mutex = new Mutex()
  const failing = mutex.run(() => Promise.reject(new Error('no')))
  const next = mutex.run(() => Promise.resolve('yes'))
  await expect(failing).rejects.toThrow('no')
  await expect(next).resolves.toBe('yes')
})

test('a holder that fails before its first await lets the next one in as well', async () => {
  const mutex = new Mutex()
  const failing = mutex.run(() => {
    throw new Error('no')
  })
  const next = mutex.run(() => Promise.resolve('yes'))
  await expect(failing).rejects.toThrow('no')
  await expect(next).resolves.toBe('yes')
})

test('a mutex that was acquired is held until it is released', async () => {
  const mutex = new Mutex()
  const release = await mutex.acquire()
  let entered = false
  const next = mutex.run(async () => {
    entered = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(entered).toBe(false)
  release()
  await next
  expect(entered).toBe(true)
})

test('who waits too long gives up without running, and the next one runs', async () => {
  const mutex = new Mutex()
  const release = await mutex.acquire()
  let ran = false
  const impatient = mutex.run(async () => {
    ran = true
  }, 1)
  const patient = mutex.run(() => Promise.resolve('in'))
  await expect(impatient).rejects.toThrow(WaitedTooLong)
  release()
  await expect(patient).resolves.toBe('in')
  expect(ran).toBe(false)
})
