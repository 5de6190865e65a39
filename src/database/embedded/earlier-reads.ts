/**
 * Reads within a transaction that see what was committed before it. The engine has one session. Without them, the rows of a
 * center could not be read while a long import writes them.
 *
 * A cursor returns rows as they were when it was opened. A stable function that the cursor calls reads rows of that moment, too.
 * So a cursor is opened before the first change. Each fetch from it runs one more statement, which the function finds in
 * settings of the transaction.
 */
import type { Sql } from 'sql-template-tag'
import { createFunction, fetchOne, openCursor, setStatement } from './earlier-reads-sql.ts'
import { EngineError } from './engine-error.ts'
import { parameter, type Session, unavailable } from './session.ts'
import { type Column, type Reply, readRecord, valuesOf } from './wire.ts'

/** Runs statements that only read. */
export type Reader = Pick<Session, 'run'>

const prepared = new WeakSet<Session>()

/** Prepares a session for `EarlierReads`. Called outside of transactions, whose end might undo it. @throws {DatabaseUnavailable} */
export async function prepareEarlierReads(session: Session, msMax: number): Promise<void> {
  if (prepared.has(session)) return
  await session.script(createFunction, msMax)
  prepared.add(session)
}

interface Described {
  readonly columns: readonly Column[]
  /** names of the types of its parameters */
  readonly types: readonly string[]
}

/** The reads of one transaction. */
export class EarlierReads implements Reader {
  readonly #session: Session
  readonly #described = new Map<string, Described>()

  private constructor(session: Session) {
    this.#session = session
  }

  /** @param session prepared, and in a transaction that has changed nothing yet */
  static async open(session: Session, msMax: number): Promise<EarlierReads> {
    await session.script(openCursor, msMax)
    return new EarlierReads(session)
  }

  /**
   * Runs one statement. What would write fails. If this fails, the transaction is intact if it is rolled back to a savepoint.
   * @throws {DatabaseUnavailable} @throws {EngineError}
   */
  async run(statement: Sql, msMax: number): Promise<Reply> {
    const { columns, types } = await this.#describe(statement.text, msMax)
    await this.#session.run(setStatement(statement, types, parameter(statement.values.map(parameter))), msMax)
    const [[rows, code, message] = []] = (await this.#session.script(fetchOne, msMax)).rows
    if (typeof code === 'string') throw unavailable(new EngineError(String(message), code))
    const records = rows === null ? [] : (rows as string[])
    return {
      columns,
      rows: records.map((record) => valuesOf(readRecord(record), columns)),
      parsed: false,
      tag: `SELECT ${records.length}`,
      error: undefined,
    }
  }

  async #describe(text: string, msMax: number): Promise<Described> {
    const known = this.#described.get(text)
    if (known !== undefined) return known
    const described = await this.#session.describe(text, msMax)
    this.#described.set(text, described)
    return described
  }
}
