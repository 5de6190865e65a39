/** Serves what describes the interface: public, because it holds nothing of any center. */
import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import packageFile from '../../package.json' with { type: 'json' }
import { matchesTag } from '../gate/freshness.ts'
import { SECURITY_HEADERS } from '../gate/http-errors.ts'
import type { Operation } from '../gate/operation.ts'
import { openApiDocument } from './document.ts'

/** `/openapi.json`, also under `/v1`. */
export function registerReference(app: FastifyInstance, operations: readonly Operation[]): void {
  const document = openApiDocument({ operations, version: packageFile.version })
  const json = servedFile('application/json; charset=utf-8', JSON.stringify(document))
  for (const path of ['/v1/openapi.json', '/openapi.json']) app.get(path, { config: { public: true } }, json)
}

/** A route's handler for a text that changes only with the version. */
function servedFile(type: string, body: string, headers: Readonly<Record<string, string>> = {}) {
  const tag = hash('sha256', body, 'base64url').slice(0, 27)
  const all = {
    ...SECURITY_HEADERS,
    // Anybody may keep it, for as long as a new version may go unnoticed.
    'cache-control': 'public, max-age=300',
    vary: 'Accept-Encoding',
    etag: `"${tag}"`,
    ...headers,
  }
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.headers({ ...all, 'x-request-id': request.id })
    if (matchesTag(request.headers['if-none-match'], tag)) return reply.code(304).send()
    return reply.type(type).send(body)
  }
}
