/** The answers to deliveries: their bodies, and the refusals that errors of an import become. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SECURITY_HEADERS } from '../../answer/http-errors.ts'
import { errors } from '../../errors/api-error.ts'
import { ImportConflict, type ImportSummary } from '../import-records.ts'
import { InputError } from '../input-error.ts'
import { TOO_LARGE_UNPACKED } from './receive-body.ts'
import { Refusal } from './refusal.ts'

/** The number of records that an import created, changed or removed. */
export const changesOf = ({ kinds }: ImportSummary): number =>
  Object.values(kinds).reduce((sum, { created, changed, removed }) => sum + created + changed + removed, 0)

/** The body of the answer to an import. */
export function answerOf(summary: ImportSummary, dryRun: boolean): string {
  const { id, applied, lines, kinds, erased } = summary
  const counts = Object.entries(kinds).filter(([, effects]) =>
    Object.values(effects).some((count) => count > 0),
  )
  return JSON.stringify({
    import: id,
    applied,
    dryRun,
    lines,
    erased,
    changes: changesOf(summary),
    counts: Object.fromEntries(counts),
  })
}

/** Converts an error of an import to the refusal that its sender gets; other errors are returned unchanged. */
export function refusalOf(error: unknown): unknown {
  if (error instanceof ImportConflict) {
    return errors.busy(
      'Another program changed the same records. Nothing was imported. Send the records again.',
      1,
    )
  }
  if (error instanceof InputError) {
    const isTooLarge = error.message.includes(TOO_LARGE_UNPACKED)
    return new Refusal(
      isTooLarge ? 'BODY_TOO_LARGE' : 'BODY_INCOMPLETE',
      `${error.message}. Nothing was imported.`,
    )
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return errors.busy('The import took too long. Nothing was imported. Send fewer records at a time.', 10)
  }
  return error
}

/** Sends a body of JSON, and notes its length for the audit trail and the usage. */
export function send(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  body: string,
): FastifyReply {
  request.sentBytes = Buffer.byteLength(body)
  return reply
    .code(status)
    .headers({ ...SECURITY_HEADERS, 'x-request-id': request.id })
    .type('application/json; charset=utf-8')
    .send(body)
}

/** Sends a refusal as an error body. */
export function refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { code, status, message, more } = refusal
  const docs = `${request.server.publicUrl}/docs/guide/sending-changes#what-it-answers`
  const error = { code, message, requestId: request.id, docs }
  return send(request, reply, status, JSON.stringify({ error, ...more }))
}
