/** A folder that was opened is not left for another one that takes its place, on systems with paths of handles or without. */
import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DirectoryHandle, FolderReplaced } from '../../src/core/files/directory-handle.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

function folders() {
  const parent = makeTemporaryFolder()
  const [path, outside] = [join(parent, 'held'), join(parent, 'outside')]
  mkdirSync(path)
  mkdirSync(outside)
  const replaceByLink = () => {
    renameSync(path, `${path}-moved`)
    symlinkSync(outside, path)
  }
  return { path, outside, replaceByLink }
}

describe('a held folder', () => {
  it('is the one that was opened, where the system has paths of handles', () => {
    const { path, outside, replaceByLink } = folders()
    const held = DirectoryHandle.open(path)
    replaceByLink()
    expect(() => held.check()).toThrow(new FolderReplaced('is a link'))
    if (process.platform === 'linux') {
      writeFileSync(held.at('a'), 'x')
      expect([readdirSync(outside), readdirSync(`${path}-moved`)]).toEqual([[], ['a']])
    }
    held.close()
  })

  it('is compared before each use, where it has none', () => {
    const { path, outside, replaceByLink } = folders()
    const held = DirectoryHandle.open(path, { byHandle: false })
    expect(held.at('a')).toBe(join(path, 'a'))
    replaceByLink()
    expect(() => held.at('a')).toThrow(new FolderReplaced('is a link'))
    held.close()
    const followed = DirectoryHandle.open(path, { byHandle: false, followsLink: true })
    expect(followed.at('a')).toBe(join(path, 'a'))
    renameSync(outside, `${outside}-moved`)
    mkdirSync(outside)
    expect(() => followed.at('a')).toThrow(new FolderReplaced('was replaced by another folder'))
    followed.close()
  })

  it('is neither a link, unless it is followed, nor a file', () => {
    const { path, replaceByLink } = folders()
    replaceByLink()
    expect(() => DirectoryHandle.open(path)).toThrow(new FolderReplaced('is a link'))
    writeFileSync(`${path}-file`, '')
    expect(() => DirectoryHandle.open(`${path}-file`)).toThrow(new FolderReplaced('is not a folder'))
    expect(() => DirectoryHandle.open(`${path}-none`)).toThrow('no such file')
  })
})
