/** Serves the console at `/console`, public as the reference: what it shows, it reads with the key that is typed in. */
import type { FastifyInstance } from 'fastify'
import { errors } from '../../errors/api-error.ts'
import { PAGE_HEADERS, PAGE_POLICY, type ServedFile, servedFile } from '../openapi/served-file.ts'
import { consolePage, type IdleTimes } from './console-page.ts'
import { makeConsole } from './make-console.ts'

const PUBLIC = { config: { public: true } } as const
/** The address of a file changes with its content. */
const FOR_EVER = { 'cache-control': 'public, max-age=31536000, immutable' }

interface Console {
  readonly page: ServedFile
  /** by their addresses below `/console/` */
  readonly files: ReadonlyMap<string, ServedFile>
}

/** A service that is started for a moment makes none, and one that stays has it before anybody looks. */
const MADE_AFTER_MS = 1000

export interface ConsoleOptions extends IdleTimes {
  /** whether it is made soon after the service listens, not only when somebody first opens it */
  readonly isPrepared?: boolean
}

export function registerConsole(app: FastifyInstance, { isPrepared, ...idle }: ConsoleOptions = {}): void {
  let made: Promise<Console> | undefined
  const console = () => {
    made ??= prepare(idle).catch((error) => {
      // The next visitor tries again.
      made = undefined
      throw error
    })
    return made
  }
  if (isPrepared) {
    let timer: NodeJS.Timeout | undefined
    app.addHook('onListen', async () => {
      // If that fails, the reader gets an error.
      timer = setTimeout(() => void console().catch(() => {}), MADE_AFTER_MS).unref()
    })
    app.addHook('onClose', async () => clearTimeout(timer))
  }
  app.get('/console', PUBLIC, async (request, reply) => (await console()).page(request, reply))
  // The page names its files relative to itself.
  app.get('/console/', PUBLIC, async (_, reply) => reply.redirect('../console', 308))
  app.get<{ Params: { '*': string } }>('/console/*', PUBLIC, async (request, reply) => {
    const file = (await console()).files.get(request.params['*'])
    if (file === undefined) throw errors.notFound('The console has no such file. Open /console.')
    return file(request, reply)
  })
}

async function prepare(idle: IdleTimes): Promise<Console> {
  const text = await makeConsole()
  const files = new Map<string, ServedFile>()
  const add = (name: string, type: string, body: string) =>
    files.set(`${text.version}/${name}`, servedFile(`${type}; charset=utf-8`, body, FOR_EVER))
  for (const { name, text: body } of text.modules) add(name, 'text/javascript', body)
  for (const [name, body] of text.others)
    add(name, name.endsWith('.css') ? 'text/css' : 'application/json', body)
  const page = servedFile('text/html; charset=utf-8', consolePage(text, idle), {
    ...PAGE_HEADERS,
    'content-security-policy': `${PAGE_POLICY}; trusted-types 'none'`,
    // A new version is seen at once: its files have new addresses.
    'cache-control': 'no-cache',
  })
  return { page, files }
}
