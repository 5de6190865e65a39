/**
 * Headers that may occur only once. Node keeps the first `Host` and the first `Authorization` and silently drops the
 * others, so two programs on the way may use different ones.
 */
import type { IncomingMessage } from 'node:http'

/** Whether the request names one host: RFC 9112 requires a 400 for several, and for none in HTTP/1.1. */
export function hasOneHost(request: IncomingMessage): boolean {
  const hosts = countHeader(request, 'host')
  return hosts === 1 || (hosts === 0 && request.httpVersion === '1.0')
}

/**
 * The number of occurrences of a header in the request.
 * @param name in lower case
 */
export function countHeader(request: IncomingMessage, name: string): number {
  const { rawHeaders } = request
  let count = 0
  // Names and values alternate.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at]
    if (given?.length === name.length && given.toLowerCase() === name) count += 1
  }
  return count
}
