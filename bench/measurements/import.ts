/** `sojourn import` of NDJSON against `COPY` of the same rows into the same tables, triggers and indexes on. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SOJOURN } from '../../test/support/command.ts'
import { type Bench, BenchFailed, type Figure, type Measurement } from '../support/bench.ts'
import { ask, newDatabase } from '../support/database.ts'
import { runProgram } from '../support/processes.ts'
import { writeRecords } from '../support/records.ts'
import { alternately, rateOf, ratioOf } from '../support/rounds.ts'
import { profiling, serviceEnv } from '../support/service.ts'

const RECORDS = 200_000
/** In the order that their references need; what follows from them, the database makes itself. */
const TABLES = ['centers', 'sessions', 'orders', 'customers', 'bookings']

export const importing: Measurement = {
  name: 'import',
  title: 'rows a second of NDJSON through sojourn import against COPY of the same rows',

  async run(bench: Bench): Promise<Figure[]> {
    const folder = mkdtempSync(join(tmpdir(), 'sojourn-bench-'))
    bench.afterwards(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'records.ndjson')
    await writeRecords(file, RECORDS)
    bench.log(`${(statSync(file).size / 1e6).toFixed(0)} MB of NDJSON`)

    // The rows that COPY takes are those that an import makes.
    const first = await newDatabase(bench)
    await runImport(bench, first.url, file)
    const rows = await countRows(first.url)
    for (const table of TABLES) {
      await psql(first.url, `\\copy ${table} to '${join(folder, table)}'`)
    }

    const copies = TABLES.map((table) => `\\copy ${table} from '${join(folder, table)}'`)
    const timed = async (work: (url: string) => Promise<void>) => {
      const { url } = await newDatabase(bench)
      const begun = performance.now()
      await work(url)
      const seconds = (performance.now() - begun) / 1000
      const arrived = await countRows(url)
      if (arrived !== rows) throw new BenchFailed(`${arrived} rows arrived of ${rows}`)
      return { perSecond: rows / seconds }
    }
    const compared = await alternately(
      Math.min(bench.rounds, 3),
      () => timed((url) => runImport(bench, url, file)),
      () => timed((url) => psql(url, 'begin', ...copies, 'commit')),
    )
    bench.log(`${rows.toLocaleString('en')} rows; the import's time has its start in it`)
    return [
      ratioOf('import : COPY', compared, { atLeast: 0.35 }),
      rateOf('import, rows', compared.ours),
      rateOf('COPY, rows', compared.floor),
    ]
  },
}

async function runImport(bench: Bench, databaseUrl: string, file: string): Promise<void> {
  await runProgram(
    process.execPath,
    [...profiling(bench), ...SOJOURN, 'import', file],
    serviceEnv({ databaseUrl }),
  )
}

const psql = (url: string, ...commands: string[]) =>
  runProgram('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', url, ...commands.flatMap((text) => ['-c', text])])

async function countRows(url: string): Promise<number> {
  const [row] = await ask<{ rows: string }>(
    url,
    `select ${TABLES.map((table) => `(select count(*) from ${table})`).join(' + ')} as rows`,
  )
  return Number(row?.rows)
}
