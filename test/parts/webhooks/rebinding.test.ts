/**
 * Names that lead elsewhere when they are asked again, live: a name server of our own, and receivers on one port of several
 * addresses of this machine. 127.0.0.2 is used as a public address, 127.0.0.1 and ::1 for the inner network.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLookup } from '../../../src/parts/webhooks/lookup.ts'
import { createSend } from '../../../src/parts/webhooks/send.ts'
import { createAddressRule } from '../../../src/parts/webhooks/target.ts'
import { A, AAAA, type Answers, addressesOf, CNAME, startNameServer } from './name-server.ts'

const OUTSIDE = '127.0.0.2'
const INSIDE = '127.0.0.1'
const NAME = 'hook.example'

/** @returns the port */
async function receiveOn(address: string, port: number, reached: string[]): Promise<number> {
  const server: Server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(204).end())
  })
  server.on('connection', () => void reached.push(address))
  server.listen(port, address)
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const found = server.address()
  return typeof found === 'object' && found !== null ? found.port : 0
}

/** A sender that asks such a name server, and the addresses that were connected to. */
async function start(answers: Answers, system: readonly string[] = []) {
  const reached: string[] = []
  const port = await receiveOn(INSIDE, 0, reached)
  await receiveOn(OUTSIDE, port, reached)
  await receiveOn('::1', port, reached)
  const resolver = await startNameServer(answers)
  const lookup = createLookup({
    resolver,
    hosts: async () => '',
    system: (_, __, callback) =>
      system.length === 0
        ? callback(new Error('no such name'), [])
        : callback(
            null,
            system.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
          ),
  })
  const send = createSend({ allows: createAddressRule([OUTSIDE]), lookup })
  const attempt = async (name = NAME, scheme = 'http') => {
    const url = `${scheme}://${name}:${port}/hook`
    return (await send({ url, headers: {}, body: '{}' })).outcome
  }
  return { attempt, reached }
}

describe('a name that an attacker’s name server answers for', () => {
  it('is looked up once for each attempt, and only that answer is connected to', async () => {
    let asked = 0
    const { attempt, reached } = await start((name, type) =>
      type === A ? addressesOf(name, asked++ % 2 === 0 ? OUTSIDE : INSIDE) : [],
    )
    const outcomes = []
    for (let n = 0; n < 6; n++) outcomes.push(await attempt())
    expect(outcomes).toEqual(['delivered', 'forbidden', 'delivered', 'forbidden', 'delivered', 'forbidden'])
    expect(asked).toBe(6)
    expect(reached).toEqual([OUTSIDE, OUTSIDE, OUTSIDE])
  })

  it.each<[string, Answers]>([
    [
      'an inner address before the outer one',
      (name, type) => (type === A ? addressesOf(name, INSIDE, OUTSIDE) : []),
    ],
    ['an inner IPv6 address next to it', (name, type) => addressesOf(name, type === A ? OUTSIDE : '::1')],
    [
      'the inner address written as IPv6',
      (name, type) => addressesOf(name, type === A ? OUTSIDE : '::ffff:127.0.0.1'),
    ],
    [
      'many inner addresses before it',
      (name, type) =>
        type === A ? addressesOf(name, ...Array.from({ length: 29 }, (_, n) => `10.0.0.${n}`), OUTSIDE) : [],
    ],
    [
      'a chain of names',
      (name, type) =>
        type === A
          ? [
              { name, type: CNAME, data: 'one.example' },
              { name: 'one.example', type: CNAME, data: 'two.example' },
              ...addressesOf('two.example', INSIDE, OUTSIDE),
            ]
          : [],
    ],
  ])('leads only to the outer address where it says %s', async (_, answers) => {
    const { attempt, reached } = await start(answers)
    expect(await attempt()).toBe('delivered')
    expect(reached).toEqual([OUTSIDE])
  })

  it.each<[string, Answers]>([
    ['only inner addresses', (name, type) => addressesOf(name, type === A ? INSIDE : '::1')],
    [
      'a chain of names to an inner one',
      (name, type) =>
        type === A
          ? [{ name, type: CNAME, data: 'localhost' }, ...addressesOf('localhost', INSIDE)]
          : [{ name, type: CNAME, data: 'localhost' }, ...addressesOf('localhost', '::1')],
    ],
    [
      'addresses that lead to IPv4 through others',
      (name, type) =>
        type === AAAA
          ? addressesOf(
              name,
              '::ffff:127.0.0.1',
              '::127.0.0.1',
              '64:ff9b::7f00:1',
              '2002:7f00:1::',
              '2001:0:7f00:1::',
            )
          : [],
    ],
    [
      'every form of this machine',
      (name, type) => addressesOf(name, ...(type === A ? ['0.0.0.0', '127.0.0.3'] : ['::'])),
    ],
    [
      'the address of what a cloud tells its machines',
      (name, type) => addressesOf(name, type === A ? '169.254.169.254' : 'fe80::a9fe:a9fe'),
    ],
    ['an address of five bytes', (name) => [{ name, type: A, data: Buffer.from([127, 0, 0, 1, 9]) }]],
  ])('reaches nobody where it says %s', async (_, answers) => {
    const { attempt, reached } = await start(answers)
    expect(await attempt()).toBe('forbidden')
    expect(await attempt(NAME, 'https')).toBe('forbidden')
    expect(reached).toEqual([])
  })

  it.each<[string, Answers]>([
    [
      'names that lead to each other',
      (name, type) =>
        type === A
          ? [
              { name, type: CNAME, data: 'one.example' },
              { name: 'one.example', type: CNAME, data: name },
            ]
          : [],
    ],
    ['no address at all', () => []],
    ['nothing', () => undefined],
  ])('reaches nobody where it says %s', async (_, answers) => {
    const { attempt, reached } = await start(answers)
    expect(await attempt()).toBe('unreachable')
    expect(reached).toEqual([])
  })

  it.each(['localhost', 'localhost.', 'x.localhost'])(
    'is judged in the same way where only the system knows it: %s',
    async (name) => {
      const { attempt, reached } = await start(() => [], [INSIDE, '::1'])
      expect(await attempt(name)).toBe('forbidden')
      expect(reached).toEqual([])
    },
  )
})
