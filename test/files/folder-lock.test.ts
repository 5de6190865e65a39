import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { FolderInUse, lockFolder } from '../../src/files/folder-lock.ts'
import {
  CENTER,
  json,
  newFolder,
  sojourn,
  startProcess,
  startServe,
  startSojourn,
} from '../commands/sojourn.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const LOCK = join(import.meta.dirname, '..', '..', 'src', 'database', 'folder-lock.ts')

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

/** Everything about every file that a process could have touched. */
function picture(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const { size, mtimeMs, mode } = statSync(path)
      return `${path} ${size} ${mtimeMs} ${mode} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`
    })
    .sort()
}

describe('the lock of an embedded folder', () => {
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

describe('two services on one embedded folder', () => {
  test('the second one is refused, names the first, and touches nothing', async () => {
    const DATA_DIR = newFolder()
    const first = await startServe({ DATA_DIR })
    const before = picture(DATA_DIR)
    const second = await startSojourn(['serve'], { DATA_DIR, PORT: '0' }).ended
    expect(second.code).toBe(1)
    expect(second.stderr).toBe(
      `Process ${first.pid} is already using the database folder ${DATA_DIR}; stop it, or set DATA_DIR to another folder.\n`,
    )
    const demo = await startSojourn(['demo', '--reset'], { DATA_DIR, PORT: '0' }).ended
    expect(demo.stderr).toContain(`Process ${first.pid} is already using`)
    expect(picture(DATA_DIR)).toEqual(before)
    expect((await fetch(`${first.address}/health/ready`)).status).toBe(200)
  })

  test('a killed one is succeeded, with everything that it had acknowledged', async () => {
    const DATA_DIR = newFolder()
    const first = await startServe({ DATA_DIR })
    await json(['import', '-'], { DATA_DIR }, CENTER)
    first.child.kill('SIGKILL')
    await first.ended
    const second = await startServe({ DATA_DIR })
    expect((await fetch(`${second.address}/health/ready`)).status).toBe(200)
    expect((await sojourn(['keys', 'list', '--center', 'fjord'], { DATA_DIR })).code).toBe(0)
  })

  test('a stopped one is not succeeded; a command says that it does not answer', async () => {
    const DATA_DIR = newFolder()
    const first = await startServe({ DATA_DIR })
    first.child.kill('SIGSTOP')
    const [second, command] = await Promise.all([
      startSojourn(['serve'], { DATA_DIR, PORT: '0' }).ended,
      startSojourn(['keys', 'list'], { DATA_DIR }).ended,
    ])
    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`Process ${first.pid} is already using`),
    })
    expect(command.code).toBe(1)
    expect(command.stderr).toBe(
      `Process ${first.pid} has the database folder ${DATA_DIR} but does not answer; stop it first.\n`,
    )
    first.child.kill('SIGCONT')
    expect((await fetch(`${first.address}/health/ready`)).status).toBe(200)
  })
})
