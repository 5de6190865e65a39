import { expect, test } from 'vitest'
import { Door } from '../../src/server/door.ts'

const nextTurn = () => new Promise(setImmediate)

/** A door, and the connections that are read, by their names. */
function start() {
  const door = new Door()
  const reading = new Set<string>()
  const arrive = (name: string, network: string) => {
    const socket = { destroyed: false, pause: () => reading.delete(name), resume: () => reading.add(name) }
    reading.add(name)
    door.admit(socket, network)
    return socket
  }
  return { reading, arrive }
}

const crowd = (count: number) => Array.from({ length: count }, (_, n) => `crowd ${n}`)

test('of a crowd four connections are read in a turn of the event loop', async () => {
  const { reading, arrive } = start()
  for (const name of crowd(10)) arrive(name, 'a')
  const counts = [reading.size]
  for (let turn = 0; turn < 3; turn += 1) {
    await nextTurn()
    counts.push(reading.size)
  }
  expect(counts).toEqual([4, 8, 10, 10])
  expect([...reading]).toEqual(crowd(10))
})

test('who comes alone is read at once, and so is who comes from elsewhere in the next turn', async () => {
  const { reading, arrive } = start()
  for (const name of crowd(100)) arrive(name, 'a')
  arrive('other', 'b')
  expect([...reading]).not.toContain('other')
  await nextTurn()
  expect([...reading]).toContain('other')
  for (let turn = 0; turn < 30; turn += 1) await nextTurn()
  expect(reading.size).toBe(101)
  arrive('alone', 'a')
  expect([...reading]).toContain('alone')
})

test('one that is gone takes no turn', async () => {
  const { reading, arrive } = start()
  const sockets = crowd(12).map((name) => arrive(name, 'a'))
  for (const socket of sockets.slice(4, 8)) socket.destroyed = true
  await nextTurn()
  expect([...reading]).toEqual([...crowd(4), ...crowd(12).slice(8)])
})
