/** The memory that records take on their way in: a long file and a long delivery, against short ones. */
import { spawnSync } from 'node:child_process'
import { createReadStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request as post } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { SOJOURN } from '../../test/support/command.ts'
import { type Bench, BenchFailed, type Figure, type Measurement } from '../support/bench.ts'
import { bearer } from '../support/client.ts'
import { newDatabase } from '../support/database.ts'
import { outputOf, peakOf, residentMb, startNode } from '../support/processes.ts'
import { CENTER, writeRecords } from '../support/records.ts'
import { serviceEnv } from '../support/service.ts'

const SHORT = 6_000
/** As many as come in within the time that a delivery may take, also on a busy machine. */
const LONG = 60_000
const ENGINES = ['postgres', 'folder']

export const longImports: Measurement = {
  name: 'long-imports',
  title: 'the memory of a long import and of a long POST /intake, plain and packed, against short ones',

  async run(bench: Bench): Promise<Figure[]> {
    const folder = mkdtempSync(join(tmpdir(), 'sojourn-bench-'))
    bench.afterwards(() => rmSync(folder, { recursive: true }))
    const files = { short: join(folder, 'short.ndjson'), long: join(folder, 'long.ndjson') }
    await writeRecords(files.short, SHORT)
    await writeRecords(files.long, LONG)
    bench.log(`${LONG.toLocaleString('en')} records are ${(statSync(files.long).size / 1e6).toFixed(0)} MB`)
    const figures: Figure[] = []
    for (const engine of ENGINES.filter((name) => bench.engine === undefined || name === bench.engine)) {
      const env = async (name: string) =>
        serviceEnv(
          engine === 'postgres'
            ? { databaseUrl: (await newDatabase(bench)).url }
            : { dataDir: join(folder, name) },
        )
      figures.push(...(await commands(engine, env, files)))
      // A delivery to the database of a folder may write for seconds only, because all reads wait for it.
      if (engine === 'postgres')
        figures.push(...(await deliveries(bench, engine, await env('intake'), folder)))
    }
    return figures
  },
}

type Files = Readonly<Record<'short' | 'long', string>>
type Env = Readonly<Record<string, string>>

async function commands(
  engine: string,
  env: (name: string) => Promise<Env>,
  files: Files,
): Promise<Figure[]> {
  const peak = async (file: string, name: string) => {
    const own = await env(name)
    await peakOf(process.execPath, [...SOJOURN, 'migrate'], own)
    const begun = performance.now()
    const mb = await peakOf(process.execPath, [...SOJOURN, 'import', file], own)
    return { mb, seconds: (performance.now() - begun) / 1000 }
  }
  const short = await peak(files.short, 'short')
  const long = await peak(files.long, 'long')
  return [
    { what: `${engine}: import of ${SHORT} records, peak`, value: short.mb, unit: 'MB' },
    { what: `${engine}: import of ${LONG} records, peak`, value: long.mb, unit: 'MB' },
    { what: `${engine}: import, records`, value: LONG / long.seconds, unit: '/s' },
  ]
}

/** In another service for each, because a process keeps what it once had. The packed one brings the same records again. */
async function deliveries(bench: Bench, engine: string, env: Env, folder: string): Promise<Figure[]> {
  const says = (words: readonly string[]) => outputOf(process.execPath, [...SOJOURN, ...words], env)
  const center = { kind: 'center', id: CENTER, name: 'Center', timezone: 'Europe/Bucharest', currency: 'RON' }
  const centerFile = join(folder, 'center.ndjson')
  writeFileSync(centerFile, `${JSON.stringify(center)}\n`)
  await says(['import', centerFile])
  const words = ['keys', 'create', '--center', CENTER, '--name', 'bench', '--intake', '--json']
  const { apiKey } = JSON.parse(await says(words)) as { apiKey: string }
  const figures: Figure[] = []
  for (const [count, isPacked] of [
    [SHORT, false],
    [LONG, false],
    [LONG, true],
  ] as const) {
    const body = await bodyOf(folder, count, isPacked)
    const service = await startNode(
      bench,
      [...SOJOURN, 'serve'],
      { ...env, INTAKE_PORT: '0', INTAKE_BODY_MB: '1024' },
      /Records are accepted at (http:\S+)/,
    )
    const before = residentMb(service.pid).now
    const begun = performance.now()
    await deliver(service.said, body, apiKey, isPacked)
    const seconds = (performance.now() - begun) / 1000
    const { peak } = residentMb(service.pid)
    await service.stop()
    const what = `${engine}: POST /intake of ${count} records${isPacked ? ', packed' : ''}`
    bench.log(`${what}: ${(statSync(body).size / 1e6).toFixed(0)} MB sent`)
    figures.push(
      { what: `${what}, peak above the start`, value: peak - before, unit: 'MB' },
      { what: `${what}, records`, value: count / seconds, unit: '/s' },
    )
  }
  return figures
}

/** The records without that of the center, which comes by command. */
async function bodyOf(folder: string, count: number, isPacked: boolean): Promise<string> {
  const body = join(folder, `body-${count}.ndjson`)
  await writeRecords(body, count)
  spawnSync('sed', ['-i', '1d', body])
  if (isPacked) spawnSync('gzip', ['-f', body])
  return isPacked ? `${body}.gz` : body
}

async function deliver(url: string, body: string, apiKey: string, isPacked: boolean): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const request = post(
    url,
    {
      method: 'POST',
      headers: { ...bearer(apiKey), ...(isPacked ? { 'content-encoding': 'gzip' } : {}) },
    },
    (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    },
  )
  request.once('error', reject)
  await pipeline(createReadStream(body), request)
  const status = await promise
  if (status !== 200) throw new BenchFailed(`a delivery was answered with ${status}`)
}
