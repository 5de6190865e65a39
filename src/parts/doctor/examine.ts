/** All checks of `sojourn doctor`, each by itself: one that fails or hangs keeps none of the others from being made. */
import type { Config } from '../../core/config/config.ts'
import { attempt } from './attempt.ts'
import { checkCertificate, checkProxy, judgeCertificate } from './check-address.ts'
import { checkClock, checkTimeZones } from './check-clock.ts'
import { checkDisk, checkFileSystem, checkFolder } from './check-folder.ts'
import { checkMail } from './check-mail.ts'
import { checkRights } from './check-rights.ts'
import { checkMigrations, checkSchema, checkVersions } from './check-schema.ts'
import { checkConnections, checkDurability, checkPooler, checkReplicas } from './check-server.ts'
import { checkStore } from './check-store.ts'
import { checkTrail } from './check-trail.ts'
import { CannotConnect, type Inspected, type InspectedServer, inspectServer } from './inspect-database.ts'
import { type CheckName, notChecked, notOk, ok, type Result } from './result.ts'

export interface Examination {
  readonly config: Config
  /** epoch ms */
  readonly now: () => number
  /** the public address to request; undefined: none is requested */
  readonly url: string | undefined
}

const OF_DATABASE = [
  'migrations',
  'schema',
  'indexes',
  'versions',
  'rights',
  'clock',
  'timeZone',
  'trail',
] as const
const OF_SERVER = ['connections', 'pooler', 'replicas'] as const

/** Everything that does not depend on the database. */
export async function examineSurroundings({ config, now, url }: Examination): Promise<readonly Result[]> {
  const found = await Promise.all([
    attempt('folder', async () => checkFolder(config)),
    attempt('disk', () => checkDisk(config)),
    ...(config.databaseUrl === undefined ? [attempt('fsync', () => checkFileSystem(config))] : []),
    attempt('mail', () => checkMail(config)),
    attempt('proxy', () => checkProxy(url, config)),
    attempt('certificate', () => checkCertificate(url, now)),
  ])
  return found.flat()
}

/** What is the same for a folder and a server. */
async function examineData(database: Inspected, { config, now }: Examination): Promise<readonly Result[]> {
  // One after the other: a server gets one connection.
  const checks: readonly (readonly [CheckName, () => Promise<readonly Result[]>])[] = [
    ['migrations', () => checkMigrations(database)],
    ['schema', () => checkSchema(database)],
    ['versions', () => checkVersions(database)],
    ['rights', () => checkRights(database)],
    ['clock', () => checkClock(database, config, now)],
    ['timeZone', () => checkTimeZones(database)],
    ['trail', () => checkTrail(database)],
    ['store', () => checkStore(config, database)],
  ]
  const found: Result[] = []
  for (const [check, look] of checks) found.push(...(await attempt(check, look)))
  return found
}

/** @param database of a folder, which this process has opened */
export async function examineOpened(
  database: Inspected,
  examination: Examination,
): Promise<readonly Result[]> {
  return [
    ok('database', `The database in ${database.place} answers.`),
    ...OF_SERVER.map((check) => ok(check, 'The database of a folder needs none.')),
    ...(await examineData(database, examination)),
  ]
}

export async function examineServer(url: string, examination: Examination): Promise<readonly Result[]> {
  const { config } = examination
  let server: InspectedServer
  try {
    server = await inspectServer(url, config)
  } catch (error) {
    if (!(error instanceof CannotConnect)) throw error
    return withoutDatabase(notOk('database', error.message, error.remedy), examination)
  }
  try {
    const found: Result[] = [ok('database', `${server.place} answers.`)]
    const { certificate } = server
    if (certificate !== undefined) {
      const what = `The certificate of ${server.place}`
      const presented = { host: undefined, certificate, problem: undefined, now: examination.now(), what }
      found.push(...(await attempt('certificate', async () => judgeCertificate(presented))))
    }
    found.push(...(await attempt('fsync', () => checkDurability(server))))
    found.push(...(await attempt('connections', () => checkConnections(server, config))))
    found.push(...(await attempt('pooler', () => checkPooler(server, config))))
    found.push(...(await examineData(server, examination)))
    found.push(...(await attempt('replicas', () => checkReplicas(server, config))))
    return found
  } finally {
    await server.close().catch(() => {})
  }
}

/** @param why of the database, or of its folder */
export async function withoutDatabase(why: Result, { config }: Examination): Promise<readonly Result[]> {
  const checks =
    config.databaseUrl === undefined ? OF_DATABASE : ([...OF_DATABASE, 'fsync', ...OF_SERVER] as const)
  return [
    why,
    ...checks.map((check) => notChecked(check, 'The database cannot be used.')),
    ...(await attempt('store', () => checkStore(config, undefined))),
  ]
}

/** Everything, where an invalid setting leaves nothing to look at. */
export const withoutSettings = (checks: readonly CheckName[]): Result[] =>
  checks.filter((check) => check !== 'settings').map((check) => notChecked(check, 'A setting is invalid.'))
