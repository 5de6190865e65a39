/** Receives the body of an action, which is small. The parts of the head that describe it are checked first. */
import type { IncomingMessage } from 'node:http'
import { errors, type Problem } from '../../errors/api-error.ts'

/** An action names what a person confirms: some hundred bytes (ruling 48). */
export const BODY_BYTES_MAX = 4096

const TYPE = /^application\/json(?:\s*;\s*charset="?utf-8"?)?$/i

/** Why the body is not read. @returns no problems if it may be */
export function problemsOfHead({ headers }: Pick<IncomingMessage, 'headers'>): Problem[] {
  const problems: Problem[] = []
  // A page of another site can send other types without asking first.
  if (!TYPE.test(headers['content-type'] ?? '')) {
    problems.push({ parameter: 'Content-Type', message: 'Content-Type must be application/json.' })
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    problems.push({
      parameter: 'Content-Encoding',
      message: 'The body of an action must not be compressed: leave Content-Encoding out.',
    })
  }
  if (Number(headers['content-length'] ?? 0) > BODY_BYTES_MAX) problems.push(TOO_LONG)
  return problems
}

const TOO_LONG: Problem = {
  parameter: 'body',
  message: `The body of an action may have ${BODY_BYTES_MAX} bytes; this one is longer.`,
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Slow bodies end with the time-out of requests (app.ts). @throws {ApiError} 400 */
export async function receiveBody(request: IncomingMessage): Promise<string> {
  // A body that arrives byte by byte takes no more memory than another.
  const body = Buffer.allocUnsafe(BODY_BYTES_MAX)
  let bytes = 0
  try {
    // Otherwise leaving the loop would close the connection before the refusal is sent.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      chunk.copy(body, bytes)
      bytes += chunk.length
      if (bytes > BODY_BYTES_MAX) break
    }
  } catch {
    throw wrongBody('The body is incomplete. Nothing was changed.')
  }
  if (bytes > BODY_BYTES_MAX) throw errors.invalidParameters([TOO_LONG])
  try {
    return decoder.decode(body.subarray(0, bytes))
  } catch {
    throw wrongBody('The body is not UTF-8.')
  }
}

const wrongBody = (message: string) => errors.invalidParameters([{ parameter: 'body', message }])
