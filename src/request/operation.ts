/**
 * An operation of the interface, as a value: where it stands, what it takes, who may call it, what its answer
 * depends on, and how a request to it becomes a plan. Routes, OpenAPI, the scope tests and the documentation are
 * made from these.
 */
import type { Sql } from 'sql-template-tag'
import type { Center } from '../centers/center.ts'
import type { Dependency } from '../changes/change.ts'
import type { Cursor } from '../changes/cursor.ts'
import type { ApiError } from '../errors/api-error.ts'
import type { LimitState, Quotas } from '../keys/quotas.ts'
import type { Scope } from '../keys/scopes.ts'
import type { Language } from '../locale/languages.ts'
import type { FileFormat, Format } from './format.ts'
import type { ParameterTable, RawQuery } from './parameters.ts'
import type { Sliced } from './slices.ts'

/** What a key says of itself, as far as an answer may show it. */
export interface KeyFacts {
  readonly publicKey: string
  readonly appId: string
  /** whom it is for, in a person's words */
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly quotas: Quotas
  readonly allowedAddresses: readonly string[]
  /** custom fields that it may read without guests.personal */
  readonly customFields: readonly string[]
  /** epoch ms, or null where it does not expire */
  readonly expiresAt: number | null
}

/** The custom fields that a key may read, by their keys. */
export type CustomFields = 'all' | readonly string[]

/** What an answer may depend on beside its center and what was asked for. */
export interface Facts {
  readonly key: KeyFacts
  /** what is left of the key's limits after this request */
  readonly limits: LimitState
  /** the center's local day, `YYYY-MM-DD` */
  readonly today: string
  readonly language: Language
  readonly customFields: CustomFields
  /** what the client would rather have */
  readonly accepts: Format
}

/** What an operation is given of a request: of the facts, those that it declares and no others. */
export type RequestContext<Fact extends keyof Facts = keyof Facts> = Pick<Facts, Fact> & {
  readonly center: Center
  readonly query: RawQuery
  /** values of the path's placeholders, decoded */
  readonly pathParameters: Readonly<Record<string, string>>
}

export interface Need {
  readonly scope: Scope
  /** what needs it, as a client would name it */
  readonly what: string
  /** the custom field that it is, which a key may be given without the scope */
  readonly customField?: string
}

export interface Operation<Fact extends keyof Facts = keyof Facts> {
  /** camelCase and unique; the OpenAPI operationId */
  readonly name: string
  readonly summary: string
  readonly description: string
  /** the documented path first, without the `/v1` prefix; placeholders as `{uuid}` */
  readonly paths: readonly [string, ...string[]]
  /**
   * The scope without which nothing is answered, or `any` where every key may ask. A route that declares neither
   * does not start.
   */
  readonly scope: Scope | 'any'
  /** where every key may ask: scopes of which it must have one all the same */
  readonly oneOf?: readonly Scope[]
  /**
   * The facts that the answer depends on. The operation is given no others, and everything that is kept of the
   * answer is named after them (answer/names.ts): so no key, day or language is answered with what was made for
   * another.
   */
  readonly dependsOn: readonly Fact[]
  readonly parameters: ParameterTable
  /** the parameters that must be sent */
  readonly required?: readonly string[]
  readonly pathParameters?: Readonly<
    Record<string, { description: string; schema: Readonly<Record<string, unknown>> }>
  >
  /** JSON Schema of the 200 body */
  readonly response: Readonly<Record<string, unknown>>
  /** its media type, where that is never JSON */
  readonly type?: string
  /** forms that it is answered in beside JSON */
  readonly formats?: readonly FileFormat[]
  /** Reads the request, once. Pure, and it never throws: a request that is wrong becomes a refusal. */
  parse(context: RequestContext<Fact>): Plan | Refusal
}

/** An operation as it is written; `parse` can reach only the facts that `dependsOn` names. */
export const defineOperation = <const Fact extends keyof Facts = never>(
  operation: Operation<Fact>,
): Operation<Fact> => operation

/** What was read from a request whether it is right or wrong: scopes are judged first (ruling 7). */
interface Parsed {
  /** scopes needed beyond the operation's own */
  readonly needs: readonly Need[]
}

/** A request that is wrong. */
export interface Refusal extends Parsed {
  /** a 400, or the 404 of `GET /orders` */
  readonly refusal: ApiError
}

export type Rows = readonly (readonly unknown[])[]

/** What to ask the database, and how its rows become the answer. */
export interface Reading {
  /** undefined where nothing needs to be read */
  readonly statement: Sql | undefined
  /**
   * Pure. In slices where it may be of many rows.
   * @param rows of the statement and of those that follow, in their select list's order.
   * @throws {ApiError} 404 or 400 for no row
   * @throws {SeparatorInValue} where the rows came as one text and a value holds what separates them
   */
  present(rows: Rows): Answer | Sliced<Answer>
}

