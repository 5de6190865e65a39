/** Every request that the documentation prints, as the guide shows it in TypeScript, Python and PHP: it reads what curl reads. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import { demoRecords } from '../../src/parts/demo/demo-records.ts'
import { shownCode } from '../../src/parts/guide/request-examples.ts'
import { describeInterface } from '../../src/parts/openapi/register-reference.ts'
import { OPERATIONS, STREAMS } from '../../src/parts.ts'
import { startTestApi } from '../support/api.ts'
import { blocksOf, PAGES, pageText, paste } from '../support/doc-examples.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const CLIENT = resolve(import.meta.dirname, '..', '..', 'client', 'src', 'index.ts')
const shown = shownCode({
  publicUrl: '',
  document: describeInterface({ operations: OPERATIONS, streams: STREAMS }),
})

const REQUESTS = PAGES.flatMap((page) =>
  blocksOf(pageText(page))
    .flatMap(({ language, text }) => shown(language, text.trimEnd()))
    .flatMap((one) => ('programs' in one ? [{ page, programs: one.programs }] : [])),
)

let origin: string
let env: Readonly<Record<string, string>>
beforeAll(async () => {
  const api = await startTestApi({ records: [...demoRecords({ today: '2026-05-14' })] })
  origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
  const { apiKey, appId, publicKey, secretKey } = api.key
  const CURSOR = String((await api.get('/v1/changes')).body.cursor)
  env = { CURSOR, SOJOURN_KEY: apiKey, APP_ID: appId, PUBLIC_KEY: publicKey, SECRET_KEY: secretKey }
})

/** Makes a program print values as JSON, one a line. */
const AS_JSON = `data:text/javascript,${encodeURIComponent(
  "console.log = (value) => process.stdout.write((typeof value === 'string' ? value : JSON.stringify(value)) + '\\n')",
)}`

const run = async (program: string, words: readonly string[]) => {
  const { stdout } = await promisify(execFile)(program, [...words], {
    env: { PATH: process.env.PATH, ...env },
  })
  return stdout
}

/** The client names every field of a guest, and for a named date `ids` has the raw value too (ruling 22). */
const withMoreIds = (record: object) =>
  'ids' in record ? { ...record, ids: expect.objectContaining(Object(record.ids)) } : record

// A stream does not end.
it.each(REQUESTS.filter(({ programs }) => programs[0]?.text.startsWith('curl -H') === true))(
  'of $page: $programs.0.text',
  async ({ programs }) => {
    const [curl = '', client = '', python = '', php = ''] = programs.map(({ text }) =>
      text.replaceAll('http://127.0.0.1:8080', origin),
    )
    const { body, status } = await paste(curl, origin, env)
    // The error that is shown: curl prints it, and a program ends with it.
    if (status === 400) return expect(run('python3', ['-c', python])).rejects.toThrow('HTTP Error 400')
    const asText = (text: string) => {
      const isJson = /^[[{]/.test(text)
      // `fetch` reads the mark at the beginning of a file as a mark.
      return isJson ? JSON.parse(text) : text.replaceAll('\r\n', '\n').replace('\ufeff', '')
    }
    const read = typeof body === 'string' ? asText(body) : body
    // It prints a line, as its `print` does.
    expect(asText((await run('python3', ['-c', python])).slice(0, -1))).toEqual(read)
    expect(asText(await run('php', ['-r', php.replace('<?php\n', '')]))).toEqual(read)
    const file = join(makeTemporaryFolder(), 'program.ts')
    writeFileSync(file, client.replace('@sojourn/client', CLIENT))
    const printed = await run(process.execPath, ['--import', AS_JSON, file])
    const records: unknown = Array.isArray(read) ? read : Object(read).data
    if (!client.includes('for await')) {
      const value = asText(printed.slice(0, -1))
      // Of a list without pages, the client returns the records.
      expect(value).toEqual(Array.isArray(value) ? records : read)
      return
    }
    // It reads all pages, in the same order, of which curl reads one.
    const items = printed.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
    expect(items).toEqual(expect.arrayContaining(Array.isArray(records) ? records.map(withMoreIds) : []))
  },
)
