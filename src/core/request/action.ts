/**
 * An action, as a value (ruling 48): its name, who may perform it, what its body takes, and what it does. The route, the
 * OpenAPI document, the types of the client, the list in docs/actions.md, and the tests of scopes, isolation and CORS
 * are derived from these values: the next action is one file, listed once in its `part.ts`.
 */
import type { Sql } from 'sql-template-tag'
import type { Scope } from '../access/keys/scopes.ts'
import type { RandomBytes } from '../access/keys/token.ts'
import type { Problem } from '../errors/api-error.ts'
import type { Center } from '../records/centers/center.ts'
import { type BodyTable, type BodyValues, readBody } from './action-body.ts'
import type { Operation } from './operation.ts'

/** What actions use of the service, besides the database. */
export interface ActionSettings {
  readonly random: RandomBytes
  /** days for which a key may be valid; undefined for any time */
  readonly keyDaysMax: number | undefined
  /** where clients reach the service, without a slash at its end; '' if that is not set */
  readonly publicUrl: string
  /** what may be asked for, such as by a link */
  readonly operations: readonly Operation[]
  /** the value of `WEBHOOKS_KEY` */
  readonly webhooksKey: string | undefined
  /** addresses and ranges besides the public ones to which webhooks are sent */
  readonly webhooksAllowedAddresses: readonly string[]
  /** the printers of each center, by name */
  readonly printers: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** Removes what was erased from the files of the database, and adds it to the log of erasures. */
  readonly completeErasure: () => Promise<unknown>
}

/** What an action receives of a request besides its body. */
export interface ActionContext {
  readonly center: Center
  /** the center's local day, `YYYY-MM-DD` */
  readonly today: string
  /** epoch ms */
  readonly now: number
  readonly settings: ActionSettings
  /** the key that acts */
  readonly actor: {
    readonly appId: string
    readonly publicKey: string
    /** epoch ms; null if it does not expire */
    readonly expiresAt: number | null
  }
  /** what the key may read */
  readonly reader: {
    readonly scopes: readonly Scope[]
    /** custom fields that it may read without guests.personal */
    readonly customFields: readonly string[]
  }
  /** Runs a statement in the action's transaction, which ends right after the action. */
  query<Row extends object>(statement: Sql): Promise<Row[]>
}

export interface ActionOutcome {
  /**
   * The body of the 200. It is stored for repetitions, without the fields of `once`, so the others contain nothing personal
   * and no secret.
   */
  readonly answer: Readonly<Record<string, unknown>>
  /** What was done, for the audit trail. Never a secret. */
  readonly facts: Readonly<Record<string, string>>
  /** the bookings that were shown, for the audit trail */
  readonly shown?: readonly string[]
  /**
   * What follows the commit, and not before: it takes long, or cannot be taken back.
   * @returns more fields of the first answer, which are listed in `once`
   */
  readonly afterwards?: () => Promise<Readonly<Record<string, unknown>>>
}

interface Described<Table extends BodyTable> {
  /** `POST /v1/actions/<name>`; words with hyphens, unique */
  readonly name: string
  readonly summary: string
  readonly description: string
  /** the scope that every request needs */
  readonly scope: Scope
  readonly body: Table
  /** Fields of the answer that are stored nowhere, such as a secret: they are null in the answer to a repetition. */
  readonly once?: readonly string[]
  /** `reserve`: it revokes access, so it may use the space that is reserved for a full disk. */
  readonly space?: 'reserve'
  /** JSON Schema of the body of a 200 */
  readonly response: Readonly<Record<string, unknown>>
  /** a body, and the answer to it */
  readonly example: {
    readonly body: Readonly<Record<string, unknown>>
    readonly answer: Readonly<Record<string, unknown>>
  }
}

export interface Action extends Described<BodyTable> {
  /** Reads the body. Pure, and never throws. @param text as received */
  read(text: string): ReadAction
}

/** What a valid body asks for, or the problems of an invalid one. */
export type ReadAction =
  | { readonly problems: readonly Problem[] }
  | { perform(context: ActionContext): Promise<ActionOutcome> }

interface DefinedAction<Table extends BodyTable> extends Described<Table> {
  /**
   * Changes no customer, booking, session, order or term: these arrive only through an import or the intake port. Only
   * `erase-person` removes some.
   * @throws {ApiError} 404 if something that the body names does not exist; 400 if a value does not fit. Nothing is
   * changed then.
   */
  perform(context: ActionContext & { readonly body: BodyValues<Table> }): Promise<ActionOutcome>
}

/** Defines an action, whose `perform` gets the values that its table of the body describes. */
export function defineAction<const Table extends BodyTable>({
  perform,
  ...action
}: DefinedAction<Table>): Action {
  return {
    ...action,
    read(text) {
      const { values: body, problems } = readBody(action.body, text)
      return body === undefined ? { problems } : { perform: (context) => perform({ ...context, body }) }
    },
  }
}

/** The path without the `/v1` prefix. */
export const actionPath = ({ name }: Pick<Action, 'name'>): string => `/actions/${name}`

/** `confirmSheet` for `confirm-sheet`: the OpenAPI operationId, and the operation of the entry in the audit trail. */
export const actionId = ({ name }: Pick<Action, 'name'>): string =>
  name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
