/** Serves the documentation as pages at `/docs/guide`, public as the reference: it holds nothing of any center. */
import type { FastifyInstance } from 'fastify'
import { errors } from '../../core/errors/api-error.ts'
import type { ServedFile } from '../openapi/served-file.ts'
import { type Guide, type GuideOptions, makeGuide } from './make-guide.ts'

const PUBLIC = { config: { public: true } } as const

/** @param make reads files, so it may fail */
export function registerGuide(app: FastifyInstance, options: GuideOptions, make = makeGuide): void {
  // Made when somebody first reads it: a service that nobody asks for its pages starts no slower for them.
  let made: Promise<Guide> | undefined
  const served =
    (fileOf: (guide: Guide) => ServedFile): ServedFile =>
    async (request, reply) => {
      made ??= make(options).catch((error: unknown) => {
        made = undefined
        throw error
      })
      return fileOf(await made)(request, reply)
    }

  app.get(
    '/docs/guide',
    PUBLIC,
    served(({ first }) => first),
  )
  app.get(
    '/docs/guide.md',
    PUBLIC,
    served(({ firstAsMarkdown }) => firstAsMarkdown),
  )
  app.get(
    '/llms.txt',
    PUBLIC,
    served(({ forMachines }) => forMachines),
  )
  // Pages name each other relative to themselves.
  app.get('/docs/guide/', PUBLIC, async (_, reply) => reply.redirect('../guide', 308))
  app.get<{ Params: { name: string } }>('/docs/guide/:name', PUBLIC, async (request, reply) => {
    const file = ({ files }: Guide) => {
      const found = files.get(request.params.name)
      if (found === undefined)
        throw errors.notFound('The guide has no such page. /docs/guide lists all pages.')
      return found
    }
    return served(file)(request, reply)
  })
}
