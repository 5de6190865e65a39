/**
 * An operation of the interface, as a value: its paths and parameters, who may call it, what its answer depends on, and
 * how a request becomes a plan. Routes, OpenAPI, the scope tests and the documentation are derived from these values.
 */
import type { Sql } from 'sql-template-tag'
import type { LimitState, Quotas } from '../access/keys/quotas.ts'
import type { Scope } from '../access/keys/scopes.ts'
import type { Dependency } from '../changes/change.ts'
import type { Cursor } from '../changes/cursor.ts'
import type { ApiError } from '../errors/api-error.ts'
import type { Language } from '../locale/languages.ts'
import type { Center } from '../records/centers/center.ts'
import type { Pseudonyms } from '../records/centers/pseudonyms.ts'
import type { FileFormat, Format } from './format.ts'
import type { ParameterTable, RawQuery } from './parameters.ts'
import type { Sliced } from './slices.ts'

/** The facts about a key that an answer may show. */
export interface KeyFacts {
  readonly publicKey: string
  readonly appId: string
  /** who uses the key, as staff entered it */
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly quotas: Quotas
  readonly allowedAddresses: readonly string[]
  /** custom fields that the key may read without guests.personal */
  readonly customFields: readonly string[]
  /** epoch ms; null if the key does not expire */
  readonly expiresAt: number | null
}

/** The custom fields that a key may read. */
export type CustomFields = 'all' | readonly string[]

/** What an answer may depend on besides its center and the request. */
export interface Facts {
  readonly key: KeyFacts
  /** what is left of the key's limits after this request */
  readonly limits: LimitState
  /** the center's local day, `YYYY-MM-DD` */
  readonly today: string
  readonly language: Language
  /** null for a key that does not read under pseudonyms */
  readonly pseudonyms: Pseudonyms | null
  readonly customFields: CustomFields
  /** the format that the client prefers */
  readonly accepts: Format
}

/** What an operation receives of a request: only the facts that it declares. */
export type RequestContext<Fact extends keyof Facts = keyof Facts> = Pick<Facts, Fact> & {
  readonly center: Center
  readonly query: RawQuery
  /** values of the path's placeholders, decoded */
  readonly pathParameters: Readonly<Record<string, string>>
}

export interface RequiredScope {
  readonly scope: Scope
  /** what needs the scope, as a client would name it */
  readonly what: string
  /** the custom field, if a key may be given it without the scope */
  readonly customField?: string
}

/** An example of an answer. */
export interface AnswerExample {
  /** path and query of the request, without the `/v1` prefix; undefined if the answer is invented */
  readonly request: string | undefined
  /** the body of the response with status 200 */
  readonly answer: unknown
}

export interface Operation<Fact extends keyof Facts = keyof Facts> {
  /** camelCase and unique; the OpenAPI operationId */
  readonly name: string
  readonly summary: string
  readonly description: string
  /** the documented path first, without the `/v1` prefix; placeholders as `{uuid}` */
  readonly paths: readonly [string, ...string[]]
  /**
   * The scope that every request needs, or `any` if every key may call the operation. The service does not start with a
   * route that declares neither.
   */
  readonly scope: Scope | 'any'
  /** for operations that every key may call: scopes of which the key must have at least one */
  readonly oneOf?: readonly Scope[]
  /** the scope that a key needs instead if it reads under pseudonyms (ruling 45); by default it may not call it */
  readonly underPseudonyms?: Scope
  /**
   * The facts that the answer depends on. The operation receives no others, and everything cached for the answer is
   * named after them (answer/cache-keys.ts). So an answer made for one key, day or language is never sent for another.
   */
  readonly dependsOn: readonly Fact[]
  readonly parameters: ParameterTable
  /** a limit of its own for each application, in addition to that of the key; refused requests count in neither */
  readonly quotas?: Quotas
  /** what it is asked for a person types at that moment, so no link stores it */
  readonly isTyped?: true
  /** parameters that must be sent */
  readonly required?: readonly string[]
  readonly pathParameters?: Readonly<
    Record<string, { description: string; schema: Readonly<Record<string, unknown>> }>
  >
  /** JSON Schema of the body of a 200 */
  readonly response: Readonly<Record<string, unknown>>
  /** its media type if that is never JSON */
  readonly type?: string
  /** formats of the answer besides JSON */
  readonly formats?: readonly FileFormat[]
  /** what a record of its list is called: `Room` names the types of OpenAPI and of the client, and their loop variable */
  readonly recordName?: string
  /** what the reference shows as an answer */
  readonly example?: AnswerExample
  /** Parses the request once. Pure, and never throws: an invalid request becomes a refusal. */
  parse(context: RequestContext<Fact>): Plan | Refusal
}

