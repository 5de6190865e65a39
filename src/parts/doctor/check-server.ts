/** What is between the service and its PostgreSQL server: connections, a pooler, replicas; and whether commits survive. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../../core/config/config.ts'
import { placeOf } from '../../core/database/open.ts'
import { ROLE_SETTINGS, SELECT_ROLE_SETTINGS } from '../../core/database/postgres/postgres-pooler.ts'
import { createReplicaLag } from '../../core/database/replica-lag.ts'
import { IF_POOLED, IS_POOLED, SELECT_PROCESS, shareProcesses } from '../../core/database/shared-processes.ts'
import { selectConnections, selectDurability, selectStandby } from './doctor-sql.ts'
import { CannotConnect, type Inspected, type InspectedServer, inspectServer } from './inspect-database.ts'
import { notOk, ok, type Result } from './result.ts'

/** Settings of PostgreSQL without which a power failure loses commits or damages the database. */
const DURABLE = ['fsync', 'full_page_writes', 'synchronous_commit'] as const

export async function checkDurability(database: Inspected): Promise<Result[]> {
  const [found] = await database.read((tx) => tx.query<Record<string, string>>(selectDurability))
  const off = DURABLE.filter((name) => found?.[name] === 'off')
  if (off.length === 0) return [ok('fsync', 'The server waits for the disk before it confirms a commit.')]
  const effect =
    off.length === 1 && off[0] === 'synchronous_commit'
      ? 'a power failure loses the newest commits'
      : 'a power failure may damage the database'
  return [
    notOk(
      'fsync',
      `${off.join(' and ')} ${off.length === 1 ? 'is' : 'are'} off: ${effect}.`,
      `Set ${off.map((name) => `${name} = on`).join(', ')} in postgresql.conf, or for the role ("alter role … reset …"), and reload the server.`,
    ),
  ]
}

/** Of each process in addition to its pool: credentials, and two for the trail. */
const RESERVED = 3

export async function checkConnections(
  database: Inspected,
  { databasePoolSize, databasePooler, intakePort }: Config,
): Promise<Result[]> {
  if (databasePooler) return [ok('connections', 'The pooler limits the connections to the server.')]
  const [limits] = await database.read((tx) =>
    tx.query<{ server: number; role: number; database: number }>(selectConnections),
  )
  const needed = databasePoolSize + RESERVED + (intakePort === undefined ? 0 : 2)
  const all: readonly (readonly [string, number])[] = [
    ['the server (max_connections)', limits?.server ?? -1],
    ['the role (connection limit)', limits?.role ?? -1],
    ['the database (connection limit)', limits?.database ?? -1],
  ]
  const short = all.filter(([, most]) => most >= 0 && most < needed)
  if (short.length === 0)
    return [ok('connections', `One instance opens up to ${needed} connections, which are allowed.`)]
  return [
    notOk(
      'connections',
      `One instance opens up to ${needed} connections, and ${short.map(([what, most]) => `${what} allows ${most}`).join(', ')}.`,
      'Raise the limit, lower DATABASE_POOL_SIZE, or use a pooler.',
    ),
  ]
}

/** @param second another connection by the same URL, which is closed here */
export async function checkPooler(
  first: InspectedServer,
  { databasePooler, databaseUrl = '', databaseTlsCa }: Config,
): Promise<Result[]> {
  if (!databasePooler) {
    const second = await inspectServer(databaseUrl, { databaseTlsCa })
    try {
      const processOf = (one: InspectedServer) => async () => Number((await one.ask(SELECT_PROCESS)).pid)
      if (await shareProcesses(processOf(first), processOf(second)))
        return [notOk('pooler', IS_POOLED, IF_POOLED)]
    } finally {
      await second.close()
    }
    return [ok('pooler', 'Each connection leads to a session of its own.')]
  }
  const row = await first.ask(SELECT_ROLE_SETTINGS)
  const found = JSON.parse(String(Object.values(row)[0])) as Record<string, string>
  const wrong = Object.entries(ROLE_SETTINGS).filter(([name, value]) => found[name] !== value)
  if (wrong.length === 0)
    return [ok('pooler', 'The role has the settings that a pooler in transaction mode requires.')]
  return [
    notOk(
      'pooler',
      `DATABASE_POOLER is set, and the role lacks settings: ${wrong.map(([name, value]) => `${name} is ${found[name]} instead of ${value}`).join(', ')}.`,
      'Run the statements of "sojourn pooler-settings" as the owner of the role, and let the pooler reconnect (PgBouncer: RECONNECT).',
    ),
  ]
}

interface Standby {
  readonly standby: boolean
  readonly name: string
  readonly server: string | null
}

export async function checkReplicas(primary: InspectedServer, config: Config): Promise<Result[]> {
  const { databaseReadUrls: urls } = config
  if (urls.length === 0) return [ok('replicas', 'None are used (DATABASE_READ_URL is not set).')]
  const [own] = await primary.read((tx) => tx.query<Standby>(selectStandby))
  const found = await Promise.all(urls.map((url) => checkReplica(primary, own, url, config)))
  return found.flat()
}

async function checkReplica(
  primary: InspectedServer,
  own: Standby | undefined,
  url: string,
  config: Config,
): Promise<Result[]> {
  let replica: InspectedServer
  try {
    replica = await inspectServer(url, config)
  } catch (error) {
    if (!(error instanceof CannotConnect)) throw error
    return [notOk('replicas', error.message, error.remedy.replaceAll('DATABASE_URL', 'DATABASE_READ_URL'))]
  }
  try {
    const [its] = await replica.read((tx) => tx.query<Standby>(selectStandby))
    if (its?.standby !== true) {
      return [
        notOk(
          'replicas',
          `${placeOf(url)} is not a standby: it was promoted, or is the primary itself. The service does not read from it.`,
          'Make it follow the primary again (pg_rewind), or remove it from DATABASE_READ_URL.',
        ),
      ]
    }
    if (its.server !== null && own?.server !== null && its.server !== own?.server) {
      return [
        notOk(
          'replicas',
          `${placeOf(url)} is a standby of another server.`,
          'Correct DATABASE_READ_URL: it names standbys of the server in DATABASE_URL.',
        ),
      ]
    }
    return await checkLag(primary, replica)
  } finally {
    await replica.close()
  }
}

const LOOKS = 30
const LOOK_EVERY_MS = 100
/** The service reads what a replica has not received yet from its primary, so some tenths of a second are normal. */
const LAG_SECONDS_MAX = 2

async function checkLag(primary: InspectedServer, replica: InspectedServer): Promise<Result[]> {
  const asked = ({ read }: InspectedServer): Parameters<typeof createReplicaLag>[0] => ({
    query: (statement) => read((tx) => tx.query(statement)),
  })
  const lag = createReplicaLag(asked(primary), [asked(replica)], () => performance.now())
  let seconds = lag.seconds()
  let received = false
  for (let look = 0; look < LOOKS && !received; look += 1) {
    await wait(LOOK_EVERY_MS)
    seconds = lag.seconds()
    // The first comparison has been made by then.
    received = look > 0 && seconds === 0
  }
  if (seconds <= LAG_SECONDS_MAX) return [ok('replicas', `${replica.place} is a standby, and is not behind.`)]
  return [
    notOk(
      'replicas',
      `${replica.place} is a standby, and has been behind for more than ${LAG_SECONDS_MAX} seconds.`,
      'Look at pg_stat_wal_receiver there and pg_stat_replication on the primary; reads go to the primary meanwhile.',
    ),
  ]
}
