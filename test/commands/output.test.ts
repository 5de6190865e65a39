import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SOJOURN } from '../support/command.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

/** How a command ends whose standard output is this, and what it says on standard error. */
async function ends(stdout: number | 'pipe') {
  const child = spawn(process.execPath, [...SOJOURN, 'completion', 'bash'], {
    stdio: ['ignore', stdout, 'pipe'],
  })
  child.stdout?.destroy()
  let said = ''
  child.stderr?.on('data', (bytes) => {
    said += String(bytes)
  })
  const [code] = await once(child, 'close')
  return { code, said }
}

test('a reader that has seen enough is no failure', async () => {
  expect(await ends('pipe')).toEqual({ code: 0, said: '' })
})

test('messages that nobody reads are of a failure', async () => {
  const child = spawn(process.execPath, [...SOJOURN, 'wrong'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stderr.destroy()
  child.stdout.resume()
  const [code] = await once(child, 'close')
  expect(code).toBe(1)
})

test('an output that cannot be written is a failure with one sentence', async () => {
  const file = join(makeTemporaryFolder(), 'readable')
  writeFileSync(file, '')
  expect(await ends(openSync(file, 'r'))).toEqual({
    code: 1,
    said: 'The output cannot be written: bad file descriptor.\n',
  })
})
