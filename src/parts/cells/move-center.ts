/**
 * Moves a center to another database. Everything is copied while the center is in use, then what has changed since, again and
 * again. Then the center is closed for a moment: the rest is copied, both sides are compared, and one commit in the old
 * database decides that it is in the new one. Until that commit the center is whole in the old one, and from it on in the new
 * one, so the command can be ended at any moment and repeated.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { moveEntriesAfterMove } from '../../core/audit/write/entries-after-move.ts'
import type { Database, Queryable } from '../../core/database/database.ts'
import { CellsError } from './cells-file.ts'
import type {
  ChangedRow,
  DigestRow,
  MoveRow,
  RowText,
  ServerRow,
  Table,
  TableRow,
  TrailEndRow,
} from './move-sql.ts'
import * as statements from './move-sql.ts'

/** The center is open again after this long, if the command that has closed it has ended. */
const CLOSED_SECONDS = 10
/** The reads that instances have answered are in the trail by then (`FLUSH_MS` in audit.ts), on a server that is not busy. */
const FLUSH_MS = 400
/** The center is closed when so few rows have changed during a pass. */
const ROWS_LEFT_MAX = 500
const PASSES_MAX = 6
/** Transactions of the center while it is copied; each gets a number in the new database. */
const NUMBERS_RESERVED = 20_000
/** PostgreSQL begins with it. */
const FIRST_NUMBER = 3

export interface MoveOptions {
  readonly source: Database
  readonly target: Database
  readonly center: string
  /** Called for each step that a person may wait for. Never with data of the center. */
  readonly tell: (sentence: string) => void
  /** Called before each step; a test ends the command there. */
  readonly before?: ((step: Step) => Promise<void> | void) | undefined
}

export const STEPS = ['copy', 'close', 'lock', 'write', 'decide', 'open'] as const
export type Step = (typeof STEPS)[number]

export interface Moved {
  /** rows that were copied, all passes together; 0 if an earlier run had copied them */
  readonly rows: number
  /** ms in which requests were refused; undefined if an earlier run had closed it */
  readonly closedMs: number | undefined
}

/** @throws {CellsError} if it cannot be moved; it is then where it was */
export async function moveCenter(options: MoveOptions): Promise<Moved> {
  const { source, target, center, tell, before } = options
  const tables = await readTables(source, target)
  const [here, there] = [
    await one<MoveRow>(source, statements.selectMove(center)),
    await one<MoveRow>(target, statements.selectMove(center)),
  ]
  if (here?.state === 'moved') {
    const opened = there?.move_id === here.move_id && there.state === 'arriving'
    if (opened) await open(target, center, here.move_id)
    else if (there !== undefined || !(await isIn(target, center))) {
      throw new CellsError(`The center ${center} has moved, but not to this database.`)
    }
    return { rows: 0, closedMs: undefined }
  }
  if (!(await isIn(source, center))) throw new CellsError(`There is no center ${center}.`)
  if (there === undefined && (await isIn(target, center))) {
    throw new CellsError(`The other database has a center ${center} already.`)
  }
  if (there !== undefined && there.state !== 'arriving') {
    throw new CellsError(
      `The center ${center} has been in the other database before. Run there first: centers move ${center} with --remove.`,
    )
  }
  const moveId = randomUUID()
  await before?.('copy')
  // What an earlier run has left is older than what it would be compared with.
  if (there !== undefined) await remove(target, center, tables, there)
  await target.query(statements.insertArriving(center, moveId))
  const copy = createCopy(options, tables, await createNumbers(source, target, center))
  await copyWhileOpen(copy, tell)
  return closeAndMove(options, moveId, copy)
}

async function copyWhileOpen(copy: Copy, tell: MoveOptions['tell']): Promise<void> {
  tell(`Copied ${await copy.pass(false)} rows.`)
  for (let pass = 2; pass <= PASSES_MAX; pass += 1) {
    const rows = await copy.pass(true)
    tell(`Copied ${rows} rows that have changed meanwhile. Both sides are equal.`)
    if (rows <= ROWS_LEFT_MAX) break
  }
}

