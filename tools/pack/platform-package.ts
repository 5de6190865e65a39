/**
 * An npm package that is for one platform, as those with Node and with PostgreSQL are: the installed one, or, for another platform than
 * this, one that npm downloads. Its hash must be that of `package-lock.json`.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { filesOfTar } from './read-tar.ts'
import { readLockfile } from './shipped.ts'

/** Downloaded packages, next to the caches of other programs. */
const DOWNLOADS = join('node_modules', '.cache', 'sojourn-packages')

/** Its files, by their path in the package, such as `bin/node`. */
export function platformPackage(root: string, name: string): ReadonlyMap<string, () => Uint8Array> {
  const installed = join(root, 'node_modules', name)
  return existsSync(installed) ? filesInFolder(installed) : filesOfTarball(downloaded(root, name))
}

function filesInFolder(folder: string): ReadonlyMap<string, () => Uint8Array> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  return new Map(files.map((path) => [path.slice(folder.length + 1), () => readFileSync(path)]))
}

/** npm's tarballs have everything in the folder `package`. */
function filesOfTarball(tarball: Uint8Array): ReadonlyMap<string, () => Uint8Array> {
  const files = [...filesOfTar(gunzipSync(tarball))]
  return new Map(files.map(({ path, content }) => [path.replace(/^[^/]+\//, ''), () => content]))
}

/** @throws {Error} if it cannot be downloaded, or is not what the lockfile names */
function downloaded(root: string, name: string): Uint8Array {
  const locked = readLockfile(root)[`node_modules/${name}`]
  if (locked === undefined) throw new Error(`package-lock.json has no ${name}.`)
  const folder = join(root, DOWNLOADS)
  // As `npm pack` names it.
  const file = join(folder, `${name.replace('@', '').replace('/', '-')}-${locked.version}.tgz`)
  if (!existsSync(file)) download(root, `${name}@${locked.version}`, folder)
  const tarball = readFileSync(file)
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
  if (integrity !== locked.integrity) {
    rmSync(file)
    throw new Error(
      `${name} ${locked.version} is not what package-lock.json names: its hash is ${integrity}.`,
    )
  }
  return tarball
}

function download(root: string, spec: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  const npm = process.env.npm_execpath
  const [command, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]]
  const args = [...first, 'pack', spec, '--silent', '--pack-destination', folder]
  const { status, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm cannot download ${spec}: ${stderr}`)
}
