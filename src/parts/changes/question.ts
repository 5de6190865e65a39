/** The parameters of the feed and how they are read, shared by `GET /changes` and its stream. */
import type { Sql } from 'sql-template-tag'
import { type Cursor, readCursor } from '../../core/changes/cursor.ts'
import { selectFeed, selectFeedEnd } from '../../core/changes/feed-sql.ts'
import { type Feed, feedAfter, feedEnd } from '../../core/changes/read-feed.ts'
import { errors, type Problem } from '../../core/errors/api-error.ts'
import type { RequestContext, RequiredScope, Rows } from '../../core/request/operation.ts'
import { enumsParameter, identifierParameter, NO_CURSOR } from '../../core/request/parameter-kinds.ts'
import { FEED_KINDS, type FeedEntry, type FeedKind } from './change-schema.ts'
import { asksForAll, type FeedQuestion, presentNote } from './present-changes.ts'

/** If only some kinds are requested, an answer examines up to this many changes. */
const SCANNED_MAX = 1000

/** Orders belong to no session. */
const KINDS_OF_SESSIONS: readonly FeedKind[] = ['guests', 'sessions', 'meals']

export const questionParameters = {
  kinds: enumsParameter({
    description:
      'Only these kinds; each needs its scope. By default, all kinds that the key may read. `meals` reports that meals changed, but not whose, and that another kitchen sheet is on the wall; with `guests` as well, changed meals are only entries of `guests`.',
    values: FEED_KINDS,
  }),
  sessionId: identifierParameter({
    description:
      'Only guests of this session, and the session itself. A guest who has left the session is reported as `deleted`.',
  }),
} as const

/** A cursor in a request, and the parameter that contained it. */
export interface SentCursor {
  readonly text: string | undefined
  readonly parameter: 'after' | 'Last-Event-ID'
}

interface Asked {
  readonly kinds: readonly FeedKind[] | undefined
  readonly sessionId: string | undefined
}

export interface ReadQuestion {
  readonly question: FeedQuestion
  readonly requiredScopes: readonly RequiredScope[]
  /** the position to read after; undefined: none was sent */
  readonly cursor: Cursor | undefined
  readonly problems: readonly Problem[]
}

/** @param asked the values of the parameters, if they are valid */
export function readQuestion(
  { kinds: asked, sessionId }: Asked,
  { text, parameter }: SentCursor,
  { key, center }: Pick<RequestContext<'key'>, 'key' | 'center'>,
): ReadQuestion {
  const candidates = sessionId === undefined ? FEED_KINDS : KINDS_OF_SESSIONS
  const kinds = asked ?? candidates.filter((kind) => key.scopes.includes(kind))
  const cursor = text === undefined ? undefined : readCursor(center.id, text)
  return {
    question: {
      kinds,
      sessionId,
      scopes: key.scopes,
      readsCustomFields: key.customFields.length > 0,
      zone: center.timezone,
    },
    requiredScopes: scopesOfKinds(kinds.length === 0 && sessionId !== undefined ? candidates : kinds),
    cursor,
    problems: [
      ...(text !== undefined && cursor === undefined ? [forged(parameter)] : []),
      ...(sessionId !== undefined && asked?.includes('orders')
        ? [
            {
              parameter: 'kinds',
              message: 'Orders do not belong to sessions: request orders without sessionId.',
            },
          ]
        : []),
    ],
  }
}

const scopesOfKinds = (kinds: readonly FeedKind[]): RequiredScope[] =>
  kinds.map((kind) => ({ scope: kind, what: `kinds=${kind}` }))

const forged = (parameter: string): Problem => ({ parameter, message: NO_CURSOR })

/** A part of the feed, with what the key may see. */
export interface FeedPage {
  /** each with the cursor after it */
  readonly entries: readonly { readonly entry: FeedEntry; cursor(): string }[]
  /** the cursor after everything that was examined */
  readonly cursor: string
  readonly more: boolean
  readonly revision: number
}

export interface FeedReading {
  readonly statement: Sql
  /** its approximate cost for the database (request/bounds.ts) */
  readonly cost: number
  /** @throws {ApiError} 400 for a cursor that this service did not create, 410 for one that cannot be continued */
  page(rows: Rows): FeedPage
}

/**
 * @param cursor undefined: the answer has no entries, and the current cursor @param length maximum number of entries
 * @param parameter that contained the cursor
 */
export function readingOf(
  center: RequestContext['center'],
  question: FeedQuestion,
  cursor: Cursor | undefined,
  length: number,
  parameter: SentCursor['parameter'],
): FeedReading {
  const page = (feed: Feed) => pageOf(feed, question, length, parameter)
  if (cursor === undefined) {
    return {
      statement: selectFeedEnd(center.id),
      cost: 1,
      page: (rows) => page(feedEnd(center.id, rows)),
    }
  }
  const { kinds, sessionId } = question
  const isPart = !asksForAll(kinds) || sessionId !== undefined
  const limit = isPart ? Math.max(length, SCANNED_MAX) : length
  return {
    statement: selectFeed(center.id, cursor, limit, sessionId),
    cost: 1 + limit / SCANNED_MAX,
    page: (rows) => page(feedAfter(center.id, cursor, limit, rows)),
  }
}

function pageOf(feed: Feed, question: FeedQuestion, length: number, parameter: string): FeedPage {
  if (feed.outcome === 'forged') throw errors.invalidParameters([forged(parameter)])
  if (feed.outcome === 'gone') throw errors.cursorGone(feed.why)
  const { notes, revision } = feed
  const entries: { entry: FeedEntry; cursor: () => string }[] = []
  for (const note of notes) {
    const entry = presentNote(note, question)
    if (entry === undefined) continue
    const cursor = () => note.cursor()
    entries.push({ entry, cursor })
    if (entries.length === length && note !== notes.at(-1)) {
      return { entries, cursor: cursor(), more: true, revision }
    }
  }
  return { entries, cursor: feed.cursor, more: feed.more, revision }
}
