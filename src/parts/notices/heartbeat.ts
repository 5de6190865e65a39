/**
 * A dead man's switch: another service is called each minute while this one notices problems and can say so, and raises an
 * alarm when the calls stop. One GET without redirects, with limits on time and on the bytes read of the answer.
 */
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import packageFile from '../../../package.json' with { type: 'json' }

/** `called`: any status from 200 to 299. `refused`: another one; redirects are not followed. `failed`: no answer in time. */
export type HeartbeatOutcome = 'called' | 'refused' | 'failed'

const TIMEOUT_MS = 10_000
const ANSWER_BYTES_MAX = 16_384

export interface HeartbeatOptions {
  readonly lookup: LookupFunction
  readonly timeoutMs?: number
}

/** Calls a URL once. Never rejects. */
export function callHeartbeat(
  url: string,
  { lookup, timeoutMs = TIMEOUT_MS }: HeartbeatOptions,
  signal: AbortSignal,
): Promise<HeartbeatOutcome> {
  return new Promise((resolve) => {
    const start = url.startsWith('https:') ? requestHttps : requestHttp
    const request = start(url, {
      agent: false,
      lookup,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      headers: { 'user-agent': `Sojourn/${packageFile.version}` },
    })
    let status: number | undefined
    const end = () => {
      request.destroy()
      resolve(status === undefined ? 'failed' : status >= 200 && status < 300 ? 'called' : 'refused')
    }
    request.once('error', end)
    request.once('close', end)
    request.once('response', (response) => {
      status = response.statusCode
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > ANSWER_BYTES_MAX) end()
      })
      response.once('end', end)
      response.once('error', end)
    })
    request.end()
  })
}
