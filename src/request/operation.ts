/**
 * An operation of the interface, as a value: where it stands, what it takes, who may call it, and the one
 * function that answers. Routes, OpenAPI, the scope tests and the documentation are made from these.
 */
import type { Center } from '../centers/center.ts'
import type { Database } from '../database/database.ts'
import type { Scope } from '../keys/scopes.ts'
import type { Language } from '../locale/languages.ts'
import type { ParameterTable, RawQuery } from './parameters.ts'

/** Everything about a request that its answer may depend on: what the gate found out. */
export interface RequestContext {
  readonly center: Center
  readonly language: Language
  /** the center's local day, `YYYY-MM-DD` */
  readonly today: string
  readonly query: RawQuery
  /** values of the path's placeholders, decoded */
  readonly pathParameters: Readonly<Record<string, string>>
}

export interface Answer {
  /** the JSON text; or what gives its pieces, for an answer too big to hold */
  readonly body: string | (() => AsyncIterable<string>)
  /** of a paginated answer, for its `Link` header */
  readonly page?: { readonly start: number; readonly length: number; readonly total: number }
  /** the revision of the center that the answer shows; undefined where it holds no row that could say so */
  readonly revision: number | undefined
  /** for the audit trail: how many records, and which */
  readonly records: { readonly count: number; readonly ids: readonly string[] }
}

export interface Need {
  readonly scope: Scope
  /** what needs it, as a client would name it */
  readonly what: string
}

export interface Operation {
  /** camelCase and unique; the OpenAPI operationId */
  readonly name: string
  readonly summary: string
  readonly description: string
  /** the documented path first, without the `/v1` prefix; placeholders as `{uuid}` */
  readonly paths: readonly [string, ...string[]]
  /** the scope without which nothing is answered; a route that declares none does not start */
  readonly scope: Scope
  readonly parameters: ParameterTable
  /** the parameters that must be sent */
  readonly required?: readonly string[]
  readonly pathParameters?: Readonly<
    Record<string, { description: string; schema: Readonly<Record<string, unknown>> }>
  >
  /** JSON Schema of the 200 body */
  readonly response: Readonly<Record<string, unknown>>
  /** scopes needed beyond `scope`, found without judging the parameters (ruling 7: 403 goes before 400) */
  needs?(query: RawQuery): readonly Need[]
  /** Parses, and gives the function that answers. @throws {ApiError} 400, or the 404 of `GET /orders`. */
  parse(context: RequestContext): PreparedAnswer
}

export interface PreparedAnswer {
  /** the request in normal form: the same text for every way of asking the same thing */
  readonly normalForm: string
  answer(database: Database): Promise<Answer>
}
