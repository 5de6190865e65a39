/**
 * Counters in Redis or Valkey, shared by several instances. One script counts both windows by the store's clock.
 * Requests of an application that arrive together share one round trip.
 *
 * While the store is unavailable, this process counts alone, so each instance grants the whole quota. The outage and
 * its end are logged once each. No request waits for a store that is known to be unavailable, and none waits longer
 * than `COMMAND_MS_MAX` to find out.
 */
import { type CommandParser, createClient, defineScript } from '@redis/client'
import type { Quotas } from './keys/quotas.ts'
import { HOUR_MS, type LimitStore, type LimitUse, MINUTE_MS, type StoreOutages } from './limits.ts'
import { createMemoryLimits } from './limits-memory.ts'
import { StoreHangs } from './limits-redis-errors.ts'

export interface RedisLimitStore extends LimitStore {
  readonly outages: StoreOutages
}

export interface RedisLimitOptions {
  /** `redis://…` or `rediss://…` */
  readonly url: string
  readonly clock: () => number
  /** Called once when the store becomes unavailable and once when it is back. */
  readonly onChange: (event: { readonly away: boolean; readonly error?: Error }) => void
}

/** In a data center's network an answer takes less than a millisecond; from an overloaded machine it takes many. */
const COMMAND_MS_MAX = 500
/** How long the store is not used after it failed to answer. */
const PAUSE_MS = 1000
const RECONNECT_MS_MAX = 2000

/**
 * Grants up to ARGV[1] requests, as many as both windows have left, and counts those it grants. A window begins with
 * the first request granted in it. A quota of 0 means no limit.
 *
 * Redis still returns a counter in the millisecond in which it expires. A request in that millisecond belongs to the
 * next window.
 */
const SCRIPT = `
local function window(key, quota, width)
  local ends = redis.call('pttl', key)
  if ends <= 0 then
    if ends ~= -2 then redis.call('del', key) end
    return 0, width, quota == 0 and math.huge or quota
  end
  local used = tonumber(redis.call('get', key))
  return used, ends, quota == 0 and math.huge or math.max(0, quota - used)
end
local minute, minuteEnds, minuteLeft = window(KEYS[1], tonumber(ARGV[2]), tonumber(ARGV[4]))
local hour, hourEnds, hourLeft = window(KEYS[2], tonumber(ARGV[3]), tonumber(ARGV[5]))
local granted = math.min(tonumber(ARGV[1]), minuteLeft, hourLeft)
if granted > 0 then
  if minute == 0 then redis.call('set', KEYS[1], granted, 'px', minuteEnds) else redis.call('incrby', KEYS[1], granted) end
  if hour == 0 then redis.call('set', KEYS[2], granted, 'px', hourEnds) else redis.call('incrby', KEYS[2], granted) end
end
return { granted, minute + granted, minuteEnds, hour + granted, hourEnds }
`

type Reply = [granted: number, minute: number, minuteEnds: number, hour: number, hourEnds: number]

const take = defineScript({
  NUMBER_OF_KEYS: 2,
  SCRIPT,
  parseCommand(parser: CommandParser, counter: string, { perMinute, perHour }: Quotas, requests: number) {
    // The braces keep both counters of an application on the same cluster node.
    const key = `sojourn:{${counter}}`
    parser.pushKeys([`${key}:m`, `${key}:h`])
    parser.push(...[requests, perMinute, perHour, MINUTE_MS, HOUR_MS].map(String))
  },
  transformReply: ([granted, minute, minuteEnds, hour, hourEnds]: Reply) => ({
    granted,
    minute,
    minuteEnds,
    hour,
    hourEnds,
  }),
})

type Granted = ReturnType<typeof take.transformReply>

interface Waiting {
  readonly counter: string
  readonly quotas: Quotas
  readonly results: PromiseWithResolvers<LimitUse>[]
}

