/**
 * How old the data of a center is, for the header of every answer (ruling 46). It is read when a delivery came, and for
 * centers to which a program writes with SQL, when something was committed; so a repeated read needs no query.
 */
import type { Database } from '../database/database.ts'
import { type Generation, ofGeneration } from '../database/generation.ts'
import { isoMoment } from '../locale/dates.ts'
import type { Center } from '../records/centers/center.ts'
import { type Received, receivedOf } from '../records/sources/data-age.ts'
import { FEED_KINDS, type Source, type SourceKind } from '../records/sources/delivery.ts'
import { evaluateSource } from '../records/sources/evaluate-source.ts'
import { readSources } from '../records/sources/read-sources.ts'
import { selectLastCommits } from '../records/sources/sources-sql.ts'
import type { ReceivedFact } from '../request/operation.ts'
import type { KeyState } from './key-states.ts'
import { SCOPES_OF_DELIVERIES, type Scope } from './keys/scopes.ts'

/** When the kinds were received that the answers of a center show. */
export interface ReceivedKinds {
  /** only kinds of which something is known */
  readonly kinds: ReadonlyMap<SourceKind, Received>
  /** the headers that were made of it, by the scopes of the key */
  readonly headers: WeakMap<ReadonlySet<Scope>, Header>
}

const NOTHING: ReceivedKinds = { kinds: new Map(), headers: new WeakMap() }

interface Header {
  readonly text: string
  /** until when it is right: epoch ms */
  readonly until: number
}

/** Kinds that answers show, in the order of the header, and the scopes of which one lets a key read them. */
const KINDS = Object.entries(SCOPES_OF_DELIVERIES) as readonly (readonly [SourceKind, readonly Scope[]])[]

/**
 * The value of `Data-Received`, a dictionary of RFC 9651: for each kind that the key may read, the time of the last
 * delivery that counts (`?0` if there was none), `every` with the usual seconds between two, `due` when it is late, and
 * `late` if it is. A kind of which nothing is known is left out: nobody may take it for fresh.
 * @param clock epoch ms; most centers have no schedule, so their header is right until something comes
 * @returns '' if nothing is known
 */
export function receivedHeader(
  received: ReceivedKinds,
  scopes: ReadonlySet<Scope>,
  clock: { now(): number },
): string {
  const known = received.headers.get(scopes)
  if (known !== undefined && (known.until === Number.POSITIVE_INFINITY || clock.now() < known.until))
    return known.text
  const now = clock.now()
  const shown = kindsOf(received, scopes)
  const changes = [...shown.values()].flatMap(({ dueAt = 0 }) => (dueAt > now ? [dueAt] : []))
  const text = [...shown].map(([kind, one]) => `${kind}=${itemOf(one, now)}`).join(', ')
  received.headers.set(scopes, { text, until: Math.min(Number.POSITIVE_INFINITY, ...changes) })
  return text
}

/** The kinds that a key with these scopes may read, as far as something is known of them. */
export function kindsOf({ kinds }: ReceivedKinds, scopes: ReadonlySet<Scope>): Map<SourceKind, Received> {
  const shown = KINDS.filter(([, needed]) => needed.some((scope) => scopes.has(scope)))
  return new Map(
    shown.flatMap(([kind]) => {
      const one = kinds.get(kind)
      return one === undefined ? [] : [[kind, one]]
    }),
  )
}

const seconds = (ms: number) => Math.floor(ms / 1000)

function itemOf({ at, every, dueAt }: Received, now: number): string {
  const value = at === undefined ? '?0' : `@${seconds(at)}`
  const schedule = every === undefined ? '' : `;every=${every}`
  // Rounded up: it is not late before.
  const due = dueAt === undefined ? '' : `;due=@${Math.ceil(dueAt / 1000)}`
  return `${value}${schedule}${due}${dueAt !== undefined && dueAt <= now ? ';late' : ''}`
}

const ITEM = /^(\w+)=(?:\?0|@(\d+))(?:;every=(\d+))?(?:;due=@(\d+))?(;late)?$/

