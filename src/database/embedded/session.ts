/**
 * The one session that an engine has. Statements are prepared once and then go by their names: the engine parses
 * and plans a text anew each time otherwise, which for our queries costs more than running them.
 */
import type { Sql } from 'sql-template-tag'
import { DatabaseUnavailable, sqlState } from '../database.ts'
import { outageOf } from '../postgres-errors.ts'
import type { EngineThread } from './engine-thread.ts'
import { type Column, Messages, type ParameterText, type Reply, readReply } from './wire.ts'

interface Prepared {
  readonly name: string
  /** known with the first answer */
  columns: readonly Column[] | undefined
}

/** Texts depend on shapes, not values, so they are few; beyond this the oldest are given back. */
const STATEMENTS_MAX = 500

/** Its columns are those of its cursor, and the same text may fetch from another cursor of that name. */
const FETCH = /^\s*fetch\b/i

export class Session {
  readonly #thread: EngineThread
  readonly #prepared = new Map<string, Prepared>()
  /** Names that nothing here uses any more, and the engine may still know. */
  readonly #forgotten: string[] = []
  #count = 0

  constructor(thread: EngineThread) {
    this.#thread = thread
  }

  /** Runs one statement. @throws {DatabaseUnavailable} @throws {EngineError} */
  async run(sql: Sql, msMax: number): Promise<Reply> {
    const { text, values } = sql
    if (FETCH.test(text)) return this.runOnce(sql, msMax)
    const messages = new Messages()
    let statement = this.#prepared.get(text)
    if (statement === undefined) {
      this.#forgetOldest()
      for (const name of this.#forgotten.splice(0)) messages.close(name)
      statement = { name: `s${this.#count++}`, columns: undefined }
      this.#prepared.set(text, statement)
      messages.parse(statement.name, text)
    }
    // Also for those who come before its first answer.
    if (statement.columns === undefined) messages.describe(statement.name)
    const bytes = messages.execute(statement.name, values.map(toText)).sync().take()
    const reply = readReply(await this.#thread.exchange(bytes, msMax), statement.columns)
    statement.columns ??= reply.columns
    if (reply.error === undefined) return reply
    // It was never prepared, or a migration has changed its columns.
    if (statement.columns === undefined || /^(0A000|26000)$/.test(sqlState(reply.error) ?? '')) {
      if (this.#prepared.get(text) === statement) this.#forget(text, statement)
    }
    throw unavailable(reply.error)
  }

  /** Runs a statement that will not come again. */
  async runOnce(sql: Pick<Sql, 'text' | 'values'>, msMax: number): Promise<Reply> {
    const messages = new Messages()
      .parse('', sql.text)
      .describe('')
      .execute('', sql.values.map(toText))
      .sync()
    const reply = readReply(await this.#thread.exchange(messages.take(), msMax))
    if (reply.error !== undefined) throw unavailable(reply.error)
    return reply
  }

  /** Runs statements without parameters, separated by semicolons; the reply is the last one's. */
  async script(text: string, msMax: number): Promise<Reply> {
    const reply = readReply(await this.#thread.exchange(new Messages().query(text).take(), msMax))
    if (reply.error !== undefined) throw unavailable(reply.error)
    return reply
  }

  #forgetOldest(): void {
    const [oldest] = this.#prepared
    if (oldest !== undefined && this.#prepared.size >= STATEMENTS_MAX) this.#forget(...oldest)
  }

  #forget(text: string, { name }: Prepared): void {
    this.#prepared.delete(text)
    this.#forgotten.push(name)
  }
}

/** What asking again later may mend, a full disk among it, is told apart from what is wrong. */
function unavailable(error: Error): Error {
  return outageOf(error) === 'later' ? new DatabaseUnavailable(error.message, { cause: error }) : error
}

/** A parameter in PostgreSQL's text form; its type is the one the statement gives it, as with `pg`. */
function toText(value: unknown): ParameterText {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return `{${value.map(arrayEntry).join(',')}}`
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value)
}

function arrayEntry(value: unknown): string {
  const text = toText(value)
  return text === null ? 'NULL' : `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
