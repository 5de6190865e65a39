/**
 * `/links/{token}`: a saved question, answered to whoever has its address, as the walk answers a key. The token is the
 * credential, so the request forgets it before anything else happens: whatever looks at the request later, for a log or
 * a record, finds the question in its place.
 */
import type { FastifyInstance } from 'fastify'
import type { Gate } from '../access/gate.ts'
import type { Handler } from '../answer/routes.ts'
import { errors } from '../errors/api-error.ts'
import { localDateOf } from '../locale/zones.ts'
import type { Operation } from '../request/operation.ts'
import { askedOn, readQuestion } from './question.ts'

export const LINKS_PATH = '/links'
const ENDPOINT = `${LINKS_PATH}/{token}`

interface LinksOptions {
  readonly gate: Pick<Gate, 'enterByLink' | 'admit'>
  readonly operations: readonly Operation[]
  readonly walk: (operation: Operation) => Handler
  readonly clock: () => number
}

export function serveLinks(app: FastifyInstance, { gate, operations, walk, clock }: LinksOptions): void {
  const handlers = new Map(operations.map((operation) => [operation, walk(operation)]))
  const config = { scope: 'any', endpoint: ENDPOINT } as const

  app.get<{ Params: Record<string, string> }>(`${LINKS_PATH}/:token`, { config }, async (request, reply) => {
    const { token = '' } = request.params
    const hasQuery = request.raw.url?.includes('?') === true
    request.raw.url = ENDPOINT
    request.params = {}
    const link = await gate.enterByLink(request, reply, token)
    if (hasQuery) throw errors.invalidParameters([{ parameter: 'query', message: NO_PARAMETERS }])

    // What the address alone says is what is answered, whoever opens it.
    const { headers } = request
    delete headers.accept
    if (link.language === null) delete headers['x-locale']
    else headers['x-locale'] = link.language
    const { center } = await gate.admit(request, reply)
    const question = readQuestion(link.question, operations)
    const handler = question && handlers.get(question.operation)
    if (question === undefined || handler === undefined) throw errors.noSuchLink()
    const asked = askedOn(question, localDateOf(center.timezone, clock()))
    // No path of the interface: what is known of a request by its text is not shared with requests of keys, whose
    // answers lead to further pages.
    request.raw.url = `${LINKS_PATH}${question.operation.paths[0]}${asked.query === '' ? '' : `?${asked.query}`}`
    request.params = asked.pathParameters
    reply.header('x-robots-tag', 'noindex')
    return handler(request, reply)
  })
}

const NO_PARAMETERS =
  'A link takes no parameters: what it asks was settled when it was created. Remove everything from the question mark on.'
