/**
 * Writes to a folder until it is killed, and reports what was acknowledged: `node writer-server.ts DATA_DIR
 * FROM`. Each printed line is a range of numbers that the database has confirmed.
 */
import sql, { raw } from 'sql-template-tag'
import { openDatabase } from '../../src/core/database/open.ts'

const [dataDir = '', from = '0'] = process.argv.slice(2)
const database = await openDatabase(
  { databaseUrl: undefined, databasePoolSize: 1, dataDir },
  { purpose: 'command' },
)
await database.runScript('create table if not exists cuts (n bigint primary key, filler text not null)')
process.stdout.write('open\n')

let next = Number(from)
for (let round = 1; ; round++) {
  // Mostly one row; sometimes a thousand in one transaction, another table, or a checkpoint in between.
  const rows = round % 20 === 0 ? 1000 : 1
  const numbers = Array.from({ length: rows }, () => next++)
  await database.transaction(async (tx) => {
    await tx.query(sql`
      insert into cuts select n, repeat(md5(n::text), 20) from unnest(${numbers}::bigint[]) as n`)
    if (round % 50 === 0) await tx.query(sql`update cuts set filler = 'updated' where n % 97 = 0`)
  })
  process.stdout.write(`${numbers[0]} ${numbers.at(-1)}\n`)
  if (round % 70 === 0) {
    await database.runScript(`create table if not exists cuts_${round} (n int)`)
    await database.query(sql`insert into ${raw(`cuts_${round}`)} values (1)`)
  }
  if (round % 120 === 0) await database.runScript('checkpoint')
}
