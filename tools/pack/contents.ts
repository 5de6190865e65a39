/**
 * What an installation without npm consists of, in one folder: the JavaScript of the service, the npm packages, Node, and the template of
 * a new embedded database. The Debian packages and the image contain the same.
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Entry } from './archive.ts'
import { eraseProject } from './erase-types.ts'
import { nodePackage } from './node-package.ts'
import { isUsed, nodePackageOf, type Platform, readLockfile, shippedPackages } from './shipped.ts'

const EXECUTABLE = 0o755

/** What is the same for all platforms. It is made once. */
export interface Common {
  readonly root: string
  readonly entries: readonly Entry[]
}

/** @param seconds the time at which the template's database was created, since 1970 */
export function commonContents(root: string, seconds: number): Common {
  const dist = mkdtempSync(join(tmpdir(), 'sojourn-dist-'))
  const templates = mkdtempSync(join(tmpdir(), 'sojourn-template-'))
  try {
    eraseProject(root, dist)
    makeTemplate(root, templates, seconds)
    return {
      root,
      entries: [
        ...['package.json', 'LICENSE', 'client/README.md', ...globSync('*.md', { cwd: root })].map((path) =>
          fileEntry(root, path),
        ),
        ...filesBelow(root, 'bin').map((path) => ({ ...fileEntry(root, path), mode: EXECUTABLE })),
        ...filesBelow(root, 'docs').map((path) => fileEntry(root, path)),
        // Read now, because the folders are temporary.
        ...filesBelow(dist, '').map((path) => inMemory(`dist/${path}`, join(dist, path))),
        ...filesBelow(templates, '').map((path) =>
          inMemory(`node_modules/.cache/sojourn/${path}`, join(templates, path)),
        ),
      ],
    }
  } finally {
    rmSync(dist, { recursive: true, force: true })
    rmSync(templates, { recursive: true, force: true })
  }
}

/** @returns all files, with paths from the folder of the installation */
export function contentsFor({ root, entries }: Common, platform: Platform): readonly Entry[] {
  const node = nodePackageOf(platform)
  const packages = shippedPackages(readLockfile(root), platform)
  const ofPackages = packages
    .filter(({ name }) => name !== node)
    .flatMap(({ path }) =>
      filesBelow(root, path)
        // A package within is in the list itself, if it is shipped.
        .filter((file) => !file.slice(path.length + 1).includes('node_modules/'))
        .map((file) => fileEntry(root, file)),
    )
  const ofNode = [...nodePackage(root, platform)].map(
    ([path, content]): Entry => ({
      kind: 'file',
      path: `node_modules/${node}/${path}`,
      content,
      ...(path.startsWith('bin/') ? { mode: EXECUTABLE } : {}),
    }),
  )
  return [
    ...entries,
    ...[...ofPackages, ...ofNode].filter(({ path }) => isUsed(path)),
    { kind: 'link', path: 'node_modules/.bin/node', target: `../${node}/bin/node` },
  ]
}

/** In a process of its own, whose clock and random bytes are fixed. */
function makeTemplate(root: string, folder: string, seconds: number): void {
  const args = [
    '--require',
    join(root, 'tools/pack/fixed-world.cjs'),
    join(root, 'tools/pack/make-template.ts'),
    folder,
  ]
  const { status, stderr } = spawnSync(process.execPath, args, {
    env: {
      PATH: process.env.PATH,
      TZ: 'UTC',
      LANG: 'C',
      SOURCE_DATE_EPOCH: String(seconds),
      NODE_DISABLE_COMPILE_CACHE: '1',
    },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The template of a new database cannot be made: ${stderr}`)
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
