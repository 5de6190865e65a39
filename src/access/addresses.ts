/** Where a request comes from: which network it counts for, and whether its key may be used from there. */
import { BlockList, isIP, isIPv4 } from 'node:net'
import type { KeyState } from './key-states.ts'

/**
 * An address in its plain form: an IPv4 address that came as IPv6 (`::ffff:10.0.0.5`, as a socket that listens
 * on both reports it) is the IPv4 address, and a zone (`fe80::1%eth0`) is left out.
 * @returns undefined where the text is no address
 */
export function plainAddress(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (isIPv4(text)) return text
  const address = text.split('%', 1)[0] ?? ''
  if (isIP(address) !== 6) return undefined
  const groups = groupsOf(address)
  const [g5, g6 = 0, g7 = 0] = groups.slice(5)
  const mapped = g5 === 0xffff && groups.slice(0, 5).every((group) => group === 0)
  return mapped ? `${g6 >> 8}.${g6 & 255}.${g7 >> 8}.${g7 & 255}` : address
}

/**
 * The network that an address is counted under: itself, or for IPv6 its /64, of which one household or server
 * commonly has all addresses to choose from.
 */
export function networkOf(text: string | undefined): string {
  const address = plainAddress(text)
  // What is no address comes from nobody we can tell apart: all of it is counted together.
  if (address === undefined) return 'unknown'
  if (isIPv4(address)) return address
  const groups = groupsOf(address).slice(0, 4)
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`
}

/** The eight groups of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  // The last four bytes may be written as IPv4.
  const text = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(':'),
  )
  const [head = '', tail] = text.split('::')
  const read = (part: string) =>
    part.split(':').flatMap((group) => (group === '' ? [] : [parseInt(group, 16)]))
  const first = read(head)
  if (tail === undefined) return first
  const last = read(tail)
  return [...first, ...new Array<number>(8 - first.length - last.length).fill(0), ...last]
}

export interface AllowLists {
  /** Whether a key may be used from an address; a key without a list may be used from everywhere. */
  allows(key: Pick<KeyState, 'publicKey' | 'allowedAddresses'>, address: string | undefined): boolean
}

/** Few keys have a list; a bound all the same. */
const LISTS_MAX = 10_000

/** Each key's list is compiled when it is first met or has changed. */
export function createAllowLists(): AllowLists {
  const lists = new Map<string, { entries: readonly string[]; compiled: BlockList }>()
  return {
    allows(key, address) {
      const entries = key.allowedAddresses
      if (entries.length === 0) return true
      const plain = plainAddress(address)
      if (plain === undefined) return false
      let list = lists.get(key.publicKey)
      if (list === undefined || !same(list.entries, entries)) {
        if (lists.size >= LISTS_MAX) lists.clear()
        list = { entries, compiled: compile(entries) }
        lists.set(key.publicKey, list)
      }
      return list.compiled.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6')
    },
  }
}

/** @returns whether an address is one of these addresses, or in one of these ranges */
export function addressesWithin(entries: readonly string[]): (address: string | undefined) => boolean {
  const list = compile(entries)
  return (address) => {
    const plain = plainAddress(address)
    return plain !== undefined && list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6')
  }
}

const same = (a: readonly string[], b: readonly string[]) =>
  a === b || (a.length === b.length && a.every((entry, index) => entry === b[index]))

/** An entry that is neither address nor range lets nobody in. */
function compile(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [given = '', bits, ...more] = entry.split('/')
    const address = plainAddress(given)
    if (address === undefined || more.length > 0) continue
    const four = isIPv4(address)
    const width = four ? 32 : 128
    // A range written as ::ffff:10.0.0.0/104 is 10.0.0.0/8.
    const prefix = bits === undefined ? width : readBits(bits) - (four && !isIPv4(given) ? 96 : 0)
    if (prefix >= 0 && prefix <= width) list.addSubnet(address, prefix, four ? 'ipv4' : 'ipv6')
  }
  return list
}

const readBits = (text: string) => (/^\d{1,3}$/.test(text) ? Number(text) : -1)
