/** Addresses and ranges of them, as settings, keys and sockets name them. */
import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

export interface AddressRange {
  readonly first: Address
  /** how many leading bits are the same in all of it */
  readonly bits: number
}

/**
 * An IPv4 address that came as IPv6 (`::ffff:10.0.0.5`, as a socket that listens on both reports it) is the IPv4
 * address, and a zone (`fe80::1%eth0`) is left out.
 * @returns undefined where the text is no address
 */
export function readAddress(text: string | undefined): Address | undefined {
  // The library alone would take `10.1` and `0x7f.1` too, as C programs once did.
  if (text === undefined || isIP(text) === 0) return undefined
  // Nor does it tell `::192.0.2.7` from `::ffff:192.0.2.7`; a URL has IPv6 in hexadecimal alone.
  return ipaddr.process(isIPv4(text) ? text : new URL(`http://[${text.split('%', 1)}]`).hostname.slice(1, -1))
}

/** @param text an address (`10.0.0.5`, `::1`) or a range in CIDR form (`10.0.0.0/8`) */
export function readAddressRange(text: string): AddressRange | undefined {
  const [given = '', written, ...more] = text.split('/')
  const first = readAddress(given)
  if (first === undefined || more.length > 0) return undefined
  const width = first.kind() === 'ipv4' ? 32 : 128
  if (written === undefined) return { first, bits: width }
  // A range written as ::ffff:10.0.0.0/104 is 10.0.0.0/8.
  const mapped = width === 32 && given.includes(':') ? 96 : 0
  const bits = /^\d{1,3}$/.test(written) ? Number(written) - mapped : -1
  return bits >= 0 && bits <= width ? { first, bits } : undefined
}

/** Whether an address is in one of the ranges. */
export const isWithin = (ranges: readonly AddressRange[], address: Address): boolean =>
  ranges.some(({ first, bits }) => first.kind() === address.kind() && address.match(first, bits))
