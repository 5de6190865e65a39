/**
 * The log of erasures: a file next to the database, for what an older backup does not know. It contains the same digests
 * as the database, and nothing that says who was erased. What it has and the database lacks is applied again: people who
 * are there are erased, and the digests are stored. What the database has is added to the file.
 */
import { existsSync } from 'node:fs'
import { chmod, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseNow } from '../../core/database/clock.ts'
import type { Database } from '../../core/database/database.ts'
import { systemMessage } from '../../core/database/postgres/system-message.ts'
import { completeRewrites } from '../../core/database/schema/rewrite-files.ts'
import { ERASURE_LOG, retainedDigest, storeErasure } from '../../core/intake/erased/erased.ts'
import { isoMoment } from '../../core/locale/dates.ts'
import { type CenterRow, selectCenters } from '../../core/records/centers/centers-sql.ts'
import { eraseSubject } from './erase-subject.ts'
import { customersByDigest, insertLifted, selectErasures, selectLifted } from './erasure-log-sql.ts'
import { findSubject } from './subject.ts'

/** A line of the log. Digests and salts are hexadecimal. */
export interface LoggedErasure {
  readonly center: string
  readonly salt: string
  readonly customer: string
  /** of the bookings, orders and texts that were erased with the customer */
  readonly digests: readonly string[]
  /** ISO 8601 */
  readonly erasedAt: string
  /** when the person was imported again on purpose, ISO 8601 */
  readonly liftedAt?: string
}

export interface LogApplied {
  /** people who were there, and were erased again */
  readonly erased: number
  /** erasures that the database did not know */
  readonly learned: number
  /**
   * Erasures of a log next to PostgreSQL that nobody can say to be of this database: of its centers, with salts that it
   * does not have. It was restored from before its first erasure, or it is another database.
   */
  readonly unsure?: number
  /** why the log cannot be read or written; undefined if it can */
  readonly problem?: string
}

/** A line is not one of a log of erasures. */
export class NoErasureLog extends Error {
  override readonly name = 'NoErasureLog'
}

export interface LogMaking {
  readonly random: (count: number) => Uint8Array
  /** people who are there were imported on purpose, so they stay, and that is noted */
  readonly lifts?: boolean
}

/** Applies the log to the database, and writes it anew. @param folder DATA_DIR */
export async function syncErasureLog(
  database: Database,
  folder: string,
  making: LogMaking,
): Promise<LogApplied> {
  const path = join(folder, ERASURE_LOG)
  // With a server, commands need no folder, and create none.
  if (!existsSync(folder)) return { erased: 0, learned: 0 }
  try {
    const text = await readFile(path, 'utf8').catch(unlessMissing)
    const logged = readErasureLog(text)
    const own = await ownOf(database, logged)
    const applied = { ...(await applyErasures(database, own, making)), unsure: logged.length - own.length }
    const merged = mergeErasures(logged, await erasuresOf(database))
    const written = merged.map((entry) => `${JSON.stringify(entry)}\n`).join('')
    if (written !== text) await replaceFile(path, written)
    return applied
  } catch (error) {
    return { erased: 0, learned: 0, problem: `${path}: ${systemMessage(error)}` }
  }
}

/**
 * The entries that are of this database. The database of a folder has its own log; one folder may be used with
 * several databases of servers, so there a center's salt must be known.
 */
async function ownOf(database: Database, logged: readonly LoggedErasure[]): Promise<LoggedErasure[]> {
  if (database.asSuperuser !== undefined) return [...logged]
  const saltOf = ({ center, salt }: LoggedErasure) => `${center}\n${salt}`
  const salts = new Set((await erasuresOf(database)).map(saltOf))
  return logged.filter((entry) => salts.has(saltOf(entry)))
}

/** @throws {NoErasureLog} */
export function readErasureLog(text: string): LoggedErasure[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.flatMap((line, at) => (line === '' ? [] : [readLine(line, at + 1)]))
}

function readLine(line: string, number: number): LoggedErasure {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    value = undefined
  }
  if (!isEntry(value)) throw new NoErasureLog(`line ${number} is not of a log of erasures`)
  return value
}

const isHex = (value: unknown) => typeof value === 'string' && /^(?:[0-9a-f]{2})+$/.test(value)
const isMoment = (value: unknown) => typeof value === 'string' && !Number.isNaN(Date.parse(value))

function isEntry(value: unknown): value is LoggedErasure {
  if (typeof value !== 'object' || value === null) return false
  const { center, salt, customer, digests, erasedAt, liftedAt } = value as Record<string, unknown>
  return (
    typeof center === 'string' &&
    [salt, customer].every(isHex) &&
    Array.isArray(digests) &&
    digests.every(isHex) &&
    isMoment(erasedAt) &&
    (liftedAt === undefined || isMoment(liftedAt))
  )
}

/**
 * Erases all people who are named by digests that the database does not know, and stores these. A person who was imported again
 * on purpose since then stays.
 */
