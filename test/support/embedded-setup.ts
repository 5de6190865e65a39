/** Once per run: a dump of a migrated embedded database, which every test's own begins from. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { TestProject } from 'vitest/node'
import { openEmbedded } from '../../src/database/embedded.ts'
import { migrate } from '../../src/database/migrate.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

export default async function setup(project: TestProject): Promise<() => void> {
  const folder = makeTemporaryFolder()
  const data = join(folder, 'database')
  const database = await openEmbedded({ folder: data })
  await migrate(database)
  // Two thirds of the dump are databases that nobody connects to; without them it opens a quarter faster.
  await database.runScript("update pg_database set datistemplate = false where datname like 'template_'")
  await database.runScript('drop database template0')
  await database.runScript('drop database template1')
  await database.close()
  const pglite = await PGlite.create(data)
  const dump = await pglite.dumpDataDir('none')
  await pglite.close()
  const file = join(folder, 'migrated.tar')
  writeFileSync(file, await dump.bytes())
  project.provide('embeddedTemplate', file)
  return () => rmSync(folder, { recursive: true, force: true })
}
