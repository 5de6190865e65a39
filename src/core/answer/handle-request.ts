/**
 * How a request is handled: gate → known request → parse → scopes → cached answer, or rows and presenter → answer. A
 * repeated read ends early if its answer is cached, or shares a read that is in progress.
 */
import type { FastifyRequest } from 'fastify'
import { receivedFacts } from '../access/data-age.ts'
import type { Admission, Gate } from '../access/gate.ts'
import type { Scope } from '../access/keys/scopes.ts'
import type { Database } from '../database/database.ts'
import type { DatabaseQueue } from '../database/queue/database-queue.ts'
import { isHeavy } from '../database/queue/fair-queue.ts'
import type { Replicas } from '../database/replicas.ts'
import { localDateOf } from '../locale/zones.ts'
import type { Pseudonyms } from '../records/centers/pseudonyms.ts'
import type { FilePlan, Operation, Plan, RequestContext, RequiredScope } from '../request/operation.ts'
import { pageLinks } from '../request/paging.ts'
import { type RawQuery, readRawQuery } from '../request/parameters.ts'
import { withDays } from '../request/relative-days.ts'
import type { AnswerCache, CachedAnswer } from './answer-cache.ts'
import { answerKey, type Basis, basisOf } from './cache-keys.ts'
import type { CommitWaits } from './commit-waits.ts'
import { createKnownRequests } from './known-requests.ts'
import { createOpensFile, type OpenFile } from './open-file.ts'
import { type Exchange, type RecordRead, recordedQueryOf } from './read-event.ts'
import { createReadOnce, type LongAnswer } from './read-once.ts'
import type { Handler } from './routes.ts'
import { sendAnswer } from './send.ts'
import { type BrokenOff, type Streaming, streamAnswer, streamFile } from './stream.ts'
import type { StreamSlots } from './stream-slots.ts'

export interface RequestHandlerOptions {
  readonly gate: Gate
  readonly cache: AnswerCache
  readonly clock: () => number
  readonly database: Database
  readonly queue: DatabaseQueue
  /** undefined: only the primary is read */
  readonly replicas?: Replicas | undefined
  readonly streamSlots: StreamSlots
  /** waits of requests that wait for a commit */
  readonly commitWaits: CommitWaits
  readonly recordRead: RecordRead
  readonly brokenOff: BrokenOff
  /** how often a request is admitted again while its long answer is sent */
  readonly readmitEveryMs?: number | undefined
}

/**
 * @returns a function that creates an operation's handler. All handlers share the parsed requests, the cached answers
 * and the reads in progress.
 */
