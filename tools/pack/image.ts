/**
 * Makes an OCI image without a daemon and without root: the libraries of Debian that Node is linked with, Node, the npm packages and the
 * service, nothing else. The same commit and the same packages of Debian give the same bytes.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Entry, tar } from './archive.ts'
import { type Common, contentsFor } from './contents.ts'
import { type Architecture, platformOf } from './deb.ts'
import type { DebianLibraries } from './debian-libraries.ts'
import { runConfig } from './dockerfile.ts'
import { makeSbom, type Sbom, sbomText } from './sbom.ts'

/** The number of the user `node` in the image of the Dockerfile, so that a volume can be used by both. */
const USER = 1000
const HOME = 'app'
const STICKY = 0o1777

const TYPES = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
} as const

export interface ImageOptions {
  readonly version: string
  /** the time of all files, since 1970 */
  readonly seconds: number
  /** larger, in a third of the time */
  readonly isFast?: boolean
}

interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
  readonly platform?: { readonly os: string; readonly architecture: string }
  readonly annotations?: Readonly<Record<string, string>>
}

interface Image {
  readonly architecture: Architecture
  readonly manifest: Descriptor
  /** what is listed in the image */
  readonly sbom: Sbom
  /** by digest */
  readonly blobs: ReadonlyMap<string, Buffer>
  /** of the layers, as they are downloaded, in bytes */
  readonly size: number
}

/** The image for one architecture. */
export function makeImage(
  common: Common,
  architecture: Architecture,
  libraries: DebianLibraries,
  options: ImageOptions,
): Image {
  const { version, seconds } = options
  const platform = platformOf(architecture)
  const sbom = makeSbom(common.root, { kind: 'image', platform, system: libraries.packages }, seconds)
  const blobs = new Map<string, Buffer>()
  const add = (mediaType: string, content: Buffer): Descriptor => {
    const digest = `sha256:${sha256(content)}`
    blobs.set(digest, content)
    return { mediaType, digest, size: content.length }
  }
  const own = contentsFor(common, platform, true).map((entry) => ({
    ...entry,
    path: `${HOME}/${entry.path}`,
  }))
  const isNode = ({ path }: Entry) => path.startsWith(`${HOME}/node_modules/node-`)
  // Node changes rarely, and is most of it.
  const layers = [
    [...libraries.entries, ...systemFiles(), ...own.filter(isNode)],
    [...own.filter((entry) => !isNode(entry)), text(`${HOME}/sojourn.cdx.json`, sbomText(sbom))],
  ].map((entries) => {
    const content = tar(entries, { seconds })
    return {
      diffId: `sha256:${sha256(content)}`,
      descriptor: add(TYPES.layer, gzipSync(content, { level: options.isFast ? 1 : 9 })),
    }
  })
  const created = new Date(seconds * 1000).toISOString()
  const config = runConfig(common.root)
  const configuration = add(
    TYPES.config,
    json({
      created,
      architecture,
      os: 'linux',
      config: {
        ...config,
        User: `${USER}:${USER}`,
        Env: [`PATH=/${HOME}/node_modules/.bin`, ...config.Env],
        Labels: labels(common.root, version, created),
      },
      rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
      history: ['Debian’s libraries and Node', 'Sojourn'].map((created_by) => ({ created, created_by })),
    }),
  )
  const manifest = add(
    TYPES.manifest,
    json({
      schemaVersion: 2,
      mediaType: TYPES.manifest,
      config: configuration,
      layers: layers.map(({ descriptor }) => descriptor),
    }),
  )
  const size = layers.reduce((sum, { descriptor }) => sum + descriptor.size, 0)
  return {
    architecture,
    sbom,
    blobs,
    size,
    manifest: { ...manifest, platform: { os: 'linux', architecture } },
  }
}

/**
 * The archive of images, as `skopeo`, `podman` and `docker load` read it. The tag of the version is all architectures; each has its own
 * tag too, such as `0.1.0-amd64`.
 */
export function imageArchive(images: readonly Image[], { version, seconds }: ImageOptions): Buffer {
  const index = json({
    schemaVersion: 2,
    mediaType: TYPES.index,
    manifests: images.map(({ manifest }) => manifest),
  })
  const blobs = new Map([
    ...images.flatMap((image) => [...image.blobs]),
    [`sha256:${sha256(index)}`, index] as const,
  ])
  const tagged = (descriptor: Descriptor, tag: string): Descriptor => ({
    ...descriptor,
    annotations: { 'org.opencontainers.image.ref.name': tag },
  })
  const manifests = [
    tagged({ mediaType: TYPES.index, digest: `sha256:${sha256(index)}`, size: index.length }, version),
    ...images.map(({ architecture, manifest }) => tagged(manifest, `${version}-${architecture}`)),
  ]
  return tar(
    [
      bytes('oci-layout', json({ imageLayoutVersion: '1.0.0' })),
      bytes('index.json', json({ schemaVersion: 2, mediaType: TYPES.index, manifests })),
      ...[...blobs].map(([digest, content]) => bytes(`blobs/${digest.replace(':', '/')}`, content)),
    ],
    { seconds },
  )
}

export const imageName = ({ version }: Pick<ImageOptions, 'version'>): string => `sojourn-${version}.oci.tar`

/** What a C library and people who look into an image expect. */
function systemFiles(): Entry[] {
  return [
    text('etc/passwd', `root:x:0:0:root:/:/sbin/nologin\nnode:x:${USER}:${USER}::/data:/sbin/nologin\n`),
    text('etc/group', `root:x:0:\nnode:x:${USER}:\n`),
    text('etc/nsswitch.conf', 'hosts: files dns\n'),
    { kind: 'folder', path: 'data', owner: USER, mode: 0o755 },
    { kind: 'folder', path: 'tmp', mode: STICKY },
    // Where a container's kernel file systems are mounted, also below a root that cannot be written to.
    ...['dev', 'proc', 'sys', 'run'].map((path): Entry => ({ kind: 'folder', path })),
  ]
}

function labels(root: string, version: string, created: string): Readonly<Record<string, string>> {
  const { description, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const values = { title: 'Sojourn', description, licenses: license, version, created }
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`org.opencontainers.image.${name}`, value]),
  )
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value))
const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')
const bytes = (path: string, content: Buffer): Entry => ({ kind: 'file', path, content: () => content })
const text = (path: string, content: string): Entry => bytes(path, Buffer.from(content))
