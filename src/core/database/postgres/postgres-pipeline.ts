/**
 * Batches reads of one statement that are requested in the same moment: they go to the server in one message on one
 * connection. This saves writes, wake-ups and transactions, half of what a read costs this process.
 */
import pg from 'pg'
import { AnswerBatch } from '../answer-batch.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { type Column, type Described, knownColumns, rememberColumns } from './postgres-columns.ts'
import { closeStatement, makeRoom } from './postgres-statements.ts'

/** Maximum batch size. Each read waits for those before it. */
export const TOGETHER_MAX = 8

export interface RowsRead {
  readonly columns: readonly Column[]
  /** values in the order of the columns */
  readonly rows: unknown[][]
}

/** One statement with several lists of values. */
export interface Several {
  readonly query: pg.QueryConfig
  readonly lists: readonly (readonly unknown[])[]
  readonly preamble?: Preamble | undefined
}

/** A statement that runs first, in the same transaction and so on the same server. */
export interface Preamble {
  /** It returns one value. */
  readonly text: string
  received(value: string | null): void
}

/** The read was not run because one before it failed. It can be retried. */
export class NotRun extends Error {
  override readonly name = 'NotRun'
}

/** @returns a promise of the rows for each list of values; they settle in this order */
export function askPipelined(client: pg.PoolClient, several: Several): readonly Promise<RowsRead>[] {
  const old = makeRoom(client, several.query.name)
  const answers = several.lists.map(() => Promise.withResolvers<RowsRead>())
  client.query(new SeveralReads(several, answers, old))
  return answers.map(({ promise }) => promise)
}

/** The parts of `pg`'s connection that are used here, with their real types. */
interface Wire extends Pick<pg.Connection, 'stream' | 'flush' | 'sync'> {
  readonly parsedStatements: Readonly<Record<string, string>>
  readonly submittedNamedStatements: Record<string, string>
  parse(message: { name: string; text: string }): void
  bind(message: {
    statement: string
    values: readonly unknown[]
    valueMapper: (value: unknown) => unknown
  }): void
  describe(message: { type: 'P'; name: '' }): void
  execute(): void
}

const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils

class SeveralReads implements pg.Submittable {
  readonly name: string
  readonly text: string
  /** without a callback `pg` creates a promise that nobody awaits */
  readonly callback = () => {}
  readonly #lists: Several['lists']
  readonly #answers: readonly PromiseWithResolvers<RowsRead>[]
  /** the statement to close */
  readonly #old: string | undefined
  readonly #preamble: Preamble | undefined
  /** -1: of the preamble */
  #at: number
  #rows: unknown[][] = []
  #columns: readonly Column[] = []
  #unreadable: unknown
  #connection: Wire | undefined

  constructor(
    { query: { name = '', text }, lists, preamble }: Several,
    answers: readonly PromiseWithResolvers<RowsRead>[],
    old: string | undefined,
  ) {
    this.name = name
    this.text = text
    this.#lists = lists
    this.#answers = answers
    this.#old = old
    this.#preamble = preamble
    this.#at = preamble === undefined ? 0 : -1
  }