/** Defines an operation, whose `parse` can only access the facts in `dependsOn`. */
export const defineOperation = <const Fact extends keyof Facts = never>(
  operation: Operation<Fact>,
): Operation<Fact> => operation

/** The result of parsing, whether the request is valid or not: scopes are checked first (ruling 7). */
interface Parsed {
  /** scopes needed in addition to the operation's own */
  readonly requiredScopes: readonly RequiredScope[]
}

/** An invalid request. */
export interface Refusal extends Parsed {
  /** a 400, or the 404 of `GET /orders` */
  readonly refusal: ApiError
}

export type Rows = readonly (readonly unknown[])[]

/** What to read from the database, and how the rows become an answer. */
export interface Reading {
  /** undefined if nothing has to be read */
  readonly statement: Sql | undefined
  /**
   * The revision of the center that the statement's rows show, from their own snapshot; null for a center that was never
   * changed, undefined if there is no row. Only for an answer made from nothing but what a revision covers: it may be read
   * on a replica. Without it, the primary is read.
   */
  readonly revisionOf?: ((rows: Rows) => number | null | undefined) | undefined
  /**
   * Pure. Works in slices if there may be many rows.
   * @param rows of the statement and of those that follow, in the order of their select lists
   * @throws {ApiError} 404 or 400 if there is no row
   * @throws {SeparatorInValue} if the rows came as one text, and a value contains the separator
   */
  present(rows: Rows): Answer | Sliced<Answer>
}

/** The revision of rows that begin with it. */
export const firstRevision = (rows: Rows): number | null | undefined =>
  rows[0]?.[0] as number | null | undefined

/** A valid request. */
export interface Plan extends Parsed, Reading {
  /** the request in normal form, as JSON: the same text for all equivalent requests */
  readonly normalForm: string
  /** estimated cost of reading, in pages of a session (request/bounds.ts); 1 by default */
  readonly cost?: number
  /** What the answer is made from, so that commits that do not touch it leave it valid; undefined: everything. */
  readonly dependencies: readonly Dependency[] | undefined
  /**
   * How long the answer may be cached, in ms; by default until a commit touches it. 0 for answers that change without a
   * commit of the center, which are read for each request.
   */
  readonly cacheMs?: number
  /**
   * Checked after the statement: its result is only complete while the database still has the changes since then.
   * `judge` is pure. @throws {ApiError} 400, 410
   */
  readonly check?: { readonly statement: Sql; judge(rows: Rows): void } | undefined
  /** for a list that is to be read as of one cursor */
  readonly snapshot?: SnapshotPlan | undefined
  /** If the answer is quiet, how long the request may wait for a commit that changes that; 0 by default. */
  readonly waitSeconds?: number
  /** statements after the first one */
  readonly following?: FollowingRows | StoredRow | undefined
  /** The same reading with another separator, if `present` may throw `SeparatorInValue`. */
  readonly withSeparator?: (separator: string) => Reading
  /**
   * For a list that is sent in pieces: as a file, which is read instead of the statement, with `check` and `snapshot`; or
   * because it has no pages and may be too long for memory.
   */
  readonly inPieces?: FilePlan | StreamPlan
}

/** How a whole list is answered as a file, which is written while the rows are read. The plan has a snapshot. */
export interface FilePlan {
  readonly kind: 'file'
  readonly format: FileFormat
  readonly fileName: string
  /** lists with more records are refused */
  readonly recordsMax: { readonly count: number; refusal(count: number): ApiError }
  /** one row with one text: all identifiers in the list's order, each followed by a line break */
  readonly ids: Sql
  readonly rowsPerChunk: number
  /** @param separator that occurs in no value */
  reading(separator: string): FileReading
}