export async function applyErasures(
  database: Database,
  logged: readonly LoggedErasure[],
  { random, lifts = false }: LogMaking,
): Promise<LogApplied> {
  if (logged.length === 0) return { erased: 0, learned: 0 }
  const centers = new Set((await database.query<CenterRow>(selectCenters())).map((row) => row.center_id))
  const known = new Map((await erasuresOf(database)).map((entry) => [nameOf(entry), entry]))
  const missing = mergeErasures(logged, []).filter((entry) => {
    const stored = known.get(nameOf(entry))
    const isStored = stored !== undefined && stored.digests !== undefined && !isLifted(stored)
    const liftedAt = Date.parse(stored?.liftedAt ?? '') || 0
    return centers.has(entry.center) && !isStored && !isLifted(entry) && liftedAt < Date.parse(entry.erasedAt)
  })
  let erased = 0
  for (const entries of Map.groupBy(missing, ({ center, salt }) => `${center}\n${salt}`).values()) {
    const [first] = entries
    if (first === undefined) continue
    const { center, salt } = first
    const byDigest = new Map(entries.map((entry) => [entry.customer, entry]))
    const there = await database.query<{ id: string; digest: string }>(
      customersByDigest(center, salt, [...byDigest.keys()]),
    )
    for (const { id, digest } of there) {
      if (lifts) {
        await database.transaction((tx) => tx.query(insertLifted(center, digest)))
        byDigest.delete(digest)
        continue
      }
      await eraseAgain(database, id, byDigest.get(digest) ?? first, random)
      erased += 1
    }
    for (const entry of byDigest.values()) await database.transaction((tx) => storeErasure(tx, entry))
  }
  if (erased > 0) await completeRewrites(database)
  return { erased, learned: missing.length }
}

/** As it was erased before: what the law required then was decided then. */
async function eraseAgain(
  database: Database,
  customer: string,
  { center, salt, digests }: LoggedErasure,
  random: (count: number) => Uint8Array,
): Promise<void> {
  const { orders } = await findSubject(database, customer, center)
  const bytes = Buffer.from(salt, 'hex')
  const keepOrders = orders.some((uuid) => digests.includes(retainedDigest(bytes, uuid)))
  // If nobody of the center was erased, the same digests are made as before.
  const making = { random: (count: number) => (count === bytes.length ? bytes : random(count)) }
  const now = await databaseNow(database)
  await eraseSubject(database, { customer, center, retentionMs: 0, keepOrders }, { ...making, now })
}

/** What the database knows. Somebody who was imported again has no digests, and only when that was. */
async function erasuresOf(database: Database): Promise<LoggedErasure[]> {
  type Row = Omit<LoggedErasure, 'erasedAt' | 'liftedAt'> & { at: number }
  const erasures = await database.query<Row>(selectErasures)
  const lifted = await database.query<Pick<Row, 'center' | 'customer' | 'at'>>(selectLifted)
  const liftedAt = new Map(lifted.map((row) => [nameOf(row), isoMoment(row.at)]))
  const entries = erasures.map(({ at, ...row }): LoggedErasure => {
    const again = liftedAt.get(nameOf(row))
    liftedAt.delete(nameOf(row))
    return { ...row, erasedAt: isoMoment(at), ...(again !== undefined && { liftedAt: again }) }
  })
  const gone = lifted.filter((row) => liftedAt.has(nameOf(row)))
  return [
    ...entries,
    ...gone.map(({ center, customer, at }) => ({
      center,
      salt: UNKNOWN_SALT,
      customer,
      digests: [],
      erasedAt: isoMoment(0),
      liftedAt: isoMoment(at),
    })),
  ]
}

/** Of somebody who was imported again: no digest is made with it. */
const UNKNOWN_SALT = '00'

const nameOf = ({ center, customer }: Pick<LoggedErasure, 'center' | 'customer'>) => `${center}\n${customer}`

const isLifted = ({ erasedAt, liftedAt }: LoggedErasure) =>
  liftedAt !== undefined && Date.parse(liftedAt) >= Date.parse(erasedAt)

/** One entry for each customer, with the newest of what several say. */
export function mergeErasures(
  one: readonly LoggedErasure[],
  other: readonly LoggedErasure[],
): LoggedErasure[] {
  const merged = new Map<string, LoggedErasure>()
  for (const entry of [...one, ...other]) {
    const known = merged.get(nameOf(entry))
    merged.set(nameOf(entry), known === undefined ? entry : newestOf(known, entry))
  }
  return [...merged.values()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}

function newestOf(a: LoggedErasure, b: LoggedErasure): LoggedErasure {
  const newer = Date.parse(b.erasedAt) > Date.parse(a.erasedAt) ? b : a
  const [lifted] = [a.liftedAt, b.liftedAt]
    .filter((at) => at !== undefined)
    .sort()
    .reverse()
  const { liftedAt: _, ...rest } = newer
  const digests = [...new Set([...a.digests, ...b.digests])].sort()
  return { ...rest, digests, ...(lifted !== undefined && { liftedAt: lifted }) }
}

async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.part`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await chmod(draft, 0o600)
  await rename(draft, path)
}

function unlessMissing(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
  throw error
}
