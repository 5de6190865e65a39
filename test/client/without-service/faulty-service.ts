/** A service in memory that fails as a test says, in place of the client's `fetch`. */
import { type ConnectionOptions, Sojourn } from '../../../client/src/index.ts'

export interface Asked {
  readonly url: URL
  readonly headers: Headers
  readonly signal: AbortSignal | undefined
}

/** Answers a request, or throws as a connection does. */
export type Answers = (asked: Asked, count: number) => Response | Promise<Response>

export interface Faulty {
  readonly sojourn: Sojourn
  readonly asked: readonly Asked[]
  /** How long it was waited, in milliseconds; no time passes. */
  readonly waits: readonly number[]
}

export function faulty(answers: Answers, options: Partial<ConnectionOptions> = {}): Faulty {
  const asked: Asked[] = []
  const waits: number[] = []
  const sojourn = new Sojourn({
    url: 'https://sojourn.example',
    key: 'sjn_key_1',
    random: () => 0.5,
    async sleep(ms, signal) {
      signal?.throwIfAborted()
      waits.push(ms)
    },
    async fetch(address, init) {
      const one = {
        url: new URL(String(address)),
        headers: new Headers(init?.headers),
        signal: init?.signal ?? undefined,
      }
      asked.push(one)
      return answers(one, asked.length)
    },
    ...options,
  })
  return { sojourn, asked, waits }
}

export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json(
    { error: { code, message: `${code} it is.`, requestId: 'r-1', docs: 'https://sojourn.example/docs' } },
    { status, headers: { 'x-request-id': 'r-1', ...headers } },
  )

export const gone = (): never => {
  throw new TypeError('fetch failed', { cause: new Error('read ECONNRESET') })
}

/** As many guests. */
export const guestsOf = (count: number, from = 1) =>
  Array.from({ length: count }, (_, at) => ({ id: `g-${at + from}`, name: `Guest ${at + from}`, ids: {} }))

/** The page of a list that a request asks for. */
export function pageOf<Item>(list: readonly Item[], { url }: Asked): Response {
  const length = Number(url.searchParams.get('length') ?? 50)
  const from = (Number(url.searchParams.get('start') ?? 1) - 1) * length
  return Response.json({ data: list.slice(from, from + length), total: list.length })
}

export async function listed<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
