/**
 * Reads within a transaction that see what was committed before it. The engine has one session, so otherwise nobody could read
 * the rows of a center while a long import writes them.
 *
 * A cursor returns rows as they were when it was opened, and so does all that a stable function reads which it calls. So a
 * cursor is opened before the first change, and each fetch from it runs one more statement, which it finds in settings of
 * the transaction.
 */
import sql, { type Sql } from 'sql-template-tag'
import { EngineError } from './engine-error.ts'
import { parameter, type Session, unavailable } from './session.ts'
import { type Column, type Reply, readRecord, valuesOf } from './wire.ts'

/** Runs statements that only read. */
export type Reader = Pick<Session, 'run'>

/** A function of the session, so it is no part of the schema. It reports an error as a row, because the cursor would not survive one. */
const CREATE = `create or replace function pg_temp.read_earlier(
  number integer, out rows json, out code text, out message text
) stable language plpgsql as $$
begin
  execute current_setting('sojourn.statement') using current_setting('sojourn.parameters')::text[] into rows;
exception when others then
  code := sqlstate;
  message := sqlerrm;
end $$`

/** Its argument makes every fetch a call of its own. A series in a select list is made one number at a time. */
const OPEN = `declare earlier_reads no scroll cursor for
  select read.* from (select generate_series(1, 2147483647) as number) each, pg_temp.read_earlier(each.number) read`

const FETCH = 'fetch 1 from earlier_reads'

const prepared = new WeakSet<Session>()

/** Prepares a session for `EarlierReads`. Called outside of transactions, whose end might undo it. @throws {DatabaseUnavailable} */
export async function prepareEarlierReads(session: Session, msMax: number): Promise<void> {
  if (prepared.has(session)) return
  await session.script(CREATE, msMax)
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
    await session.script(OPEN, msMax)
    return new EarlierReads(session)
  }

  /**
   * Runs one statement. What would write fails. If this fails, the transaction is intact if it is rolled back to a savepoint.
   * @throws {DatabaseUnavailable} @throws {EngineError}
   */
  async run(statement: Sql, msMax: number): Promise<Reply> {
    const { columns, types } = await this.#describe(statement.text, msMax)
    const text = statement.strings.reduce((all, next, at) => `${all}($1)[${at}]::${types[at - 1]}${next}`)
    const parameters = parameter(statement.values.map(parameter))
    await this.#session.run(
      sql`select set_config('sojourn.statement', ${`select json_agg(read::text) from (${text}\n) read`}, true),
        set_config('sojourn.parameters', ${parameters}, true), set_config('transaction_read_only', 'on', true)`,
      msMax,
    )
    const [[rows, code, message] = []] = (await this.#session.script(FETCH, msMax)).rows
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
