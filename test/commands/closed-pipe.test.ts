/** `sojourn export | head -1`: the reader goes before the command is done. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { CENTER, databaseSettings, json, sojourn } from './sojourn.ts'

describe('a command that nobody reads any more', () => {
  test('ends without a word as soon as it prints, and leaves the next one a database', async () => {
    const env = await databaseSettings()
    await json(['import', '-'], env, CENTER)
    for (const args of [['export'], ['centers', 'list']]) {
      expect(await sojourn(args, env, { stdout: closedPipe() })).toEqual({
        code: 0,
        stdout: '',
        stderr: '',
      })
    }
    expect(await sojourn(['export'], env)).toMatchObject({ code: 0, stdout: CENTER_EXPORTED })
  })
})

describe('a command whose messages nobody takes', () => {
  test('ends with 1, because one of them may have been of a failure', async () => {
    const env = await databaseSettings()
    await json(['import', '-'], env, CENTER)
    const file = join(makeTemporaryFolder(), 'records.ndjson')
    for (const [args, stdin] of [
      [['import', '--skip-invalid', '--rejects', `${file}.rejects`, '-'], `${CENTER}\n{"kind":"nothing"}\n`],
      [['export', '--output', file], ''],
      [['keys', 'show', 'nothing'], ''],
    ] as const) {
      expect(await sojourn(args, env, { stdin, stderr: closedPipe() })).toMatchObject({ code: 1 })
    }
    expect(await sojourn(['export'], env)).toMatchObject({ code: 0, stdout: CENTER_EXPORTED, stderr: '' })
    expect(readFileSync(file, 'utf8')).toMatch(/^\{"kind":"center".*\n\{"kind":"session".*\n$/)
  })
})

const CENTER_EXPORTED = expect.stringMatching(/^\{"kind":"center".*\n\{"kind":"session".*\n$/)

/** A pipe whose other end is closed. */
function closedPipe(): Writable {
  const pipe = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
  })
  return pipe.on('error', () => {})
}
