/** Serves what describes the interface: public, because it holds nothing of any center. */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import packageFile from '../../package.json' with { type: 'json' }
import { SECURITY_HEADERS } from '../answer/http-errors.ts'
import { matchesTag } from '../answer/tags.ts'
import { type DocumentOptions, openApiDocument } from './document.ts'
import { referencePage } from './reference-page.ts'

/** Nothing from anywhere else, no inline scripts, no markup made of strings in the page. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const asset = (name: string) => readFileSync(join(import.meta.dirname, 'assets', name), 'utf8')

/** `/openapi.json`, also under `/v1`, the page at `/docs` that is made from it, and `/`, which leads to both. */
export function registerReference(app: FastifyInstance, options: Omit<DocumentOptions, 'version'>): void {
  const document = openApiDocument({ ...options, version: packageFile.version })
  const json = servedFile('application/json; charset=utf-8', JSON.stringify(document))
  const served = {
    '/v1/openapi.json': json,
    '/openapi.json': json,
    '/docs': servedFile('text/html; charset=utf-8', referencePage(document), {
      'content-security-policy': PAGE_POLICY,
    }),
    '/docs/reference.css': servedFile('text/css; charset=utf-8', asset('reference.css')),
    '/docs/reference.js': servedFile('text/javascript; charset=utf-8', asset('reference.js')),
  }
  for (const [path, handler] of Object.entries(served)) app.get(path, { config: { public: true } }, handler)
  registerRoot(app, options.publicUrl)
  // The page names its files relative to itself, so that it works below a proxy's prefix.
  app.get('/docs/', { config: { public: true } }, async (_, reply) => reply.redirect('../docs', 308))
}

/** `/` leads a browser to the page, and tells a program where the document is. */
function registerRoot(app: FastifyInstance, publicUrl = ''): void {
  const body = JSON.stringify({
    name: 'Sojourn',
    version: packageFile.version,
    openapi: `${publicUrl}/v1/openapi.json`,
    documentation: `${publicUrl}/docs`,
  })
  app.get('/', { config: { public: true } }, async (request, reply) => {
    reply.headers({ ...SECURITY_HEADERS, vary: 'Accept', 'x-request-id': request.id })
    if (request.headers.accept?.includes('text/html') === true) return reply.redirect('docs', 302)
    return reply.type('application/json; charset=utf-8').send(body)
  })
}

/** A route's handler for a text that changes only with the version. */
function servedFile(type: string, body: string, headers: Readonly<Record<string, string>> = {}) {
  const tag = hash('sha256', body, 'hex').slice(0, 40)
  const all = {
    ...SECURITY_HEADERS,
    // Anybody may keep it, for as long as a new version may go unnoticed.
    'cache-control': 'public, max-age=300',
    vary: 'Accept-Encoding',
    etag: `"${tag}"`,
    ...headers,
  }
  // Once for all clients: what is not read yet is these bytes and no copy of them.
  const bytes = Buffer.from(body)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.headers({ ...all, 'x-request-id': request.id })
    if (matchesTag(request.headers['if-none-match'], tag)) return reply.code(304).send()
    return reply.type(type).send(bytes)
  }
}
