/**
 * The Debian package, as far as it can be used without a Debian of its own: made twice, unpacked, and started as a user without rights
 * below a root that nobody can write to. `node test/packages/debian/run.ts` installs, upgrades and purges it in a minimal Debian.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { tar } from '../../tools/pack/archive.ts'
import { type Common, commonContents } from '../../tools/pack/contents.ts'
import { makeDeb } from '../../tools/pack/deb.ts'
import { paste } from '../support/doc-examples.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { run, startCommand } from './debian/chroot.ts'
import { apiKeyIn, mainJob } from './debian/main-job.ts'
import { sandboxed, sandboxMissing } from './debian/unpacked.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const SECONDS = 1_767_225_600

const hasDpkg = spawnSync('dpkg-deb', ['--version']).status === 0
const missing = hasDpkg ? sandboxMissing() : 'dpkg is not installed'
if (missing !== undefined)
  process.stderr.write(`\nWARNING: THE DEBIAN PACKAGE WAS NOT STARTED: ${missing}.\n\n`)

let common: Common
beforeAll(() => {
  common = commonContents(ROOT, SECONDS)
}, 300_000)

test('the contents have the same bytes each time, the template of a new database too', {
  timeout: 300_000,
}, () => {
  const digest = ({ entries }: Common) =>
    createHash('sha256')
      .update(tar(entries, { seconds: SECONDS }))
      .digest('hex')
  expect(common.entries.map(({ path }) => path)).toContainEqual(
    expect.stringMatching(/^node_modules\/\.cache\/sojourn\/new-database-.*\.gz$/),
  )
  expect(digest(commonContents(ROOT, SECONDS))).toBe(digest(common))
})

test.runIf(missing === undefined)(
  'unpacked below a read-only root, it does what the README shows',
  {
    timeout: 300_000,
  },
  async () => {
    const folder = makeTemporaryFolder()
    const [deb, unpacked, data] = ['sojourn.deb', 'unpacked', 'data'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    writeFileSync(
      deb,
      makeDeb(common, {
        architecture: 'amd64',
        version: packageFile.version,
        seconds: SECONDS,
        isFast: true,
      }),
    )
    const described = run('dpkg-deb', ['--info', deb])
    expect(described).toContain(` Version: ${packageFile.version}\n Architecture: amd64\n`)
    run('dpkg-deb', ['--extract', deb, unpacked])
    expect(readdirSync(unpacked).sort()).toEqual(['etc', 'usr'])

    const command = (env: Readonly<Record<string, string>> = {}) => [
      ...sandboxed(unpacked, data, env),
      '/opt/sojourn',
    ]
    const sojourn = (args: readonly string[], input = '') => {
      const [program = '', ...first] = command()
      return run(program, [...first, ...args], input)
    }
    const { records, create, example } = mainJob()
    const service = await startCommand([...command({ PORT: '0' }), 'serve'])
    onTestFinished(async () => void (await service.stop()))
    sojourn(['import', '-'], records)
    const { status, body } = await paste(example.line, service.url, {
      SOJOURN_KEY: apiKeyIn(sojourn(create)),
    })
    expect({ status, body }).toEqual({ status: 200, body: example.answer })
    // From the template: no database was made from nothing.
    expect(existsSync(join(data, 'database', 'PG_VERSION'))).toBe(true)
    for (const path of ['/console', '/docs', '/docs/guide', '/llms.txt']) {
      expect((await fetch(service.url + path)).status, path).toBe(200)
    }
  },
)
