/**
 * PostgreSQL 15, 16, 17 and 18, which is the server of the other tests; and as a distribution builds and configures it: with
 * LLVM, which compiles statements that look expensive. The packaged servers have no LLVM.
 */
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { migrate } from '../../src/core/database/schema/migrate.ts'
import { demoRecords } from '../../src/parts/demo/demo-records.ts'
import { expectToPass } from '../acceptance/passes.ts'
import { startTestApi } from '../support/api.ts'
import { installFolder } from '../support/install-folder.ts'
import { installedServers, serversIn } from '../support/postgres-binaries.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { listen } from '../support/socket.ts'
import type { TestRecord } from '../support/world.ts'

vi.setConfig({ testTimeout: 300_000 })

const SERVERS = join(import.meta.dirname, 'servers')
const problem = installFolder(SERVERS)
const packaged = serversIn(join(SERVERS, 'node_modules'))
if (packaged.length === 0) {
  process.stderr.write(`\nWARNING: THE TESTS WITH OLDER VERSIONS OF POSTGRESQL DID NOT RUN: ${problem}\n\n`)
}
const installed = installedServers()
if (installed.length === 0) {
  process.stderr.write(
    '\nWARNING: THE TESTS WITH AN INSTALLED POSTGRESQL DID NOT RUN: none is installed, or this user can run none.\n\n',
  )
}
// The server of the other tests is an installed one where its package has none.
const ofOtherTests = inject('postgresBinaries')
const others = installed.some(({ folder }) => folder === ofOtherTests.folder) ? [] : [ofOtherTests]
const servers = [...packaged, ...others, ...installed].map((server) => ({
  server,
  name: `PostgreSQL ${server.major}${installed.includes(server) ? ', as it is installed' : ''}`,
}))

test.each(servers)('the acceptance suite passes on $name', async ({ server }) => {
  // Which may compile statements.
  const { url, stop } = await startPostgres(server, { jit: 'on' })
  onTestFinished(stop)
  const open = (purpose: 'serve' | 'command') => {
    const database = openPostgres({ connection: { connectionString: url }, poolSize: 5, purpose })
    onTestFinished(() => database.close())
    return database
  }
  const direct = open('command')
  await migrate(direct)
  const records = [...demoRecords({ today: '2026-05-14' })] as unknown as TestRecord[]
  const writer = await startTestApi({ database: direct, records, now: '2026-05-14T09:00:00Z' })
  const served = open('serve')
  for (const database of [direct, served]) {
    expect(await database.query(sql`select current_setting('jit') as jit`)).toEqual([{ jit: 'off' }])
  }
  const { app } = await startTestApi({ database: served, now: '2026-05-14T09:00:00Z' })
  await expectToPass(`http://127.0.0.1:${await listen(app)}`, writer.key)
})