/** What the header says, for files. */
export function receivedFacts(header: string): ReceivedFact[] {
  const moment = (text: string | undefined) => (text === undefined ? null : isoMoment(Number(text) * 1000))
  return header.split(', ').flatMap((item) => {
    const [, kind, at, every, due, late] = ITEM.exec(item) ?? []
    if (kind === undefined) return []
    const everySeconds = every === undefined ? null : Number(every)
    return [{ kind, at: moment(at), everySeconds, dueAt: moment(due), late: late !== undefined }]
  })
}

export interface ReceivedData {
  /**
   * Returns what is known at the key state's revision or a later one. It is a promise only if something must be read.
   * Nothing is known if that fails: old data is never a reason to refuse an answer.
   */
  get(state: KeyState, center: Center): ReceivedKinds | Promise<ReceivedKinds>
}

/** Some kilobytes each, for thousands of centers. */
const CENTERS_MAX = 5000

interface Entry {
  readonly generation: Generation
  readonly sourcesRevision: number
  readonly revision: number
  readonly zone: string
  /** a promise until the read completes */
  received: ReceivedKinds | Promise<ReceivedKinds>
  /** undefined until the read completes */
  facts: Facts | undefined
}

interface Facts {
  readonly sources: readonly Source[]
  /** when they were read, by the database's clock */
  readonly now: number
  /** whether commits say when a kind was received: because no source delivers it, or because it is written with SQL */
  readonly usesCommits: boolean
  /** for each kind, among the commits up to the entry's revision */
  readonly committedAt: ReadonlyMap<SourceKind, number>
}

const isOfCommits = ({ committedAt }: Source) => committedAt !== undefined

/** Keeps it in memory for each center. */
export function createReceivedData(database: Pick<Database, 'query' | 'generation'>): ReceivedData {
  const entries = new Map<string, Entry>()

  const read = async (center: Center, before: Entry | undefined): Promise<[Facts, ReceivedKinds]> => {
    const known = before?.facts
    const isKnown = known !== undefined && !known.sources.some(isOfCommits)
    const { sources, now } = isKnown ? known : await readSources(database, center.id)
    const states = sources.map((source) => evaluateSource(source, center.timezone, now))
    const areSearched = KINDS.some(([kind]) => receivedOf(states, kind, undefined) === undefined)
    const usesCommits = areSearched || sources.some(isOfCommits)
    const committedAt = new Map(known?.committedAt)
    if (areSearched) {
      const commits = selectLastCommits(center.id, known === undefined ? 0 : (before?.revision ?? 0))
      for (const { kind, at } of await database.query<{ kind: string; at: number }>(commits)) {
        for (const own of FEED_KINDS[kind] ?? []) committedAt.set(own, at)
      }
    }
    const kinds = KINDS.flatMap(([kind]): [SourceKind, Received][] => {
      const one = receivedOf(states, kind, committedAt.get(kind))
      return one === undefined ? [] : [[kind, one]]
    })
    const facts = { sources, now, usesCommits, committedAt }
    return [facts, { kinds: new Map(kinds), headers: new WeakMap() }]
  }

  const begin = (state: KeyState, center: Center, known: Entry | undefined): Entry => {
    const { generation, sourcesRevision, revision } = state
    const isOfSame = known?.generation === generation && known.sourcesRevision === sourcesRevision
    const reading = ofGeneration(database, generation, () => read(center, isOfSame ? known : undefined))
    const received = reading.then(
      ([facts, made]) => {
        entry.facts = facts
        entry.received = made
        return made
      },
      () => {
        // A failed read is not cached.
        if (entries.get(center.id) === entry) entries.delete(center.id)
        return NOTHING
      },
    )
    const { timezone: zone } = center
    const entry: Entry = { generation, sourcesRevision, revision, zone, received, facts: undefined }
    return entry
  }

  return {
    get(state, center) {
      const known = entries.get(center.id)
      const isCurrent =
        known?.generation === state.generation &&
        known.zone === center.timezone &&
        known.sourcesRevision >= state.sourcesRevision &&
        (known.revision >= state.revision || known.facts?.usesCommits === false)
      if (isCurrent) return known.received
      if (known === undefined && entries.size >= CENTERS_MAX) entries.clear()
      const entry = begin(state, center, known)
      entries.set(center.id, entry)
      return entry.received
    },
  }
}
