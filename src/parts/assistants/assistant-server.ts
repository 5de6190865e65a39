/** What an assistant finds: the operations as tools, fields and scopes as resources. The same over HTTP and stdio. */
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  Server,
} from '@modelcontextprotocol/server'
import packageFile from '../../../package.json' with { type: 'json' }
import { SCOPE_HELP, SCOPES } from '../../core/access/keys/scopes.ts'
import { ageOfData } from './age-of-data.ts'
import { ANSWER_BYTES_MAX, type Ask, type Asked, CannotAsk } from './ask.ts'
import { missingIn } from './missing.ts'
import { isFields, questionOf, type Tool } from './tools.ts'

const INSTRUCTIONS = `Sojourn shows the guests, stays, skipped meals, sessions and orders of one center. It is read-only.

* Days are local days of the center; sojourn://scopes has its time zone.
* Values at the top of a record are texts for people, in the language of the argument locale. ids has the raw values under the same names: compare and compute with these.
* A stay is in a range of dates if any part of it is. Who arrives on a day: name startDate in project, and take the guests whose ids.startDate is that day in the center's time zone.
* project names the fields you need, and no others. sojourn://fields lists all of them, custom ones included, and which of them you may read.
* A list has pages. A second text says how many records there are in all and how to ask for the rest. Other texts say what else the answer does not contain: repeat that to the person who asked you.
* null is an unknown value, 0 and an empty list are none, and what you may not read is refused or named as withheld: these are three things.
* A refusal says what to change. Do not repeat a call that was refused unchanged.`

const FIELDS = {
  uri: 'sojourn://fields',
  name: 'fields',
  title: 'Fields of guests',
  description: 'Every field that project takes: label, type, example, scope, and whether you may read it.',
  mimeType: 'application/json',
}
const SCOPES_RESOURCE = {
  uri: 'sojourn://scopes',
  name: 'scopes',
  title: 'What you may read',
  description: 'The center, what each scope covers and whether you have it, and the remaining requests.',
  mimeType: 'application/json',
}

/** Longer than the service takes for a heavy read, with which it refuses by itself. */
const CALL_MS_MAX = 45_000
/** Calls of one connection under way. */
const CALLS_MAX = 8

/** @param tools is asked each time, and may fail as `ask` may */
export function createAssistantServer(tools: () => Promise<readonly Tool[]>, ask: Ask): Server {
  const server = new Server(
    { name: 'sojourn', title: 'Sojourn', version: packageFile.version },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  )
  let underWay = 0
  const bounded: Ask = async (question, signal) => {
    if (underWay >= CALLS_MAX) throw new CannotAsk(`${CALLS_MAX} calls are under way; wait for one of them.`)
    underWay += 1
    try {
      return await ask(question, AbortSignal.any([signal, AbortSignal.timeout(CALL_MS_MAX)]))
    } finally {
      underWay -= 1
    }
  }
  /** JSON of an answer that must be there. */
  const read = async (target: string, signal: AbortSignal): Promise<string> => {
    const { status, body } = await bounded({ target, locale: undefined }, signal)
    if (status === 200 && body !== undefined) return body
    throw new CannotAsk(body === undefined ? TOO_LONG : messageOf(body))
  }

  server.setRequestHandler('tools/list', (_, { mcpReq }) =>
    reported(async () => {
      const has = scopesOf(await read('/v1/me', mcpReq.signal))
      const readable = (await tools()).filter(({ scope }) => scope === undefined || has.includes(scope))
      return { tools: readable.map(listed) }
    }),
  )

  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    try {
      const tool = (await tools()).find(({ name }) => name === params.name)
      if (tool === undefined) throw unknownName('tool', params.name)
      const question = questionOf(tool, params.arguments)
      if (typeof question === 'string') return refusal(question)
      return resultOf(await bounded(question, mcpReq.signal))
    } catch (error) {
      if (error instanceof CannotAsk) return refusal(error.message)
      throw error
    }
  })

  server.setRequestHandler('resources/list', () => ({ resources: [FIELDS, SCOPES_RESOURCE] }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', ({ params }, { mcpReq }) =>
    reported(async () => {
      if (params.uri === FIELDS.uri) return resource(FIELDS, await read('/v1/fields', mcpReq.signal))
      if (params.uri !== SCOPES_RESOURCE.uri) throw unknownName('resource', params.uri)
      const me = await read('/v1/me', mcpReq.signal)
      const has = scopesOf(me)
      const scopes = SCOPES.map((scope) => ({
        scope,
        opens: SCOPE_HELP[scope],
        readable: has.includes(scope),
      }))
      return resource(SCOPES_RESOURCE, JSON.stringify({ ...fieldsOf(me), scopes }))
    }),
  )
  return server
}

const listed = ({ name, title, description, inputSchema }: Tool) => ({
  name,
  title,
  description,
  inputSchema,
  annotations: {
    title,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
})

const resource = ({ uri, mimeType }: typeof FIELDS, text: string): ReadResourceResult => ({
  contents: [{ uri, mimeType, text }],
})

const TOO_LONG = `The answer is longer than ${ANSWER_BYTES_MAX} bytes, so it is not shown. Ask for less: fewer fields in project, a smaller length, or a shorter range of dates.`

function resultOf({ status, body, link, dataReceived }: Asked): CallToolResult {
  if (body === undefined) return refusal(TOO_LONG)
  if (status !== 200) return refusal(body)
  const notes = [...missingIn(fieldsOf(body), link), ageOfData(dataReceived)]
  const missing = notes.map((text) => ({ type: 'text' as const, text }))
  return { content: [{ type: 'text', text: body }, ...missing] }
}

const refusal = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true })

/** Of a body of `GET /me`. */
function scopesOf(me: string): readonly string[] {
  const said = fieldsOf(me)
  const scopes = isFields(said?.key) ? said.key.scopes : undefined
  if (!Array.isArray(scopes)) throw new CannotAsk(NOT_SOJOURN)
  return scopes.map(String)
}

/** Of an error's body. */
function messageOf(body: string): string {
  const said = fieldsOf(body)
  return isFields(said?.error) ? String(said.error.message) : NOT_SOJOURN
}

const NOT_SOJOURN = 'The answer is not from Sojourn.'

function fieldsOf(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const said: unknown = JSON.parse(body)
    return isFields(said) ? said : undefined
  } catch {
    return undefined
  }
}

/** What has no result that could say what is wrong says it as an error of the protocol. */
async function reported<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof CannotAsk
      ? new ProtocolError(ProtocolErrorCode.InternalError, error.message)
      : error
  }
}

const unknownName = (what: string, name: string) =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no ${what} ${JSON.stringify(name)}; ${what}s/list has all of them.`,
  )
