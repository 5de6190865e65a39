/**
 * `npx node bench/contradictions.ts FILE.ndjson[.gz] [--database folder|server] [--count 1000] [--seed 1]`: imports a
 * file of records, plants contradictions of each kind and as many near misses, and compares the list with what was
 * planted: recall, precision, and what else is found, by kind. Then one commit after the other is evaluated and timed.
 * Exits with 1 if recall is below 0.99 or precision below 0.95.
 */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { createGunzip } from 'node:zlib'
import { buildApp } from '../src/app.ts'
import { createKey } from '../src/core/access/keys/create-key.ts'
import { ORDINARY_SCOPES } from '../src/core/access/keys/scopes.ts'
import { openPostgres } from '../src/core/database/postgres/postgres.ts'
import { importRecords } from '../src/core/intake/import-records.ts'
import { localFiles } from '../src/core/intake/lines/files.ts'
import { readFiles } from '../src/core/intake/lines/read-files.ts'
import { createEvaluator } from '../src/parts/contradictions/evaluator.ts'
import {
  type Base,
  PLANTED_CENTER,
  PLANTED_KINDS,
  type Planted,
  plantContradictions,
} from '../test/support/planted-contradictions.ts'
import type { TestRecord } from '../test/support/world.ts'
import { openEither } from './support/either-database.ts'

interface Listed {
  readonly id: string
  readonly kind: string
  readonly evidence: { readonly records: readonly { readonly id: string }[] }
}

const RECALL_MIN = 0.99
const PRECISION_MIN = 0.95
const COMMITS = 30
const TODAY = new Date().toISOString().slice(0, 10)

