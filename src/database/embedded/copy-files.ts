/**
 * Copies the files of the embedded database while it is used, as a base backup of a PostgreSQL server does. It begins with a
 * checkpoint, and no other one is written until it ends. So the log since then is complete, and contains each page that is
 * changed meanwhile: the files may be copied one after the other, at different moments, and opening the copy brings them to
 * the moment at which the copied log ends. Reads and writes go on, except for the moments at the begin and at the end.
 */
import { open, readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { type CopiedEntry, type CopyFiles, DatabaseUnavailable, type Queryable } from '../database.ts'
import { type CheckpointRow, selectCheckpoint, selectEndOfLog } from './copy-files-sql.ts'
import type { LivingEngine } from './living-engine.ts'
import type { Session } from './session.ts'
import type { SessionSlots } from './session-slots.ts'
import { objects } from './wire.ts'

export interface CopySource {
  readonly folder: string
  readonly engine: Pick<LivingEngine, 'session' | 'holdCheckpoints'>
  readonly slots: Pick<SessionSlots, 'alone'>
  /** time-outs of statements, in ms */
  readonly readMs: number
  readonly writeMs: number
}

const CONTROL = 'global/pg_control'
const LOG = 'pg_wal'
const SEGMENT_BYTES = 16 * 1024 * 1024
const PIECE_BYTES = 256 * 1024

const FOLDERS_OF_RUN: ReadonlySet<string> = new Set([
  ...['pg_stat', 'pg_stat_tmp', 'pg_dynshmem', 'pg_notify', 'pg_serial'],
  ...['pg_snapshots', 'pg_subtrans', 'pg_replslot', LOG],
])

/** Whether it belongs to a running server: temporary files, caches, statistics, its pid. A start makes it anew. */
function isOfRun(path: string): boolean {
  const parts = path.split('/')
  if (parts.length > 1 && FOLDERS_OF_RUN.has(parts[0] ?? '')) return true
  if (path === 'postmaster.pid' || path === 'postmaster.opts') return true
  return parts.some(
    (part) => part.startsWith('pg_internal.init') || part.startsWith('pgsql_tmp') || /^t\d+_\d/.test(part),
  )
}

export function createCopyFiles(source: CopySource): CopyFiles {
  let isCopying = false
  return async (write, atEnd) => {
    if (isCopying) throw new DatabaseUnavailable('the files are being copied already')
    isCopying = true
    try {
      return await copyFiles(source, write, atEnd)
    } finally {
      source.engine.holdCheckpoints(false)
      isCopying = false
    }
  }
}

async function copyFiles<T>(
  { folder, engine, slots, readMs, writeMs }: CopySource,
  write: (entry: CopiedEntry) => Promise<void>,
  atEnd: (reads: Queryable) => Promise<T>,
): Promise<T> {
  const begin = await slots.alone(async () => {
    const { session } = engine
    engine.holdCheckpoints(true)
    await session.script('checkpoint', writeMs)
    // It names the checkpoint. Copied later, it could name another one.
    return { session, control: await readFile(join(folder, CONTROL)), ...(await checkpoint(session, readMs)) }
  })
  for (const entry of await entriesOf(folder)) {
    if (entry.isFolder) await write({ path: entry.path, file: undefined })
    else if (entry.path === CONTROL) await write({ path: CONTROL, file: ofBytes(begin.control) })
    else if (!isOfRun(entry.path)) await copyFile(folder, entry.path, write)
  }
  const end = await slots.alone(async () => {
    requireSame(begin.session, engine)
    const now = await checkpoint(begin.session, readMs)
    // An erasure that rewrites the files writes checkpoints, and removes the log before them.
    if (now.redo !== begin.redo)
      throw new DatabaseUnavailable('the files were rewritten while they were copied')
    const [row] = objects<{ position: string }>(await begin.session.runOnce(selectEndOfLog, readMs))
    const reads: Queryable = {
      query: async (sql) => objects(await begin.session.runOnce(sql, readMs)),
    }
    return { position: bytesOf(row?.position ?? ''), result: await atEnd(reads) }
  })
  const last = segmentOf(end.position - 1)
  for (let segment = segmentOf(bytesOf(begin.redo)); segment <= last; segment += 1) {
    // What is written after the end does not belong to the copy.
    const length = Math.min(SEGMENT_BYTES, end.position - segment * SEGMENT_BYTES)
    await copyFile(folder, `${LOG}/${segmentName(begin.timeline, segment)}`, write, length)
  }
  requireSame(begin.session, engine)
  return end.result
}

/** @throws {DatabaseUnavailable} A restarted engine has written a checkpoint. */
function requireSame(session: Session, engine: CopySource['engine']): void {
  if (engine.session !== session)
    throw new DatabaseUnavailable('the embedded database was opened again meanwhile')
}

async function checkpoint(session: Session, readMs: number): Promise<CheckpointRow> {
  const [row] = objects<CheckpointRow>(await session.runOnce(selectCheckpoint, readMs))
  if (row === undefined) throw new Error('the database did not name its checkpoint')
  return row
}

/** Of a position such as `0/16F3A28`. */
function bytesOf(position: string): number {
  const [high = '', low = ''] = position.split('/')
  return Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16)
}

const segmentOf = (position: number) => Math.floor(position / SEGMENT_BYTES)

function segmentName(timeline: number, segment: number): string {
  const perFile = 2 ** 32 / SEGMENT_BYTES
  return [timeline, Math.floor(segment / perFile), segment % perFile]
    .map((number) => number.toString(16).toUpperCase().padStart(8, '0'))
    .join('')
}

async function entriesOf(folder: string): Promise<{ path: string; isFolder: boolean }[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isDirectory() || entry.isFile())
    .map((entry) => ({
      path: relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'),
      isFolder: entry.isDirectory(),
    }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/**
 * With the size that it has now: what is added later is in the log. A file that is removed meanwhile is left out.
 * @param length bytes that are copied, if the others are to be zero
 */
async function copyFile(
  folder: string,
  path: string,
  write: (entry: CopiedEntry) => Promise<void>,
  length?: number,
): Promise<void> {
  const file = await open(join(folder, path), 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && length === undefined) return undefined
    throw error
  })
  if (file === undefined) return
  try {
    const { size } = await file.stat()
    await write({ path, file: { size, bytes: pieces(file, size, length ?? size) } })
  } finally {
    await file.close()
  }
}

async function* pieces(
  file: Awaited<ReturnType<typeof open>>,
  size: number,
  length: number,
): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const piece = Buffer.alloc(Math.min(PIECE_BYTES, size - at))
    const wanted = Math.max(0, Math.min(piece.length, length - at))
    let read = 0
    while (read < wanted) {
      const { bytesRead } = await file.read(piece, read, wanted - read, at + read)
      // It was truncated meanwhile. The rest is zero, and the log truncates it again.
      if (bytesRead === 0) break
      read += bytesRead
    }
    yield piece
    at += piece.length
  }
}

const ofBytes = (bytes: Buffer): CopiedEntry['file'] => ({
  size: bytes.length,
  bytes: (async function* () {
    yield bytes
  })(),
})
