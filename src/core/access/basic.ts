/** `Authorization: Basic` (ruling 47): where it is accepted, and who is asked for it. */
import type { IncomingHttpHeaders } from 'node:http'

/** Whether an `Authorization` header has this scheme. */
export const isBasic = (authorization: string): boolean => /^basic(?: |$)/i.test(authorization)

/** Whether it is accepted: only for requests that read, never for deliveries, actions and administration. */
export const isForBasic = (method: string | undefined): boolean => method === 'GET' || method === 'HEAD'

/**
 * Whether a 401 asks for Basic. A browser would open a dialog, in which people would type what they know, and repeat it
 * with every request. So a request that shows signs of a browser is asked only if it sent Basic itself.
 */
export function asksForBasic(method: string | undefined, headers: IncomingHttpHeaders): boolean {
  if (!isForBasic(method)) return false
  if (headers.authorization !== undefined && isBasic(headers.authorization)) return true
  return (
    headers['sec-fetch-mode'] === undefined &&
    headers.origin === undefined &&
    !headers.accept?.toLowerCase().includes('text/html')
  )
}