async function main(file: string, kind: string, count: number, seed: number): Promise<void> {
  const { database, url, close } = await openEither(kind)
  // Statements of a service have time-outs that an import does not keep.
  const writing =
    url === undefined
      ? database
      : openPostgres({ connection: { connectionString: url }, poolSize: 2, purpose: 'command' })
  const onProblem = (problem: unknown) => console.error(problem)
  const began = Date.now()
  await importRecords(writing, await readFiles([file], localFiles(process.stdin)), { onProblem })
  console.log(`imported in ${seconds(began)}`)
  const { bases, centers } = await basesOf(file)
  const plants = plantContradictions(bases, count, TODAY, seed)
  const settings = centers.flatMap((id): TestRecord[] => [
    { kind: 'center', id, ...PLANTED_CENTER },
    { kind: 'metaField', centerId: id, key: 'plantedDiet', label: 'Diet', type: 'string', of: 'booking' },
  ])
  const load = async (records: readonly TestRecord[]) => {
    const lines = records.map((record, at) => ({
      file: 'planted',
      line: at + 1,
      text: JSON.stringify(record),
    }))
    const { applied } = await importRecords(writing, lines, { onProblem })
    if (!applied) throw new Error('the planted records were refused')
  }
  await load([...settings, ...plants.records])

  const app = await buildApp({ database, logLevel: 'warn' })
  const making = { random: randomBytes, now: Date.now() }
  const keys = new Map<string, string>()
  for (const centerId of centers) {
    const input = { centerId, name: 'bench', scopes: ORDINARY_SCOPES, perHour: 0, perMinute: 0 }
    keys.set(centerId, (await createKey(database, input, making)).apiKey)
  }
  const evaluator = createEvaluator({ database, clock: Date.now, holder: 'bench', log: console })
  const swept = Date.now()
  const rounds = await evaluator.look()
  console.log(`all records evaluated in ${seconds(swept)}, ${rounds} rounds`)

  const listed: Listed[] = []
  for (const key of keys.values()) {
    for (let start = 1, total = 1; (start - 1) * 100 < total; start += 1) {
      const url = `/v1/contradictions?length=100&start=${start}`
      const answer = (await app.inject({ url, headers: { authorization: `Bearer ${key}` } })).json()
      if (answer.complete !== true) throw new Error('not everything is evaluated')
      listed.push(...answer.data)
      total = answer.total
    }
  }
  compare(listed, plants)

  const times: number[] = []
  for (let at = 0; at < COMMITS; at += 1) {
    const base = bases[(at * 997) % bases.length]
    if (base === undefined) continue
    const { id, centerId, endDate } = base.booking
    await load([
      { kind: 'booking', centerId, id, endDate: `${String(endDate).slice(0, 10)}T${10 + (at % 9)}:30` },
    ])
    const start = performance.now()
    await evaluator.look()
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  console.log(
    `a commit is evaluated in ${ms(times[times.length >> 1])} (median), ${ms(times.at(-1))} (longest of ${COMMITS})`,
  )
  await app.close()
  if (writing !== database) await writing.close()
  await close()
}

const seconds = (since: number) => `${((Date.now() - since) / 1000).toFixed(1)} s`
const ms = (time = 0) => `${time.toFixed(1)} ms`

function compare(
  listed: readonly Listed[],
  { contradictions, nearMisses }: { contradictions: readonly Planted[]; nearMisses: readonly Planted[] },
): void {
  const isFound = (planted: Planted) =>
    listed.filter(
      ({ kind, evidence }) =>
        kind === planted.kind &&
        planted.ids.every((id) => evidence.records.some((record) => record.id === id)),
    )
  const of = new Set<string>()
  let [found, wrong] = [0, 0]
  for (const kind of PLANTED_KINDS) {
    const own = contradictions.filter((one) => one.kind === kind)
    const hits = own.filter((one) => isFound(one).length > 0)
    for (const one of own.flatMap(isFound)) of.add(one.id)
    const misses = nearMisses.filter((one) => one.kind === kind)
    const false_ = misses.filter((one) => isFound(one).length > 0)
    for (const one of misses.flatMap(isFound)) of.add(one.id)
    found += hits.length
    wrong += false_.length
    const others = listed.filter((one) => one.kind === kind && !of.has(one.id))
    console.log(
      `${kind}: ${hits.length} of ${own.length} found, ${false_.length} of ${misses.length} near misses reported, ${others.length} others`,
    )
    for (const one of own.filter((planted) => isFound(planted).length === 0).slice(0, 3)) {
      console.log(`  NOT FOUND: ${one.how} ${one.ids.join(' ')}`)
    }
    for (const one of false_.slice(0, 3)) console.log(`  WRONG: ${one.how} ${one.ids.join(' ')}`)
    for (const one of others.slice(0, 3)) console.log(`  other: ${JSON.stringify(one.evidence)}`)
  }
  const recall = found / contradictions.length
  const precision = found / (found + wrong)
  console.log(`recall ${recall.toFixed(4)}, precision ${precision.toFixed(4)}`)
  if (recall < RECALL_MIN || precision < PRECISION_MIN) process.exitCode = 1
}

/** Active bookings with their customers, and the centers. */
async function basesOf(file: string): Promise<{ bases: Base[]; centers: string[] }> {
  const customers = new Map<string, TestRecord>()
  const bookings: TestRecord[] = []
  const centers: string[] = []
  const stream = createReadStream(file)
  const lines = createInterface({ input: file.endsWith('.gz') ? stream.pipe(createGunzip()) : stream })
  for await (const line of lines) {
    const record = JSON.parse(line) as TestRecord
    if (record.kind === 'center') centers.push(String(record.id))
    if (record.kind === 'customer') customers.set(`${String(record.centerId)} ${String(record.id)}`, record)
    if (record.kind === 'booking') bookings.push(record)
  }
  const bases = bookings.flatMap((booking) => {
    const customer = customers.get(`${String(booking.centerId)} ${String(booking.customerId)}`)
    return customer === undefined ? [] : [{ booking, customer }]
  })
  return { bases, centers }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { database: { type: 'string' }, count: { type: 'string' }, seed: { type: 'string' } },
})
const [file] = positionals
if (file === undefined) {
  console.error(
    'npx node bench/contradictions.ts FILE.ndjson[.gz] [--database folder|server] [--count 1000] [--seed 1]',
  )
  process.exitCode = 2
} else {
  await main(file, values.database ?? 'folder', Number(values.count ?? 1000), Number(values.seed ?? 1))
}
