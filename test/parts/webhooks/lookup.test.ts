import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns'
import { once } from 'node:events'
import type { LookupFunction } from 'node:net'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createLookup, type Lookups } from '../../../src/parts/webhooks/lookup.ts'

/** A name server that says nothing of `silent.example`, that there is no `none.example`, and one address of others. */
async function startNameServer(): Promise<Resolver> {
  const server = createSocket('udp4')
  server.on('message', (query, from) => {
    if (query.includes('silent')) return
    const question = query.subarray(12, query.indexOf(0, 12) + 5)
    const isAddress = question.at(-3) === 1
    const isKnown = !query.includes('none')
    const count = isKnown && isAddress ? 1 : 0
    const head = Buffer.from([0x81, isKnown ? 0x80 : 0x83, 0, 1, 0, count, 0, 0, 0, 0])
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 203, 0, 113, 7])
    const body = count === 1 ? answer : Buffer.alloc(0)
    server.send(Buffer.concat([query.subarray(0, 2), head, question, body]), from.port, from.address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const resolver = new Resolver({ timeout: 100, tries: 1 })
  resolver.setServers([`127.0.0.1:${server.address().port}`])
  onTestFinished(() => resolver.cancel())
  return resolver
}

/** Lookups next to a system whose own never end, except for `here.example`. */
async function start(options: Lookups = {}) {
  const asked: string[] = []
  const ends: (() => void)[] = []
  const system: LookupFunction = (name, _, callback) => {
    asked.push(name)
    if (name === 'here.example') callback(null, [{ address: '10.0.0.1', family: 4 }])
    else ends.push(() => callback(new Error('no answer'), []))
  }
  const hosts = async () => '10.0.0.1  Here.example # a machine of our own\n'
  const lookup = promisify(createLookup({ resolver: await startNameServer(), system, hosts, ...options }))
  const find = (name: string) => lookup(name, { all: true }).catch((error: Error) => error.message)
  return { find, asked, ends }
}

test('names whose name server is silent hold no thread of the system, and no other name', async () => {
  const { find, asked } = await start()
  const silent = ['1.silent.example', '2.silent.example'].map(find)
  for (const name of ['a.example', 'b.example'])
    expect(await find(name)).toEqual([{ address: '203.0.113.7', family: 4 }])
  expect(await Promise.all(silent)).toEqual(Array(2).fill('the name server does not answer'))
  expect(asked).toEqual([])
  expect(await find('here.example')).toEqual([{ address: '10.0.0.1', family: 4 }])
})

test('names that DNS does not have ask the system one at a time, and once for the same name', async () => {
  const { find, asked, ends } = await start()
  const none = ['1.none.example', '2.none.example', '1.none.example'].map(find)
  await expect.poll(() => asked).toHaveLength(1)
  expect(await find('a.example')).toEqual([{ address: '203.0.113.7', family: 4 }])
  expect(asked).toHaveLength(1)
  ends[0]?.()
  await expect.poll(() => asked).toHaveLength(2)
  ends[1]?.()
  expect(await Promise.all(none)).toEqual(['no answer', 'no answer', 'no answer'])
  expect(asked.toSorted()).toEqual(['1.none.example', '2.none.example'])
})

test('a name of the hosts file, and one that DNS does not have, is what the system says', async () => {
  const { find, asked, ends } = await start()
  expect(await find('here.example')).toEqual([{ address: '10.0.0.1', family: 4 }])
  const none = find('none.example')
  await expect.poll(() => asked).toEqual(['here.example', 'none.example'])
  ends[0]?.()
  expect(await none).toBe('no answer')
})

test('one that waited longer than any attempt does is not looked up any more', async () => {
  let now = 0
  const { find, asked, ends } = await start({ clock: () => now })
  const first = find('1.none.example')
  await expect.poll(() => asked).toHaveLength(1)
  const second = find('2.none.example')
  await find('a.example')
  now = 15_001
  ends[0]?.()
  expect(await Promise.all([first, second])).toEqual(['no answer', 'the lookup did not begin in time'])
  expect(asked).toEqual(['1.none.example'])
})