async function closeAndMove(
  { source, target, center, before }: MoveOptions,
  moveId: string,
  copy: Copy,
): Promise<Moved> {
  await before?.('close')
  const closedAt = performance.now()
  try {
    const [closed] = await source.query(statements.upsertClosing(center, moveId, CLOSED_SECONDS))
    if (closed === undefined) throw new CellsError(`The center ${center} is being moved by another command.`)
    // Meanwhile, the instances write their reads to the trail.
    const flushed = wait(FLUSH_MS)
    await copy.pass(false)
    await flushed
    await source.transaction(async (tx) => {
      await before?.('lock')
      await tx.query(statements.limitWaiting)
      for (const lock of statements.lockCenter(center)) await tx.query(lock)
      await before?.('write')
      const seq = await copy.finish(tx)
      await before?.('decide')
      if (performance.now() - closedAt > CLOSED_SECONDS * 1000) {
        throw new CellsError(
          `It took longer than ${CLOSED_SECONDS} s, so the center ${center} is open again. Run the command again.`,
        )
      }
      const [moved] = await tx.query(statements.updateMoved(center, moveId, seq))
      if (moved === undefined) throw new CellsError(`The center ${center} is being moved by another command.`)
    })
  } catch (error) {
    await source.query(statements.deleteMove(center, moveId, 'closing')).catch(() => {})
    throw error
  }
  await before?.('open')
  await open(target, center, moveId)
  return { rows: copy.rows, closedMs: Math.round(performance.now() - closedAt) }
}

async function open(target: Database, center: string, moveId: string): Promise<void> {
  await target.query(statements.deleteMove(center, moveId, 'arriving'))
}

/**
 * Removes a center that has moved from the old database. Reads that an instance has noted late are added to the trail in the
 * new one before, each once, however often this is repeated.
 * @returns the number of these entries
 */
export async function removeMoved({ source, target, center }: Omit<MoveOptions, 'tell'>): Promise<number> {
  const tables = await readTables(source, target)
  const here = await one<MoveRow>(source, statements.selectMove(center))
  if (here?.state !== 'moved') throw new CellsError(`The center ${center} has not moved from this database.`)
  const there = await one<MoveRow>(target, statements.selectMove(center))
  const [old, now] = [await historyOf(source, center), await historyOf(target, center)]
  if (there !== undefined || now === undefined || (old !== undefined && old !== now)) {
    throw new CellsError(
      `The center ${center} is not open in the other database. Run the command without --remove first.`,
    )
  }
  const late = await moveEntriesAfterMove(source, target, center, here.trail_seq ?? 0)
  await remove(source, center, tables, here)
  return late
}

/** Deletes what a database has of a center, and at last the row that closes it. */
async function remove(
  database: Database,
  center: string,
  tables: readonly Table[],
  move: MoveRow,
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query(statements.leaveOutTriggers)
    for (const table of tables) await tx.query(statements.deleteAllRows(table, center))
    await tx.query(statements.deleteMove(center, move.move_id, move.state))
  })
}

const SETTING = 'session_replication_role'

/** @throws {CellsError} unless both databases have the same schema, and may be used for this */
async function readTables(source: Database, target: Database): Promise<Table[]> {
  const [from, to] = [
    await one<ServerRow>(source, statements.selectServer(SETTING)),
    await one<ServerRow>(target, statements.selectServer(SETTING)),
  ]
  if (from === undefined || to === undefined) throw new Error('a server says nothing about itself')
  if (from.identity === to.identity) throw new CellsError('Both URLs lead to the same database.')
  if (JSON.stringify(from.migrations) !== JSON.stringify(to.migrations)) {
    throw new CellsError(
      'The databases have different schemas. Run "sojourn migrate" of one version in both.',
    )
  }
  for (const [server, which] of [
    [from, 'DATABASE_URL'],
    [to, '--to'],
  ] as const) {
    if (!server.may_replicate) {
      throw new CellsError(
        `The role of ${which} may not leave out triggers, so rows could not be moved as they are. As a superuser: grant set on parameter ${SETTING} to the role (PostgreSQL 15 or newer).`,
      )
    }
  }
  const [tables, others] = [
    await source.query<TableRow>(statements.selectTables),
    await target.query<TableRow>(statements.selectTables),
  ]
  const columnsOf = (rows: readonly TableRow[]) =>
    JSON.stringify(rows.map(({ name, columns }) => [name, [...columns].sort()]))
  if (columnsOf(tables) !== columnsOf(others)) throw new CellsError('The databases have different tables.')
  // Rows are read by the target, in the order of its columns.
  return others.map((table) => ({
    ...table,
    key: table.key.length > 0 ? table.key : keyOf(table),
    number: table.columns.find((_, at) => table.types[at] === 'xid8'),
  }))
}

