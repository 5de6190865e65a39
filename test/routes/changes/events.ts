/** Somebody who opens the stream of changes on a real connection, and reads it event by event. */
import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import type { TestKey } from '../../support/api.ts'
import { listen } from '../../support/socket.ts'

/** What one block of the stream holds; one without data only moves the position on. */
export interface StreamEvent {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly data: string | undefined
  readonly retry: string | undefined
}

export interface OpenStream {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** the next block, however it is cut on the way; undefined where the stream has ended */
  next(): Promise<StreamEvent | undefined>
  /** the next that has data */
  change(): Promise<StreamEvent>
  /** everything to the end, for what is no stream */
  text(): Promise<string>
  /** whether it has come to its end as the service meant it to */
  isComplete(): boolean
  close(): void
}

/** Opens it; closed with the test at the latest. */
export async function openStream(
  app: FastifyInstance,
  key: TestKey,
  query = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenStream> {
  const port = await listen(app)
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const path = `/v1/changes/stream${query === '' ? '' : `?${query}`}`
  const request: ClientRequest = get(
    { host: '127.0.0.1', port, path, agent: false, headers: { ...key.headers, ...headers } },
    resolve,
  )
  request.once('error', reject)
  onTestFinished(() => void request.destroy())
  const answer = await promise
  answer.setEncoding('utf8')
  // Broken off by this side.
  answer.on('error', () => {})
  request.on('error', () => {})
  const chunks = answer[Symbol.asyncIterator]() as AsyncIterator<string>
  let rest = ''
  const next = async (): Promise<StreamEvent | undefined> => {
    for (;;) {
      const end = rest.indexOf('\n\n')
      if (end >= 0) {
        const block = rest.slice(0, end)
        rest = rest.slice(end + 2)
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
        return { id: field('id'), event: field('event'), data: field('data'), retry: field('retry') }
      }
      const { value, done } = await chunks.next().catch(() => ({ value: undefined, done: true }))
      if (done === true) return undefined
      rest += value
    }
  }
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    next,
    async change() {
      for (;;) {
        const event = await next()
        if (event === undefined) throw new Error('the stream ended before a change came')
        if (event.data !== undefined) return event
      }
    },
    async text() {
      for (;;) {
        const { value, done } = await chunks.next()
        if (done === true) return rest
        rest += value
      }
    },
    isComplete: () => answer.complete,
    close: () => void request.destroy(),
  }
}
