/**
 * The Debian package, as far as it can be used without a Debian of its own: made twice, unpacked, and started as a user without rights
 * with a read-only root. `node test/packages/debian/run.ts` installs, upgrades and purges it in a minimal Debian, also with systemd.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { tar } from '../../tools/pack/archive.ts'
import { type Common, commonContents } from '../../tools/pack/contents.ts'
import { makeDeb } from '../../tools/pack/deb.ts'
import type { Sbom } from '../../tools/pack/sbom.ts'
import { newPostgresDatabase } from '../support/database.ts'
import { paste } from '../support/doc-examples.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { run, startCommand } from './debian/chroot.ts'
import { apiKeyIn, mainJob } from './debian/main-job.ts'
import { sandboxed, sandboxMissing } from './debian/unpacked.ts'
import { expectListed } from './shipped-files.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const SECONDS = 1_767_225_600

// The package that is unpacked here is for amd64.
const hasDpkg = process.arch === 'x64' && spawnSync('dpkg-deb', ['--version']).status === 0
const missing = hasDpkg ? sandboxMissing() : 'dpkg is not installed'
if (missing !== undefined)
  process.stderr.write(`\nWARNING: THE DEBIAN PACKAGE WAS NOT STARTED: ${missing}.\n\n`)

let common: Common
beforeAll(() => {
  common = commonContents(ROOT)
}, 300_000)

test('the contents have the same bytes each time', { timeout: 300_000 }, () => {
  const digest = ({ entries }: Common) =>
    createHash('sha256')
      .update(tar(entries, { seconds: SECONDS }))
      .digest('hex')
  expect(digest(commonContents(ROOT))).toBe(digest(common))
})

let deb: string
let unpacked: string
beforeAll(() => {
  if (!hasDpkg) return
  const folder = makeTemporaryFolder()
  deb = join(folder, 'sojourn.deb')
  unpacked = join(folder, 'unpacked')
  const options = {
    architecture: 'amd64',
    version: packageFile.version,
    seconds: SECONDS,
    isFast: true,
  } as const
  writeFileSync(deb, makeDeb(common, options))
  run('dpkg-deb', ['--extract', deb, unpacked])
}, 300_000)

test.runIf(hasDpkg)('its list names what is in it, and nothing else', () => {
  const list: Sbom = JSON.parse(
    readFileSync(join(unpacked, 'usr/share/doc/sojourn/sojourn.cdx.json'), 'utf8'),
  )
  expectListed(list, join(unpacked, 'usr/lib/sojourn'))
  // Nothing else is executable, nothing is a library, and PostgreSQL is Debian's.
  const files = readdirSync(unpacked, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const paths = files.map((entry) => join(entry.parentPath, entry.name))
  expect(paths.filter((path) => /\.(so(\.\d+)*|node|dll|dylib)$/.test(path))).toEqual([])
  const executable = paths.filter((path) => (statSync(path).mode & 0o111) !== 0)
  expect(executable.map((path) => path.slice(unpacked.length)).sort()).toEqual([
    '/usr/bin/sojourn',
    '/usr/lib/sojourn/bin/sojourn.js',
    '/usr/lib/sojourn/create-database',
    `/usr/lib/sojourn/node_modules/node-linux-${process.arch}/bin/node`,
  ])
})

test.runIf(missing === undefined)(
  'unpacked below a read-only root, it does what the README shows',
  {
    timeout: 300_000,
  },
  async () => {
    const data = join(makeTemporaryFolder(), 'data')
    const described = run('dpkg-deb', ['--info', deb])
    expect(described).toContain(` Version: ${packageFile.version}\n Architecture: amd64\n`)
    expect(readdirSync(unpacked).sort()).toEqual(['etc', 'usr'])

    // There is no PostgreSQL of Debian's in the sandbox.
    const settings = { DATABASE_URL: await newPostgresDatabase('empty') }
    const command = (env: Readonly<Record<string, string>> = {}) => [
      ...sandboxed(unpacked, data, { ...settings, ...env }),
      '/opt/sojourn',
    ]
    const sojourn = (args: readonly string[], input = '') => {
      const [program = '', ...first] = command()
      return run(program, [...first, ...args], input)
    }
    const { records, create, example } = mainJob()
    const service = await startCommand([...command({ PORT: '0' }), 'serve', '--migrate'])
    onTestFinished(async () => void (await service.stop()))
    sojourn(['import', '-'], records)
    const { status, body } = await paste(example.line, service.url, {
      SOJOURN_KEY: apiKeyIn(sojourn(create)),
    })
    expect({ status, body }).toEqual({ status: 200, body: example.answer })
    for (const path of ['/console', '/docs', '/docs/guide', '/llms.txt']) {
      expect((await fetch(service.url + path)).status, path).toBe(200)
    }
  },
)