function keyOf({ name }: TableRow): string[] {
  // Its partitions have this key.
  if (name === 'audit_entries') return ['center_id', 'seq']
  throw new CellsError(`The table ${name} has no primary key.`)
}

async function one<R extends object>(
  database: Queryable,
  statement: Parameters<Queryable['query']>[0],
): Promise<R | undefined> {
  const [row] = await database.query<R>(statement)
  return row
}

const historyOf = async (database: Queryable, center: string): Promise<string | undefined> =>
  (await one<{ history_id: string }>(database, statements.selectHistory(center)))?.history_id

const isIn = async (database: Queryable, center: string) => (await historyOf(database, center)) !== undefined

/**
 * Gives the transactions of the old database numbers of the new one. Its server must have given them: one that is ahead of it
 * would be given once more, and the commit would be taken for one that is noted already.
 */
async function createNumbers(source: Database, target: Database, center: string) {
  const olds = await source.query<{ number: string }>(statements.selectNumbers(center))
  const wanted = olds.length + NUMBERS_RESERVED
  const next = async () => Number((await one<{ next: string }>(target, statements.selectNextNumber))?.next)
  const lacking = wanted + FIRST_NUMBER - (await next())
  if (lacking > 0) await target.query(statements.useNumbers(lacking))
  const end = await next()
  let free = end - wanted
  const given = new Map<string, string>()
  const of = (old: string): string => {
    if (old === '') return ''
    const known = given.get(old)
    if (known !== undefined) return known
    if (free >= end) throw new CellsError('Too many commits were made meanwhile. Run the command again.')
    const number = String(free)
    free += 1
    given.set(old, number)
    return number
  }
  for (const { number } of olds) of(number)
  return of
}

interface Copy {
  readonly rows: number
  /**
   * Copies what has changed since the last pass. @returns the number of rows
   * @param compares both sides, row by row, as of the same moment @throws {CellsError} if a table differs
   */
  pass(compares: boolean): Promise<number>
  /** Copies the rest, while nothing changes, and compares. @returns the number of the last entry of the trail */
  finish(locked: Queryable): Promise<number>
}

