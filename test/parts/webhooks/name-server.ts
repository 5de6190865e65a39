/** A name server of our own on this machine that answers as the test says, also wrongly. */
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { readAddress } from '../../../src/core/config/addresses.ts'

export const A = 1
export const CNAME = 5
export const AAAA = 28

/** A record of an answer: the name that it is about, and an address or a name. */
export interface NameRecord {
  readonly name: string
  readonly type: number
  readonly data: string | Buffer
}

/** @returns the records for a question; undefined: nothing is said */
export type Answers = (name: string, type: number) => readonly NameRecord[] | undefined

/** The records of a name that has addresses, whatever is asked for. */
export const addressesOf = (name: string, ...addresses: readonly string[]): NameRecord[] =>
  addresses.map((address) => ({ name, type: address.includes(':') ? AAAA : A, data: address }))

/** @param answers what it says, with a TTL of 0 */
export async function startNameServer(answers: Answers): Promise<Resolver> {
  const server = createSocket('udp4')
  server.on('message', (query, from) => {
    const end = query.indexOf(0, 12) + 5
    const type = query.readUInt16BE(end - 4)
    const records = answers(nameIn(query), type)
    if (records === undefined) return
    const head = Buffer.from([0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0])
    head.writeUInt16BE(records.length, 4)
    const parts = [query.subarray(0, 2), head, query.subarray(12, end), ...records.map(written)]
    server.send(Buffer.concat(parts), from.port, from.address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const resolver = new Resolver({ timeout: 200, tries: 1 })
  resolver.setServers([`127.0.0.1:${server.address().port}`])
  onTestFinished(() => resolver.cancel())
  return resolver
}

function nameIn(query: Buffer): string {
  const labels: string[] = []
  for (let at = 12; query[at] !== 0; at += (query[at] ?? 0) + 1) {
    labels.push(query.toString('latin1', at + 1, at + 1 + (query[at] ?? 0)))
  }
  return labels.join('.').toLowerCase()
}

const nameBytes = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ])

function addressBytes(text: string, type: number): Buffer {
  const bytes = Buffer.from(readAddress(text)?.toByteArray() ?? [])
  // An IPv4 address that is written as IPv6 is read as what it is.
  const isMapped = type === AAAA && bytes.length === 4
  return isMapped ? Buffer.concat([Buffer.from('00000000000000000000ffff', 'hex'), bytes]) : bytes
}

function written({ name, type, data }: NameRecord): Buffer {
  const bytes = typeof data !== 'string' ? data : type === CNAME ? nameBytes(data) : addressBytes(data, type)
  const head = Buffer.alloc(10)
  head.writeUInt16BE(type, 0)
  head.writeUInt16BE(1, 2)
  head.writeUInt16BE(bytes.length, 8)
  return Buffer.concat([nameBytes(name), head, bytes])
}