/** A request that was understood. */
export interface Plan extends Parsed, Reading {
  /** the request in normal form, as JSON: the same text for every way of asking the same thing */
  readonly normalForm: string
  /** about what reading it costs the database, in pages of a session (request/cost.ts); 1 unless said */
  readonly cost?: number
  /** What the answer is made from, so that it outlives commits that touch none of it; undefined: everything. */
  readonly madeFrom: readonly Dependency[] | undefined
  /** false for what changes without a commit of the center: it is read anew for each request */
  readonly keeps?: false
  /** For so long at most the answer is kept, in milliseconds; without it, until it is touched. */
  readonly keptMs?: number | undefined
  /**
   * Asked after the statement: what it showed is complete only while the database still knows so far back.
   * `judge` is pure. @throws {ApiError} 400, 410
   */
  readonly check?: { readonly statement: Sql; judge(rows: Rows): void } | undefined
  /** for a list that is to be read as it stands at one place in the changes */
  readonly snapshot?: SnapshotPlan | undefined
  /** Where the answer is quiet, it may wait so long for a commit that ends that; 0 unless said. */
  readonly waitSeconds?: number
  /**
   * What is kept of the rows, such as a sheet that later ones are held against. Its own row comes after them, if it
   * gives one within a few attempts: where somebody else was quicker, the next one sees what that one kept.
   */
  readonly store?: ((rows: Rows) => Sql) | undefined
  /** for an answer of so many rows that reading them at once would hold up others */
  readonly following?: FollowingRows
  /** The same with another separator, where `present` may throw `SeparatorInValue`. */
  readonly withSeparator?: (separator: string) => Reading
  /** for a list without pages, which may be too long to hold */
  readonly stream?: StreamPlan
  /** Where the list is asked for as a file: all of it, and the rest of the plan but `check` and `snapshot` is not used. */
  readonly file?: FilePlan
}

/** How all records of a list are answered as a file, which is written as they are read. The plan has a snapshot. */
export interface FilePlan {
  readonly format: FileFormat
  readonly fileName: string
  /** more records than this are refused */
  readonly recordsMax: { readonly count: number; refusal(count: number): ApiError }
  /** one row of one text: all identifiers in the list's order, each followed by a line break */
  readonly ids: Sql
  readonly rowsPerChunk: number
  /** @param separator that no value has */
  reading(separator: string): FileReading
}

export interface FileReading {
  /** all rows */
  readonly statement: Sql
  /** those behind one of them, and at most so many (database/database.ts); undefined where that is no cheaper than all */
  readonly rowsAfter: ((last: readonly unknown[] | undefined, limit: number | undefined) => Sql) | undefined
  /** The file in pieces. Pure, but for waiting for the rows. */
  write(rows: AsyncIterable<Rows>, manifest: Manifest): AsyncIterable<string | Uint8Array>
}

/** What a file says of itself, so that a cut one is noticed. */
export interface Manifest {
  readonly rows: number
  /** of the identifiers, as `Snapshot-Digest` has it */
  readonly digest: string
  /** where in the changes the list stands */
  readonly cursor: string
}

/** A place in the changes, and its text. */
export interface Pin {
  readonly cursor: string
  readonly place: Cursor
}

/** A list of which every page is the one that it had at one place in the changes, or is refused. */
export interface SnapshotPlan {
  /** undefined: the newest one, when the list is read */
  readonly pin: Pin | undefined
  /** @param ids on the page. @returns what decides who is in the list and in which order, and what the page shows */
  madeFrom(ids: readonly string[]): readonly Dependency[]
  /** how many identifiers the whole list has, and their digest (changes/snapshots-sql.ts) */
  proof(): Sql
}

/** What an answer says of the snapshot that it belongs to. */
export interface Snapshot {
  readonly cursor: string
  /** of the whole list, on its last page */
  readonly proof: { readonly count: number; readonly digest: string } | undefined
}

/** What is read after a plan's statement, one statement after the other, with others' in between. */
export interface FollowingRows {
  /**
   * @param rows of the newest statement
   * @param all of all statements so far
   * @returns the next one; undefined where those were the last rows
   */
  after(rows: Rows, all: Rows): Sql | undefined
  /** the revision that a statement's rows show: where it is not the same for all, they are not of one moment */
  revisionOf(rows: Rows): number | null
  /** All rows at once, for a center that is never the same for as long as reading it takes. */
  all(): Sql
}

/**
 * How a list that is too long to hold is answered: read again from one snapshot and sent in pieces. Few lists are that
 * long, so the statements are made when they are needed: by functions, because V8 gives each object literal with a
 * getter a hidden class of its own, which compiled code does not know and only a full collection frees.
 */
export interface StreamPlan {
  /** the plan's statement gives one more than this where the list is longer */
  readonly heldRowsMax: number
  /** one row of one number: how many records the list has, for the audit trail */
  count(): Sql
  /** all rows */
  statement(): Sql
  /** those behind one of them, and at most so many (database/database.ts) */
  readonly rowsAfter: (last: readonly unknown[] | undefined, limit: number | undefined) => Sql
  readonly rowsPerChunk: number
  /** the revision that rows of the plan's statement show */
  revisionOf(rows: Rows): number | undefined
  /** The JSON text in pieces. Pure, but for waiting for the rows. */
  present(rows: AsyncIterable<Rows>): AsyncIterable<string>
}

export interface Answer {
  /** the JSON text, in pieces where it is made in slices */
  readonly body: string | readonly string[]
  /** its media type, where it is no JSON */
  readonly type?: string
  /** of a paginated answer, for its `Link` header */
  readonly page?: { readonly start: number; readonly length: number; readonly total: number }
  /** the revision of the center that the answer shows; undefined where it holds no row that could say so */
  readonly revision: number | undefined
  /** whether nothing of what was asked for has come yet */
  readonly isQuiet?: boolean
  /** for the audit trail: how many records, and which */
  readonly records: { readonly count: number; readonly ids: readonly string[] }
}
