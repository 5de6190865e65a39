/**
 * The engine's only session. Repeated statements are prepared under a name: otherwise the engine parses and plans the
 * text each time, which costs more than running our queries.
 */
import type { Sql } from 'sql-template-tag'
import { DatabaseUnavailable, sqlState } from '../database.ts'
import { outageOf } from '../postgres-errors.ts'
import { PreparedNames, StatementNames } from '../repeated-statements.ts'
import { selectParameterTypes } from './earlier-reads-sql.ts'
import type { EngineThread } from './engine-thread.ts'
import { type Column, Messages, type ParameterText, type Reply, readReply } from './wire.ts'

interface Prepared {
  /** known after the first answer */
  columns: readonly Column[] | undefined
}

/** The service's own statements, and as many shapes of reads as a PostgreSQL backend holds. */
export const SESSION_PREPARED_MAX = 100

/** A fetch has the columns of its cursor, and the same text may later fetch from another cursor of the same name. */
const FETCH = /^\s*fetch\b/i

/** The name of a statement that is only described. */
const DESCRIBED = 'described'

/** Runs statements in the engine's thread. */
export class Session {
  readonly #thread: EngineThread
  readonly #names = new StatementNames()
  readonly #held = new PreparedNames(SESSION_PREPARED_MAX)
  readonly #prepared = new Map<string, Prepared>()
  /** Names no longer in use here that the engine may still hold. */
  readonly #forgotten: string[] = []

  constructor(thread: EngineThread) {
    this.#thread = thread
  }

  /** Runs one statement. @throws {DatabaseUnavailable} @throws {EngineError} */
  async run(sql: Sql, msMax: number): Promise<Reply> {
    const { text, values } = sql
    const name = FETCH.test(text) ? undefined : this.#names.nameOf(text)
    if (name === undefined) return this.runOnce(sql, msMax)
    const messages = new Messages()
    const old = this.#held.use(name)
    if (old !== undefined) this.#forget(old)
    let statement = this.#prepared.get(name)
    if (statement === undefined) {
      for (const forgotten of this.#forgotten.splice(0)) messages.close(forgotten)
      statement = { columns: undefined }
      this.#prepared.set(name, statement)
      messages.parse(name, text)
    }
    // Described also for calls made before the first answer has come.
    if (statement.columns === undefined) messages.describe(name)
    const bytes = messages.execute(name, values.map(parameter)).sync().take()
    const reply = readReply(await this.#thread.exchange(bytes, msMax), statement.columns)
    statement.columns ??= reply.columns
    if (reply.error === undefined) return reply
    // Preparing failed, or a migration has changed the statement's columns.
    if (statement.columns === undefined || /^(0A000|26000)$/.test(sqlState(reply.error) ?? '')) {
      if (this.#prepared.get(name) === statement) this.#forget(name)
    }
    throw unavailable(reply.error)
  }

  /** Runs a statement that will not repeat. */
  async runOnce(sql: Pick<Sql, 'text' | 'values'>, msMax: number): Promise<Reply> {
    const messages = new Messages()
      .parse('', sql.text)
      .describe('')
      .execute('', sql.values.map(parameter))
      .sync()
    const reply = readReply(await this.#thread.exchange(messages.take(), msMax))
    if (reply.error !== undefined) throw unavailable(reply.error)
    return reply
  }

  /**
   * The columns of a statement, and the names of its parameters' types. It is not run.
   * @throws {DatabaseUnavailable} @throws {EngineError}
   */
  async describe(
    text: string,
    msMax: number,
  ): Promise<{ columns: readonly Column[]; types: readonly string[] }> {
    const messages = new Messages().parse(DESCRIBED, text).describe(DESCRIBED).sync()
    const reply = readReply(await this.#thread.exchange(messages.take(), msMax))
    if (reply.error !== undefined) throw unavailable(reply.error)
    const { rows } = await this.run(selectParameterTypes(DESCRIBED), msMax)
    await this.#thread.exchange(new Messages().close(DESCRIBED).sync().take(), msMax)
    return { columns: reply.columns ?? [], types: rows.map(([type]) => String(type)) }
  }

  /** Runs statements without parameters, separated by semicolons. Returns the reply of the last one. */
  async script(text: string, msMax: number): Promise<Reply> {
    const reply = readReply(await this.#thread.exchange(new Messages().query(text).take(), msMax))
    if (reply.error !== undefined) throw unavailable(reply.error)
    return reply
  }

  #forget(name: string): void {
    this.#prepared.delete(name)
    this.#forgotten.push(name)
  }
}

/**
 * Converts errors that a retry may solve, such as a full disk, to DatabaseUnavailable. Others are returned unchanged.
 */
export function unavailable(error: Error): Error {
  return outageOf(error) === 'later' ? new DatabaseUnavailable(error.message, { cause: error }) : error
}

/** A parameter in PostgreSQL's text format. The statement decides its type, as with `pg`. */
export function parameter(value: unknown): ParameterText {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return `{${value.map(arrayEntry).join(',')}}`
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value)
}

function arrayEntry(value: unknown): string {
  const text = parameter(value)
  return text === null ? 'NULL' : `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

const BEGINS_AS_READ = /^\s*(?:select|with)\b/i
const WRITES = /\b(?:insert|update|delete|merge)\b/i

const known = new Map<string, boolean>()
const KNOWN_MAX = 1000

/**
 * Whether a statement only reads. If its text does not tell, it counts as a write: it is refused on a full disk, and
 * invalidates what was read before it. The functions that our reads call write nothing.
 */
export function onlyReads(text: string): boolean {
  let reads = known.get(text)
  if (reads === undefined) {
    reads = BEGINS_AS_READ.test(text) && !WRITES.test(text)
    if (known.size >= KNOWN_MAX) known.clear()
    known.set(text, reads)
  }
  return reads
}
