/** Serves the console at `/console`, public as the reference: what it shows, it reads with the key that is typed in. */
import { hash } from 'node:crypto'
import { extname } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { errors } from '../../core/errors/api-error.ts'
import { PAGE_HEADERS, PAGE_POLICY, type ServedFile, servedFile } from '../openapi/served-file.ts'
import { type ConsoleSettings, consolePage } from './console-page.ts'
import { type ConsoleText, makeConsole } from './make-console.ts'

const PUBLIC = { config: { public: true } } as const
/** The address of a file changes with its content. */
const FOR_EVER = { 'cache-control': 'public, max-age=31536000, immutable' }

interface Console {
  /**
   * @param intake the URL of the intake port as the browser that asks reaches it; '' without one
   * @param isEmpty as in ConsoleOptions
   */
  page(intake: string, isEmpty: boolean): ServedFile
  /** by their addresses below `/console/` */
  readonly files: ReadonlyMap<string, ServedFile>
}

/** A service that is started for a moment makes none, and one that stays has it before anybody looks. */
const MADE_AFTER_MS = 1000

export interface ConsoleOptions extends ConsoleSettings {
  /** the URL of the intake port for a browser that has reached this host; '' without one */
  readonly intakeFor?: (host: string) => string
  /** whether no key was ever created, so that nobody can sign in */
  readonly isEmpty?: () => Promise<boolean>
  /** whether it is made soon after the service listens, not only when somebody first opens it */
  readonly isPrepared?: boolean
}

export function registerConsole(
  app: FastifyInstance,
  { isPrepared, intakeFor = () => '', isEmpty = async () => false, ...settings }: ConsoleOptions = {},
): void {
  let made: Promise<Console> | undefined
  const console = () => {
    made ??= prepare(settings).catch((error) => {
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
  app.get('/console', PUBLIC, async (request, reply) =>
    (await console()).page(intakeFor(request.host), await isEmpty())(request, reply),
  )
  // The page names its files relative to itself.
  app.get('/console/', PUBLIC, async (_, reply) => reply.redirect('../console', 308))
  app.get<{ Params: { '*': string } }>('/console/*', PUBLIC, async (request, reply) => {
    const file = (await console()).files.get(request.params['*'])
    if (file === undefined) throw errors.notFound('The console has no such file. Open /console.')
    return file(request, reply)
  })
}

const PAGES_MAX = 20

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
}

/** The icon and the manifest, with which a browser installs the console. */
const CONSOLE_POLICY = PAGE_POLICY.replace('img-src data:', "img-src 'self' data:; manifest-src 'self'")

/** The import page sends files to the intake port, which is another origin without a proxy. */
const policyWith = (intake: string) =>
  intake === ''
    ? CONSOLE_POLICY
    : CONSOLE_POLICY.replace("connect-src 'self'", `connect-src 'self' ${new URL(intake).origin}`)

/** A page makes no markup and no script addresses from text, but for the address of the service worker. */
const scriptsOf = (devicesStay: boolean): string =>
  devicesStay ? "worker-src 'self'; trusted-types sojourn-worker" : "worker-src 'none'; trusted-types 'none'"

async function prepare(settings: ConsoleSettings): Promise<Console> {
  const text = await makeConsole()
  const files = new Map<string, ServedFile>()
  const add = (name: string, type: string, body: string) =>
    files.set(`${text.version}/${name}`, servedFile(`${type}; charset=utf-8`, body, FOR_EVER))
  for (const { name, text: body } of text.scripts) add(name, 'text/javascript', body)
  for (const [name, body] of text.others) add(name, TYPES[extname(name)] ?? 'application/json', body)
  const { devicesStay = true } = settings
  if (devicesStay) files.set('worker.js', servedWorker(text, consolePage(text, settings)))
  // There are as many as addresses by which browsers reach the service.
  const pages = new Map<string, ServedFile>()
  const page = (intake: string, isEmpty: boolean): ServedFile => {
    const name = `${isEmpty} ${intake}`
    const known = pages.get(name)
    if (known !== undefined) return known
    if (pages.size >= PAGES_MAX) pages.clear()
    const made = servedFile('text/html; charset=utf-8', consolePage(text, settings, intake, isEmpty), {
      ...PAGE_HEADERS,
      'content-security-policy': `${policyWith(intake)}; ${scriptsOf(devicesStay)}`,
      // A new version is seen at once: its files have new addresses.
      'cache-control': 'no-cache',
    })
    pages.set(name, made)
    return made
  }
  return { page, files }
}

/**
 * The service worker, for devices that stay signed in. It changes whenever the page or a file does, which is how a browser
 * notices. It may control the page, whose address is above its own.
 */
function servedWorker({ version, scripts, others, worker }: ConsoleText, page: string): ServedFile {
  const shell = {
    name: hash('sha256', page + version, 'hex').slice(0, 16),
    page: '../console',
    files: [...scripts.map(({ name }) => name), ...others.keys()].map((name) => `${version}/${name}`),
  }
  return servedFile('text/javascript; charset=utf-8', `const SHELL = ${JSON.stringify(shell)}\n${worker}`, {
    'cache-control': 'no-cache',
    'service-worker-allowed': '../console',
    'content-security-policy': "default-src 'none'; connect-src 'self'",
  })
}
