import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { localFiles } from '../../src/core/intake/lines/files.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

async function* nothing() {}
const { create } = localFiles(nothing())

test('a new file replaces an old one only when it is whole', async () => {
  const folder = makeTemporaryFolder()
  const path = join(folder, 'all.ndjson')
  writeFileSync(path, 'old', { mode: 0o644 })
  const file = await create(path)
  await file.write('new')
  expect(readFileSync(path, 'utf8')).toBe('old')
  await file.keep()
  expect(readFileSync(path, 'utf8')).toBe('new')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const other = await create(path)
  await other.write('other')
  await other.discard()
  expect(readFileSync(path, 'utf8')).toBe('new')
  expect(readdirSync(folder)).toEqual(['all.ndjson'])
})

test('a link is replaced, and what it leads to stays', async () => {
  const folder = makeTemporaryFolder()
  writeFileSync(join(folder, 'aim'), 'aim')
  symlinkSync(join(folder, 'aim'), join(folder, 'link'))
  const file = await create(join(folder, 'link'))
  await file.keep()
  expect(readFileSync(join(folder, 'aim'), 'utf8')).toBe('aim')
})

test('what is no file is neither written nor removed', async () => {
  const folder = makeTemporaryFolder()
  mkdirSync(join(folder, 'inner'))
  await expect(create(join(folder, 'inner'))).rejects.toThrow('inner is not a file; name a file to write')
  await expect(create('/dev/null')).rejects.toThrow('/dev/null is not a file; name a file to write')
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
})

test('a file that cannot be written is explained in words', async () => {
  const path = join(makeTemporaryFolder(), 'not', 'there')
  await expect(create(path)).rejects.toThrow(`${path} cannot be written: no such file or directory`)
})
