/**
 * The files of a new embedded database with this version's schema, kept beside what V8 has compiled: making them takes
 * four seconds and 600 MB, copying them a tenth of a second.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deserialize, serialize } from 'node:v8'
import { gunzipSync, gzipSync } from 'node:zlib'
import { allMigrations } from '../migrate.ts'

/** Where only who may change the code may write. */
export const TEMPLATES = fileURLToPath(new URL('../../../node_modules/.cache/sojourn/', import.meta.url))

/** Another one where the files would be made in another way. */
const RECIPE = 1

type Entries = [path: string, content: Uint8Array | null][]

/** Its name says what is in it: the engine's version and every migration. */
export function templateName(): string {
  const pglite = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  const { version } = JSON.parse(readFileSync(join(pglite, '..', 'package.json'), 'utf8'))
  // With their names: a migration that has moved to another number makes another database.
  const migrations = allMigrations().map(({ name, checksum }) => [name, checksum])
  const digest = createHash('sha256')
    .update(JSON.stringify([RECIPE, ...migrations]))
    .digest('hex')
  return `new-database-${version}-${digest.slice(0, 16)}.gz`
}

/**
 * Makes `folder` with the template's files.
 * @returns whether there is one: none that is torn is taken, which its checksum tells
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
 * Keeps the files of `folder` as the template, in place of older ones. Several processes may do so at once. Where it
 * cannot be kept, everything works without.
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
    // Of other versions, and drafts that were never finished.
    for (const other of readdirSync(templates)) {
      if (other !== name) rmSync(join(templates, other), { force: true })
    }
  } catch {
    // A folder that may not be written, a full disk, another process that was quicker.
  }
}