export interface FileReading {
  /** all rows */
  readonly statement: Sql
  /** Writes the file in pieces. Pure, except that it waits for the rows. */
  write(rows: AsyncIterable<Rows>, manifest: Manifest): AsyncIterable<string | Uint8Array>
}

/** What a file states about itself, so that a truncated one can be recognized. */
export interface Manifest {
  readonly rows: number
  /** digest of the identifiers, as in `Snapshot-Digest` */
  readonly digest: string
  /** cursor of the list */
  readonly cursor: string
  /** how old the data is (ruling 46), for each kind that the key may read and of which something is known */
  readonly received: readonly ReceivedFact[]
}

/** When a kind of data was last received, as files state it. Times in ISO 8601. */
export interface ReceivedFact {
  readonly kind: string
  /** null: never */
  readonly at: string | null
  readonly everySeconds: number | null
  readonly dueAt: string | null
  readonly late: boolean
}

/** A position in the changes, and its text. */
export interface Pin {
  readonly cursor: string
  readonly position: Cursor
}

/** A list whose pages all show the state at one cursor, or are refused. */
export interface SnapshotPlan {
  /** undefined: the newest cursor when the list is read */
  readonly pin: Pin | undefined
  /**
   * @param ids on the page
   * @returns what determines the list's members and their order, and what the page shows
   */
  dependencies(ids: readonly string[]): readonly Dependency[]
  /** number of identifiers in the whole list, and their digest (changes/snapshots-sql.ts) */
  proof(): Sql
}

/** What an answer states about its snapshot. */
export interface Snapshot {
  readonly cursor: string
  /** for the whole list; only on its last page */
  readonly proof: { readonly count: number; readonly digest: string } | undefined
}

/**
 * Stores something made from the rows, such as a sheet to compare later ones with. If the statement returns a row within a
 * few attempts, that row is appended. If another request was faster, the next attempt sees what that one stored.
 */
export interface StoredRow {
  readonly kind: 'stored'
  statement(rows: Rows): Sql
}

/**
 * For an answer with so many rows that reading them at once would delay others: statements read after a plan's first one, one
 * after the other, with pauses for others in between. The plan has a `revisionOf`: if it differs between statements, the rows
 * are not from one snapshot.
 */
export interface FollowingRows {
  readonly kind: 'more rows'
  /**
   * @param rows of the latest statement
   * @param all rows of all statements so far
   * @returns the next statement; undefined if there are no more rows
   */
  after(rows: Rows, all: Rows): Sql | undefined
  /** All rows at once, for a center that keeps changing while it is read. */
  all(): Sql
}

/**
 * How a list that is too long for memory is answered: it is read again from one snapshot and sent in pieces. This is
 * rare, so the statements are only made when needed. They are functions because V8 gives each object literal with a
 * getter its own hidden class, which compiled code does not know and only a full collection frees.
 */
export interface StreamPlan {
  readonly kind: 'stream'
  /** if the list is longer, the plan's statement returns one row more than this */
  readonly heldRowsMax: number
  /** one row with one number: the records in the list, for the audit trail */
  count(): Sql
  /** all rows */
  statement(): Sql
  readonly rowsPerChunk: number
  /** The JSON text or its bytes, in pieces. Pure, except that it waits for the rows. */
  present(rows: AsyncIterable<Rows>): AsyncIterable<string | Uint8Array>
}

export interface Answer {
  /** the JSON text or its bytes, in pieces if it was made in slices; bytes are in memory of their own */
  readonly body: string | readonly string[] | Buffer | readonly Buffer[]
  /** its media type if it is not JSON */
  readonly type?: string
  /** for the `Link` header of a paginated answer */
  readonly page?: { readonly start: number; readonly length: number; readonly total: number }
  /** the revision of the center that the answer shows; undefined if no row contains it */
  readonly revision: number | undefined
  /** whether the answer holds nothing new yet */
  readonly isQuiet?: boolean
  /** for the audit trail: the number of records, and their identifiers */
  readonly records: { readonly count: number; readonly ids: readonly string[] }
}
