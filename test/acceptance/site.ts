/** A deployment as its clients see it: an address and a key. Nothing here knows how it is built. */

export interface Credentials {
  /** the three headers, where they were given */
  readonly three: Readonly<Record<string, string>> | undefined
  /** the key's single-string form, where it was given */
  readonly apiKey: string | undefined
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** the JSON body, or undefined where it is none */
  readonly json: unknown
}

export interface Site {
  readonly credentials: Credentials
  /** Asks with the key. @param path from the root, such as `/v1/guests`. */
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  /** Asks with exactly these headers, and so without a key unless they hold one. */
  ask(path: string, headers: Record<string, string>, method?: string): Promise<Answer>
  /** how many requests were sent so far */
  readonly sent: () => number
}

/** Longer waits for a limit than this are not worth it: the run says so and ends. */
const WAIT_MAX_SECONDS = 120

export function openSite(baseUrl: string, credentials: Credentials, onWait: (seconds: number) => void): Site {
  const root = baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '')
  let sent = 0
  const ask: Site['ask'] = async (path, headers, method = 'GET') => {
    for (;;) {
      sent += 1
      const response = await fetch(root + path, { method, headers, redirect: 'manual' })
      const text = await response.text()
      const wait = Number(response.headers.get('retry-after') ?? '0')
      // The suite is polite: it waits as the answer says, and asks again.
      if (response.status === 429 && wait > 0 && wait <= WAIT_MAX_SECONDS) {
        onWait(wait)
        await new Promise((resolve) => setTimeout(resolve, wait * 1000))
        continue
      }
      return { status: response.status, headers: response.headers, text, json: parse(text) }
    }
  }
  const own = credentials.three ?? { authorization: `Bearer ${credentials.apiKey}` }
  return { credentials, ask, get: (path, headers) => ask(path, { ...own, ...headers }), sent: () => sent }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
