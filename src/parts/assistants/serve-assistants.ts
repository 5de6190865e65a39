/**
 * `/mcp`: assistants ask over HTTP (Model Context Protocol, streamable HTTP, without sessions). Each message is one
 * request, counted in the limits of its key; what it asks goes through the interface with the same credentials. This is
 * the one path that reads a body.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Gate } from '../../core/access/gate.ts'
import { SECURITY_HEADERS } from '../../core/answer/http-errors.ts'
import { createStreamSlots } from '../../core/answer/stream-slots.ts'
import { errors } from '../../core/errors/api-error.ts'
import { askInside } from './ask-inside.ts'
import { MessageQueue } from './message-queue.ts'
import { type Tool, toolsOf } from './tools.ts'

export const ASSISTANTS_PATH = '/mcp'

/** A call of a tool is some hundred bytes. */
export const MESSAGE_BYTES_MAX = 64 * 1024
const MESSAGES_AT_A_TIME = 32
const UNDER_WAY = {
  perKeyMax: 4,
  does: 'already has',
  advice: `messages to ${ASSISTANTS_PATH} under way; wait for the answer to one of them.`,
}

export interface AssistantsOptions {
  readonly gate: Pick<Gate, 'authenticate'>
  /** the OpenAPI document */
  readonly document: () => unknown
}

export function serveAssistants(app: FastifyInstance, { gate, document }: AssistantsOptions): void {
  const slots = createStreamSlots(MESSAGES_AT_A_TIME, UNDER_WAY)
  const queue = new MessageQueue()
  let known: readonly Tool[] | undefined
  const tools = async () => {
    known ??= toolsOf(document())
    return known
  }

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    // Until its body was read, what follows on the connection may be the rest of it.
    reply.header('connection', 'close')
    const { key, limitUse } = await gate.authenticate(request, reply)
    if (request.headers.origin !== undefined) throw errors.noWebPages()
    await queue.next(key.center)
    const taken = [slots.take(key)]
    try {
      const body = await readMessage(request.raw)
      reply.removeHeader('connection')
      const count = countMessages(body, request)
      // Each message of a list is a request, and under way by itself.
      for (let next = 1; next < count; next += 1) {
        await gate.authenticate(request, reply)
        taken.push(slots.take(key))
      }
      // 32 MB and a quarter of a second: loaded when somebody asks, never before.
      const [{ createMcpHandler }, { createAssistantServer }] = await Promise.all([
        import('@modelcontextprotocol/server'),
        import('./assistant-server.ts'),
      ])
      const inside = askInside(app, request, limitUse)
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      const handler = createMcpHandler(
        () =>
          createAssistantServer(tools, (question, signal) => {
            // What is asked inside counts itself in the usage of the key.
            request.asker = null
            return inside(question, AbortSignal.any([signal, gone.signal]))
          }),
        { maxSubscriptions: 0, keepAliveMs: 0 },
      )
      const response = await handler.fetch(
        new Request(`http://localhost${ASSISTANTS_PATH}`, {
          method: 'POST',
          headers: protocolHeaders(request),
          body,
        }),
      )
      const isList = body.trimStart().startsWith('[')
      const [type, text] = acceptable(
        request,
        response.headers.get('content-type'),
        await response.text(),
        isList,
      )
      await handler.close()
      request.sentBytes = Buffer.byteLength(text)
      return reply
        .code(response.status)
        .headers({ ...SECURITY_HEADERS, 'x-request-id': request.id })
        .headers(type === null ? {} : { 'content-type': type })
        .send(text)
    } finally {
      for (const free of taken) free()
    }
  }

  app.register(async (own) => {
    // The body is read above, after the credentials and with its bound.
    own.removeAllContentTypeParsers()
    own.addContentTypeParser('*', (_request, _body, done) => done(null))
    const config = { scope: 'any', endpoint: ASSISTANTS_PATH } as const
    // Ruling 9: a trailing slash on a path is the same path.
    for (const path of [ASSISTANTS_PATH, `${ASSISTANTS_PATH}/`]) {
      own.post(path, { config }, answer)
      own.get(path, { config }, async (request, reply) => {
        await gate.authenticate(request, reply)
        throw errors.onlyMessages()
      })
    }
  })
}

/** @throws {ApiError} 400 */
async function readMessage(body: IncomingMessage): Promise<string> {
  // One that is cut into pieces of a byte takes no more than another.
  const message = Buffer.allocUnsafe(MESSAGE_BYTES_MAX)
  let bytes = 0
  try {
    // Otherwise leaving the loop would close the connection before the refusal is sent.
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      chunk.copy(message, bytes)
      bytes += chunk.length
      if (bytes > MESSAGE_BYTES_MAX) break
    }
  } catch {
    throw wrongBody('The message broke off.')
  }
  if (bytes > MESSAGE_BYTES_MAX) {
    throw wrongBody(`A message may have ${MESSAGE_BYTES_MAX} bytes; this one is longer.`)
  }
  return message.toString('utf8', 0, bytes)
}

/** The only version of the protocol with lists of messages. A client of it names no version. */
const WITH_LISTS = '2025-03-26'

/** The number of messages in a body, which is a list only in the version that has them. @throws {ApiError} 400 */
function countMessages(body: string, { headers }: FastifyRequest): number {
  if (!body.trimStart().startsWith('[')) return 1
  const version = headers['mcp-protocol-version']
  if (version !== undefined && version !== WITH_LISTS) {
    throw wrongBody(
      `A request has one message; this one has a list, which only version ${WITH_LISTS} of the protocol allows.`,
    )
  }
  let list: unknown
  try {
    list = JSON.parse(body)
  } catch {
    throw wrongBody('The message is not JSON.')
  }
  const count = Array.isArray(list) ? list.length : 0
  if (count > 0 && count <= UNDER_WAY.perKeyMax) return count
  throw wrongBody(
    `A list has 1 to ${UNDER_WAY.perKeyMax} messages, as many as a key may have under way; this one has ${count}.`,
  )
}

const wrongBody = (message: string) => errors.invalidParameters([{ parameter: 'body', message }])

/** Those that the protocol reads. */
const PROTOCOL_HEADERS = /^(accept|content-type|mcp-.*)$/

const ACCEPTS_EVENTS = /(?:^|,)\s*(?:\*\/\*|text\/(?:\*|event-stream))\s*(?:[;,]|$)/i

/** An answer in the form of one event, which older protocols get, is JSON for a client that accepts nothing else. */
function acceptable(
  { headers: { accept = '*/*' } }: FastifyRequest,
  type: string | null,
  text: string,
  isList: boolean,
): [type: string | null, text: string] {
  if (type?.startsWith('text/event-stream') !== true || ACCEPTS_EVENTS.test(accept)) return [type, text]
  const data = text.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trim()] : []))
  return ['application/json', isList ? `[${data.join(',')}]` : (data.at(-1) ?? '')]
}

/** Media ranges that include JSON. No header accepts any form (RFC 9110, 12.5.1). */
const ACCEPTS_JSON = /(?:^|,)\s*(?:\*\/\*|application\/(?:\*|json))\s*(?:[;,]|$)/i

function protocolHeaders({ headers }: FastifyRequest): Record<string, string> {
  const accept = headers.accept ?? '*/*'
  return Object.fromEntries([
    ...Object.entries(headers).flatMap(([name, value]) =>
      PROTOCOL_HEADERS.test(name) && value !== undefined ? [[name, String(value)]] : [],
    ),
    // The library asks for both forms, although it answers with the first.
    ...(ACCEPTS_JSON.test(accept) ? [['accept', 'application/json, text/event-stream']] : []),
  ])
}
