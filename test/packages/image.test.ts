/**
 * The OCI image: unpacked by a user without rights, and run below its own root, which nobody can write to. It contains what its list
 * names, and is run as the Dockerfile says.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { commonContents } from '../../tools/pack/contents.ts'
import { debianLibraries } from '../../tools/pack/debian-libraries.ts'
import { runConfig } from '../../tools/pack/dockerfile.ts'
import { imageArchive, makeImage } from '../../tools/pack/image.ts'
import type { Sbom } from '../../tools/pack/sbom.ts'
import { paste } from '../support/doc-examples.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { run, startCommand } from './debian/chroot.ts'
import { apiKeyIn, mainJob } from './debian/main-job.ts'
import { sandboxedImage, sandboxMissing } from './debian/unpacked.ts'
import { expectListed } from './shipped-files.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const OPTIONS = { version: packageFile.version, seconds: 1_767_225_600, isFast: true }

const runs = (command: string, ...args: string[]) => spawnSync(command, args).status === 0
const missing =
  sandboxMissing() ??
  (runs('umoci', '--version') ? undefined : 'umoci is not installed') ??
  (runs('apt-get', '--version') && runs('dpkg-deb', '--version') ? undefined : 'this is not Debian')
if (missing !== undefined) process.stderr.write(`\nWARNING: THE IMAGE WAS NOT TESTED: ${missing}.\n\n`)

let bundle: string
beforeAll(() => {
  if (missing !== undefined) return
  const folder = makeTemporaryFolder()
  const [archive, layout] = [join(folder, 'image.tar'), join(folder, 'layout')]
  const image = makeImage(commonContents(ROOT), 'amd64', debianLibraries('amd64'), OPTIONS)
  writeFileSync(archive, imageArchive([image], OPTIONS))
  run('mkdir', [layout])
  run('tar', ['-C', layout, '-xf', archive])
  bundle = join(folder, 'bundle')
  run('umoci', ['unpack', '--rootless', '--image', `${layout}:${OPTIONS.version}-amd64`, bundle])
}, 300_000)

test.runIf(missing === undefined)('its list names what is in it, and nothing else', () => {
  const root = join(bundle, 'rootfs')
  const list: Sbom = JSON.parse(readFileSync(join(root, 'app/sojourn.cdx.json'), 'utf8'))
  expectListed(list, join(root, 'app'))
  const system = list.components.filter(({ purl }) => purl.startsWith('pkg:deb/'))
  expect(system.map(({ name }) => name)).toEqual(readdirSync(join(root, 'var/lib/dpkg/status.d')).sort())
  for (const { name, version } of system) {
    expect(readFileSync(join(root, 'var/lib/dpkg/status.d', name), 'utf8')).toContain(
      `\nVersion: ${version}\n`,
    )
    expect(existsSync(join(root, 'usr/share/doc', name, 'copyright')), name).toBe(true)
  }
  // The shell that initdb needs, and no other program.
  expect(readdirSync(join(root, 'usr/bin')).sort()).toEqual(['dash', 'sh'])
  expect(existsSync(join(root, 'usr/sbin'))).toBe(false)
})

test.runIf(missing === undefined)('it is run as the Dockerfile says', () => {
  const { process: configured } = JSON.parse(readFileSync(join(bundle, 'config.json'), 'utf8'))
  const { Entrypoint, Cmd, Env, WorkingDir } = runConfig(ROOT)
  expect(configured.args).toEqual([...Entrypoint, ...Cmd])
  expect(configured.cwd).toBe(WorkingDir)
  expect(configured.env).toEqual(expect.arrayContaining([...Env]))
  expect(configured.user).toMatchObject({ uid: 1000, gid: 1000 })
})

test.runIf(missing === undefined)(
  'below a read-only root, as a user without rights, it does what the README shows',
  {
    timeout: 300_000,
  },
  async () => {
    const data = join(makeTemporaryFolder(), 'data')
    const { Entrypoint, Cmd, Healthcheck } = runConfig(ROOT)
    const sandbox = sandboxedImage(bundle, data, { HOST: '127.0.0.1', PORT: '0' })
    const sojourn = (args: readonly string[], input = '') => {
      const [program = '', ...first] = sandbox
      return run(program, [...first, ...Entrypoint, ...args], input)
    }
    const service = await startCommand([...sandbox, ...Entrypoint, ...Cmd])
    onTestFinished(async () => void (await service.stop()))
    const { records, create, example } = mainJob()
    sojourn(['import', '-'], records)
    const { status, body } = await paste(example.line, service.url, {
      SOJOURN_KEY: apiKeyIn(sojourn(create)),
    })
    expect({ status, body }).toEqual({ status: 200, body: example.answer })

    const [kind, ...check] = Healthcheck.Test
    expect(kind).toBe('CMD')
    const healthy = (port: string) => {
      const [program = '', ...first] = sandboxedImage(bundle, data, { PORT: port })
      return spawnSync(program, [...first, ...check]).status
    }
    expect(healthy(new URL(service.url).port)).toBe(0)
    expect(healthy('1')).toBe(1)
    // The root cannot be written to, the data can.
    const write = (path: string) => `require('node:fs').writeFileSync('${path}', '')`
    const [program = '', ...first] = sandbox
    expect(
      spawnSync(program, [...first, 'node', '-e', write('/app/x')], { encoding: 'utf8' }).stderr,
    ).toContain('EROFS')
    expect(spawnSync(program, [...first, 'node', '-e', write('/data/x')]).status).toBe(0)
  },
)
