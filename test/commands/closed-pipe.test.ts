/** `sojourn export | head -1`: the reader goes before the command is done. */
import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
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

const CENTER_EXPORTED = expect.stringMatching(/^\{"kind":"center".*\n\{"kind":"session".*\n$/)

/** A pipe whose other end is closed. */
function closedPipe(): Writable {
  const pipe = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
  })
  return pipe.on('error', () => {})
}
