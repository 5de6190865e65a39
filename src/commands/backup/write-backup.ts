/** Writes a backup of the embedded database as one compressed file, in flat memory. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createGzip } from 'node:zlib'
import type { CopyFiles } from '../../database/database.ts'
import { POSTGRES_VERSION } from '../../database/embedded/folder-problems.ts'
import type { Files, NewFile } from '../../intake/files.ts'
import { ownVersion } from '../channel/hello.ts'
import { selectContents } from './backup-sql.ts'
import {
  ABOUT,
  ABOUT_FILE,
  type BackupContents,
  CONTENTS_FILE,
  type Contents,
  DATA_FOLDER,
  FORMAT,
  FORMAT_VERSION,
} from './contents.ts'
import { padding, TAR_END, tarHeader } from './tar.ts'

/** Files of a database are compressed to a fifth at the fastest level, and hardly further at the others. */
const LEVEL = 1
const PIECE_BYTES = 256 * 1024

export interface BackupTarget {
  readonly files: Files
  readonly path: string
  readonly signal: AbortSignal
  /** epoch ms */
  readonly now: () => number
}

/** @returns what it contains. On any failure, the file is discarded. */
export async function writeBackup(
  copyFiles: CopyFiles,
  { files, path, signal, now }: BackupTarget,
): Promise<BackupContents> {
  const file = await files.create(path)
  const gzip = createGzip({ level: LEVEL, chunkSize: PIECE_BYTES })
  const written = drain(gzip, file)
  // It is awaited below. Without this, its failure would end the process before.
  written.catch(() => {})
  try {
    const digest = createHash('sha256')
    const seconds = Math.floor(now() / 1000)
    const put = async (bytes: Buffer) => {
      signal.throwIfAborted()
      digest.update(bytes)
      if (bytes.length > 0 && !gzip.write(bytes)) await Promise.race([once(gzip, 'drain'), written])
    }
    const putFile = async (name: string, size: number, pieces: AsyncIterable<Buffer> | readonly Buffer[]) => {
      await put(tarHeader({ path: name, isFolder: false, size }, seconds))
      for await (const piece of pieces) await put(piece)
      await put(padding(size))
    }
    const about = Buffer.from(ABOUT)
    await putFile(ABOUT_FILE, about.length, [about])
    await put(tarHeader({ path: DATA_FOLDER, isFolder: true, size: 0 }, seconds))
    const contents = await copyFiles(
      async ({ path: name, file: copied }) => {
        const within = `${DATA_FOLDER}/${name}`
        if (copied === undefined) await put(tarHeader({ path: within, isFolder: true, size: 0 }, seconds))
        else await putFile(within, copied.size, copied.bytes)
      },
      async (reads) => {
        const [row] = await reads.query<Contents>(selectContents)
        if (row === undefined) throw new Error('the database did not say what it contains')
        return row
      },
    )
    const described: BackupContents = {
      format: FORMAT,
      formatVersion: FORMAT_VERSION,
      sojourn: ownVersion(),
      postgres: POSTGRES_VERSION,
      at: new Date(now()).toISOString(),
      sha256: digest.copy().digest('hex'),
      contents,
    }
    const text = Buffer.from(`${JSON.stringify(described, null, 2)}\n`)
    await putFile(CONTENTS_FILE, text.length, [text])
    await put(TAR_END)
    gzip.end()
    await written
    await file.keep()
    return described
  } catch (error) {
    gzip.destroy()
    await written.catch(() => {})
    await file.discard().catch(() => {})
    throw error
  }
}

async function drain(gzip: AsyncIterable<Buffer>, file: NewFile): Promise<void> {
  for await (const piece of gzip) await file.write(piece)
}
