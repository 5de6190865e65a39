/** What a backup was writing when it was killed is removed by the next one, and nothing else. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { removeLeftovers } from '../../src/commands/backup/leftovers.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const NOW = Date.parse('2026-05-14T12:00:00Z')
const MINUTES = 60_000

/** A number that no process has any more. */
const ended = () => spawnSync(process.execPath, ['--version']).pid

function start() {
  const folder = makeTemporaryFolder()
  const put = (name: string, minutes: number, within?: string) => {
    const path = join(folder, name)
    if (within === undefined) writeFileSync(path, 'guests')
    else {
      mkdirSync(path)
      writeFileSync(join(path, within), 'guests')
    }
    const at = new Date(NOW - minutes * MINUTES)
    for (const one of within === undefined ? [path] : [join(path, within), path]) utimesSync(one, at, at)
  }
  return { folder, put }
}

it('a draft, a part of one and a folder in which one was opened are removed after an hour', async () => {
  const { folder, put } = start()
  const pid = ended()
  put(`week.tar.gz.${pid}-0a1b2c3d.unverified`, 61)
  put(`week.tar.gz.${pid}-0a1b2c3d.unverified.part`, 61)
  put(`other.tgz.${pid}-99999999.unverified.opened`, 61, 'base')
  put('week.tar.gz', 10_000)
  put('notes.unverified', 10_000)
  expect(await removeLeftovers(folder, NOW)).toBe(3)
  expect(readdirSync(folder).toSorted()).toEqual(['notes.unverified', 'week.tar.gz'])
})

it('what may still be written stays: changed within the hour, or of a process that runs within the day', async () => {
  const { folder, put } = start()
  put(`a.${ended()}-0a1b2c3d.unverified`, 59)
  put(`b.${process.pid}-0a1b2c3d.unverified.opened`, 23 * 60, 'base')
  expect(await removeLeftovers(folder, NOW)).toBe(0)
  put(`c.${process.pid}-0a1b2c3d.unverified`, 25 * 60)
  expect(await removeLeftovers(folder, NOW)).toBe(1)
  expect(readdirSync(folder)).toHaveLength(2)
})
