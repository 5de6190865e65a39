/** What single writes cost PostgreSQL, because lists find what they show next to each session of a booking. */
import pg from 'pg'
import { allMigrations, type Migration, migrate } from '../../src/core/database/schema/migrate.ts'
import { formerMigrations } from '../../test/support/former-migrations.ts'
import { type Bench, BenchFailed, type Figure, type Measurement } from '../support/bench.ts'
import { bareDatabase } from '../support/database.ts'
import { exactCpuMicros } from '../support/processes.ts'
import { figure } from '../support/rounds.ts'
import { WORLD, WRITES, type Write, withoutNames } from '../support/writes-sql.ts'

/** The last schema in which lists found what they show in the tables of records. */
const BEFORE = 9
/** Of each kind in one round, each a commit. */
const STATEMENTS = 150
const WRITES_PER_ROUND = 4

export const singleWrites: Measurement = {
  name: 'single-writes',
  title: 'CPU of PostgreSQL for single writes, next to the schema before lists stood next to sessions',

  async run(bench: Bench): Promise<Figure[]> {
    const all = allMigrations()
    const before = await prepare(bench, { migrations: formerMigrations().slice(0, BEFORE), hasNames: false })
    const lists = await prepare(bench, { migrations: all, hasNames: false })
    const now = await prepare(bench, { migrations: all, hasNames: true })
    const figures: Figure[] = []
    for (const write of WRITES) {
      const took = await alternately([before, lists, now], write, bench.rounds * WRITES_PER_ROUND)
      const [least, adjacent, whole] = took
      if (least === undefined || adjacent === undefined || whole === undefined)
        throw new BenchFailed('no round')
      const more = (of: readonly number[]) => of.map((micros, round) => micros - (least[round] ?? Number.NaN))
      figures.push(
        { ...figure(`${write.what}, before`, least), unit: 'µs' },
        { ...figure('… now', whole), unit: 'µs' },
        { ...figure('… more for lists', more(adjacent)), unit: 'µs', target: { atMost: 100 } },
        { ...figure('… more in all, with the index of names', more(whole)), unit: 'µs' },
      )
    }
    return figures
  },
}

interface Side {
  readonly client: pg.Client
  readonly pid: number
  written: number
}

async function prepare(bench: Bench, schema: { migrations: Migration[]; hasNames: boolean }): Promise<Side> {
  const { url, database } = await bareDatabase(bench)
  await migrate(database, schema.migrations)
  const client = new pg.Client(url)
  await client.connect()
  bench.afterwards(() => client.end())
  if (!schema.hasNames) await client.query(withoutNames.text)
  for (const { text } of WORLD) await client.query(text)
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return { client, pid: rows[0]?.pid ?? 0, written: 0 }
}

/** @returns for each side its CPU for a statement in each round, in µs; the first round warms up and is left out */
async function alternately(sides: readonly Side[], write: Write, count: number): Promise<number[][]> {
  const took: number[][] = sides.map(() => [])
  for (let round = 0; round <= count; round += 1) {
    for (const [at, side] of sides.entries()) {
      const micros = await cpuOf(side, write)
      if (round > 0) took[at]?.push(micros)
    }
  }
  return took
}

async function cpuOf(side: Side, write: Write): Promise<number> {
  const before = exactCpuMicros(side.pid)
  for (let n = 0; n < STATEMENTS; n += 1) {
    side.written += 1
    const { what: name, text } = write
    const { rowCount } = await side.client.query({ name, text, values: [...write.values(side.written)] })
    if (rowCount !== 1) throw new BenchFailed(`${name} wrote ${rowCount} rows`)
  }
  return (exactCpuMicros(side.pid) - before) / STATEMENTS
}
