/** Writes every table in one snapshot, while others read and write. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createZstdCompress } from 'node:zlib'
import type pg from 'pg'
import { to } from 'pg-copy-streams'
import type { Sql } from 'sql-template-tag'
import packageFile from '../../../package.json' with { type: 'json' }
import type { Files } from '../../core/intake/lines/files.ts'
import {
  type HeadsRow,
  type MonthRow,
  type SequenceRow,
  selectHeads,
  selectMonths,
  selectSchema,
  selectSequences,
  selectTables,
  type TableRow,
} from './backup-sql.ts'
import {
  ABOUT,
  END_OF_ROWS,
  type End,
  FORMAT,
  FORMAT_VERSION,
  type Head,
  type TableHead,
} from './contents.ts'

export interface BackupTarget {
  readonly files: Files
  readonly path: string
  readonly signal: AbortSignal
  /** epoch ms */
  readonly now: () => number
}

/**
 * @param client a connection of its own, which is in no transaction
 * @returns what the last line says. On any failure, the file is discarded.
 */
export async function writeBackup(
  client: pg.Client,
  { files, path, signal, now }: BackupTarget,
): Promise<End> {
  const file = await files.create(path)
  const packed = createZstdCompress()
  const written = (async () => {
    for await (const piece of packed as AsyncIterable<Buffer>) await file.write(piece)
  })()
  // It is awaited below. Without this, its failure would end the process before.
  written.catch(() => {})
  const digest = createHash('sha256')
  const put = async (bytes: Buffer) => {
    signal.throwIfAborted()
    digest.update(bytes)
    if (!packed.write(bytes)) await Promise.race([once(packed, 'drain'), written])
  }
  const putLine = (value: object) => put(Buffer.from(`${JSON.stringify(value)}\n`))
  const query = async <R extends pg.QueryResultRow>({ text, values }: Sql) =>
    (await client.query<R>(text, values)).rows
  try {
    await client.query('begin isolation level repeatable read, read only')
    const tables = inOrder(await query<TableRow & pg.QueryResultRow>(selectTables))
    const head: Head = {
      format: FORMAT,
      formatVersion: FORMAT_VERSION,
      about: ABOUT,
      sojourn: packageFile.version,
      schema: (await query<{ version: number }>(selectSchema))[0]?.version ?? 0,
      at: new Date(now()).toISOString(),
      months: await query<MonthRow & pg.QueryResultRow>(selectMonths),
    }
    await putLine(head)
    const rows: Record<string, number> = {}
    for (const { name, columns } of tables) {
      const table: TableHead = { table: name, columns }
      await putLine(table)
      const copied = client.query(to(copyTo(table)))
      for await (const bytes of copied as AsyncIterable<Buffer>) await put(bytes)
      rows[name] = copied.rowCount
      await put(Buffer.from(`${END_OF_ROWS}\n`))
    }
    const [heads] = await query<HeadsRow & pg.QueryResultRow>(selectHeads)
    const sequences = await query<SequenceRow & pg.QueryResultRow>(selectSequences)
    await client.query('commit')
    const end: End = {
      rows,
      sequences,
      heads: heads?.heads ?? '',
      revisions: heads?.revisions ?? '',
      sha256: digest.copy().digest('hex'),
    }
    await putLine(end)
    packed.end()
    await written
    await file.keep()
    return end
  } catch (error) {
    packed.destroy()
    await written.catch(() => {})
    await file.discard().catch(() => {})
    throw error
  }
}

/** A table comes after those that its foreign keys refer to. */
export function inOrder(tables: readonly TableRow[]): TableRow[] {
  const ordered: TableRow[] = []
  const left = new Map(tables.map((table) => [table.name, table]))
  while (left.size > 0) {
    const ready = [...left.values()].filter(({ refers }) => !refers.some((name) => left.has(name)))
    if (ready.length === 0) throw new Error(`tables refer to each other: ${[...left.keys()].join(', ')}`)
    for (const table of ready) left.delete(table.name)
    ordered.push(...ready)
  }
  return ordered
}

export const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`

const listOf = ({ columns }: TableHead) => columns.map(identifier).join(', ')

/** A partitioned table is copied as a query: COPY takes no table that has only partitions. */
const copyTo = (table: TableHead) =>
  `copy (select ${listOf(table)} from ${identifier(table.table)}) to stdout`

export const copyFrom = (table: TableHead): string =>
  `copy ${identifier(table.table)} (${listOf(table)}) from stdin`
