import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { FolderInUse, lockFolder } from '../../src/core/files/folder-lock.ts'
import { startProcess } from '../commands/sojourn.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const LOCK = join(import.meta.dirname, '..', '..', 'src', 'core', 'files', 'folder-lock.ts')

/** A process that takes the lock and then does something. What it refers to no more is collected before. */
async function startOwner(folder: string, then: string) {
  const script = `import { lockFolder } from ${JSON.stringify(LOCK)}
    lockFolder(${JSON.stringify(folder)})
    setTimeout(() => {
      gc()
      process.stdout.write('locked\\n')
      
${then}
    }, 1)`
  const owner = startProcess(['--expose-gc', '--input-type=module', '--eval', script], {})
  await owner.until(/locked/)
  return owner
}

function refusalOf(folder: string): FolderInUse {
  try {
    lockFolder(folder).release()
  } catch (error) {
    if (error instanceof FolderInUse) return error
    throw error
  }
  throw new Error('the folder was given')
}

describe('the lock of a folder', () => {
  test('makes the folder, for its owner only', () => {
    const folder = join(makeTemporaryFolder(), 'new', 'one')
    const lock = lockFolder(folder)
    onTestFinished(() => lock.release())
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  test('is given once, also within one process, and again when it is released', () => {
    const folder = makeTemporaryFolder()
    const lock = lockFolder(folder)
    expect(refusalOf(folder).pid).toBe(process.pid)
    lock.release()
    expect(existsSync(join(folder, 'owner.pid'))).toBe(false)
    lockFolder(folder).release()
  })

  test('of an owner that is alive but blocked is never taken over', async () => {
    const folder = makeTemporaryFolder()
    const owner = await startOwner(folder, 'while (true);')
    expect(refusalOf(folder).pid).toBe(owner.pid)
    expect(refusalOf(folder).message).toContain(`Process ${owner.pid}`)
  })

  test('of an owner that is stopped is never taken over', async () => {
    const folder = makeTemporaryFolder()
    const owner = await startOwner(folder, 'setInterval(() => {}, 1000)')
    owner.child.kill('SIGSTOP')
    expect(refusalOf(folder).pid).toBe(owner.pid)
    owner.child.kill('SIGCONT')
  })

  test('of a killed owner is free at once, although its traces are there', async () => {
    const folder = makeTemporaryFolder()
    const owner = await startOwner(folder, 'setInterval(() => {}, 1000)')
    owner.child.kill('SIGKILL')
    await owner.ended
    expect(existsSync(join(folder, 'owner.pid'))).toBe(true)
    lockFolder(folder).release()
  })
})
