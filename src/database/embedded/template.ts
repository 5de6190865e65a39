/**
 * The files of a new embedded database with this version's schema, retained next to V8's compile cache. Creating them takes
 * four seconds and 600 MB; copying them takes a tenth of a second.
 */
import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createGunzip, gzipSync } from 'node:zlib'
import { allMigrations } from '../migrate.ts'

/** Writable only by users who may also change the code. */
export const TEMPLATES = fileURLToPath(new URL('../../../node_modules/.cache/sojourn/', import.meta.url))

/** Increased when the files are created in another way. */
const RECIPE = 2

/** A line of JSON before the content of each file; a folder has no size. */
type Heading = [path: string, size: number | null]

/** The file name of the template. It identifies the engine's version and every migration. */
export function templateName(): string {
  const pglite = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  const { version } = JSON.parse(readFileSync(join(pglite, '..', 'package.json'), 'utf8'))
  // Includes the names, because migrations in another order create another database.
  const migrations = allMigrations().map(({ name, checksum }) => [name, checksum])
  const digest = createHash('sha256')
    .update(JSON.stringify([RECIPE, ...migrations]))
    .digest('hex')
  return `new-database-${version}-${digest.slice(0, 16)}.gz`
}

/**
 * Creates `folder` from the template's files, a chunk at a time: all of them at once took 50 MB more.
 * @returns whether there is a template; an incomplete one fails its checksum and does not count
 */
export async function unpackTemplate(templates: string, folder: string): Promise<boolean> {
  const file = join(templates, templateName())
  if (!existsSync(file)) return false
  try {
    await pipeline(createReadStream(file), createGunzip(), (chunks) => writeEntries(chunks, folder))
    return true
  } catch {
    rmSync(folder, { recursive: true, force: true })
    return false
  }
}

const LINE_END = 0x0a

/** @throws {Error} if the last file is not complete */
async function writeEntries(chunks: AsyncIterable<Buffer>, folder: string): Promise<void> {
  mkdirSync(folder, { mode: 0o700 })
  const source = chunks[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  const more = async (): Promise<boolean> => {
    const { value, done } = await source.next()
    if (done === true) return false
    rest = rest.length === 0 ? value : Buffer.concat([rest, value])
    return true
  }
  const takeLine = async (): Promise<string | undefined> => {
    let end = rest.indexOf(LINE_END)
    while (end < 0) {
      if (!(await more())) return undefined
      end = rest.indexOf(LINE_END)
    }
    const line = rest.toString('utf8', 0, end)
    rest = rest.subarray(end + 1)
    return line
  }
  for (let line = await takeLine(); line !== undefined; line = await takeLine()) {
    const [path, size] = JSON.parse(line) as Heading
    if (size === null) {
      mkdirSync(join(folder, path), { mode: 0o700 })
      continue
    }
    // Not asynchronous: nothing else happens yet, and a thousand files take half as long.
    const file = openSync(join(folder, path), 'wx', 0o600)
    try {
      for (let left = size; left > 0; ) {
        if (rest.length === 0 && !(await more())) throw new Error('The template ends within a file.')
        const part = rest.subarray(0, left)
        writeFileSync(file, part)
        rest = rest.subarray(part.length)
        left -= part.length
      }
    } finally {
      closeSync(file)
    }
  }
}

/**
 * Stores the files of `folder` as the template and deletes older ones. Several processes may do so at once. A failure
 * to store is ignored, because everything works without a template.
 */
export function keepTemplate(templates: string, folder: string): void {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return { path: path.slice(folder.length + 1), content: entry.isDirectory() ? null : readFileSync(path) }
    })
    .sort((one, other) => (one.path < other.path ? -1 : 1))
    .flatMap(({ path, content }) => {
      const heading: Heading = [path, content?.length ?? null]
      return [Buffer.from(`${JSON.stringify(heading)}\n`), ...(content === null ? [] : [content])]
    })
  const draft = join(templates, `${randomBytes(8).toString('hex')}.draft`)
  const name = templateName()
  try {
    mkdirSync(templates, { recursive: true })
    writeFileSync(draft, gzipSync(Buffer.concat(entries)), { flag: 'wx', flush: true })
    renameSync(draft, join(templates, name))
    // Templates of other versions, and unfinished drafts.
    for (const other of readdirSync(templates)) {
      if (other !== name) rmSync(join(templates, other), { force: true })
    }
  } catch {
    // The folder is not writable, the disk is full, or another process was faster.
  }
}
