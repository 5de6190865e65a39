/**
 * Asks the interface inside the service, as the application of a report: the same way as its own request over HTTP, with
 * the same scopes, refusals and entry in the audit trail. Nothing of it can be reached from a network: the routes belong to
 * a server that never listens.
 */
import Fastify, { type FastifyInstance } from 'fastify'
import type { Gate } from '../../core/access/gate.ts'
import type { KeyState } from '../../core/access/key-states.ts'
import { sendError } from '../../core/answer/http-errors.ts'
import { createRequestIds } from '../../core/answer/request-ids.ts'
import type { Handler } from '../../core/answer/routes.ts'
import type { Operation } from '../../core/request/operation.ts'

export interface Asked {
  readonly body: string
  /** the header */
  readonly dataReceived: string | undefined
}

/** @param target path and query @throws {AskRefused | AskUnavailable} */
export type AskInside = (target: string, language: string | undefined) => Promise<Asked>

/** The interface refuses what the report asks for: its rights have changed, or its query. The message is the interface's. */
export class AskRefused extends Error {
  override readonly name = 'AskRefused'
}

/** The interface cannot answer now. */
export class AskUnavailable extends Error {
  override readonly name = 'AskUnavailable'
}

/** A page of paper has some kilobytes; this is a list of 10,000 orders. */
const ANSWER_BYTES_MAX = 8_000_000
const ASKER_HEADER = 'x-inside'

export interface Inside {
  /** @param publicKey that the answers are for @returns undefined if it is not active */
  open(publicKey: string): Promise<{ readonly ask: AskInside } | undefined>
  close(): Promise<void>
}

export interface InsideOptions {
  readonly gate: Gate
  readonly operations: readonly Operation[]
  readonly handlerOf: (operation: Operation) => Handler
}

export function createInside({ gate, operations, handlerOf }: InsideOptions): Inside {
  const app = Fastify({
    logger: false,
    routerOptions: { querystringParser: () => ({}), maxParamLength: 16_384 },
  })
  for (const name of ['asker', 'notAdmitted', 'link', 'refusal', 'inside']) app.decorateRequest(name, null)
  app.decorateRequest('sentBytes', 0)
  app.decorate('publicUrl', '')
  app.decorate(
    'requestIds',
    createRequestIds(() => false),
  )
  app.setErrorHandler((error, request, reply) => {
    sendError(error, request, reply)
    return reply
  })
  /** by the number in the request's header */
  const askers = new Map<string, KeyState>()
  app.addHook('onRequest', async (request) => {
    const state = askers.get(String(request.headers[ASKER_HEADER]))
    if (state === undefined) throw new Error('a request inside has no asker')
    request.inside = { state, again: () => gate.keyInside(state.publicKey) }
  })
  for (const operation of operations) {
    const handler = handlerOf(operation)
    for (const path of operation.paths) app.get(path.replaceAll(/\{(\w+)\}/g, ':$1'), handler)
  }
  let count = 0

  return {
    async open(publicKey) {
      const state = await gate.keyInside(publicKey)
      if (state === undefined) return undefined
      return {
        async ask(target, language) {
          count += 1
          const asker = String(count)
          askers.set(asker, state)
          try {
            return await asked(app, target, {
              [ASKER_HEADER]: asker,
              ...(language === undefined ? {} : { 'x-locale': language }),
            })
          } finally {
            askers.delete(asker)
          }
        },
      }
    },
    close: () => app.close(),
  }
}

async function asked(app: FastifyInstance, url: string, headers: Record<string, string>): Promise<Asked> {
  const answer = await app.inject({ method: 'GET', url, headers, payloadAsStream: true })
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of answer.stream()) {
      bytes += chunk.length
      if (bytes > ANSWER_BYTES_MAX) {
        throw new AskRefused(`The answer is longer than ${ANSWER_BYTES_MAX} bytes. Narrow the query.`)
      }
      chunks.push(chunk)
    }
  } catch (error) {
    answer.raw.res.destroy()
    throw error instanceof AskRefused ? error : new AskUnavailable('the answer broke off')
  }
  const body = Buffer.concat(chunks).toString('utf8')
  const { statusCode } = answer
  if (statusCode >= 500 || statusCode === 429) throw new AskUnavailable(`status ${statusCode}`)
  if (statusCode !== 200) throw new AskRefused(messageOf(body))
  const received = answer.headers['data-received']
  return { body, dataReceived: received === undefined ? undefined : String(received) }
}

function messageOf(body: string): string {
  const { error } = JSON.parse(body) as { error: { message: string; details?: { message: string }[] } }
  return [error.message, ...(error.details ?? []).map(({ message }) => message)].join(' ')
}
