/**
 * `npx node bench/round-trip.ts FILE.ndjson[.gz] [--database postgres]`: imports a file of records, exports it, imports
 * the export into an empty database and exports it again. The second export must be the first to the byte, every field
 * of the file must be in it, and every list, as a file with all fields, must be the same of both databases. Exits with
 * 1 where anything differs. Each command is a process of its own, whose time and memory are reported.
 */
import { createHash } from 'node:crypto'
import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { createGunzip } from 'node:zlib'
import { ORDINARY_SCOPES } from '../src/core/access/keys/scopes.ts'
import { PROJECTABLE_NAMES } from '../src/core/api/guests/projection.ts'
import { SOJOURN } from '../test/support/command.ts'
import { adminQuery, withDatabase } from '../test/support/postgres-databases.ts'
import type { PostgresServer } from '../test/support/postgres-server.ts'
import { keysCreate, killAll, serve } from './support/commands.ts'
import { startServer } from './support/database.ts'
import { machineFacts } from './support/machine.ts'
import { outputOf, peakOf } from './support/processes.ts'

type Fields = Readonly<Record<string, unknown>>
type Env = Readonly<Record<string, string>>

const MOMENTS = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/
const RANGE = 'startDate=1990-01-01&endDate=2099-12-31'
const LISTS = [
  `guests?${RANGE}&project=${PROJECTABLE_NAMES.join()}`,
  `sessions?${RANGE}`,
  `orders?${RANGE}&includeGuestNames=true`,
]

let differences = 0
function check(what: string, isSame: boolean): void {
  if (isSame) return
  differences += 1
  if (differences <= 20) console.log(`DIFFERENT: ${what}`)
}

async function* recordsOf(file: string): AsyncGenerator<Fields> {
  const bytes = createReadStream(file)
  for await (const line of createInterface({
    input: file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes,
  })) {
    if (line.trim() !== '') yield JSON.parse(line) as Fields
  }
}

const keyOf = ({ kind, centerId, set, id, uuid, key, sessionId }: Fields) =>
  [kind, kind === 'center' ? '' : centerId, set, id ?? uuid ?? key ?? sessionId].join('/')

/** Without regard to how moments are written and to what is null or empty, which an export leaves out. */
function plain(value: unknown): unknown {
  if (typeof value === 'string') return MOMENTS.test(value) ? new Date(value).toISOString() : value
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const stored = Object.entries(value)
    .map(([name, child]) => [name, plain(child)] as const)
    .filter(
      ([, child]) => child !== null && !(typeof child === 'object' && Object.keys(child ?? {}).length === 0),
    )
  return Object.fromEntries(stored.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Every field of the file is in the export; the database may have added some (booking identifiers). */
async function checkContent(file: string, exported: string): Promise<number> {
  const out = new Map<string, Fields>()
  for await (const record of recordsOf(exported)) out.set(keyOf(record), record)
  let count = 0
  for await (const record of recordsOf(file)) {
    count += 1
    const found = plain(out.get(keyOf(record)) ?? {}) as Fields
    for (const [name, value] of Object.entries(plain(record) as Fields)) {
      check(`${name} of ${keyOf(record)}`, JSON.stringify(found[name]) === JSON.stringify(value))
    }
  }
  return count
}

async function digestOf(chunks: AsyncIterable<Buffer | string>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

async function measured(what: string, rows: number, args: readonly string[], env: Env): Promise<void> {
  const began = performance.now()
  const peak = await peakOf(process.execPath, [...SOJOURN, ...args], env)
  const seconds = (performance.now() - began) / 1000
  const rate = Math.round(rows / seconds).toLocaleString('en')
  console.log(`${what}: ${seconds.toFixed(1)} s, ${rate} records a second, ${peak.toFixed(0)} MB at most`)
}

/** Every list of every center as a file, without the position in the changes that it is of. */
async function listsOf(centers: readonly string[], env: Env): Promise<string[]> {
  const served = await serve(env.DATA_DIR ?? '', env)
  if ('code' in served) throw new Error(`the service ended: ${served.said}`)
  const lists: string[] = []
  for (const center of centers) {
    const words = keysCreate(center, 'round trip', ['--scopes', ORDINARY_SCOPES.join()])
    const { apiKey } = JSON.parse(await outputOf(process.execPath, [...SOJOURN, ...words], env)) as {
      apiKey: string
    }
    for (const list of LISTS) {
      const url = `${served.url}/v1/${list}&format=ndjson`
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        get(url, { headers: { authorization: `Bearer ${apiKey}` } }, resolve).once('error', reject)
      })
      if (response.statusCode !== 200) throw new Error(`${url} was answered with ${response.statusCode}`)
      const hash = createHash('sha256')
      let rows = 0
      for await (const line of createInterface({ input: response })) {
        if (line.startsWith('{"manifest":')) continue
        rows += 1
        hash.update(line)
      }
      lists.push(`${center} ${list.split('?')[0]} ${rows} ${hash.digest('hex').slice(0, 16)}`)
    }
  }
  served.child.kill('SIGTERM')
  await served.ended
  return lists
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { database: { type: 'string', default: 'folder' } },
})
const [file] = positionals
if (file === undefined || !['folder', 'server'].includes(values.database)) {
  console.error('npx node bench/round-trip.ts FILE.ndjson[.gz] [--database postgres]')
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'sojourn-round-trip-'))
let server: PostgresServer | undefined
try {
  const { commit, loadBefore } = machineFacts()
  console.log(`${values.database}, ${commit}, load ${loadBefore}`)
  if (values.database === 'server') server = await startServer()
  const databaseOf = async (name: string): Promise<Env> => {
    if (server === undefined) return { DATA_DIR: join(folder, name), DATABASE_URL: '' }
    await adminQuery(server.url, `create database ${name}`)
    return { DATABASE_URL: withDatabase(server.url, name) }
  }
  const [first, second] = [await databaseOf('first'), await databaseOf('second')]
  const [once, twice] = [join(folder, 'once.ndjson'), join(folder, 'twice.ndjson')]
  let count = 0
  const centers: string[] = []
  for await (const { kind, id } of recordsOf(file)) {
    count += 1
    if (kind === 'center') centers.push(String(id))
  }
  for (const env of [first, second]) await outputOf(process.execPath, [...SOJOURN, 'migrate'], env)
  await measured('in', count, ['import', file], first)
  await measured('out', count, ['export', '--output', once], first)
  await measured('in again', count, ['import', once], second)
  await measured('out again', count, ['export', '--output', twice], second)
  const compared = await checkContent(file, once)
  const [one, two] = [await digestOf(createReadStream(once)), await digestOf(createReadStream(twice))]
  check(`the exports (${one}, ${two})`, one === two)
  console.log(
    `${compared.toLocaleString('en')} records, ${statSync(once).size.toLocaleString('en')} bytes, SHA-256 ${one}`,
  )
  const [before, after] = [await listsOf(centers, first), await listsOf(centers, second)]
  for (const [at, list] of before.entries()) {
    check(`the list ${list}, ${after[at]}`, list === after[at])
    console.log(list)
  }
  console.log(`${differences} differences`)
  process.exitCode = differences === 0 ? 0 : 1
} finally {
  killAll()
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
}
