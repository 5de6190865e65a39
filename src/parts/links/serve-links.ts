/**
 * `/links/{token}`: answers a saved query for anyone who has its URL, in the same way as for a key. The token is the
 * credential, so it is replaced by the query in the request before anything else happens: logs and records contain only
 * the query.
 */
import type { FastifyInstance } from 'fastify'
import type { Gate } from '../../core/access/gate.ts'
import type { Handler } from '../../core/answer/routes.ts'
import { errors } from '../../core/errors/api-error.ts'
import { localDateOf } from '../../core/locale/zones.ts'
import type { Operation } from '../../core/request/operation.ts'
import { type RawQuery, readRawQuery } from '../../core/request/parameters.ts'
import { askedOn, hasPages, pageNames, readQuestion } from './question.ts'

export const LINKS_PATH = '/links'
const ENDPOINT = `${LINKS_PATH}/{token}`

interface LinksOptions {
  readonly gate: Pick<Gate, 'enterByLink' | 'admit'>
  readonly operations: readonly Operation[]
  readonly handlerOf: (operation: Operation) => Handler
  readonly clock: () => number
}

export function serveLinks(app: FastifyInstance, { gate, operations, handlerOf, clock }: LinksOptions): void {
  const handlers = new Map(operations.map((operation) => [operation, handlerOf(operation)]))
  const config = { scope: 'any', endpoint: ENDPOINT } as const

  app.get<{ Params: Record<string, string> }>(`${LINKS_PATH}/:token`, { config }, async (request, reply) => {
    const { token = '' } = request.params
    const isAsDocumented = request.raw.url?.startsWith(`${LINKS_PATH}/`) ?? false
    const given = request.raw.url?.includes('?') ? readRawQuery(request.raw.url) : undefined
    request.raw.url = ENDPOINT
    request.params = {}
    // The router decodes a path before it compares it. Logs have it as it was sent, and filters that keep the token out of
    // them know this form only.
    if (!isAsDocumented) throw errors.notFound()
    const link = await gate.enterByLink(request, reply, token)

    // The answer depends only on the URL, no matter who opens it.
    const { headers } = request
    delete headers.accept
    if (link.language === null) delete headers['x-locale']
    else headers['x-locale'] = link.language
    const { center } = await gate.admit(request, reply)
    const question = readQuestion(link.question, operations)
    const handler = question && handlers.get(question.operation)
    if (question === undefined || handler === undefined) throw errors.noSuchLink()
    const leadsOn = hasPages(question)
    refuseParameters(given, leadsOn ? pageNames(question) : [])
    for (const [name, values] of given ?? []) {
      question.query.delete(name)
      for (const value of values) question.query.append(name, value)
    }
    request.link = request.link && { ...request.link, leadsOn }
    const asked = askedOn(question, localDateOf(center.timezone, clock()))
    // Not a path of the interface, because parsed requests are shared by their text. Links must not share them with
    // keys, nor links to one page with links to all pages, because their answers refer to different next pages.
    const path = `${LINKS_PATH}${leadsOn ? '/pages' : ''}${question.operation.paths[0]}`
    request.raw.url = `${path}${asked.query === '' ? '' : `?${asked.query}`}`
    request.params = asked.pathParameters
    reply.header('x-robots-tag', 'noindex')
    return handler(request, reply)
  })
}

/** @param names of parameters that the URL accepts @throws {ApiError} 400 */
function refuseParameters(given: RawQuery | undefined, names: readonly string[]): void {
  if (given === undefined || (given.size > 0 && [...given.keys()].every((name) => names.includes(name))))
    return
  const message = names.length === 0 ? NO_PARAMETERS : ONLY_START
  throw errors.invalidParameters([{ parameter: 'query', message }])
}

const ONLY_START =
  'The only parameter of this link is start, a page number; its query was fixed when it was created. Remove all other parameters.'
const NO_PARAMETERS =
  'A link takes no parameters, because its query was fixed when it was created. Remove everything from the question mark on.'
