/** Requests at a steady rate, whatever the answers take, while the center commits; each answer is compared with the commits. */
import { Agent, get } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Database } from '../../src/core/database/database.ts'

const PAGE = '/v1/guests?startDate=2025-01-01&endDate=2025-01-31&length='
/** Pages of so many lengths are read. */
const LENGTHS = 10
/** A client waits no longer. */
const GIVES_UP_MS = 30_000
/** A commit that waits for longer is given up, and the next one follows. */
const COMMIT_MS_MAX = 2000

export interface Asked {
  /** when it was sent, ms after the load began */
  readonly at: number
  readonly ms: number
  /** `lost`: no answer, or one that is none of the service's */
  readonly outcome: 'answered' | 'refused' | 'lost' | 'stale'
  readonly why: string
}

export interface SteadyLoad {
  readonly asked: readonly Asked[]
  /** ms since it began */
  now(): number
  stop(): Promise<void>
}

export interface LoadOptions {
  readonly url: string
  readonly keys: readonly Readonly<Record<string, string>>[]
  /** of the writer */
  readonly database: Database
  readonly perSecond: number
  readonly commitsPerSecond: number
  /** other questions, one of them with every fifth request; whether they are of now is not compared */
  readonly others?: readonly string[]
  /** called with each outcome; by default, they are collected */
  readonly onAsked?: (asked: Asked) => void
}

export function startLoad(options: LoadOptions): SteadyLoad {
  const { url, keys, database, perSecond, commitsPerSecond, others = [] } = options
  const asked: Asked[] = []
  const note = options.onAsked ?? ((one: Asked) => void asked.push(one))
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const begun = performance.now()
  const now = () => performance.now() - begun
  const running = new Set<Promise<void>>()
  let isOver = false
  /** the newest one that is confirmed; the numbers of those in doubt are skipped */
  let committed = 0

  const ask = async (n: number): Promise<void> => {
    const at = now()
    const known = committed
    const headers = keys[n % keys.length] ?? {}
    const round = Math.floor(n / keys.length)
    const other = n % 5 === 0 ? others[Math.floor(n / 5) % others.length] : undefined
    const path = other ?? `${PAGE}${30 + (round % LENGTHS)}`
    const { status, body } = await read(`${url}${path}`, agent, headers)
    const [outcome, why] = judge(status, body, other === undefined ? known : 0)
    note({ at, ms: now() - at, outcome, why })
  }
  const loading = (async () => {
    for (let n = 0; !isOver; ) {
      await wait(5)
      for (const due = (now() / 1000) * perSecond; n < due; n += 1) {
        const one = ask(n).finally(() => running.delete(one))
        running.add(one)
      }
    }
  })()
  const committing = (async () => {
    for (let n = 1; !isOver; n += 1) {
      const next = now() + 1000 / commitsPerSecond
      const name = `N${n}.`
      const update = database
        .query(sql`update customers set last_name = ${name} where center_id = 'spa' and id = 'c-1'`)
        .then(
          () => {
            committed = Math.max(committed, n)
          },
          () => {},
        )
      await Promise.race([update, wait(COMMIT_MS_MAX)])
      await wait(Math.max(0, next - now()))
    }
  })()
  return {
    asked,
    now,
    async stop() {
      isOver = true
      await Promise.all([loading, committing])
      await Promise.all(running)
      agent.destroy()
    },
  }
}

function judge(status: number, body: string, known: number): [Asked['outcome'], string] {
  if (status === 200) {
    const shown = Number(/"N(\d+)\."/.exec(body)?.[1])
    if (known > 0 && !(shown >= known)) return ['stale', `N${shown} after N${known}`]
    return ['answered', '']
  }
  // Too many long lists at once are refused with a 429.
  if (status === 429 || (status === 503 && body.includes('"code":"UNAVAILABLE"'))) {
    return ['refused', /"message":"([^"]*)/.exec(body)?.[1] ?? '']
  }
  return ['lost', `${status} ${body.slice(0, 200)}`]
}

function read(
  address: string,
  agent: Agent,
  headers: Readonly<Record<string, string>>,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve) => {
    const request = get(address, { agent, headers, timeout: GIVES_UP_MS }, async (answer) => {
      resolve({ status: answer.statusCode ?? 0, body: await text(answer).catch(String) })
    })
    request.on('timeout', () => request.destroy(new Error('no answer')))
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The proxy closed an idle connection at the moment it was reused, so it has not seen the request.
      if (request.reusedSocket && error.code === 'ECONNRESET') resolve(read(address, agent, headers))
      else resolve({ status: 0, body: String(error) })
    })
  })
}

/** The value below which this share of the values is; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
}
