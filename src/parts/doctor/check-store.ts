/** The store in which several instances count requests: a short connection of its own, which changes nothing there. */
import type { Config } from '../../core/config/config.ts'
import { countMachines } from './doctor-sql.ts'
import type { Inspected } from './inspect-database.ts'
import { notChecked, notOk, ok, type Result } from './result.ts'

const CONNECT_MS = 3000
const ANSWER_MS = 3000

/** Reads a counter as the service does, of an application that does not exist. */
const SCRIPT = "return redis.call('pttl', KEYS[1])"
const KEY = 'sojourn:{doctor}:m'

export async function checkStore(config: Config, database: Inspected | undefined): Promise<Result[]> {
  const url = config.rateLimitStore
  if (url === 'memory') return checkAlone(config, database)
  const { createClient } = await import('@redis/client')
  const redis = createClient({
    url,
    name: 'sojourn-doctor',
    maintNotifications: 'disabled',
    socket: { connectTimeout: CONNECT_MS, socketTimeout: ANSWER_MS, reconnectStrategy: false },
  })
  let reason: Error | undefined
  redis.on('error', (error: Error) => {
    reason ??= error
  })
  const place = new URL(url).host
  try {
    await redis.connect()
    await redis.eval(SCRIPT, { keys: [KEY] })
    const replication = await redis.info('replication')
    if (/^role:slave/m.test(replication)) {
      return [
        notOk(
          'store',
          `The store of the limits, ${place}, is a replica, which takes no writes: each instance counts alone.`,
          'Set RATE_LIMIT_STORE to the primary.',
        ),
      ]
    }
    const memory = await redis.info('memory')
    const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1] ?? 'noeviction'
    if (/^maxmemory:[1-9]/m.test(memory) && policy.startsWith('allkeys')) {
      return [
        notOk(
          'store',
          `The store of the limits, ${place}, drops counters when its memory is full (${policy}).`,
          'Give it a store of its own with enough memory.',
        ),
      ]
    }
    return [ok('store', `${place} answers, and may be used.`)]
  } catch (error) {
    const [found, remedy] = explained(reason ?? error)
    return [
      notOk('store', `The store of the limits, ${place}, ${found}; each instance counts alone.`, remedy),
    ]
  } finally {
    redis.destroy()
  }
}

/** By the first word of an answer of the store, or the code of the system. */
function explained(error: unknown): [found: string, remedy: string] {
  const message = error instanceof Error ? error.message : ''
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^(WRONGPASS|NOAUTH|ERR AUTH)/.test(message)) {
    return ['does not accept the password', 'Correct user and password in RATE_LIMIT_STORE.']
  }
  if (/^NOPERM/.test(message)) {
    return [
      'does not let this user do it',
      'Allow the user the keys sojourn:* and the commands eval, evalsha, get, set, del, incrby and pttl.',
    ]
  }
  if (/^(OOM|MISCONF|READONLY|LOADING)/.test(message)) {
    return [`refuses to write (${message.split(' ', 1)[0]})`, 'Look at the log of the store.']
  }
  if (/^(ERR unknown command|NOPROTO)/.test(message)) {
    return ['does not know a command', 'Use Redis 6 or newer, or Valkey.']
  }
  if (/certificate|SSL|TLS/i.test(message) || /CERT|SSL/.test(code)) {
    return [
      'has no accepted certificate',
      'Use rediss:// with a host that its certificate lists, from an accepted authority.',
    ]
  }
  if (code === 'ECONNREFUSED')
    return ['refuses connections', 'Start it, or correct host and port in RATE_LIMIT_STORE.']
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return ['has no such host', 'Correct the host in RATE_LIMIT_STORE.']
  return ['does not answer', 'Start it, and let this machine connect to it.']
}

/** Counts in memory are those of one instance. A server sees instances of one machine as one. */
async function checkAlone({ databaseUrl }: Config, database: Inspected | undefined): Promise<Result[]> {
  const alone = ok('store', 'Requests are counted in memory, which is exact for one instance.')
  if (databaseUrl === undefined) return [alone]
  if (database === undefined) {
    return [
      notChecked('store', 'Requests are counted in memory; whether there are more instances is unknown.'),
    ]
  }
  const [row] = await database.read((tx) => tx.query<{ machines: number }>(countMachines))
  if ((row?.machines ?? 0) < 2) return [alone]
  return [
    notOk(
      'store',
      `Requests are counted in memory, and services of ${row?.machines} machines use the database: a key has its limit at each of them.`,
      'Set RATE_LIMIT_STORE to the same Redis or Valkey for all of them.',
    ),
  ]
}
