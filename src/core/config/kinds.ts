/** The kinds of values a setting may have: how each is parsed, and the words that say what is allowed. */
import { readAddressRange } from './addresses.ts'

export interface Kind<T> {
  /** What is allowed, as the end of a sentence: `a whole number from 0 to 65535`. */
  readonly allowed: string
  /** @returns the value, or undefined if the text is not of this kind */
  read(text: string): T | undefined
}

export function wholeNumber({ from, to }: { from: number; to: number }): Kind<number> {
  return {
    allowed: `a whole number from ${from} to ${to}`,
    read(text) {
      if (!/^\d{1,15}$/.test(text)) return undefined
      const value = Number(text)
      return value >= from && value <= to ? value : undefined
    },
  }
}

export function oneOf<const T extends string>(values: readonly T[]): Kind<T> {
  return {
    allowed: `one of ${values.join(', ')}`,
    read: (text) => values.find((value) => value === text.toLowerCase()),
  }
}

const TRUTHS = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
  ['yes', true],
  ['no', false],
  ['on', true],
  ['off', false],
])

export const truth: Kind<boolean> = {
  allowed: 'true or false',
  read: (text) => TRUTHS.get(text.toLowerCase()),
}

/** Comma-separated values, each parsed by `item`; invalid if one of them is; an empty text is an empty list. */
function listOf<T>(item: Kind<T>['read'], allowed: string): Kind<readonly T[]> {
  return {
    allowed,
    read(text) {
      const items: T[] = []
      if (text === '') return items
      for (const part of text.split(',').map((part) => part.trim())) {
        const value = item(part)
        if (value === undefined) return undefined
        items.push(value)
      }
      return items
    },
  }
}

export const host: Kind<string> = {
  allowed: 'an address or a host name to listen on, such as 127.0.0.1, ::1 or 0.0.0.0',
  read: (text) => (/^[\w.:%-]{1,255}$/.test(text) ? text : undefined),
}

export const folder: Kind<string> = {
  allowed: 'a path',
  read: (text) => (text.includes('\0') ? undefined : text),
}

/** One host: `pg` would take `a,b` for a name, and a process must not choose a server by itself after a failover. */
export const postgresUrl: Kind<string> = {
  allowed:
    "a PostgreSQL URL with one host, postgres://USER:PASSWORD@HOST:PORT/DATABASE; for several servers, the address of a proxy that leads to the primary (HAProxy with a check of Patroni's /primary) or a DNS name that moves",
  read(text) {
    if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return undefined
    const { hostname, searchParams } = new URL(text)
    return [hostname, ...searchParams.getAll('host')].some((one) => one.includes(',')) ? undefined : text
  },
}

/** Each leads to one replica, so that what is found out about it holds for the next read. */
export const postgresUrls: Kind<readonly string[]> = listOf(
  postgresUrl.read,
  'comma-separated PostgreSQL URLs with one host each, postgres://USER:PASSWORD@HOST:PORT/DATABASE; a comma in a password is written as %2C',
)

export interface Printer {
  /** whose reports it prints */
  readonly center: string
  readonly name: string
  readonly uri: string
}

/** Each with its center, its name and its URI; a printer without encryption is one of the own network. */
export const printers: Kind<readonly Printer[]> = listOf((text) => {
  const [, center, name, uri] = /^([\w.:-]{1,64})\/([\w-]{1,60})=(ipps?:\/\/\S{1,500})$/.exec(text) ?? []
  if (center === undefined || name === undefined || uri === undefined || !URL.canParse(uri)) return undefined
  const { hostname, username, password } = new URL(uri)
  return hostname !== '' && username === '' && password === '' ? { center, name, uri } : undefined
}, 'comma-separated printers, each with its center, as CENTER/NAME=ipp://HOST:631/PATH or CENTER/NAME=ipps://HOST:631/PATH; a printer of two centers is given twice')

export const addressRanges: Kind<readonly string[]> = listOf(
  // With a range of all addresses, any client could claim any address.
  (text) => ((readAddressRange(text)?.bits ?? 0) === 0 ? undefined : text),
  'comma-separated addresses or ranges, such as 10.0.0.5,192.168.0.0/16, but no range of all addresses',
)

export const origins: Kind<readonly string[]> = listOf(
  (text) =>
    /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text ? text : undefined,
  'comma-separated origins without a path, such as https://portal.example.org',
)

export const publicUrl: Kind<string> = {
  allowed:
    'a URL without a user, a password or a query, such as https://api.example.org or https://example.org/sojourn',
  read(text) {
    if (!/^https?:\/\/[^/?#\s][^?#\s]*$/.test(text) || !URL.canParse(text)) return undefined
    const { username, password } = new URL(text)
    return username === '' && password === '' ? text.replace(/\/$/, '') : undefined
  },
}

const LOOPBACK_URL = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:[/?]|$)/

/** Its path or query is usually a secret. */
export const heartbeatUrl: Kind<string> = {
  allowed: 'an https: URL without a user or a password, or an http: URL of this machine',
  read(text) {
    if (!URL.canParse(text)) return undefined
    const { protocol, username, password } = new URL(text)
    if (username !== '' || password !== '') return undefined
    return protocol === 'https:' || LOOPBACK_URL.test(text) ? text : undefined
  },
}

export const limitStore: Kind<string> = {
  allowed:
    'memory, or the URL of a Redis or Valkey server, redis://HOST:PORT or rediss://HOST:PORT, with /NUMBER for another database',
  read(text) {
    if (text === 'memory') return text
    const isUrl = /^rediss?:\/\/[^/]/.test(text) && URL.canParse(text)
    // A path is the number of a database.
    return isUrl && /^\/?\d*$/.test(new URL(text).pathname) ? text : undefined
  },
}

export const key256: Kind<string> = {
  allowed: '32 bytes in base64, as "openssl rand -base64 32" prints them',
  read: (text) => (/^[A-Za-z0-9+/]{43}=$/.test(text) ? text : undefined),
}

export const contact: Kind<string> = {
  allowed: 'mailto:ADDRESS or an https: URL',
  read: (text) =>
    /^mailto:[^\s@]+@[^\s@]+$/.test(text) || (/^https:\/\/[^/\s]+/.test(text) && URL.canParse(text))
      ? text
      : undefined,
}

export const token: Kind<string> = {
  allowed: '20 to 200 letters, digits and characters of -._~+/=, such as `openssl rand -hex 24` prints',
  read: (text) => (/^[\w.~+/=-]{20,200}$/.test(text) ? text : undefined),
}
