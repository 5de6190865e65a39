/** Receives a body of JSON: what a page says about its file. */
import type { IncomingMessage } from 'node:http'
import { errors } from '../../errors/api-error.ts'
import { MAPPING_BYTES_MAX } from '../spreadsheets.ts'

/** A mapping in JSON, whose quotes and line breaks are escaped. */
const BYTES_MAX = 4 * MAPPING_BYTES_MAX

const TYPE = /^application\/json(?:\s*;\s*charset="?utf-8"?)?$/i

const decoder = new TextDecoder('utf-8', { fatal: true })

/** @throws {ApiError} 400 */
export async function receiveJson(request: IncomingMessage): Promise<unknown> {
  // A page of another site can send other types without asking first.
  if (!TYPE.test(request.headers['content-type'] ?? ''))
    throw wrong('Content-Type', 'Content-Type must be application/json.')
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length
      if (bytes > BYTES_MAX) break
      chunks.push(chunk)
    }
  } catch {
    throw wrong('body', 'The body is incomplete. Nothing was changed.')
  }
  if (bytes > BYTES_MAX) throw wrong('body', `The body may have ${BYTES_MAX} bytes; this one is longer.`)
  try {
    return JSON.parse(decoder.decode(Buffer.concat(chunks)))
  } catch {
    throw wrong('body', 'The body is not JSON in UTF-8.')
  }
}

export const wrong = (parameter: string, message: string) =>
  errors.invalidParameters([{ parameter, message }])
