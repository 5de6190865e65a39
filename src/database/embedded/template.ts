/**
 * The files of a new embedded database with this version's schema, retained next to V8's compile cache. Creating them takes
 * four seconds and 600 MB; copying them takes a tenth of a second.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deserialize, serialize } from 'node:v8'
import { gunzipSync, gzipSync } from 'node:zlib'
import { allMigrations } from '../migrate.ts'

/** Writable only by users who may also change the code. */
export const TEMPLATES = fileURLToPath(new URL('../../../node_modules/.cache/sojourn/', import.meta.url))

/** Increased when the files are created in another way. */
const RECIPE = 1

type Entries = [path: string, content: Uint8Array | null][]

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
 * Creates `folder` from the template's files.
 * @returns whether there is a template; an incomplete one fails its checksum and does not count
 */
export function unpackTemplate(templates: string, folder: string): boolean {
  const entries = readTemplate(join(templates, templateName()))
  if (entries === undefined) return false
  mkdirSync(folder, { mode: 0o700 })
  for (const [path, content] of entries) {
    if (content === null) mkdirSync(join(folder, path), { mode: 0o700 })
    else writeFileSync(join(folder, path), content, { mode: 0o600 })
  }
  return true
}

function readTemplate(file: string): Entries | undefined {
  try {
    return deserialize(gunzipSync(readFileSync(file)))
  } catch {
    return undefined
  }
}

/**
 * Stores the files of `folder` as the template and deletes older ones. Several processes may do so at once. A failure
 * to store is ignored, because everything works without a template.
 */
export function keepTemplate(templates: string, folder: string): void {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
    .map((entry): Entries[number] => {
      const path = join(entry.parentPath, entry.name)
      return [path.slice(folder.length + 1), entry.isDirectory() ? null : readFileSync(path)]
    })
    .sort(([one], [other]) => (one < other ? -1 : 1))
  const draft = join(templates, `${randomBytes(8).toString('hex')}.draft`)
  const name = templateName()
  try {
    mkdirSync(templates, { recursive: true })
    writeFileSync(draft, gzipSync(serialize(entries)), { flag: 'wx', flush: true })
    renameSync(draft, join(templates, name))
    // Templates of other versions, and unfinished drafts.
    for (const other of readdirSync(templates)) {
      if (other !== name) rmSync(join(templates, other), { force: true })
    }
  } catch {
    // The folder is not writable, the disk is full, or another process was faster.
  }
}
