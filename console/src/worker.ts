/**
 * The service worker of a device that stays signed in. It keeps the page of the console and its files, which contain no
 * data of any center, so that the console opens without a connection. Everything else goes to the service as if there were
 * no worker: it neither sees nor stores an answer.
 *
 * It is served as a script of its own, which imports nothing; the service writes what it keeps in front of it.
 */

/** Written by the service (src/parts/console/register-console.ts). Addresses are relative to this script. */
declare const SHELL: {
  /** changes with every byte of the page and its files */
  readonly name: string
  readonly page: string
  readonly files: readonly string[]
}

/** What a worker has of the browser. The types of pages have no workers. */
interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface Fetching extends Extendable {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}
interface WorkerScope {
  readonly clients: { claim(): Promise<void> }
  skipWaiting(): Promise<void>
  addEventListener(name: 'install' | 'activate', act: (event: Extendable) => void): void
  addEventListener(name: 'fetch', act: (event: Fetching) => void): void
}
// What the browser calls `self` here is not the window that its types describe.
const worker = globalThis as unknown as WorkerScope

/** The caches of this worker and of those before it. */
const SHELLS = 'sojourn-shell-'
/** A page that does not come within this time is that of the cache. */
const PAGE_WITHIN_MS = 5000
/** Files at once: a browser has six connections to a service. */
const AT_ONCE = 6

const addressOf = (relative: string) => new URL(relative, location.href).href
const page = addressOf(SHELL.page)
const files: ReadonlySet<string> = new Set(SHELL.files.map(addressOf))

worker.addEventListener('install', (event) => event.waitUntil(store().then(() => worker.skipWaiting())))
worker.addEventListener('activate', (event) =>
  event.waitUntil(removeOlder().then(() => worker.clients.claim())),
)
worker.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  const address = url.origin + url.pathname
  if (request.method !== 'GET') return
  if (request.mode === 'navigate' && address === page) event.respondWith(newestPage(request))
  else if (files.has(address)) event.respondWith(storedFile(request, address))
})

/** All of one version, or nothing. */
async function store(): Promise<void> {
  const cache = await caches.open(SHELLS + SHELL.name)
  const waiting = [page, ...files]
  const one = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await cache.add(next)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
}

async function removeOlder(): Promise<void> {
  const names = await caches.keys()
  const older = names.filter((name) => name.startsWith(SHELLS) && name !== SHELLS + SHELL.name)
  await Promise.all(older.map((name) => caches.delete(name)))
}

/** Not with `open`, which would make a cache again that was deleted. */
const stored = (address: string): Promise<Response | undefined> =>
  caches.match(address, { cacheName: SHELLS + SHELL.name })

/** The service's page, so that a new version is seen at once; the stored one where there is none to have. */
async function newestPage(request: Request): Promise<Response> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PAGE_WITHIN_MS))
  const asked = fetch(request)
  const answer = await Promise.race([asked, late]).catch(() => undefined)
  // A proxy answers in place of a service that is down.
  if (answer !== undefined && answer.status < 500) return answer
  return (await stored(page)) ?? answer ?? asked
}

/** The address of a file changes with its content. */
const storedFile = async (request: Request, address: string): Promise<Response> =>
  (await stored(address)) ?? fetch(request)
