/** Unpacks a backup into a new folder, and compares it with what it says of itself. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { openEmbedded } from '../../database/embedded.ts'
import { systemMessage } from '../../database/system-message.ts'
import { visible } from '../../errors/visible.ts'
import { CommandError } from '../context.ts'
import { selectContents } from './backup-sql.ts'
import {
  ABOUT_FILE,
  type BackupContents,
  CONTENTS_FILE,
  type Contents,
  DATA_FOLDER,
  differing,
  readContents,
} from './contents.ts'
import { NotATar, padding, readTarHeader, TarBytes, type TarEntry } from './tar.ts'

/** Of the last file, and of the first one. */
const TEXT_BYTES_MAX = 100_000

/** The file is no backup, or not a whole one. */
export class NoBackup extends CommandError {
  constructor(path: string, why: string) {
    super(`${visible(path)} is not a complete backup: ${why}. Nothing was changed.`)
  }
}

/**
 * Unpacks the files of the database into `folder`, which must not exist.
 * @param folder gets the mode 0700, and its files 0600
 * @throws {NoBackup} if the file was changed or cut off; the folder then has a part of it
 */
export async function unpackBackup(
  path: string,
  folder: string,
  signal: AbortSignal,
): Promise<BackupContents> {
  const source = createReadStream(path)
  const gunzip = createGunzip()
  // The reader of `gunzip` gets the error of either.
  pipeline(source, gunzip, () => {})
  try {
    return await unpack(new TarBytes(gunzip as AsyncIterable<Buffer>), folder, signal)
  } catch (error) {
    if (error instanceof NotATar) throw new NoBackup(path, error.message)
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code.startsWith('Z_'))
      throw new NoBackup(
        path,
        code === 'Z_BUF_ERROR' ? 'it ends too early' : 'it was changed, or is another file',
      )
    if ('errno' in (error as object) && code !== '') {
      throw new CommandError(`The backup cannot be unpacked: ${systemMessage(error)}. Nothing was changed.`)
    }
    throw error
  } finally {
    gunzip.destroy()
    source.destroy()
  }
}

async function unpack(bytes: TarBytes, folder: string, signal: AbortSignal): Promise<BackupContents> {
  const digest = createHash('sha256')
  let isFirst = true
  while (true) {
    signal.throwIfAborted()
    const header = await bytes.header()
    const entry = readTarHeader(header)
    if (entry === undefined) throw new NotATar('it has no list of its contents')
    if (isFirst && entry.path !== ABOUT_FILE) throw new NotATar('it is another archive')
    if (entry.path === CONTENTS_FILE) return finish(bytes, entry, digest.digest('hex'))
    digest.update(header)
    if (isFirst) digest.update(await textOf(bytes, entry))
    else if (entry.isFolder) await mkdir(placeOf(entry, folder), { mode: 0o700 })
    else await writeEntry(bytes, entry, placeOf(entry, folder), digest)
    digest.update(await bytes.exactly(padding(entry.size).length))
    isFirst = false
  }
}

function placeOf({ path }: TarEntry, folder: string): string {
  if (path === DATA_FOLDER) return folder
  if (!path.startsWith(`${DATA_FOLDER}/`)) throw new NotATar('it has a file that no backup has')
  return join(folder, path.slice(DATA_FOLDER.length + 1))
}

async function writeEntry(
  bytes: TarBytes,
  { size }: TarEntry,
  path: string,
  digest: { update(bytes: Buffer): unknown },
): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    for (let left = size; left > 0; ) {
      const piece = await bytes.some(left)
      digest.update(piece)
      await file.writeFile(piece)
      left -= piece.length
    }
  } finally {
    await file.close()
  }
}

async function textOf(bytes: TarBytes, { size }: TarEntry): Promise<Buffer> {
  if (size > TEXT_BYTES_MAX) throw new NotATar('it is another archive')
  return bytes.exactly(size)
}

async function finish(bytes: TarBytes, entry: TarEntry, sha256: string): Promise<BackupContents> {
  const contents = readContents((await textOf(bytes, entry)).toString())
  if (contents === undefined) throw new NotATar('its list of contents is of another version of Sojourn')
  await bytes.exactly(padding(entry.size).length)
  for (let block = 0; block < 2; block += 1) {
    if (readTarHeader(await bytes.header()) !== undefined) throw new NotATar('something follows its end')
  }
  await bytes.end()
  if (contents.sha256 !== sha256) throw new NotATar('it was changed')
  return contents
}

/**
 * Opens the unpacked files, which completes them from their log, and compares what is in them with what the backup says.
 * @throws {CommandError} if it cannot be opened, or something differs
 */
export async function verifyUnpacked(folder: string, { contents }: BackupContents): Promise<void> {
  let database: Awaited<ReturnType<typeof openEmbedded>>
  try {
    database = await openEmbedded({ folder })
  } catch (error) {
    throw new CommandError(`The database of the backup cannot be opened: ${systemMessage(error)}.`)
  }
  try {
    const [found] = await database.query<Contents>(selectContents)
    const differences = found === undefined ? ['everything'] : differing(contents, found)
    if (differences.length > 0) {
      throw new CommandError(`The database of the backup is not as it was: ${differences.join(', ')} differ.`)
    }
  } finally {
    await database.close()
  }
}
