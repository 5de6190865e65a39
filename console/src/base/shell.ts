/**
 * What a device that stays signed in keeps of the console itself, so that it opens without a connection: a service worker
 * (`console/src/worker.ts`) stores the page and its files, which contain no data of any center.
 */
import { STORED } from './offline-copy.ts'

const WORKER = 'console/worker.js'
const SCOPE = 'console'

/** Chromium takes the address of a script only from a policy that the page's own one names. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): {
    createScriptURL(url: string): string
  }
}
declare global {
  var trustedTypes: TrustedTypes | undefined
}

let policy: { createScriptURL(url: string): string } | undefined

/** @param service the address of the service, with a slash at its end */
export async function installShell(service: string): Promise<void> {
  // Without https, browsers have no service workers: the device stays signed in, and opens only with a connection.
  if (!('serviceWorker' in navigator)) return
  const worker = new URL(WORKER, service).href
  // It makes one address, whatever it is asked for.
  policy ??= globalThis.trustedTypes?.createPolicy('sojourn-worker', { createScriptURL: () => worker })
  const script = policy?.createScriptURL(worker) ?? worker
  await navigator.serviceWorker.register(script, { scope: new URL(SCOPE, service).href })
}

/** Deletes everything that this device has stored for times without a connection. */
export async function removeStored(service: string): Promise<void> {
  const scope = new URL(SCOPE, service).href
  // First the data. The worker stores nothing after it was ordered to end.
  if ('caches' in globalThis) {
    const names = await caches.keys()
    await Promise.all(names.filter((name) => name.startsWith(STORED)).map((name) => caches.delete(name)))
  }
  if ('serviceWorker' in navigator) {
    const all = await navigator.serviceWorker.getRegistrations()
    await Promise.all(all.filter((one) => one.scope === scope).map((one) => one.unregister()))
  }
}
