/** Where a request comes from: which network it counts for, and whether its key may be used from there. */
import { LRUCache } from 'lru-cache'
import {
  type Address,
  type AddressRange,
  isWithin,
  readAddress,
  readAddressRange,
} from '../config/addresses.ts'
import type { KeyState } from './key-states.ts'

/**
 * The address of a client as a socket or a proxy names it. Some proxies write the client's port behind it
 * (`203.0.113.9:51234`, `[2001:db8::1]:443`) or an IPv6 address in brackets.
 */
export function readClientAddress(text: string | undefined): Address | undefined {
  const [, bracketed, plain] = /^(?:\[([^[\]]*)\]|([^:]*))(?::\d{1,5})?$/.exec(text ?? '') ?? []
  return readAddress(bracketed ?? plain ?? text)
}

/**
 * The network that an address is counted under: itself, or for IPv6 its /64, of which one household or server
 * commonly has all addresses to choose from.
 */
export function networkOf(text: string | undefined): string {
  const address = readClientAddress(text)
  // What is no address comes from nobody we can tell apart: all of it is counted together.
  if (address === undefined) return 'unknown'
  if (!('parts' in address)) return address.toString()
  const network = address.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}

export interface AllowLists {
  /** Whether a key may be used from an address; a key without a list may be used from everywhere. */
  allows(key: Pick<KeyState, 'allowedAddresses'>, addressOf: () => string | undefined): boolean
}

/** Few keys have a list; a bound all the same. */
const LISTS_MAX = 10_000

/** A list is compiled when it is first met; keys with the same one share it. */
export function createAllowLists(): AllowLists {
  const lists = new LRUCache<string, readonly AddressRange[]>({ max: LISTS_MAX })
  return {
    allows({ allowedAddresses }, addressOf) {
      if (allowedAddresses.length === 0) return true
      const address = readClientAddress(addressOf())
      return address !== undefined && isWithin(rangesOfList(allowedAddresses), address)
    },
  }

  function rangesOfList(entries: readonly string[]): readonly AddressRange[] {
    const text = entries.join(' ')
    const ranges = lists.get(text) ?? rangesOf(entries)
    lists.set(text, ranges)
    return ranges
  }
}

/** @returns whether an address is one of these addresses, or in one of these ranges */
export function addressesWithin(entries: readonly string[]): (address: string | undefined) => boolean {
  const ranges = rangesOf(entries)
  return (address) => {
    const from = readClientAddress(address)
    return from !== undefined && isWithin(ranges, from)
  }
}

/** An entry that is neither address nor range lets nobody in. */
const rangesOf = (entries: readonly string[]) => entries.flatMap((entry) => readAddressRange(entry) ?? [])