  submit(given: pg.Connection): void {
    const { name, text } = this
    const connection = given as unknown as Wire
    this.#connection = connection
    const isPrepared = connection.parsedStatements[name] !== undefined
    const columns = isPrepared ? knownColumns(connection, name) : undefined
    if (columns !== undefined) this.#columns = columns
    connection.stream.cork()
    try {
      if (this.#old !== undefined) closeStatement(given, this.#old)
      if (this.#preamble !== undefined) {
        connection.parse({ name: '', text: this.#preamble.text })
        connection.bind({ statement: '', values: [], valueMapper: prepareValue })
        connection.execute()
      }
      if (!isPrepared) {
        connection.parse({ name, text })
        if (name !== '') connection.submittedNamedStatements[name] = text
      }
      this.#lists.forEach((values, at) => {
        connection.bind({ statement: name, values, valueMapper: prepareValue })
        if (at === 0 && columns === undefined) connection.describe({ type: 'P', name: '' })
        connection.execute()
        // Without a flush, the server sends nothing until all are done, and would seem not to respond.
        if (at < this.#lists.length - 1) connection.flush()
      })
      connection.sync()
    } finally {
      connection.stream.uncork()
    }
  }

  handleRowDescription({ fields }: { readonly fields: readonly Described[] }): void {
    this.#columns = rememberColumns(this.#connection, this.name, fields)
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (this.#at === -1) {
      this.#preamble?.received(fields[0] ?? null)
      return
    }
    try {
      this.#rows.push(fields.map((text, at) => (text === null ? null : this.#columns[at]?.read(text))))
    } catch (error) {
      this.#unreadable = error
    }
  }

  handleCommandComplete(): void {
    if (this.#at === -1) {
      this.#at = 0
      return
    }
    const answer = this.#answers[this.#at]
    if (this.#unreadable === undefined) answer?.resolve({ columns: this.#columns, rows: this.#rows })
    else answer?.reject(this.#unreadable)
    this.#at += 1
    this.#rows = []
    this.#unreadable = undefined
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete()
  }

  /** The server skips the statements after one that failed. */
  handleError(error: Error): void {
    const at = Math.max(this.#at, 0)
    this.#answers[at]?.reject(error)
    for (const answer of this.#answers.slice(at + 1)) answer.reject(new NotRun('one in front of it failed'))
    this.#at = this.#answers.length
  }

  handleReadyForQuery(): void {}
}

/** The rows as objects with the columns' names. */
export const asObjects = ({ columns, rows }: RowsRead): Record<string, unknown>[] =>
  rows.map((row) => {
    const named: Record<string, unknown> = {}
    for (let at = 0; at < columns.length; at += 1) named[columns[at]?.name ?? ''] = row[at]
    return named
  })

interface Asked extends PromiseWithResolvers<RowsRead> {
  readonly query: pg.QueryConfig
}

/**
 * @returns a function that reads on a connection of `pool`, batched with the reads that are requested before the next
 * tick
 */
export function createTogether(
  { lease }: Pick<ConnectionPool, 'lease'>,
  pool: pg.Pool,
  preamble?: Preamble,
): (query: pg.QueryConfig) => Promise<RowsRead> {
  const gathering = new Map<string, Asked[]>()

  const send = async (all: readonly Asked[]) => {
    // At its first occurrence, a text has no name yet.
    const query = all.at(-1)?.query
    if (query === undefined) return
    try {
      const leased = await lease(pool)
      try {
        const answers = leased.askPipelined({
          query,
          lists: all.map((asked) => asked.query.values ?? []),
          preamble,
        })
        const held = new AnswerBatch(all.length)
        await Promise.all(answers.map((answer, at) => settle(all[at], answer, held)))
      } finally {
        leased.giveBack()
      }
    } catch (error) {
      for (const { reject } of all) reject(error)
    }
  }

  const settle = async (asked: Asked | undefined, answer: Promise<RowsRead>, held: AnswerBatch) => {
    try {
      const read = await answer
      held.hold(() => asked?.resolve(read))
    } catch (error) {
      held.hold(() => {
        if (error instanceof NotRun && asked !== undefined) void send([asked])
        else asked?.reject(error)
      })
    }
  }

  return (query) => {
    const asked = { query, ...Promise.withResolvers<RowsRead>() }
    const others = gathering.get(query.text)
    if (others !== undefined && others.length < TOGETHER_MAX) others.push(asked)
    else {
      const all = [asked]
      gathering.set(query.text, all)
      process.nextTick(() => {
        if (gathering.get(query.text) === all) gathering.delete(query.text)
        void send(all)
      })
    }
    return asked.promise
  }
}
