/** Asks a service over HTTP, for `sojourn mcp`. */
import { ASSISTANT, CHANNEL_HEADER } from '../../core/access/keys/channel.ts'
import { ANSWER_BYTES_MAX, type Ask, CannotAsk, readBounded } from './ask.ts'
import { type Tool, toolsOf } from './tools.ts'

export interface AskedService {
  readonly ask: Ask
  /** what the service describes of itself; read when first asked for, and again after a failure */
  readonly tools: () => Promise<readonly Tool[]>
}

/** The document has half a megabyte. */
const DOCUMENT_BYTES_MAX = 8_000_000
const DOCUMENT_MS_MAX = 30_000

/** @param url with or without `/v1` @param key in its single-string form */
export function askService(url: string, key: string): AskedService {
  const base = url.replace(/\/$/, '').replace(/\/v1$/, '')
  const get = async (target: string, headers: Record<string, string>, signal: AbortSignal) => {
    try {
      // A redirect would take the key somewhere else.
      return await fetch(`${base}${target}`, { headers, signal, redirect: 'error' })
    } catch (error) {
      throw new CannotAsk(
        `${base} does not answer (${reasonOf(error)}). Check SOJOURN_URL, and that the service runs.`,
      )
    }
  }

  let known: Promise<readonly Tool[]> | undefined
  const readTools = async () => {
    const answer = await get('/v1/openapi.json', {}, AbortSignal.timeout(DOCUMENT_MS_MAX))
    const text = await bodyOf(answer, DOCUMENT_BYTES_MAX)
    const tools = answer.status === 200 && text !== undefined ? toolsOf(jsonOf(text)) : []
    if (tools.length === 0) throw new CannotAsk(`${base} is no service of Sojourn. Check SOJOURN_URL.`)
    return tools
  }

  return {
    async ask({ target, locale }, signal) {
      const headers = {
        authorization: `Bearer ${key}`,
        [CHANNEL_HEADER]: ASSISTANT,
        ...(locale === undefined ? {} : { 'x-locale': locale }),
      }
      const answer = await get(target, headers, signal)
      return {
        status: answer.status,
        body: await bodyOf(answer, ANSWER_BYTES_MAX),
        link: answer.headers.get('link') ?? undefined,
        dataReceived: answer.headers.get('data-received') ?? undefined,
      }
    },
    tools() {
      known ??= readTools().catch((error: unknown) => {
        known = undefined
        throw error
      })
      return known
    },
  }
}

async function bodyOf({ body }: Response, bytesMax: number): Promise<string | undefined> {
  if (body === null) return ''
  try {
    return await readBounded(body, bytesMax)
  } catch (error) {
    throw new CannotAsk(`The answer broke off (${reasonOf(error)}). Ask again.`)
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `fetch` says what happened in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  return 'code' in cause ? String(cause.code) : cause.message
}
