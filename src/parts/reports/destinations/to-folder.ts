/**
 * Puts a report into a folder of its center below the configured one: complete or not at all, and once. Others may write to
 * these folders. So no link is followed, no file is replaced, and a file is this run's only if it has the digest that was
 * stored before it was written.
 */
import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { DirectoryHandle, FolderReplaced } from '../../../core/files/directory-handle.ts'
import { giveName } from '../../../core/files/give-name.ts'
import { DOCUMENT_BYTES_MAX } from '../render.ts'
import { fail, type Outcome, type ReportDelivery, SENT, wait } from './delivery.ts'

/** A file that a run was going to write. */
export interface FileMark {
  /** the name that the file has until it is complete; random, so that nobody can take it before */
  readonly draft: string
  /** SHA-256 of the file, hexadecimal */
  readonly sha256: string
}

/** What a run knows of its file. It outlives the process. */
export interface FileMemory {
  /** of earlier attempts */
  readonly marks: readonly FileMark[]
  /** Stores what is going to be written. @throws if that is impossible, or the run is another instance's by now */
  remember(mark: FileMark): Promise<void>
}

/** Files of one name: `Kitchen 2026-11-21 0600.pdf`, `Kitchen 2026-11-21 0600 (2).pdf` and so on. */
const FILES_MAX = 100
/** What is added to the longest name of a delivery: the number, `-copy` and the extension. */
export const ADDED_BYTES_MAX = ` (${FILES_MAX})-copy.xlsx`.length

/** @param root the value of `REPORTS_FOLDER` @param path below the folder of the center */
export async function toFolder(
  root: string | undefined,
  center: string,
  path: string,
  delivery: ReportDelivery,
  memory: FileMemory,
  signal: AbortSignal,
): Promise<Outcome> {
  if (root === undefined) return wait('REPORTS_FOLDER is not set.')
  const held: DirectoryHandle[] = []
  try {
    let folder = await DirectoryHandle.openLater(root, { followsLink: true })
    held.push(folder)
    for (const name of [folderOf(center), ...path.split('/')]) {
      folder = await openIn(folder, name)
      held.push(folder)
    }
    return (await hasFile(folder, delivery, memory)) ? SENT : await write(folder, delivery, memory, signal)
  } catch (error) {
    if (error instanceof FolderReplaced)
      return fail(`The folder ${error.message}; below REPORTS_FOLDER, no link is followed.`)
    const code = codeOf(error)
    if (code === undefined) throw error
    return wait(`The folder cannot be written: ${code}.`)
  } finally {
    for (const folder of held) folder.close()
  }
}

/**
 * The name of a center's folder: its identifier. An identifier that is no name of a folder on every system, or that may differ
 * from another one's only in capitals, is followed by a digest.
 */
export function folderOf(center: string): string {
  if (/^[a-z\d_-][a-z\d_.-]*$/.test(center) && !center.endsWith('.')) return center
  const digest = createHash('sha256').update(center).digest('hex').slice(0, 8)
  return `${center.replaceAll(':', '_').replace(/^\./, '_')}~${digest}`
}

async function openIn(folder: DirectoryHandle, name: string): Promise<DirectoryHandle> {
  const path = folder.at(name)
  await mkdir(path).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
  return DirectoryHandle.openLater(path)
}

function* namesOf({ fileName, rendered: { extension } }: ReportDelivery, isCopy: boolean): Generator<string> {
  for (let number = 1; number <= FILES_MAX; number += 1) {
    yield `${fileName}${number === 1 ? '' : ` (${number})`}${isCopy ? '-copy' : ''}.${extension}`
  }
}

async function write(
  folder: DirectoryHandle,
  delivery: ReportDelivery,
  memory: FileMemory,
  signal: AbortSignal,
): Promise<Outcome> {
  const { bytes } = delivery.rendered
  const mark = { draft: `.${randomUUID()}.part`, sha256: createHash('sha256').update(bytes).digest('hex') }
  await memory.remember(mark)
  const draft = folder.at(mark.draft)
  try {
    const file = await open(draft, 'wx', 0o640)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    for (const name of namesOf(delivery, delivery.isCopy)) {
      // The caller has given up waiting for this, and tries again.
      if (signal.aborted) return wait('It took too long.')
      if (await giveName(draft, folder.at(name))) return SENT
    }
    return wait(`The folder has ${FILES_MAX} files of this name; remove some.`)
  } finally {
    await rm(draft, { force: true })
  }
}

/** Whether an earlier attempt has put its file there. What one was writing when it was killed is removed. */
async function hasFile(
  folder: DirectoryHandle,
  delivery: ReportDelivery,
  { marks }: FileMemory,
): Promise<boolean> {
  if (marks.length === 0) return false
  for (const { draft } of marks) await rm(folder.at(draft), { force: true })
  const digests = new Set(marks.map(({ sha256 }) => sha256))
  for (const isCopy of [true, false]) {
    for (const name of namesOf(delivery, isCopy)) {
      if (digests.has((await digestOf(folder.at(name))) ?? '')) return true
    }
  }
  return false
}

/** A link is not followed, and a pipe is not waited for. */
const AS_IT_IS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** There is no file, or one that this service could not have written: a link, another user's, a socket. */
const NOT_ITS_OWN: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ELOOP', 'EACCES', 'EPERM', 'ENXIO'])

/** @returns undefined if it is no file that may be a report */
async function digestOf(path: string): Promise<string | undefined> {
  let file: FileHandle
  try {
    file = await open(path, AS_IT_IS)
  } catch (error) {
    if (NOT_ITS_OWN.has(codeOf(error))) return undefined
    throw error
  }
  try {
    const found = await file.stat()
    if (!found.isFile() || found.size > DOCUMENT_BYTES_MAX) return undefined
    const hash = createHash('sha256')
    for await (const piece of file.createReadStream({ autoClose: false, end: DOCUMENT_BYTES_MAX }))
      hash.update(piece)
    return hash.digest('hex')
  } finally {
    await file.close()
  }
}

/** @returns undefined if it is not the system's */
const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined
