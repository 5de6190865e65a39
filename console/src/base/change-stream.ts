/** The stream of changes, opened again for as long as somebody wants it, and what takes its place where there is none. */
import { errorOf, reportedError } from '../../../client/src/connection.ts'
import { SojournError } from '../../../client/src/error.ts'
import { readEvents } from '../../../client/src/events.ts'
import type { Change } from '../../../client/src/openapi.ts'
import type { Clock } from './clock.ts'
import type { Moved } from './outdated-answers.ts'
import { type Problem, problemOf } from './problem.ts'

/** What the stream tells. It can be sent to other tabs. */
export type StreamMessage =
  /** @param isWithoutGap whether everything since the last message was reported */
  | { readonly is: 'open'; readonly isWithoutGap: boolean; readonly cursor: string }
  | { readonly is: 'changes'; readonly changes: readonly Moved[]; readonly cursor: string | undefined }
  /** There is no stream to have now: pages ask each minute. */
  | { readonly is: 'minute' }
  /** A minute is over. */
  | { readonly is: 'ask' }
  /** The key follows nothing. */
  | { readonly is: 'none' }
  /** The key may read less than before. */
  | { readonly is: 'less' }
  | { readonly is: 'problem'; readonly problem: Problem }

export interface ChangeStreamOptions {
  /** the address of the service, with a slash at its end */
  readonly url: string
  readonly key: string
  /** tells the streams of a key apart */
  readonly device: string
  /** where to go on; undefined: from now on */
  readonly cursor: string | undefined
  readonly clock: Clock
  readonly tell: (message: StreamMessage) => void
  readonly send?: typeof fetch
}

/** Three of the signs of life that the service sends. */
const SILENCE_MS = 45_000
/** A proxy that collects answers delivers no first event. */
const OPENING_MS = 15_000
const AGAIN_MS = 3000
const UNAVAILABLE_MS = 20_000
const MINUTE_MS = 60_000
/** How many minutes pass before a stream is tried again. */
const MINUTES_WITHOUT = 3

/** @returns what ends it */
export function openChangeStream(options: ChangeStreamOptions): () => void {
  const { clock, tell } = options
  const ends = new AbortController()
  let { cursor } = options
  let isBroken = false
  let cancel = () => {}
  ends.signal.addEventListener('abort', () => cancel())
  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      const stop = clock.after(ms, resolve)
      cancel = () => {
        stop()
        resolve()
      }
    })

  async function run(): Promise<void> {
    while (!ends.signal.aborted) {
      try {
        await stream()
        // Ended as it should be, after an hour or because the service stops.
        if (isBroken) await wait(AGAIN_MS)
        isBroken = true
      } catch (error) {
        if (ends.signal.aborted) return
        await afterProblem(error)
      }
    }
  }

  async function stream(): Promise<void> {
    const { url, key, device, send = fetch } = options
    const body = new AbortController()
    const abort = () => body.abort()
    ends.signal.addEventListener('abort', abort, { once: true })
    let isOpen = false
    let isSlow = false
    const stop = clock.after(OPENING_MS, () => {
      isSlow = true
      abort()
    })
    try {
      const response = await send(`${url}v1/changes/stream?device=${device}`, {
        headers: {
          accept: 'text/event-stream',
          authorization: `Bearer ${key}`,
          ...(cursor === undefined ? {} : { 'last-event-id': cursor }),
        },
        cache: 'no-store',
        redirect: 'manual',
        signal: body.signal,
      })
      if (response.status !== 200 || response.body === null) throw await refusalOf(response)
      const isWithoutGap = cursor !== undefined
      for await (const events of readEvents(response.body, SILENCE_MS, body.signal)) {
        const last = events.filter(({ id }) => id !== undefined).at(-1)?.id
        cursor = last ?? cursor
        const changes = events.flatMap(({ type, data }) =>
          type === 'message' && data !== undefined ? [movedBy(data)] : [],
        )
        if (changes.length > 0 || isOpen) tell({ is: 'changes', changes, cursor })
        if (!isOpen && last !== undefined) {
          stop()
          isOpen = true
          isBroken = false
          tell({ is: 'open', isWithoutGap, cursor: last })
        }
        const end = events.find(({ type }) => type === 'end')
        if (end !== undefined) throw reportedError(end.data ?? '', { status: 0 })
      }
      if (isSlow) throw new NoStream()
    } catch (error) {
      throw isSlow ? new NoStream() : error
    } finally {
      stop()
      body.abort()
      ends.signal.removeEventListener('abort', abort)
    }
  }

  async function afterProblem(error: unknown): Promise<void> {
    if (error instanceof NoStream) return withoutStream()
    if (error instanceof KeyLimited) {
      const { problem } = error
      tell({ is: 'problem', problem })
      return wait((problem.againAt ?? clock.now() + MINUTE_MS) - clock.now())
    }
    if (!(error instanceof SojournError)) {
      const problem = problemOf(new SojournError('CONNECTION', '', { cause: error }), clock.now())
      tell({ is: 'problem', problem: { ...problem, againAt: clock.now() + AGAIN_MS } })
      return wait(AGAIN_MS)
    }
    switch (error.code) {
      case 'GONE':
        cursor = undefined
        return
      case 'UNAUTHORIZED':
        cursor = undefined
        tell({ is: 'problem', problem: problemOf(error, clock.now()) })
        return wait(MINUTE_MS)
      case 'FORBIDDEN':
        cursor = undefined
        // It was open: the key has lost a scope. Otherwise it follows nothing, or nothing any more.
        tell({ is: error.status === 0 ? 'less' : 'none' })
        return error.status === 0 ? undefined : wait(MINUTES_WITHOUT * MINUTE_MS)
      case 'CONNECTION':
      case 'TIMEOUT':
        // It broke off. Whether nobody answers any more is seen when it is opened again.
        if (isBroken) return withoutStream()
        isBroken = true
        return
      case 'RATE_LIMITED':
        return withoutStream()
      default:
        // The database is away, or a proxy answers in place of the service.
        tell({ is: 'minute' })
        return wait(UNAVAILABLE_MS)
    }
  }

  async function withoutStream(): Promise<void> {
    tell({ is: 'minute' })
    for (let minute = 0; minute < MINUTES_WITHOUT && !ends.signal.aborted; minute += 1) {
      await wait(MINUTE_MS)
      if (!ends.signal.aborted) tell({ is: 'ask' })
    }
    // What came meanwhile was read, not reported.
    cursor = undefined
  }

  async function refusalOf(response: Response): Promise<Error> {
    const error = errorOf(response, await response.text())
    const isLimit = response.status === 429 && /;r=0(?:;|,|$)/.test(response.headers.get('ratelimit') ?? '')
    return isLimit ? new KeyLimited(problemOf(error, clock.now())) : error
  }

  void run()
  return () => ends.abort()
}

class NoStream extends Error {}

/** The key has used up its requests, which is not the same as too many streams. */
class KeyLimited extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super('the key has used up its requests')
    this.problem = problem
  }
}

/** The service sends what its OpenAPI document says. */
function movedBy(data: string): Moved {
  const { kind, operation, days }: Change = JSON.parse(data)
  return { kind, operation, days }
}
