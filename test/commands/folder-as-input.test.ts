/** `sojourn import < folder`: Node reads a folder on standard input as if it were empty. */
import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SOJOURN } from '../support/command.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { databaseSettings } from './sojourn.ts'

test('a folder on standard input is refused, and nothing is imported', async () => {
  const env = await databaseSettings()
  const folder = openSync(makeTemporaryFolder(), 'r')
  const { status, stdout, stderr } = spawnSync(process.execPath, [...SOJOURN, 'import'], {
    env,
    stdio: [folder, 'pipe', 'pipe'],
    encoding: 'utf8',
  })
  closeSync(folder)
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: 'Standard input is a folder; name the files in it\n',
  })
})