/** Connects to the store in the background. Requests are counted in this process until the connection is ready. */
export function createRedisLimits(options: RedisLimitOptions): RedisLimitStore {
  const insurance = createMemoryLimits(options.clock)
  const counts: StoreOutages = { insured: 0, outages: 0, away: 0 }
  const redis = createClient({
    url: options.url,
    name: 'sojourn-limits',
    scripts: { take },
    // A request does not wait for an unavailable store; this process counts it instead.
    disableOfflineQueue: true,
    // `inTime` is the bound; this one would end with the sending.
    commandOptions: { timeout: 0 },
    maintNotifications: 'disabled',
    // The client's own attempts cannot be stopped: they would keep a closed service from ending.
    socket: { connectTimeout: 2000, reconnectStrategy: false },
  })

  /** epoch ms until which the store is not used */
  let pausedUntil = 0
  let closed = false

  const setAway = (error: Error | undefined) => {
    const away = error !== undefined
    if (closed || (counts.away === 1) === away) return
    counts.away = away ? 1 : 0
    if (away) counts.outages += 1
    options.onChange(away ? { away, error } : { away })
  }

  let failures = 0
  let retry: NodeJS.Timeout | undefined
  // What it is rejected with is also an event.
  const connect = () => void redis.connect().catch(() => {})
  redis.on('error', (error: Error) => {
    setAway(error)
    if (closed || redis.isOpen) return
    failures += 1
    clearTimeout(retry)
    retry = setTimeout(connect, Math.min(failures * 100, RECONNECT_MS_MAX))
  })
  redis.on('ready', () => {
    failures = 0
  })
  redis.on('connect', () => {
    // One that is closed while it connects goes on to connect.
    if (closed) redis.destroy()
  })
  connect()

  const insured = (counter: string, quotas: Quotas): LimitUse => {
    counts.insured += 1
    return insurance.take(counter, quotas)
  }

  let waiting = new Map<string, Waiting>()

  const ask = async ({ counter, quotas, results }: Waiting): Promise<void> => {
    let granted: Granted
    try {
      granted = await inTime(redis.take(counter, quotas, results.length))
    } catch (error) {
      pausedUntil = options.clock() + PAUSE_MS
      setAway(error instanceof Error ? error : new Error('the store did not answer', { cause: error }))
      for (const result of results) result.resolve(insured(counter, quotas))
      return
    }
    setAway(undefined)
    results.forEach((result, index) => {
      result.resolve(useOf(granted, index))
    })
  }

  const askAll = () => {
    const batch = waiting
    waiting = new Map()
    for (const group of batch.values()) void ask(group)
  }

  return {
    outages: counts,

    take(counter, quotas) {
      const now = options.clock()
      const paused = now < pausedUntil && pausedUntil - now <= PAUSE_MS
      if (!redis.isReady || paused) return insured(counter, quotas)
      // Two keys of one application may have different quotas while one replaces the other.
      const group = `${counter} ${quotas.perMinute} ${quotas.perHour}`
      let entry = waiting.get(group)
      if (entry === undefined) {
        if (waiting.size === 0) process.nextTick(askAll)
        entry = { counter, quotas, results: [] }
        waiting.set(group, entry)
      }
      const result = Promise.withResolvers<LimitUse>()
      entry.results.push(result)
      return result.promise
    },

    async close() {
      closed = true
      clearTimeout(retry)
      redis.destroy()
      await insurance.close()
    },
  }
}

/**
 * @throws {StoreHangs} if the answer does not come in time. The client sends in the next immediate, so the time begins in
 * the one after. If this process was busy for longer than that, the answer may be unread in the socket, which is read
 * between a timer and an immediate; that is not the store's fault.
 */
function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new StoreHangs('the store did not answer in time'))
    let timer: NodeJS.Timeout | undefined
    const sent = setImmediate(() => {
      timer = setTimeout(() => setImmediate(late), COMMAND_MS_MAX)
    })
    const settled = () => {
      clearImmediate(sent)
      clearTimeout(timer)
    }
    answer.then(resolve, reject).finally(settled)
  })
}

/** The limitUse of one request of a batch. The first ones of the batch were granted. */
function useOf({ granted, minute, minuteEnds, hour, hourEnds }: Granted, index: number): LimitUse {
  const allowed = index < granted
  const later = allowed ? granted - index - 1 : 0
  return {
    allowed,
    minuteUsed: minute - later,
    minuteEndsInMs: minuteEnds,
    hourUsed: hour - later,
    hourEndsInMs: hourEnds,
  }
}
