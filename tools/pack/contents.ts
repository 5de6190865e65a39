/**
 * What an installation without npm consists of, in one folder: the JavaScript of the service, the npm packages, and Node. The image also
 * has PostgreSQL for a folder; a Debian package uses Debian's.
 */
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Entry } from './archive.ts'
import { eraseProject } from './erase-types.ts'
import { platformPackage } from './platform-package.ts'
import {
  isUsed,
  nodePackageOf,
  type Platform,
  readLockfile,
  serverPackageOf,
  shippedPackages,
} from './shipped.ts'

const EXECUTABLE = 0o755

/** What is the same for all platforms. It is made once. */
export interface Common {
  readonly root: string
  readonly entries: readonly Entry[]
}

export function commonContents(root: string): Common {
  const dist = mkdtempSync(join(tmpdir(), 'sojourn-dist-'))
  try {
    eraseProject(root, dist)
    return {
      root,
      entries: [
        ...['package.json', 'LICENSE', 'client/README.md', ...globSync('*.md', { cwd: root })].map((path) =>
          fileEntry(root, path),
        ),
        ...filesBelow(root, 'bin').map((path) => ({ ...fileEntry(root, path), mode: EXECUTABLE })),
        ...filesBelow(root, 'docs').map((path) => fileEntry(root, path)),
        // Read now, because the folder is temporary.
        ...filesBelow(dist, '').map((path) => inMemory(`dist/${path}`, join(dist, path))),
      ],
    }
  } finally {
    rmSync(dist, { recursive: true, force: true })
  }
}

/**
 * @param withServer whether PostgreSQL for a folder is among them
 * @returns all files, with paths from the folder of the installation
 */
export function contentsFor(
  { root, entries }: Common,
  platform: Platform,
  withServer: boolean,
): readonly Entry[] {
  const node = nodePackageOf(platform)
  const server = serverPackageOf(platform)
  const packages = shippedPackages(readLockfile(root), platform, withServer)
  const ofPackages = packages
    .filter(({ name }) => name !== node && name !== server)
    .flatMap(({ path }) =>
      filesBelow(root, path)
        // A package within is in the list itself, if it is shipped.
        .filter((file) => !file.slice(path.length + 1).includes('node_modules/'))
        .map((file) => fileEntry(root, file)),
    )
  const ofPlatform = [node, ...(withServer ? [server] : [])].flatMap((name) =>
    [...platformPackage(root, name)].map(
      ([path, content]): Entry => ({
        kind: 'file',
        path: `node_modules/${name}/${path}`,
        content,
        ...(/^(?:native\/)?bin\//.test(path) ? { mode: EXECUTABLE } : {}),
      }),
    ),
  )
  return [
    ...entries,
    ...[...ofPackages, ...ofPlatform].filter(({ path }) => isUsed(path)),
    ...(withServer ? linksOf(root, server) : []),
    { kind: 'link', path: 'node_modules/.bin/node', target: `../${node}/bin/node` },
  ]
}

/** npm keeps no links, so the package lists those of its libraries. */
function linksOf(root: string, name: string): Entry[] {
  const list = platformPackage(root, name).get('native/pg-symlinks.json')
  const links = JSON.parse(Buffer.from(list?.() ?? '[]').toString()) as { source: string; target: string }[]
  return links.map(({ source, target }) => ({
    kind: 'link',
    path: `node_modules/${name}/${target}`,
    target: basename(source),
  }))
}

/** Paths from `root`, sorted. */
function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
}

const fileEntry = (root: string, path: string): Entry => ({
  kind: 'file',
  path,
  content: () => readFileSync(join(root, path)),
})

function inMemory(path: string, file: string): Entry {
  const content = readFileSync(file)
  return { kind: 'file', path, content: () => content }
}
