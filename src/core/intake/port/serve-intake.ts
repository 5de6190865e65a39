/**
 * `POST /intake`: another system sends records as they change. A body is received whole, and goes in whole or not at
 * all, with a key that writes its own center's records and reads nothing.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Gate } from '../../access/gate.ts'
import type { KeyState } from '../../access/key-states.ts'
import { recordAct } from '../../audit/record-act.ts'
import type { Database, Queryable } from '../../database/database.ts'
import type { DatabaseQueue } from '../../database/queue/database-queue.ts'
import { errors } from '../../errors/api-error.ts'
import { readIdempotencyKey } from '../../request/idempotency-key.ts'
import { type ImportOptions, type ImportSummary, importRecords } from '../import-records.ts'
import { readNdjson } from '../lines/read-ndjson.ts'
import type { RecordLine } from '../lines/record-line.ts'
import { SNAPSHOT_KINDS } from '../stage/snapshot.ts'
import { answerOf, changesOf, refusalOf, refuse, send } from './answers.ts'
import { Complaints, recordsRefused } from './complaints.ts'
import { createDeliverySlots } from './delivery-slots.ts'
import { type Delivery, keepAnswer, knownAnswer } from './idempotency.ts'
import { INTAKE_PATH, isIntake, letSend } from './intake-server.ts'
import { readQuestion } from './question.ts'
import { readBody } from './read-body.ts'
import { type Body, type BodyBounds, receiveBody, tooLarge } from './receive-body.ts'
import { Refusal } from './refusal.ts'
import type { FilesOptions } from './serve-files.ts'

export interface IntakeOptions {
  /** whose statements take what they take; on PostgreSQL with connections of its own */
  readonly database: Database
  /** where bodies wait that are longer than a megabyte; made when it is needed */
  readonly folder: string
  readonly bounds: BodyBounds
  /** files of the import page; without it there are none */
  readonly files?: Pick<FilesOptions, 'bounds' | 'allBytesMax' | 'fileMs'>
  /** an import that takes longer ends, and nothing of it went in */
  readonly importMs?: number
  /** an import with so many problems ends, and what follows is not looked at */
  readonly problemsMax?: number
}

/** Read by the metrics. */
export interface IntakeNumbers {
  readonly deliveries: Record<'done' | 'refused' | 'repeated' | 'failed', number>
  changes: number
  bytes: number
  readonly underWay: () => number
}

const IMPORT_MS_MAX = 120_000
/** A body of which nothing is right could take all of this time, and its sender reads the first hundred. */
const PROBLEMS_MAX = 10_000

/** A center's own record decides who may read: it comes by command. */
const KINDS = new Set(SNAPSHOT_KINDS)

