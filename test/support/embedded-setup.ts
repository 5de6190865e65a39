/**
 * Runs once: creates a migrated embedded database, as a folder and as a dump from which the database of every test
 * starts.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { TestProject } from 'vitest/node'
import { makeFolder } from '../../src/database/embedded/new-folder.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

export default async function setup(project: TestProject): Promise<() => void> {
  const folder = makeTemporaryFolder()
  const data = join(folder, 'database')
  await makeFolder(data)
  const pglite = await PGlite.create(data)
  const dump = await pglite.dumpDataDir('none')
  await pglite.close()
  const file = join(folder, 'migrated.tar')
  writeFileSync(file, await dump.bytes())
  project.provide('embeddedTemplate', file)
  project.provide('embeddedFolder', data)
  return () => rmSync(folder, { recursive: true, force: true })
}
