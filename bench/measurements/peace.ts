/**
 * What another center sees while one key does its worst: ninety reports of ten years at once, within its limits, beside
 * lists of orders that it does not read.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../src/database/database.ts'
import { localFiles } from '../../src/intake/files.ts'
import { importRecords } from '../../src/intake/import-records.ts'
import { readFiles } from '../../src/intake/read-files.ts'
import type { Bench, Finding, Measurement } from '../support/bench.ts'
import { bearer, openClient } from '../support/client.ts'
import { makeKey, newDatabase } from '../support/database.ts'
import { fillWith, makeFolder, openFolder, type RecordsFile, smallRecords } from '../support/embedded-data.ts'
import { type Service, startService } from '../support/service.ts'

const NEIGHBOR = '2'
const NEIGHBOR_SESSIONS = 20
/** of the neighbor: few enough that the machine has time for them in quiet */
const PER_SECOND = 20
const REPORTS = 90
const STREAMS = 2

export const peace: Measurement = {
  name: 'peace',
  title: 'what a center sees in quiet and while a key of another one does its worst, on both databases',

  run: (bench) => onBothDatabases(bench, {}, compare),
}

type Compare = (bench: Bench, service: Service, keys: Keys, where: string) => Promise<Finding[]>

/** The same comparison with a service on PostgreSQL and one on the embedded database, an abuser and a neighbor on each. */
export async function onBothDatabases(
  bench: Bench,
  env: Readonly<Record<string, string>>,
  compare: Compare,
): Promise<Finding[]> {
  const records = await smallRecords(bench, 40_000)
  const neighbors = neighborRecords(records)

  const server = await newDatabase(bench)
  const onServer = {
    abuser: await fillWith(server.database, records),
    neighbor: await addNeighbor(server.database, neighbors),
  }
  const service = await startService(bench, { databaseUrl: server.url, answerCacheMb: 0, env })
  const findings = await compare(bench, service, onServer, 'PostgreSQL')
  await service.stop()

  const folder = await makeFolder(bench, records)
  const database = await openFolder(folder.dataDir)
  const neighbor = await addNeighbor(database, neighbors)
  await database.close()
  const embedded = await startService(bench, { dataDir: folder.dataDir, answerCacheMb: 0, env })
  return [...findings, ...(await compare(bench, embedded, { abuser: folder.apiKey, neighbor }, 'embedded'))]
}

/** The first sessions of the same records as another center's. */
function neighborRecords({ file }: RecordsFile): string {
  const lines = readFileSync(file, 'utf8').split('\n', 1 + NEIGHBOR_SESSIONS * 101)
  const theirs = lines.map((line) =>
    line
      .replace('"centerId":"1"', `"centerId":"${NEIGHBOR}"`)
      .replace('"kind":"center","id":"1"', `"kind":"center","id":"${NEIGHBOR}"`),
  )
  const path = `${file}.neighbor.ndjson`
  writeFileSync(path, theirs.join('\n'))
  return path
}

async function addNeighbor(database: Database, file: string): Promise<string> {
  await importRecords(database, await readFiles([file], localFiles(process.stdin)))
  return makeKey(database, NEIGHBOR)
}

export interface Keys {
  readonly abuser: string
  readonly neighbor: string
}

interface Seen {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly refused: number
}

async function compare(bench: Bench, service: Service, keys: Keys, where: string): Promise<Finding[]> {
  const seconds = bench.roundSeconds * 4
  await visit(service, keys.neighbor, 5)
  const quiet = await visit(service, keys.neighbor, seconds)
  const abuse = abuseBy(service, keys.abuser)
  const abused = await visit(service, keys.neighbor, seconds)
  const { answered, refused } = await abuse
  bench.log(`${where}: of the ${REPORTS} reports ${answered} were answered and ${refused} refused`)
  return [
    { what: `${where}: p50 in quiet`, value: quiet.p50Ms, unit: 'ms' },
    { what: `${where}: p99 in quiet`, value: quiet.p99Ms, unit: 'ms' },
    { what: `${where}: p50 beside the abuser`, value: abused.p50Ms, unit: 'ms' },
    { what: `${where}: p99 beside the abuser`, value: abused.p99Ms, unit: 'ms' },
    {
      what: `${where}: p99 beside the abuser against quiet`,
      value: abused.p99Ms / quiet.p99Ms,
      target: { atMost: 3 },
    },
    { what: `${where}: refused`, value: quiet.refused + abused.refused, target: { atMost: 0 } },
  ]
}

/** A page at a time, at a steady rate whatever the answers take, each one a read of the database. */
export async function visit(service: Service, apiKey: string, seconds: number): Promise<Seen> {
  const client = openClient()
  const times: number[] = []
  let refused = 0
  const asked = Array.from({ length: seconds * PER_SECOND }, async (_, n) => {
    await wait((n * 1000) / PER_SECOND)
    const begun = performance.now()
    const path = `/v1/guests?sessionId=${n % NEIGHBOR_SESSIONS}&length=20&start=${1 + (n % 2)}`
    const { status } = await client.get(`${service.url}${path}`, bearer(apiKey))
    times.push(performance.now() - begun)
    if (status !== 200) refused += 1
  })
  await Promise.all(asked)
  client.close()
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  return { p50Ms: at(0.5), p99Ms: at(0.99), refused }
}

async function abuseBy(service: Service, apiKey: string): Promise<{ answered: number; refused: number }> {
  const { hostname, port } = new URL(service.url)
  const unread = Array.from({ length: STREAMS }, () => {
    const socket = connect(Number(port), hostname)
    socket.pause().on('error', () => {})
    socket.write(
      `GET /v1/orders?startDate=1950-01-01&endDate=2049-12-31 HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`,
    )
    return socket
  })
  const client = openClient()
  const statuses = await Promise.all(
    Array.from({ length: REPORTS }, async (_, n) => {
      const month = `${String(1 + (n % 12)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}`
      const path = `/v1/guests/meal-skipping-report?startDate=2017-${month}&endDate=2027-${month}`
      return (await client.get(`${service.url}${path}`, bearer(apiKey))).status
    }),
  )
  client.close()
  for (const socket of unread) socket.destroy()
  const answered = statuses.filter((status) => status === 200).length
  return { answered, refused: statuses.length - answered }
}