export function createRequestHandler(options: RequestHandlerOptions): (operation: Operation) => Handler {
  const { gate, cache, clock, recordRead } = options
  const { deadline } = gate
  const streaming: Streaming = {
    slots: options.streamSlots,
    recordRead,
    brokenOff: options.brokenOff,
    readmitEveryMs: options.readmitEveryMs,
    async admitAgain({ request, admission, requiredScopes }) {
      const { key } = await gate.readmit(request, admission)
      gate.requireScopes(key, requiredScopes, admission.center)
    },
  }
  const known = createKnownRequests()
  const readOnce = createReadOnce(options.database, options.queue, cache, clock, options.replicas)
  const openFile = createOpensFile(options.database, options.queue)

  return (operation) => async (request, reply) => {
    const first = await gate.admit(request, reply)
    if (operation.quotas !== undefined) await gate.countOwn(first.key, operation.name, operation.quotas)
    const basis = basisOf(operation, first, clock())
    const today = () => basis.facts.today ?? localDateOf(first.center.timezone, clock())
    const received = request.raw.url ?? '/'
    let url = received
    let seen = known.get(basis, url)
    if (seen === undefined) {
      // A request with relative days is known by the days that they are today.
      url = withDays(received, operation.parameters, today)
      if (url !== received) seen = known.get(basis, url)
    }
    let cached: CachedAnswer | undefined
    if (seen !== undefined) {
      // The key that asked before may have had another one of the alternative scopes. What is missing is reported as if nobody
      // had asked before.
      const own = operation.oneOf === undefined ? [] : ownScopes(operation, first.key.scopes)
      gate.requireScopes(
        first.key,
        own.length === 0 ? seen.requiredScopes : [...own, ...seen.requiredScopes],
        first.center,
      )
      const found = cache.current(seen.cacheKey, basis)
      cached = found instanceof Promise ? await deadline.within(found, reply.elapsedTime) : found
      if (cached?.etag === seen.link.etag) {
        const { recorded, requiredScopes, link } = seen
        return sendAnswer(
          { request, reply, recorded, admission: first, operation, requiredScopes },
          cached,
          link.text,
          recordRead,
        )
      }
    }

    const query = readRawQuery(url)
    const ask: Ask = async (admission) => {
      const { key, center } = admission
      // Time spent waiting for a commit does not count.
      const begunMs = admission === first ? 0 : reply.elapsedTime
      const spentMs = () => reply.elapsedTime - begunMs
      const basis = basisOf(operation, admission, clock())
      const pathParameters = request.params
      // The operation's type holds it to the facts that it declares; Fastify does not type a path's placeholders any
      // more closely.
      const plan = operation.parse({ ...basis.facts, center, query, pathParameters } as RequestContext)
      const requiredScopes = [
        ...ownScopes(operation, key.scopes, basis.facts.pseudonyms),
        ...plan.requiredScopes,
      ]
      gate.requireScopes(key, requiredScopes, center)
      if ('refusal' in plan) throw plan.refusal
      const cacheKey = answerKey(basis, plan.normalForm)
      // The cache was already asked for the known request; asking again would count it twice.
      if (seen === undefined || admission !== first) {
        const found = cache.current(cacheKey, basis)
        cached = found instanceof Promise ? await deadline.within(found, spentMs()) : found
      }
      const reading = () => readOnce(plan, basis, cacheKey, key.appId)
      const isLong = isHeavy({ cost: plan.cost ?? 1 })
      if (plan.inPieces?.kind === 'file') {
        const { inPieces: file } = plan
        const open = () =>
          closedIfLate(
            openFile(plan, file, basis, cacheKey, key.appId, receivedFacts(admission.dataReceived)),
            (opening) => deadline.within(opening, spentMs(), isLong),
          )
        return { admission, basis, plan, requiredScopes, cacheKey, answer: { open, ...file } }
      }
      const answer = cached ?? (await deadline.within(reading(), spentMs(), isLong))
      return { admission, basis, plan, requiredScopes, cacheKey, answer }
    }

    let asked = await ask(first)
    const { waitSeconds = 0 } = asked.plan
    if (waitSeconds > 0 && isQuiet(asked)) {
      const free = options.commitWaits.slots.take(first.key)
      try {
        const until = options.commitWaits.now() + waitSeconds * 1000
        while (isQuiet(asked)) {
          const admission = await options.commitWaits.next(
            { request, reply, admission: asked.admission },
            until,
          )
          if (admission === undefined) break
          asked = await ask(admission)
        }
      } finally {
        free()
      }
      // The client has disconnected, so no read is recorded.
      if (reply.raw.destroyed) return reply.hijack()
    }

    const { admission, requiredScopes, cacheKey, answer } = asked
    const recorded = recordedQueryOf(url, operation)
    const found: Exchange = { request, reply, recorded, admission, operation, requiredScopes }
    if ('open' in answer) return streamFile(found, answer, answer.open, streaming)
    if ('pieces' in answer) return streamAnswer(found, answer, streaming)
    const { page, snapshot } = answer
    const link = page && pageLinksOf(request, query, page, snapshot?.cursor)
    // A request that may wait, and one whose answer is never cached, is handled completely each time.
    if (waitSeconds === 0 && asked.plan.cacheMs !== 0) {
      known.set(asked.basis, url, {
        cacheKey,
        requiredScopes,
        recorded,
        link: { etag: answer.etag, text: link },
      })
    }
    return sendAnswer(found, answer, link, recordRead)
  }
}

/** A parsed request with its answer and its most recent admission. */
interface Asked {
  readonly admission: Admission
  readonly basis: Basis
  readonly plan: Plan
  readonly requiredScopes: readonly RequiredScope[]
  readonly cacheKey: string
  readonly answer: CachedAnswer | LongAnswer | AskedFile
}

/** Opened only once it is known that the file may be sent. */
interface AskedFile extends FilePlan {
  open(): Promise<OpenFile>
}

/** Closes a file that was opened after its request had given up. */
async function closedIfLate(
  opening: Promise<OpenFile>,
  inTime: (opening: Promise<OpenFile>) => Promise<OpenFile>,
): Promise<OpenFile> {
  try {
    return await inTime(opening)
  } catch (error) {
    void opening.then((file) => file.close()).catch(() => {})
    throw error
  }
}

/** @throws {ApiError} */
type Ask = (admission: Admission) => Promise<Asked>

const isQuiet = ({ answer }: Asked) => 'isQuiet' in answer && answer.isQuiet

/**
 * The scopes that every request to the operation needs. If one of several is enough and the key has none, all of them.
 * @param pseudonyms of the key, if the operation depends on them
 */
export function ownScopes(
  {
    scope,
    oneOf = [],
    underPseudonyms,
    paths,
  }: Pick<Operation, 'scope' | 'oneOf' | 'underPseudonyms' | 'paths'>,
  has: ReadonlySet<Scope>,
  pseudonyms?: Pseudonyms | null,
): readonly RequiredScope[] {
  const always = pseudonyms && underPseudonyms !== undefined ? underPseudonyms : scope
  const scopes = always !== 'any' ? [always] : oneOf.some((one) => has.has(one)) ? [] : oneOf
  return scopes.map((one) => ({ scope: one, what: `GET ${paths[0]}` }))
}

/**
 * The URL of a link is a secret, and its query is saved. The links to its pages are relative to the URL (`?start=2`),
 * so that neither appears in an answer.
 */
function pageLinksOf(
  request: FastifyRequest,
  query: RawQuery,
  page: Parameters<typeof pageLinks>[2],
  snapshot: string | undefined,
): string | undefined {
  if (request.link === null) return pageLinks(routeOf(request), query, page, snapshot)
  return request.link.leadsOn ? pageLinks('', new Map(), page, snapshot) : undefined
}

/** The route's path, whichever form of it was requested. Paginated operations have no placeholders. */
const routeOf = ({ routeOptions }: FastifyRequest) => (routeOptions.url ?? '').replace(/\/$/, '')
