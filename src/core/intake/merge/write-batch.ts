/**
 * Writes one batch of staged lines of one kind.
 *
 * A center's own system may write at the same time. So rows are first read without locks, which is enough for most of a
 * repeated import. Rows that change are locked, read again and merged again, so that no concurrent change is lost. A
 * row that somebody else has just added counts as existing.
 */
import type { Queryable } from '../../database/database.ts'
import type { Kind } from '../kinds/kind.ts'
import { splitKey } from '../lines/record-line.ts'
import { fromDatabase, type RowState } from '../lines/rows.ts'
import type { Slices } from '../slices.ts'
import type { StagedLine } from '../stage/stage-sql.ts'
import { noteVersions, readVersions } from '../stage/versions.ts'
import { type CenterState, type MergedRecord, mergeLines } from './merge-lines.ts'
import {
  deleteRowsSql,
  insertRowsSql,
  type KeyArrays,
  keyColumns,
  lockRowsSql,
  selectRowsSql,
  updateRowsSql,
} from './upsert-sql.ts'

/** One record of the batch: its key, its lines and their effects. */
export interface WrittenRecord extends MergedRecord {
  readonly centerId: string
  readonly key: string
}

export interface BatchContext {
  centerState(centerId: string): CenterState
  /** Removed records are deleted later (centers) instead of now. */
  readonly keepRemoved?: boolean
}

/** Of records that are only judged: the last one, whose lines may continue in the next batch. */
export interface Judged {
  last?: { readonly firstSeq: number; readonly record: WrittenRecord }
}

interface Group {
  readonly centerId: string
  readonly key: string
  readonly lines: StagedLine[]
}

// Bounds the retries if another writer adds and removes the same record again and again.
const ROUNDS_MAX = 10

/**
 * Merges and writes the batch.
 * @param judged if it is only merged, to see what would be refused
 * @returns the records in the order of their first lines
 */
export async function writeBatch(
  tx: Queryable,
  kind: Kind,
  lines: readonly StagedLine[],
  context: BatchContext,
  slices: Slices,
  judged?: Judged,
): Promise<WrittenRecord[]> {
  const groups = groupLines(lines)
  const versionOf = await readVersions(tx, kind.name, groups)
  const merge = async (
    group: Group,
    existing: RowState | undefined,
    version = versionOf(group),
  ): Promise<WrittenRecord> => ({
    centerId: group.centerId,
    key: group.key,
    ...(await mergeLines(kind, group.lines, existing, context.centerState(group.centerId), slices, version)),
  })

  const written = new Map<Group, WrittenRecord>()
  let rows = await readRows(tx, kind, groups, 'read')
  if (judged !== undefined) {
    const records: WrittenRecord[] = []
    for (const group of groups) {
      const firstSeq = group.lines[0]!.first_seq
      const known = judged.last?.firstSeq === firstSeq ? judged.last.record : undefined
      const record = await merge(group, known ? known.after : rows.get(rowId(group)), known?.version)
      judged.last = { firstSeq, record }
      records.push(record)
    }
    return records
  }
  let open: Group[] = [...groups]
  for (let round = 0; open.length > 0; round += 1) {
    if (round === ROUNDS_MAX) throw new Error(`${kind.name} records are being changed by another program`)
    const inserts: Group[] = []
    const changes: Group[] = []
    for (const group of open) {
      const record = await merge(group, rows.get(rowId(group)))
      written.set(group, record)
      if (!record.isChanged) continue
      if (record.before === undefined) inserts.push(group)
      else changes.push(group)
    }
    open = await insertRecords(tx, kind, inserts, written)
    if (changes.length > 0) {
      rows = await readRows(tx, kind, changes, 'lock')
      const gone = changes.filter((group) => !rows.has(rowId(group)))
      const held = changes.filter((group) => rows.has(rowId(group)))
      for (const group of held) written.set(group, await merge(group, rows.get(rowId(group))))
      await changeRecords(tx, kind, held, written, context.keepRemoved ?? false)
      open.push(...gone)
    }
    if (open.length > 0) rows = await readRows(tx, kind, open, 'read')
  }
  const records = groups.map((group) => written.get(group)!)
  await noteVersions(tx, kind.name, records)
  return records
}

function groupLines(lines: readonly StagedLine[]): Group[] {
  const groups: Group[] = []
  for (const line of lines) {
    const last = groups.at(-1)
    if (last !== undefined && last.centerId === line.center_id && last.key === line.key) last.lines.push(line)
    else groups.push({ centerId: line.center_id, key: line.key, lines: [line] })
  }
  return groups
}

const rowId = ({ centerId, key }: { centerId: string; key: string }) => `${centerId}/${key}`

/** The parts of a key besides the center, in the order of `keyColumns`. */
function keyValues(kind: Kind, key: string): string[] {
  return kind.name === 'center' ? [] : splitKey(key)
}

function keyArrays(kind: Kind, groups: readonly Group[]): KeyArrays {
  const values = groups.map(({ key }) => keyValues(kind, key))
  return {
    centerIds: groups.map(({ centerId }) => centerId),
    keys: keyColumns(kind)
      .slice(1)
      .map((_, part) => values.map((own) => own[part]!)),
  }
}

/** The key of a row in the form used by the stage. */
function rowIdOf(kind: Kind, row: Record<string, unknown>): string {
  const centerId = String(row.center_id)
  const key = kind.key.map(({ column }) => String(row[column])).join('/')
  return rowId({ centerId, key })
}

async function readRows(
  tx: Queryable,
  kind: Kind,
  groups: readonly Group[],
  how: 'read' | 'lock',
): Promise<Map<string, RowState>> {
  const keys = keyArrays(kind, groups)
  const rows = await tx.query(how === 'read' ? selectRowsSql(kind, keys) : lockRowsSql(kind, keys))
  return new Map(rows.map((row) => [rowIdOf(kind, row), fromDatabase(kind, row)]))
}

function toJson(kind: Kind, groups: readonly Group[], written: ReadonlyMap<Group, WrittenRecord>): string {
  const columns = keyColumns(kind)
  return JSON.stringify(
    groups.map((group) => {
      const values = [group.centerId, ...keyValues(kind, group.key)]
      const key = Object.fromEntries(columns.map((column, index) => [column, values[index]]))
      return { ...written.get(group)!.after, ...key }
    }),
  )
}

/** Inserts records. @returns those that somebody else has added in the meantime */
async function insertRecords(
  tx: Queryable,
  kind: Kind,
  groups: readonly Group[],
  written: ReadonlyMap<Group, WrittenRecord>,
): Promise<Group[]> {
  if (groups.length === 0) return []
  const rows = await tx.query(insertRowsSql(kind, toJson(kind, groups, written)))
  if (rows.length === groups.length) return []
  const added = new Set(rows.map((row) => rowIdOf(kind, row)))
  return groups.filter((group) => !added.has(rowId(group)))
}

/** Updates and deletes records whose rows are locked. */
async function changeRecords(
  tx: Queryable,
  kind: Kind,
  groups: readonly Group[],
  written: ReadonlyMap<Group, WrittenRecord>,
  keepRemoved: boolean,
): Promise<void> {
  const changed = groups.filter((group) => written.get(group)!.isChanged)
  const updates = changed.filter((group) => written.get(group)!.after !== undefined)
  const removals = keepRemoved ? [] : changed.filter((group) => written.get(group)!.after === undefined)
  if (updates.length > 0) await tx.query(updateRowsSql(kind, toJson(kind, updates, written)))
  if (removals.length > 0) await tx.query(deleteRowsSql(kind, keyArrays(kind, removals)))
}
