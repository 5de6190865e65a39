/**
 * The targets that a webhook may have: public addresses over https, and others only if the operator allows them
 * (`WEBHOOKS_ALLOWED_ADDRESSES`). A host name is checked by the address it resolves to when the connection is made, because
 * that may differ from its address when the webhook was added.
 */
import {
  type Address,
  type AddressRange,
  isWithin,
  readAddress,
  readAddressRange,
} from '../../core/config/addresses.ts'
import { WebhookError } from './webhook.ts'

/** Whether a connection to the address is allowed. */
export type AllowsAddress = (address: string, scheme: 'http:' | 'https:') => boolean

const rangesOf = (texts: readonly string[]): AddressRange[] =>
  texts.flatMap((text) => readAddressRange(text) ?? [])

/**
 * All public IPv6 addresses begin with 001 (RFC 4291). The library also considers others public, such as `::127.0.0.1`.
 */
const PUBLIC_IPV6 = rangesOf(['2000::/3'])

/** @param allowed addresses and ranges besides the public ones, which may also be reached by http */
export function createAddressRule(allowed: readonly string[]): AllowsAddress {
  const ranges = rangesOf(allowed)
  return (text, scheme) => {
    const address = readAddress(text)
    if (address === undefined) return false
    return isWithin(ranges, address) || (scheme === 'https:' && isPublic(address))
  }
}

const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' && (address.kind() === 'ipv4' || isWithin(PUBLIC_IPV6, address))

const URL_LENGTH_MAX = 2000

/**
 * Checks and normalizes the URL of a receiver.
 * @param hasAllowed whether the operator has allowed addresses, which http may reach
 * @throws {WebhookError} with what is wrong with it
 */
export function readTarget(text: string, allows: AllowsAddress, hasAllowed: boolean): string {
  if (!URL.canParse(text))
    throw new WebhookError('The URL of a webhook must be absolute, such as https://example.org/hook.')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new WebhookError('The URL of a webhook must begin with https://.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new WebhookError(
      'The URL of a webhook may not have a user name or a password; messages are signed instead.',
    )
  }
  if (url.href.length > URL_LENGTH_MAX) {
    throw new WebhookError(`The URL of a webhook may have at most ${URL_LENGTH_MAX} characters.`)
  }
  if (url.protocol === 'http:' && !hasAllowed) {
    throw new WebhookError(
      'The URL of a webhook must begin with https://. http:// is only allowed for addresses in WEBHOOKS_ALLOWED_ADDRESSES.',
    )
  }
  const address = literalAddress(url)
  if (address !== undefined && !allows(address, url.protocol)) throw new WebhookError(notAllowed(address))
  url.hash = ''
  return url.href
}

/** The message for an address that is not allowed. */
export const notAllowed = (address: string) =>
  `${address} is not a public address that is reached by https. If a receiver in your own network is meant, name its address or range in WEBHOOKS_ALLOWED_ADDRESSES.`

/** The address in a URL, if it contains one. Numbers in other notations are addresses too (`http://2130706433`). */
export function literalAddress({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return readAddress(bare) === undefined ? undefined : bare
}
