/** Client addresses: the network that a request is counted under, and whether its key may be used from its address. */
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
 * Parses a client address as a socket or a proxy writes it. Some proxies append the client's port (`203.0.113.9:51234`,
 * `[2001:db8::1]:443`) or put an IPv6 address in brackets.
 * @returns undefined if the text is not an address
 */
export function readClientAddress(text: string | undefined): Address | undefined {
  const [, bracketed, plain] = /^(?:\[([^[\]]*)\]|([^:]*))(?::\d{1,5})?$/.exec(text ?? '') ?? []
  return readAddress(bracketed ?? plain ?? text)
}

/**
 * The network that an address is counted under: the address itself for IPv4, its /64 for IPv6. A household or a server
 * usually has a whole /64 and can use any address in it.
 * @returns `unknown` for text that is not an address
 */
export function networkOf(text: string | undefined): string {
  const address = readClientAddress(text)
  // Clients without a readable address cannot be distinguished, so they share one counter.
  if (address === undefined) return 'unknown'
  if (!('parts' in address)) return address.toString()
  const network = address.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}

export interface AllowLists {
  /** Whether a key may be used from an address. A key without a list may be used from any address. */
  allows(key: Pick<KeyState, 'allowedAddresses'>, addressOf: () => string | undefined): boolean
}

/** Few keys have a list; this only bounds the memory. */
const LISTS_MAX = 10_000

/** Each list is compiled on first use. Keys with the same list share the result. */
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

/** @returns a function that tells whether an address is in one of these entries (addresses or ranges) */
export function addressesWithin(entries: readonly string[]): (address: string | undefined) => boolean {
  const ranges = rangesOf(entries)
  return (address) => {
    const from = readClientAddress(address)
    return from !== undefined && isWithin(ranges, from)
  }
}

/** An entry that is neither an address nor a range matches no address. */
const rangesOf = (entries: readonly string[]) => entries.flatMap((entry) => readAddressRange(entry) ?? [])