function createCopy(
  { source, target, center }: MoveOptions,
  tables: readonly Table[],
  numberOf: (old: string) => string,
): Copy {
  let copied = 0
  /** The oldest transaction that the last pass may not have seen. */
  let horizon: string | undefined

  const write = async (to: Queryable, table: Table, rows: readonly RowText[], isNew: boolean) => {
    if (rows.length === 0) return
    const numbered = rows.map((row) => ({ ...row, number: numberOf(row.number) }))
    if (!isNew) await to.query(statements.deleteSame(table, center, numbered))
    await to.query(statements.insertRows(table, numbered))
  }
  const writing = (work: (to: Queryable) => Promise<void>) =>
    target.transaction(async (to) => {
      await to.query(statements.leaveOutTriggers)
      await work(to)
    })
  const readAll = async (from: Queryable, table: Table, take: (rows: RowText[]) => Promise<void>) => {
    await from.query(statements.declareRows(table, center))
    while (true) {
      const rows = await from.query<RowText>(statements.fetchRows)
      if (rows.length === 0) break
      await take(rows)
    }
    await from.query(statements.closeRows)
  }
  /** The rows that have changed, by table. */
  const readChanged = async (from: Queryable, since: string) => {
    const rows = await from.query<ChangedRow>(statements.selectChanged(tables, center, since))
    const byTable = Map.groupBy(rows, ({ table }) => table)
    return tables.flatMap((table) => {
      const changed = byTable.get(table.name)
      return changed === undefined ? [] : [{ table, changed }]
    })
  }
  const digests = async (from: Queryable, what: 'rows' | 'keys') => {
    const rows = await from.query<DigestRow>(statements.selectDigests(tables, center, what))
    return new Map(rows.map((row) => [row.table, `${row.rows} ${row.digest}`]))
  }
  const differing = async (from: Queryable, to: Queryable, what: 'rows' | 'keys') => {
    const [ours, theirs] = await Promise.all([digests(from, what), digests(to, what)])
    return tables.filter(({ name }) => ours.get(name) !== theirs.get(name))
  }
  /** Deletes what is gone from the source, and adds what the target lacks. */
  const repair = async (from: Queryable, to: Queryable, table: Table) => {
    if (table.number !== undefined) {
      await to.query(statements.deleteAllRows(table, center))
      await readAll(from, table, (rows) => write(to, table, rows, true))
      return
    }
    const keysAt = async (at: Queryable) =>
      new Set((await at.query<{ key: string }>(statements.selectKeys(table, center))).map(({ key }) => key))
    const [ours, theirs] = [await keysAt(from), await keysAt(to)]
    const gone = [...theirs].filter((key) => !ours.has(key))
    const lacking = [...ours].filter((key) => !theirs.has(key))
    if (gone.length > 0) await to.query(statements.deleteRows(table, center, gone))
    if (lacking.length > 0) {
      await write(to, table, await from.query<RowText>(statements.selectRows(table, center, lacking)), true)
    }
  }
  const repairAll = async (from: Queryable, to: Queryable) => {
    for (const table of await differing(from, to, 'keys')) await repair(from, to, table)
  }
  const unequal = (names: readonly Table[]) =>
    new CellsError(`The copy differs in ${names.map(({ name }) => name).join(', ')}. Run the command again.`)
  const requireEqual = async (from: Queryable, to: Queryable, what: 'rows' | 'keys') => {
    const different = await differing(from, to, what)
    if (different.length > 0) throw unequal(different)
  }
  /** What was written must be what was read. */
  const requireWritten = async (to: Queryable, table: Table, rows: readonly RowText[]) => {
    if (rows.length === 0) return
    const keys = rows.map(({ key }) => key)
    const found = await to.query<RowText>(statements.selectRows(table, center, keys))
    const texts = new Set(found.map(({ row }) => row))
    if (rows.some(({ row }) => !texts.has(row))) throw unequal([table])
  }

  return {
    get rows() {
      return copied
    },

    async pass(compares) {
      let rows = 0
      await source.transaction(async (from) => {
        await from.query(statements.repeatableRead)
        const snapshot = await one<{ horizon: string }>(from, statements.selectHorizon)
        if (horizon === undefined) {
          for (const table of tables) {
            await readAll(from, table, async (some) => {
              await writing((to) => write(to, table, some, true))
              rows += some.length
            })
          }
        } else {
          const all = await readChanged(from, horizon)
          await writing(async (to) => {
            for (const { table, changed } of all) await write(to, table, changed, false)
          })
          rows = all.reduce((sum, { changed }) => sum + changed.length, 0)
        }
        horizon = snapshot?.horizon
        if (!compares) return
        await writing((to) => repairAll(from, to))
        await requireEqual(from, target, 'rows')
      })
      copied += rows
      return rows
    },

    async finish(locked) {
      const end = await one<TrailEndRow>(locked, statements.selectTrailEnd(center))
      await writing(async (to) => {
        for (const { table, changed } of horizon === undefined ? [] : await readChanged(locked, horizon)) {
          await write(to, table, changed, false)
          await requireWritten(to, table, changed)
          copied += changed.length
        }
        await repairAll(locked, to)
        await requireEqual(locked, to, 'keys')
        for (const table of tables) {
          for (const column of table.identities) {
            await to.query(statements.continueSequence(table, column, center))
          }
        }
        const there = await one<TrailEndRow>(to, statements.selectTrailEnd(center))
        const isWhole = end === undefined || end.last_hash === null || end.last_hash === end.hash
        if (!isWhole || JSON.stringify(there) !== JSON.stringify(end)) {
          throw new CellsError('The end of the trail is not the same on both sides. Run the command again.')
        }
      })
      return end?.seq ?? 0
    },
  }
}