export function serveIntake(
  app: FastifyInstance,
  gate: Pick<Gate, 'authenticate' | 'readmit'>,
  queue: Pick<DatabaseQueue, 'rest'>,
  { database, folder, bounds, importMs = IMPORT_MS_MAX, problemsMax = PROBLEMS_MAX }: IntakeOptions,
): IntakeNumbers {
  const slots = createDeliverySlots()
  const closing = new AbortController()
  const underWay = new Set<Promise<unknown>>()
  const numbers: IntakeNumbers = {
    deliveries: { done: 0, refused: 0, repeated: 0, failed: 0 },
    changes: 0,
    bytes: 0,
    underWay: () => slots.taken,
  }
  app.addHook('preClose', async () => {
    closing.abort(errors.unavailable())
    slots.endRests()
    await Promise.allSettled(underWay)
  })

  /** @returns the body of the answer, which is sent once the slot is free: the sender may have more to deliver */
  const deliver = async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    // Until its body was read, what follows on the connection may be the rest of it.
    reply.header('connection', 'close')
    if (!isIntake(request.raw)) throw errors.notFound()
    const { key, limitUse } = await gate.authenticate(request, reply, 'intake')
    const { dryRun } = readQuestion(request.raw)
    const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key'])
    if (typeof idempotencyKey === 'object') throw errors.invalidParameters([idempotencyKey.problem])
    refuseLength(request, bounds)
    const free = slots.take(key.center)
    try {
      letSend(request.raw, reply.raw)
      const body = await receiveBody(request.raw, folder, bounds)
      reply.removeHeader('connection')
      numbers.bytes += body.bytes
      const delivery = idempotencyKey === undefined ? undefined : { key, idempotencyKey, sha256: body.sha256 }
      try {
        return await slots.whenFree(key.center, async () => {
          // The body may have taken minutes, in which the key was revoked.
          await gate.readmit(request, { limitUse })
          return take(request, reply, { key, body, dryRun, delivery })
        })
      } finally {
        await body.close()
      }
    } finally {
      free()
    }
  }

  interface Taken {
    readonly key: KeyState
    readonly body: Body
    readonly dryRun: boolean
    readonly delivery: Delivery | undefined
  }

  const take = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { key, body, dryRun, delivery }: Taken,
  ): Promise<string> => {
    if (delivery !== undefined && !dryRun) {
      const known = await knownAnswer(database, delivery)
      if (known !== undefined) {
        numbers.deliveries.repeated += 1
        reply.header('idempotency-replayed', 'true')
        return known
      }
    }
    const complaints = new Complaints()
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(importMs)])
    const note = (tx: Queryable, summary: ImportSummary) =>
      recordAct(tx, {
        center: key.center,
        name: 'takeRecords',
        by: key,
        ...(summary.applied ? { records: changesOf(summary) } : summary.met.inTrail),
        facts: {
          sha256: body.sha256,
          outcome: summary.applied ? 'done' : summary.problems > 0 ? 'refused' : 'dryRun',
          ...(summary.id !== null && { import: summary.id }),
          requestId: request.id,
        },
        scopes: [],
      })
    const lines = readNdjson(readBody(body, isPacked(request), bounds))
    const summary = await imported(lines, {
      center: key.center,
      only: { center: key.center, kinds: KINDS },
      dryRun,
      problemsMax,
      signal,
      origin: { way: 'intake', by: { publicKey: key.publicKey }, files: () => [body] },
      onProblem: (problem) => complaints.add(problem),
      async alongside(tx, done) {
        await note(tx, done)
        if (delivery !== undefined) await keepAnswer(tx, delivery, answerOf(done, dryRun))
      },
    })
    if (!summary.applied) await database.transaction((tx) => note(tx, summary))
    if (summary.problems > 0) throw recordsRefused(summary, complaints, problemsMax)
    numbers.deliveries.done += 1
    if (summary.applied) numbers.changes += changesOf(summary)
    return answerOf(summary, dryRun)
  }

  /** What was refused has taken the database for nothing, so the center's next delivery waits. */
  const imported = async (lines: AsyncIterable<RecordLine>, options: ImportOptions & { center: string }) => {
    const begun = performance.now()
    let isUndone = true
    try {
      const summary = await importRecords(database, lines, options)
      isUndone = !summary.applied
      return summary
    } finally {
      if (isUndone) {
        slots.letRest(options.center, queue.rest(options.center, performance.now() - begun))
      }
    }
  }

  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const delivery = deliver(request, reply)
    underWay.add(delivery)
    try {
      return send(request, reply, 200, await delivery)
    } catch (error) {
      const reported = refusalOf(error)
      if (!(reported instanceof Refusal)) {
        numbers.deliveries.failed += 1
        throw reported
      }
      numbers.deliveries.refused += 1
      return refuse(request, reply, reported)
    } finally {
      underWay.delete(delivery)
    }
  }

  app.register(async (own) => {
    // The body is read above, after the credentials and with its bounds.
    own.removeAllContentTypeParsers()
    own.addContentTypeParser('*', (_request, _body, done) => done(null))
    const config = { scope: 'any', endpoint: INTAKE_PATH } as const
    for (const path of [INTAKE_PATH, `/v1${INTAKE_PATH}`]) {
      for (const form of [path, `${path}/`]) {
        own.post(form, { config }, answer)
        own.get(form, { config }, async (request, reply) => {
          if (!isIntake(request.raw)) throw errors.notFound()
          await gate.authenticate(request, reply, 'intake')
          throw errors.onlyDeliveries()
        })
      }
    }
  })
  return numbers
}

const isPacked = ({ headers }: FastifyRequest) => headers['content-encoding'] === 'gzip'

/** Before a byte of it is read. @throws {Refusal} @throws {ApiError} 400 */
function refuseLength({ headers }: FastifyRequest, bounds: BodyBounds): void {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'gzip' && encoding !== 'identity') {
    const message = 'Content-Encoding takes gzip, or is left out.'
    throw errors.invalidParameters([{ parameter: 'Content-Encoding', message }])
  }
  if (Number(headers['content-length'] ?? 0) > bounds.bytesMax) throw tooLarge(bounds)
}
