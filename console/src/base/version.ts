/** Whether the service serves another version of the console than the one that runs in this tab. */
import { signal } from '@preact/signals-core'

export const hasNewVersion = signal(false)

/** Each file of the console has the version in its address. */
const VERSION = /console\/([0-9a-f]{16})\//

/** What the page of the console says, compared with the address of a module. */
export type Version = 'same' | 'new' | 'offline'

/**
 * Asks for the page of the console, which needs no key.
 * @param page its address @param own the address of any module of this tab
 */
export async function checkVersion(
  page: string,
  own: string = import.meta.url,
  send: typeof fetch = fetch,
): Promise<Version> {
  try {
    const response = await send(page, { cache: 'no-store' })
    const served = response.ok ? VERSION.exec(await response.text())?.[1] : undefined
    // A proxy's page says nothing about the version.
    if (served === undefined) return response.ok ? 'same' : 'offline'
    hasNewVersion.value = served !== VERSION.exec(own)?.[1]
    return hasNewVersion.value ? 'new' : 'same'
  } catch {
    return 'offline'
  }
}
