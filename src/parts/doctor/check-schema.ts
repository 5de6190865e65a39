/** Compares the schema of the database with schema.sql, which the migrations make. Nothing is created for it. */
import { readFileSync } from 'node:fs'
import { isFromElsewhere } from '../../core/database/origin.ts'
import { allMigrations, applicationName, pendingMigrations } from '../../core/database/schema/migrate.ts'
import { type SchemaObject, schemaObjects } from '../../core/database/schema/schema-objects.ts'
import { selectInvalidIndexes, selectProcesses, selectVersion } from './doctor-sql.ts'
import type { Inspected } from './inspect-database.ts'
import { type CheckName, notChecked, notOk, ok, type Result } from './result.ts'

/** Names of a list that are printed; the others are counted. */
const NAMED_MAX = 5

export function listed(names: readonly string[]): string {
  const more = names.length - NAMED_MAX
  return `${names.slice(0, NAMED_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

const MIGRATE = 'Run "sojourn migrate".'

export async function checkMigrations(database: Inspected): Promise<Result[]> {
  try {
    return await database.read(async (tx) => {
      const pending = await pendingMigrations(tx)
      if (pending.length > 0) {
        const names = pending.map(({ name }) => name)
        const what =
          names.length === 1 ? `Migration ${names[0]} is` : `Migrations ${names[0]} to ${names.at(-1)} are`
        const remedy = database.isFolder ? 'Start the service: it applies them.' : MIGRATE
        return [notOk('migrations', `${what} pending.`, remedy)]
      }
      if (await isFromElsewhere(tx)) {
        return [
          notOk(
            'migrations',
            'The database was restored from another server: a commit could get the number of an earlier one and go unnoticed.',
            'Stop the service, and run "sojourn migrate": a new history of changes begins.',
          ),
        ]
      }
      return [ok('migrations', `All ${allMigrations().length} migrations are applied.`)]
    })
  } catch (error) {
    const known =
      error instanceof Error && /^(the database (was migrated|has the schema)|migration )/.test(error.message)
    if (!known || !(error instanceof Error)) throw error
    const [what = '', remedy = 'update Sojourn'] = error.message.split(/[;:] (?=run|update)/)
    return [notOk('migrations', sentence(what), / has changed /.test(what) ? CHANGED : sentence(remedy))]
  }
}

const CHANGED =
  'Install the version of Sojourn that migrated the database: files of migrations are never edited.'

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** The version of PostgreSQL whose descriptions of objects are those of schema.sql. */
const DESCRIBED_BY = 18

interface Wanted {
  readonly kind: SchemaObject['kind']
  readonly name: string
}

/** Everything that schema.sql creates. */
export function wantedObjects(text: string): Wanted[] {
  const of = (kind: Wanted['kind'], pattern: RegExp, name: (found: RegExpMatchArray) => string) =>
    [...text.matchAll(pattern)].map((found) => ({ kind, name: name(found) }))
  return [
    ...of('table', /^create table (\S+) \($/gm, ([, name]) => name ?? ''),
    ...of('index', /^CREATE (?:UNIQUE )?INDEX (\S+) ON /gm, ([, name]) => name ?? ''),
    ...of('function', /^CREATE OR REPLACE FUNCTION (.+)$/gm, ([, name = '']) =>
      name.replaceAll(DEFAULT_VALUE, ''),
    ),
    ...text
      .split('\n')
      .filter((line) => /^CREATE (?:CONSTRAINT )?TRIGGER /.test(line))
      .map((line) => ({ kind: 'trigger' as const, name: triggerOf(line) })),
  ]
}

/** `touched on bookings`, of the statement that makes it. */
function triggerOf(statement: string): string {
  const [name] = (statement.split(' TRIGGER ')[1] ?? '').split(' ', 1)
  const [table] = (statement.split(' ON ')[1] ?? '').split(' ', 1)
  return `${name} on ${table}`
}

/** Of a parameter; the catalog names functions without. */
const DEFAULT_VALUE = / DEFAULT [^,)]+/g

const schemaText = () => readFileSync(new URL('../../core/database/schema.sql', import.meta.url), 'utf8')

export async function checkSchema(database: Inspected): Promise<Result[]> {
  const { found, invalid, number } = await database.read(async (tx) => {
    const [server] = await tx.query<{ number: number }>(selectVersion)
    return {
      found: await schemaObjects(tx),
      invalid: (await tx.query<{ name: string }>(selectInvalidIndexes)).map(({ name }) => name),
      number: server?.number ?? 0,
    }
  })
  const text = schemaText()
  const titles = new Set(found.map(titleOf))
  const missing = wantedObjects(text).filter((object) => !titles.has(titleOf(object)))
  const isDescribed = Math.floor(number / 10_000) === DESCRIBED_BY
  const wanted = new Set(wantedObjects(text).map(titleOf))
  // What was added to the schema, such as an index of its administrator, does not count.
  const changed = isDescribed
    ? found.filter((object) => wanted.has(titleOf(object)) && !text.includes(`\n${object.definition}`))
    : []
  const limits = isDescribed
    ? ''
    : ' Only their names were compared, because the server describes them in other words.'
  const isIndex = ({ kind }: Wanted) => kind === 'index'
  return [
    ...judged('schema', { missing, changed, limits }, (object) => !isIndex(object)),
    ...invalid.map((name) =>
      notOk(
        'indexes',
        `The index ${name} is invalid: its creation failed, so it is not used.`,
        `Run "reindex index concurrently ${name}" as the owner of the table.`,
      ),
    ),
    ...judged('indexes', { missing, changed, limits }, isIndex).filter(
      ({ state }) => state !== 'ok' || invalid.length === 0,
    ),
  ]
}

const titleOf = ({ kind, name }: Wanted) => `${kind} ${name}`.replaceAll('"', '')

interface Differences {
  readonly missing: readonly Wanted[]
  readonly changed: readonly Wanted[]
  readonly limits: string
}

function judged(check: CheckName, differences: Differences, concerns: (object: Wanted) => boolean): Result[] {
  const missing = differences.missing.filter(concerns)
  const changed = differences.changed.filter(concerns)
  const remedy =
    check === 'indexes'
      ? 'Create it with its statement in src/core/database/schema.sql ("create index concurrently").'
      : 'Undo the change with the statements in src/core/database/schema.sql, or restore a backup.'
  const results = [
    ...(missing.length > 0 ? [notOk(check, `Missing: ${listed(missing.map(titleOf))}.`, remedy)] : []),
    ...(changed.length > 0 ? [notOk(check, `Changed: ${listed(changed.map(titleOf))}.`, remedy)] : []),
  ]
  if (results.length > 0) return results
  const what =
    check === 'indexes' ? 'All indexes exist and are valid' : 'All tables, functions and triggers exist'
  return [ok(check, `${what}.${differences.limits}`)]
}

const OLDEST = 15
const NEWEST = 18

export async function checkVersions(database: Inspected): Promise<Result[]> {
  const { server, processes } = await database.read(async (tx) => {
    const [server] = await tx.query<{ number: number; version: string }>(selectVersion)
    const processes = await tx.query<{ application: string; connections: number }>(selectProcesses)
    return { server, processes }
  })
  const major = Math.floor((server?.number ?? 0) / 10_000)
  const own = applicationName()
  const node = `Node ${process.versions.node}`
  const results: Result[] = []
  if (major < OLDEST) {
    results.push(
      notOk(
        'versions',
        `The server is PostgreSQL ${major}, and the oldest that Sojourn is tested with is ${OLDEST}.`,
        `Upgrade the server to PostgreSQL ${OLDEST} to ${NEWEST}.`,
      ),
    )
  } else if (major > NEWEST) {
    results.push(
      notChecked(
        'versions',
        `The server is PostgreSQL ${major}; Sojourn is tested with ${OLDEST} to ${NEWEST}.`,
      ),
    )
  }
  const others = processes.filter(({ application }) => application !== own)
  if (others.length > 0) {
    const names = others.map(({ application, connections }) => `${application} (${connections} connections)`)
    results.push(
      notOk(
        'versions',
        `Processes of other versions are connected: ${listed(names)}; this one is ${own}.`,
        'Complete the update: replace the older processes, and start the newer version of this command.',
      ),
    )
  }
  return results.length > 0
    ? results
    : [ok('versions', `${node}, PostgreSQL ${server?.version ?? '?'}, ${own}.`)]
}
