/** The driver of the database, over `pg`. */
import type { Sql } from 'sql-template-tag'
import type { Database, Queryable, Row } from '../database.ts'
import { type Connections, openConnections, type PostgresOptions } from './postgres-connections.ts'
import { asObjects, createTogether, TOGETHER_MAX } from './postgres-pipeline.ts'
import { asArrays, createStatements } from './postgres-statements.ts'

export type { PostgresOptions } from './postgres-connections.ts'

const POOLS = ['reads', 'streams', 'writes', 'reserved'] as const

/** Opens the driver. It connects when it is first used. */
export function openPostgres(options: PostgresOptions): Database {
  const connections = openConnections(options)
  const { reads, reserved, streamsMax } = connections
  const { askOnce } = connections
  const statement = createStatements({ named: options.pooler !== true })
  const together = createTogether(connections.leases, reads, connections.preamble(reads))
  const reservedTogether = createTogether(connections.leases, reserved, connections.preamble(reserved))

  return {
    readsMax: reads.options.max,
    togetherMax: TOGETHER_MAX,
    streamsMax,

    async query<R extends object = Row>(sql: Sql) {
      const { rows } = await askOnce(reads, statement(sql))
      return rows as R[]
    },

    async queryArrays(sql, kind) {
      if (kind !== 'heavy') return (await together(statement(sql))).rows
      const { rows } = await connections.askHeavy(asArrays(statement(sql)))
      return rows as unknown[][]
    },

    async queryReserved<R extends object = Row>(sql: Sql) {
      return asObjects(await reservedTogether(statement(sql))) as R[]
    },

    transaction: (work) => transaction(connections, statement, work),

    stream: (sql, rowsPerChunk) => stream(connections, sql, rowsPerChunk),

    async runScript(script) {
      await connections.leases.askOnce(reads, { text: script })
    },

    generation: connections.generation,

    poolWaits: () => POOLS.map((pool) => ({ pool, ...connections.leases.waitsFor(connections[pool]) })),

    async ping() {
      await askOnce(reserved, { text: 'select 1' })
    },

    close: connections.close,
  }
}

async function transaction<T>(
  { writes, leases, begin }: Connections,
  statement: ReturnType<typeof createStatements>,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  const leased = await leases.lease(writes)
  let finished = false
  try {
    await begin(leased, writes)
    const tx: Queryable = {
      async query<R extends object = Row>(sql: Sql) {
        const { rows } = await leased.ask(statement(sql))
        return rows as R[]
      },
    }
    const result = await work(tx)
    const { command } = await leased.ask({ text: 'commit' })
    // PostgreSQL's reply to a commit after the error of a failed statement was swallowed.
    if (command === 'ROLLBACK') throw new Error('the transaction was rolled back instead of committed')
    finished = true
    return result
  } finally {
    if (!finished) await leased.restore('rollback')
    leased.giveBack()
  }
}

async function* stream(
  { streams, leases, begin }: Connections,
  sql: Sql,
  rowsPerChunk: number,
): AsyncGenerator<unknown[][]> {
  const leased = await leases.lease(streams)
  let finished = false
  try {
    await begin(leased, streams, 'read only')
    await leased.ask({ text: `declare chunks no scroll cursor for ${sql.text}`, values: sql.values })
    const fetch = asArrays({ text: `fetch ${Math.trunc(rowsPerChunk)} from chunks` })
    while (true) {
      const rows = (await leased.ask(fetch)).rows as unknown[][]
      if (rows.length > 0) yield rows
      if (rows.length < rowsPerChunk) break
    }
    await leased.ask({ text: 'commit' })
    finished = true
  } finally {
    if (!finished) await leased.restore('rollback')
    leased.giveBack()
  }
}
