/** The kinds of settings for e-mail. */
import type { Kind } from './kinds.ts'

/** A server that takes e-mail for delivery. */
export interface MailServer {
  readonly host: string
  readonly port: number
  /** `implicit`: from the first byte. `starttls`: before anything else, or nothing is sent. `none`: unencrypted. */
  readonly tls: 'implicit' | 'starttls' | 'none'
  readonly user: string | undefined
  readonly password: string | undefined
}

/** An address with the name that is shown with it. */
export interface Mailbox {
  readonly name: string | undefined
  readonly address: string
}

const PORTS = { 'smtps:': 465, 'smtp:': 587 } as const
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Encryption is the default: a server without it is named on purpose (`?tls=none`), and gets a password only on this
 * machine.
 */
export const mailServer: Kind<MailServer> = {
  allowed:
    'smtps://USER:PASSWORD@HOST:465 or, with STARTTLS, smtp://USER:PASSWORD@HOST:587; smtp://HOST:25?tls=none for a server without encryption and password',
  read(text) {
    if (!URL.canParse(text)) return undefined
    const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text)
    if (protocol !== 'smtps:' && protocol !== 'smtp:') return undefined
    if (hostname === '' || (pathname !== '' && pathname !== '/') || hash !== '') return undefined
    if ((username === '') !== (password === '')) return undefined
    if (search !== '' && (search !== '?tls=none' || protocol === 'smtps:')) return undefined
    const tls = protocol === 'smtps:' ? 'implicit' : search === '' ? 'starttls' : 'none'
    if (tls === 'none' && username !== '' && !LOOPBACK.has(hostname)) return undefined
    const [user, pass] = [decoded(username), decoded(password)]
    if (user === undefined || pass === undefined) return undefined
    return {
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? PORTS[protocol] : Number(port),
      tls,
      user: user === '' ? undefined : user,
      password: pass === '' ? undefined : pass,
    }
  },
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const ADDRESS_LENGTH_MAX = 254
/** Those that every mail server takes. */
const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/
/** What has a meaning in a header, so that a name with it is quoted. */
const MEANING = /["@\\,;:<>]/
/** Characters that nobody sees, or that end a line. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
/** Between quotation marks; `\` precedes a quotation mark and a backslash (RFC 5322, 3.2.4). */
const QUOTED = /^(?:[^"\\]|\\["\\])*$/
const NAME_LENGTH_MAX = 100

/** The name before an address, without its quotation marks; `undefined` if it is none. */
function nameOf(written: string): string | undefined {
  const isQuoted = written.length > 1 && written.startsWith('"') && written.endsWith('"')
  const name = isQuoted ? written.slice(1, -1) : written
  if (name.length > NAME_LENGTH_MAX || UNSEEN.test(name)) return undefined
  if (isQuoted) return QUOTED.test(name) ? name.replaceAll(/\\(.)/g, '$1') : undefined
  return MEANING.test(name) ? undefined : name
}

/** Whether a text is an e-mail address without a name, such as `kitchen@example.org`. */
export const isMailAddress = (text: string): boolean =>
  text.length <= ADDRESS_LENGTH_MAX && ADDRESS.test(text) && !text.includes('..')

export const mailbox: Kind<Mailbox> = {
  allowed:
    'an e-mail address, such as sojourn@example.org, Sojourn <sojourn@example.org> or "Center, office" <sojourn@example.org>',
  read(text) {
    // `Sojourn <sojourn@example.org>`, or `"Center, office" <office@example.org>`
    const at = text.endsWith('>') ? text.lastIndexOf('<') : -1
    const name = at > 0 ? nameOf(text.slice(0, at).trimEnd()) : ''
    const address = at > 0 ? text.slice(at + 1, -1) : text
    if (name === undefined || !isMailAddress(address)) return undefined
    return { name: name.trim() === '' ? undefined : name.trim(), address }
  },
}

/** So many people can be written to; more are a list of the mail server. */
export const MAIL_ADDRESSES_MAX = 20

export const mailAddresses: Kind<readonly string[]> = {
  allowed: `up to ${MAIL_ADDRESSES_MAX} comma-separated e-mail addresses, such as it@example.org,office@example.org`,
  read(text) {
    if (text === '') return []
    const addresses = text.split(',').map((one) => one.trim())
    return addresses.length <= MAIL_ADDRESSES_MAX && addresses.every(isMailAddress) ? addresses : undefined
  },
}
