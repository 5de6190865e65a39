/** The client as a package: packed, installed in an empty project, and used there as its README does. */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { beforeAll, describe, expect, it } from 'vitest'
import { demoRecords } from '../../src/parts/demo/demo-records.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { blocksOf } from '../support/doc-examples.ts'
import { installFolder } from '../support/install-folder.ts'
import { pack, runNpm } from '../support/packages.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const CLIENT = join(ROOT, 'client')
const BYTES_MAX = 12_000

const blocks = blocksOf(readFileSync(join(CLIENT, 'README.md'), 'utf8'))
/** Each program of the README with the output below it; undefined where it only declares something. */
const PROGRAMS = blocks.flatMap(({ language, text }, at) => {
  if (language !== 'ts') return []
  const next = blocks[at + 1]
  return [{ name: `program-${at}.ts`, text, output: next?.language === 'text' ? next.text : undefined }]
})

let api: TestApi
let url: string
let project: string
let tarball: string
let files: readonly string[]
beforeAll(async () => {
  api = await startTestApi({ records: [...demoRecords({ today: '2026-05-14' })] })
  url = await api.app.listen({ port: 0, host: '127.0.0.1' })
  ;({ tarball, files } = await pack(CLIENT))
  project = makeTemporaryFolder()
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }))
  await runNpm(['install', '--offline', '--no-audit', '--no-fund', tarball], project)
  for (const { name, text } of PROGRAMS) writeFileSync(join(project, name), text)
}, 300_000)

describe('the package', () => {
  it('has the declared entries with their types, its README and its licence, and nothing else', () => {
    expect(files.filter((path) => !path.startsWith('dist/'))).toEqual([
      'LICENSE',
      'README.md',
      'package.json',
    ])
    const { exports } = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8'))
    for (const entry of Object.values<string>(exports)) expect(files).toContain(entry.slice(2))
    for (const file of files.filter((path) => path.endsWith('.js'))) {
      expect(files).toContain(file.replace(/\.js$/, '.d.ts'))
    }
  })

  it(`takes less than ${BYTES_MAX} bytes compressed, all of it together`, async () => {
    const folder = join(project, 'node_modules', '@sojourn', 'client', 'dist')
    const entry = join(project, 'all.js')
    const names = ['index', 'webhooks', 'temporal', 'stores/file', 'stores/sqlite']
    writeFileSync(entry, names.map((name) => `export * from '${join(folder, name)}.js'\n`).join(''))
    const built = await build({
      logLevel: 'silent',
      configFile: false,
      build: { write: false, lib: { entry, formats: ['es'] }, rollupOptions: { external: [/^node:/] } },
    })
    const [output] = [built].flat()
    if (output === undefined || !('output' in output)) throw new Error('nothing was built')
    expect(gzipSync(output.output[0].code).length).toBeLessThan(BYTES_MAX)
  })
})

describe('the programs that judge packages', () => {
  const TOOLS = join(import.meta.dirname, 'tools')
  beforeAll(() => expect(installFolder(TOOLS)).toBe(''), 300_000)

  const run = (name: string, ...args: string[]) =>
    promisify(execFile)(
      process.execPath,
      [realpathSync(join(TOOLS, 'node_modules', '.bin', name)), ...args],
      {
        cwd: project,
      },
    ).then(({ stdout }) => stdout)

  it('publint finds nothing wrong', async () => {
    expect(await run('publint', 'run', tarball, '--strict')).toContain('All good!')
  })

  it('arethetypeswrong finds each entry right for modules', async () => {
    expect(await run('attw', tarball, '--profile', 'esm-only', '--no-color')).not.toContain('❌')
  })
})

it('its types hold, and every program of the README compiles', async () => {
  mkdirSync(join(project, 'node_modules', '@types'), { recursive: true })
  for (const name of ['@types/node', 'undici-types']) {
    cpSync(join(ROOT, 'node_modules', name), join(project, 'node_modules', name), { recursive: true })
  }
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        target: 'es2024',
        module: 'nodenext',
        lib: ['es2024', 'esnext.temporal'],
        types: ['node'],
      },
      include: ['*.ts'],
    }),
  )
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  const compiled = await promisify(execFile)(process.execPath, [tsc, '--pretty', 'false'], {
    cwd: project,
  }).catch(({ stdout }) => ({ stdout: String(stdout) }))
  expect(compiled.stdout).toBe('')
}, 300_000)

it.each(PROGRAMS.filter(({ output }) => output !== undefined))(
  '$name of the README prints what is below it',
  async ({ name, output }) => {
    const env = { PATH: process.env.PATH, SOJOURN_URL: url, SOJOURN_KEY: api.key.apiKey }
    const { stdout } = await promisify(execFile)(process.execPath, [name], { cwd: project, env })
    expect(stdout).toBe(output)
  },
  120_000,
)
