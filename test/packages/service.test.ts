/** The service as a package: installed in an empty folder it serves the demo, with no repository and nothing to build. */
import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { makeSbom } from '../../tools/pack/sbom.ts'
import { freePort } from '../support/free-port.ts'
import { npmCommand, pack, runNpm } from '../support/packages.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { packagesIn } from './shipped-files.ts'

/** Of Node there is one for each platform, and npm installs the one that fits. */
const isForHere = (name: string) =>
  !Object.hasOwn(packageFile.optionalDependencies, name) ||
  name.endsWith(`${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`)

const ROOT = join(import.meta.dirname, '..', '..')

it('serves the demo from an empty folder, on the Node that comes with it', { timeout: 600_000 }, async () => {
  const { tarball, files } = await pack(ROOT)
  expect(new Set(files.map((path) => path.split('/')[0]?.replace(/^.*\.md$/, '*.md')))).toEqual(
    new Set(['*.md', 'LICENSE', 'bin', 'client', 'dist', 'docs', 'package.json']),
  )
  expect(files.filter((path) => path.endsWith('.ts'))).toEqual([])

  const folder = makeTemporaryFolder()
  writeFileSync(join(folder, 'package.json'), '{}')
  await runNpm(['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], folder)
  expect(existsSync(join(folder, 'node_modules', 'vitest'))).toBe(false)
  // The list names what npm installs. Of what others depend on, npm may install a later version.
  const named = (refs: readonly string[]) =>
    [...new Set(refs.map((ref) => ref.slice(0, ref.lastIndexOf('@'))))].sort()
  const listed = makeSbom(ROOT, { kind: 'npm' }, 1).components.flatMap((component) =>
    component.purl.startsWith('pkg:npm/') && isForHere(component.name) ? [component['bom-ref']] : [],
  )
  const installed = packagesIn(folder).filter((ref) => ref !== `sojourn@${packageFile.version}`)
  expect(named(installed)).toEqual(named(listed))
  for (const [name, version] of Object.entries(packageFile.dependencies)) {
    expect(installed).toContain(`${name}@${version}`)
    expect(listed).toContain(`${name}@${version}`)
  }

  const port = await freePort()
  const [npm, args] = npmCommand(['exec', '--offline', '--', 'sojourn', 'demo'])
  const demo = spawn(npm, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port) },
    detached: true,
  })
  const closed = new Promise((resolve) => demo.on('close', resolve))
  onTestFinished(async () => {
    if (demo.pid !== undefined && demo.exitCode === null) process.kill(-demo.pid, 'SIGTERM')
    await closed
  })
  let said = ''
  const key = await new Promise<string>((resolve, reject) => {
    for (const stream of [demo.stdout, demo.stderr]) {
      stream.on('data', (bytes) => {
        said += String(bytes)
        const found = /export SOJOURN_KEY=(\S+)\n/.exec(said)?.[1]
        if (found !== undefined) resolve(found)
      })
    }
    demo.on('close', () => reject(new Error(said)))
  })
  const get = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${key}` } })
  const json = async (path: string): Promise<unknown> => (await get(path)).json()
  expect(await json('/v1/guests?sessionId=session-2025-01')).toMatchObject({ total: 4 })
  expect(await json('/v1/openapi.json')).toMatchObject({ info: { version: packageFile.version } })
  for (const path of [
    '/docs',
    '/docs/guide',
    '/docs/guide/quick-start',
    '/llms.txt',
    '/console',
    '/docs/reference.js',
    '/docs/reference.css',
    '/health/ready',
  ]) {
    expect((await get(path)).status, path).toBe(200)
  }
  const scripts = [...(await (await get('/console')).text()).matchAll(/src="([^"]+\.js)"/g)]
  const texts = await Promise.all(scripts.map(async ([, path = '']) => (await get(`/${path}`)).text()))
  expect(texts.join('')).toContain('\n// src/documents/days.js\n')
})
