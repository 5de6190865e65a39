import { existsSync, mkdirSync, rmdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DiskFull, FolderGone } from '../../src/database/database.ts'
import { DiskSpace } from '../../src/database/embedded/disk-space.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const MB = 1024 * 1024

/** A disk of which a test says how much is free in addition to the reserve and everything else. */
function disk(freeMb: number) {
  const place = makeTemporaryFolder()
  const folder = join(place, 'database')
  const reserve = `${folder}.reserve`
  const said: string[] = []
  const state = { freeMb, now: 0 }
  const space = new DiskSpace({
    folder,
    freeBytes: () => state.freeMb * MB - (statSync(reserve, { throwIfNoEntry: false })?.size ?? 0),
    now: () => state.now,
    onChange: (sentence) => said.push(sentence),
  })
  onTestFinished(() => space.stop())
  return { place, folder, reserve, said, state, space }
}

const full = (place: string, free: number, needed: number) =>
  `The disk of ${place} is full (${free} MB are free, the embedded database needs ${needed}); nothing is written until there is space.`

test('a disk with plenty of space costs nothing', async () => {
  const { space, reserve, said } = disk(50_000)
  await space.requireForOpening(true)
  await space.requireForWriting()
  expect([existsSync(reserve), said]).toEqual([false, []])
})

test('where space is getting scarce some of it is reserved', async () => {
  const { space, reserve, said } = disk(500)
  await space.requireForWriting()
  expect([statSync(reserve).size, said]).toEqual([32 * MB, []])
})

test('too little to write is one sentence, logged once, and writing continues when there is space', async () => {
  const { space, state, place, said } = disk(500)
  await space.requireForWriting()
  state.freeMb = 32 + 63
  state.now = 1000
  for (let attempt = 0; attempt < 2; attempt++) {
    await expect(space.requireForWriting()).rejects.toThrow(DiskFull)
    await expect(space.requireForWriting()).rejects.toThrow(full(place, 63, 64))
  }
  state.freeMb = 32 + 64
  await space.requireForWriting()
  expect(said).toEqual([
    full(place, 63, 64),
    `${place} has space again, and the embedded database writes again.`,
  ])
})

test('a write that ran out of space, and gave it back when it was undone, does not say that the disk is full', async () => {
  const { space, place, state, said } = disk(500)
  await space.requireForWriting()
  state.freeMb = 32 + 189
  expect((await space.ranOutError()).message).toBe(
    `The disk of ${place} was full for a moment, so nothing of this was written; try it again when there is more space.`,
  )
  state.freeMb = 32 + 14
  expect((await space.ranOutError()).message).toBe(full(place, 14, 64))
  expect(said).toEqual([full(place, 14, 64)])
})

test('what is reserved is released to an opening that needs it, and is reserved anew before anything is written', async () => {
  const { space, state, reserve, place } = disk(500)
  await space.requireForWriting()
  state.freeMb = 32 + 10
  await space.requireForOpening(false)
  expect(existsSync(reserve)).toBe(false)
  await expect(space.requireForWriting()).rejects.toThrow(full(place, 42, 64))
  state.freeMb = 80
  // Enough to write, but not to store anything else.
  await expect(space.requireForWriting()).rejects.toThrow(DiskFull)
  state.freeMb = 120
  await space.requireForWriting()
  expect(existsSync(reserve)).toBe(true)
})

test('a folder is neither opened nor made where there is no space for it', async () => {
  const { space, state, place } = disk(20)
  await expect(space.requireForOpening(false)).rejects.toThrow(full(place, 20, 32))
  state.freeMb = 100
  await space.requireForOpening(false)
  await expect(space.requireForOpening(true)).rejects.toThrow('the embedded database needs 128')
})

test('a few rows that cannot wait take what is reserved, and are refused only without it', async () => {
  const { space, state, reserve, place } = disk(500)
  await space.requireForWriting()
  // With more free than they need, it stays.
  state.freeMb = 32 + 25
  await space.requireForFewRows()
  expect(existsSync(reserve)).toBe(true)
  state.freeMb = 32
  await space.requireForFewRows()
  expect(existsSync(reserve)).toBe(false)
  await space.requireForFewRows()
  state.freeMb = 19
  await expect(space.requireForFewRows()).rejects.toThrow(full(place, 19, 20))
})

test('a folder that was deleted is an error, and one that was not made yet is none', async () => {
  const { space, folder, place, state } = disk(50_000)
  await space.requireForOpening(true)
  mkdirSync(folder)
  await space.requireForOpening()
  rmdirSync(folder)
  state.now = 1000
  for (let attempt = 0; attempt < 2; attempt++) {
    await expect(space.requireForWriting()).rejects.toThrow(FolderGone)
    await expect(space.requireForWriting()).rejects.toThrow(`its folder ${place} is gone`)
  }
  mkdirSync(folder)
  await space.requireForWriting()
})
