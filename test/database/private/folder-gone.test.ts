/** A service whose folder is moved ends and says so. It must not write to files that were moved, or start with an empty database. */
import { mkdirSync, readdirSync, renameSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { deployFile } from '../../../tools/docs/deploy-blocks.ts'
import { newFolder, startServe } from '../../commands/sojourn.ts'

vi.setConfig({ testTimeout: 120_000 })

const CODE = 66
const ended = (folder: string) => ({
  code: CODE,
  stderr: `Sojourn has ended because its folder ${folder} is gone. Move it back, or restore a backup, before you start it again: otherwise it starts with an empty database.\n`,
})

test('the service ends if its folder is moved, and starts when it is back', async () => {
  const folder = newFolder()
  const service = await startServe({ DATA_DIR: folder })
  renameSync(folder, `${folder}.moved`)
  expect(await service.ended).toMatchObject(ended(folder))
  renameSync(`${folder}.moved`, folder)
  const again = await startServe({ DATA_DIR: folder })
  again.child.kill('SIGTERM')
  expect(await again.ended).toMatchObject({ code: 0, stderr: '' })
})

test('the service ends if there is an empty folder instead of its own, and leaves that empty', async () => {
  const folder = newFolder()
  const service = await startServe({ DATA_DIR: folder })
  renameSync(folder, `${folder}.moved`)
  mkdirSync(folder)
  expect(await service.ended).toMatchObject(ended(folder))
  expect(readdirSync(folder)).toEqual([])
})

test('systemd does not start it again', () => {
  expect(deployFile('sojourn.service')).toContain(`\nRestartPreventExitStatus=${CODE}\n`)
})
