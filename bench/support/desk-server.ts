/**
 * The service on a folder with a front desk in the same process, so that both can be killed together: `node
 * desk-server.ts DATA_DIR`. No other process may write to the folder. It reports where it listens, once with and once
 * without cached answers, and receives messages that say what to write.
 */
import { buildApp } from '../../src/app.ts'
import { openDatabase } from '../../src/core/database/open.ts'
import { type DeskOrder, writeAll } from '../../test/changes/model.ts'

const [dataDir = ''] = process.argv.slice(2)
const database = await openDatabase(
  { databaseUrl: undefined, databasePoolSize: 1, dataDir },
  { purpose: 'serve' },
)
const stored = await buildApp({ database, logLevel: 'silent' })
const fresh = await buildApp({ database, logLevel: 'silent', answerCacheMb: 0 })
const [url, freshUrl] = await Promise.all(
  [stored, fresh].map((app) => app.listen({ host: '127.0.0.1', port: 0 })),
)
process.on('disconnect', () => process.exit())
process.on('message', async (order: DeskOrder) => {
  await writeAll(database, order)
  process.send?.('written')
})
process.send?.({ urls: [url], fresh: freshUrl })
