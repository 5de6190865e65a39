/** Serves the description of the interface. It is public, because it contains no data of a center. */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import packageFile from '../../../package.json' with { type: 'json' }
import { SECURITY_HEADERS } from '../../core/answer/http-errors.ts'
import { JSON_TYPE } from '../../core/answer/send.ts'
import { errors } from '../../core/errors/api-error.ts'
import { INTAKE_DOCUMENT_PATH, isIntake } from '../../core/intake/port/intake-server.ts'
import { type DocumentOptions, openApiDocument } from './document.ts'
import { intakeDocument } from './intake-document.ts'
import { LANDING_POLICY, landingPage } from './landing-page.ts'
import { referencePage } from './reference-page.ts'
import { servedFile, servedOnDemand, servedPage, servedStyles } from './served-file.ts'

const asset = (name: string) => readFileSync(join(import.meta.dirname, 'assets', name), 'utf8')

/** A file of this folder that the browser loads as well. The package has it as JavaScript. */
function moduleForBrowser(name: string): string {
  const extension = extname(import.meta.filename)
  const source = readFileSync(join(import.meta.dirname, name + extension), 'utf8')
  return extension.endsWith('ts') ? stripTypeScriptTypes(source) : source
}

const SCRIPT = 'text/javascript; charset=utf-8'

/** The document of this version. */
export const describeInterface = (options: Omit<DocumentOptions, 'version'>) =>
  openApiDocument({ ...options, version: packageFile.version })

/** `/openapi.json`, also under `/v1`, the page at `/docs` that is made from it, and `/`, which links to both. */
export function registerReference(app: FastifyInstance, options: Omit<DocumentOptions, 'version'>): void {
  const document = () => describeInterface(options)
  const json = servedOnDemand(() => servedFile(JSON_TYPE, JSON.stringify(document())))
  const served = {
    '/v1/openapi.json': json,
    '/openapi.json': json,
    '/docs': servedOnDemand(() => servedPage(referencePage(document()))),
    '/docs/reference.css': servedStyles(asset('reference.css')),
    '/docs/reference.js': servedFile(SCRIPT, asset('reference.js')),
    '/docs/programs.js': servedOnDemand(() => servedFile(SCRIPT, moduleForBrowser('programs'))),
  }
  for (const [path, handler] of Object.entries(served)) app.get(path, { config: { public: true } }, handler)
  registerRoot(app, options.publicUrl)
  // The URLs of the page's files are relative to the page, so that it works below a proxy's prefix.
  app.get('/docs/', { config: { public: true } }, async (_, reply) => reply.redirect('../docs', 308))
}

/** The document of the intake port, served only on that port. */
export function registerIntakeDocument(
  app: FastifyInstance,
  options: Pick<DocumentOptions, 'publicUrl' | 'contact'>,
): void {
  const document = () => intakeDocument({ ...options, version: packageFile.version })
  const json = servedOnDemand(() => servedFile(JSON_TYPE, JSON.stringify(document())))
  app.get(INTAKE_DOCUMENT_PATH, { config: { public: true } }, async (request, reply) => {
    if (!isIntake(request.raw)) throw errors.notFound()
    return json(request, reply)
  })
}

/** `/` shows a person where to go, and tells a program where the document is. */
function registerRoot(app: FastifyInstance, publicUrl = ''): void {
  const body = JSON.stringify({
    name: 'Sojourn',
    version: packageFile.version,
    openapi: `${publicUrl}/v1/openapi.json`,
    documentation: `${publicUrl}/docs`,
  })
  const page = landingPage(packageFile.version)
  app.get('/', { config: { public: true } }, async (request, reply) => {
    reply.headers({ ...SECURITY_HEADERS, vary: 'Accept', 'x-request-id': request.id })
    if (request.headers.accept?.includes('text/html') === true) {
      reply.header('content-security-policy', LANDING_POLICY)
      return reply.type('text/html; charset=utf-8').send(page)
    }
    return reply.type(JSON_TYPE).send(body)
  })
}
