import { expect, test } from 'vitest'
import { MemoryShares } from '../../src/core/audit/write/read-queue.ts'

function start(held: Readonly<Record<string, number>>) {
  const shares = new MemoryShares(1000)
  for (const [center, weight] of Object.entries(held)) shares.add(center, weight)
  return shares
}

test('while half of the memory is free, one center may have all of that half', () => {
  expect(start({}).hasRoom('busy')).toBe(true)
  expect(start({ busy: 499 }).hasRoom('busy')).toBe(true)
  expect(start({ busy: 500 }).hasRoom('busy')).toBe(false)
})

test('after that a center has room up to an equal share of the other half', () => {
  const held = { busy: 400, one: 100, two: 100, three: 100 }
  expect(start(held).hasRoom('busy')).toBe(false)
  expect(start({ ...held, one: 124 }).hasRoom('one')).toBe(true)
  expect(start({ ...held, one: 125 }).hasRoom('one')).toBe(false)
  expect(start({ busy: 600 }).hasRoom('new')).toBe(true)
})

test('a center that comes makes the shares of the others smaller', () => {
  const shares = start({ busy: 500, one: 200 })
  expect(shares.hasRoom('one')).toBe(true)
  shares.add('two', 1)
  expect(shares.hasRoom('one')).toBe(false)
})

test('beyond three halves nobody has room, however little it holds', () => {
  expect(start({ busy: 1500 }).hasRoom('new')).toBe(true)
  expect(start({ busy: 1501 }).hasRoom('new')).toBe(false)
})

test('what is written is free again, and a center that waits for nothing has no share', () => {
  const shares = start({ busy: 500, one: 170, two: 10 })
  expect(shares.hasRoom('one')).toBe(false)
  shares.remove('two', 4)
  expect(shares.hasRoom('one')).toBe(false)
  shares.remove('two', 6)
  expect(shares.total).toBe(670)
  expect(shares.hasRoom('one')).toBe(true)
  shares.remove('busy', 500)
  shares.remove('one', 170)
  expect(shares.total).toBe(0)
  expect(shares.hasRoom('busy')).toBe(true)
})
