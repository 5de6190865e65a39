/** Addresses and ranges of them, as settings and keys name them. */
import { isIP } from 'node:net'

const BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 }

/** @returns the text where it is an address (`10.0.0.5`, `::1`) or a range in CIDR form (`10.0.0.0/8`) */
export function readAddressRange(text: string): string | undefined {
  const [address = '', bits, ...more] = text.split('/')
  const most = BITS[isIP(address)]
  if (most === undefined || more.length > 0) return undefined
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most)) return undefined
  return text
}
