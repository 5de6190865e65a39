/**
 * What another center sees while everything is abused at once: lists that nobody reads, connections that take nothing,
 * ever new projections, reports of ten years, wrong credentials, and the metrics.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { PROJECTABLE_NAMES } from '../../src/guests/projection.ts'
import type { Bench, Finding, Measurement } from '../support/bench.ts'
import { bearer, open } from '../support/client.ts'
import type { Service } from '../support/service.ts'
import { type Keys, onBothDatabases, visit } from './peace.ts'

/** A key's hundred requests a minute, by default. */
const KEY_EVERY_MS = 600
const STREAMS = 2
const UNREAD_CONNECTIONS = 100
const UNREAD_REQUESTS = 50
const TOKEN = 'token-of-the-collector'

export const abusers: Measurement = {
  name: 'abusers',
  title: 'what a center sees while every kind of abuse goes on at once, on both databases',

  run: (bench) => onBothDatabases(bench, { METRICS_TOKEN: TOKEN }, compare),
}

async function compare(bench: Bench, service: Service, keys: Keys, where: string): Promise<Finding[]> {
  await visit(service, keys.neighbor, 5)
  const quiet = await visit(service, keys.neighbor, bench.roundSeconds * 4)
  const abuse = abuseBy(service, keys.abuser)
  const abused = await visit(service, keys.neighbor, bench.roundSeconds * 24)
  bench.log(`${where}: ${JSON.stringify(await abuse.stop())}`)
  return [
    { what: `${where}: p50 in quiet`, value: quiet.p50Ms, unit: 'ms' },
    { what: `${where}: p99 in quiet`, value: quiet.p99Ms, unit: 'ms' },
    { what: `${where}: p50 beside all abusers`, value: abused.p50Ms, unit: 'ms' },
    { what: `${where}: p99 beside all abusers`, value: abused.p99Ms, unit: 'ms' },
    {
      what: `${where}: p99 beside all abusers against quiet`,
      value: abused.p99Ms / quiet.p99Ms,
      target: { atMost: 3 },
    },
    { what: `${where}: refused`, value: quiet.refused + abused.refused, target: { atMost: 0 } },
    { what: `${where}: resident at most`, value: service.residentMb().peak, unit: 'MB' },
  ]
}

function abuseBy(service: Service, apiKey: string): { stop(): Promise<Record<string, number>> } {
  const { hostname, port } = new URL(service.url)
  const answers: Record<string, number> = {}
  const ending = new AbortController()
  const { signal } = ending
  const unreadSockets: Set<Socket>[] = []

  const ask = async (kind: string, path: string, headers: Readonly<Record<string, string>>) => {
    const status = await open(`${service.url}${path}`, headers).then(
      (answer) => answer.resume().statusCode,
      () => 'cut off',
    )
    answers[`${kind} ${status}`] = (answers[`${kind} ${status}`] ?? 0) + 1
  }
  /** Whatever the answers take. */
  const every = async (ms: number, act: (n: number) => unknown) => {
    for (let n = 0; !signal.aborted; n += 1) {
      void act(n)
      await wait(ms, undefined, { signal }).catch(() => {})
    }
  }
  /** So many connections that take nothing of what they asked for; one that is closed is followed by another. */
  const unread = (count: number, text: string) => {
    const sockets = new Set<Socket>()
    unreadSockets.push(sockets)
    return every(1000, () => {
      for (let open = sockets.size; open < count; open += 1) {
        const socket = connect(Number(port), hostname)
        sockets.add(socket)
        socket.pause().on('error', () => {})
        socket.once('close', () => sockets.delete(socket))
        socket.write(text)
      }
    })
  }

  const key = bearer(apiKey)
  const head = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`
  const day = (n: number) =>
    `${String(1 + (n % 12)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}`
  const running = [
    unread(STREAMS, head('/v1/orders?startDate=1950-01-01&endDate=2049-12-31')),
    unread(UNREAD_CONNECTIONS, 'GET /docs HTTP/1.1\r\nHost: bench\r\n\r\n'.repeat(UNREAD_REQUESTS)),
    every(KEY_EVERY_MS, (n) =>
      ask('report', `/v1/guests/meal-skipping-report?startDate=2017-${day(n)}&endDate=2027-${day(n)}`, key),
    ),
    every(KEY_EVERY_MS, (n) => {
      const names = PROJECTABLE_NAMES.filter(
        (name, at) => !name.includes('meta') && (n * 7919 + at * 31) % 5 < 2,
      )
      return ask('projection', `/v1/guests?sessionId=${n % 50}&length=100&project=${names.join(',')}`, key)
    }),
    every(20, () => ask('wrong', '/v1/guests?sessionId=1', bearer('sjn_wrong'))),
    every(5, () => ask('metrics', '/metrics', bearer(TOKEN))),
  ]
  return {
    async stop() {
      ending.abort()
      await Promise.all(running)
      for (const socket of unreadSockets.flatMap((sockets) => [...sockets])) socket.destroy()
      return answers
    },
  }
}
