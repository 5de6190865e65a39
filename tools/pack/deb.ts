/**
 * Makes a Debian package without root, and without Debian's tools: `npm run deb -- [--arch amd64,arm64] [--to FOLDER] [--suffix TEXT]`. The
 * same commit and the same SOURCE_DATE_EPOCH give the same bytes.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { ar, type Entry, tar, withFolders } from './archive.ts'
import { type Common, contentsFor } from './contents.ts'
import { makeSbom, sbomText } from './sbom.ts'
import type { Platform } from './shipped.ts'

export const DEBIAN_ARCHITECTURES = { amd64: 'x64', arm64: 'arm64' } as const
export type Architecture = keyof typeof DEBIAN_ARCHITECTURES

export const isArchitecture = (name: string): name is Architecture =>
  Object.hasOwn(DEBIAN_ARCHITECTURES, name)

const HOME = 'usr/lib/sojourn'
const FILES = join(import.meta.dirname, 'debian')
const SCRIPT = 0o755

/** What the binary of Node is linked with, in the versions of its publisher's oldest system (GLIBC_2.28, GLIBCXX_3.4.21). */
const DEPENDS = [
  'libc6 (>= 2.28)',
  'libstdc++6 (>= 8)',
  'libgcc-s1',
  'libatomic1',
  'debconf (>= 0.5) | debconf-2.0',
  'passwd',
  'util-linux',
  'init-system-helpers',
  // The oldest server that runs the schema.
  'postgresql (>= 15)',
]

/**
 * Half of the time of level 19, and 5 MB more. dpkg reads it since 1.21.18 (Debian 12, Ubuntu 22.04).
 */
const ZSTD = {
  params: { [constants.ZSTD_c_compressionLevel]: 12, [constants.ZSTD_c_windowLog]: 27 },
}
/** For packages that a test makes and throws away. */
const ZSTD_FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

export interface DebOptions {
  readonly architecture: Architecture
  readonly version: string
  /** the time of all files, since 1970 */
  readonly seconds: number
  /** much larger, in a twentieth of the time */
  readonly isFast?: boolean
}

/** Debian sorts `~` before everything, so that a version for trial is before the version. */
export const debianVersion = (version: string): string => version.replace('-', '~')

export const debName = ({ version, architecture }: Pick<DebOptions, 'version' | 'architecture'>): string =>
  `sojourn_${debianVersion(version)}_${architecture}.deb`

export const platformOf = (architecture: Architecture): Platform => ({
  os: 'linux',
  cpu: DEBIAN_ARCHITECTURES[architecture],
})

export function makeDeb(common: Common, options: DebOptions): Buffer {
  const { seconds } = options
  const entries = debContents(common, options)
  const data = tar(entries, { prefix: './', seconds })
  const control = tar(controlFiles(entries, options), { prefix: './', seconds })
  return ar(
    [
      ['debian-binary', Buffer.from('2.0\n')],
      ['control.tar.gz', gzipSync(control)],
      ['data.tar.zst', zstdCompressSync(data, options.isFast ? ZSTD_FAST : ZSTD)],
    ],
    seconds,
  )
}

/** The files of the package, by their path on the machine. */
export function debContents(common: Common, { architecture, seconds }: DebOptions): readonly Entry[] {
  const sbom = makeSbom(common.root, { kind: 'deb', platform: platformOf(architecture) }, seconds)
  const own = contentsFor(common, platformOf(architecture), false)
  return [
    ...own.map((entry) => ({ ...entry, path: `${HOME}/${entry.path}` })),
    text('usr/bin/sojourn', debianFile('sojourn').replace('FLAGS', nodeFlags(common.root)), SCRIPT),
    text(`${HOME}/sojourn.env`, debianFile('defaults.env')),
    text(`${HOME}/create-database`, debianFile('create-database'), SCRIPT),
    text('etc/sojourn/sojourn.env', debianFile('sojourn.env')),
    text('usr/lib/systemd/system/sojourn.service', debianUnit(common.root)),
    text('usr/share/doc/sojourn/copyright', debianFile('copyright')),
    text('usr/share/doc/sojourn/sojourn.cdx.json', sbomText(sbom)),
  ]
}

const debianFile = (name: string) => readFileSync(join(FILES, name), 'utf8')

function text(path: string, content: string, mode?: number): Entry {
  return { kind: 'file', path, content: () => Buffer.from(content), ...(mode === undefined ? {} : { mode }) }
}

/** The unit of `deploy/`, with the folder of the package in place of that of npm. */
export function debianUnit(root: string): string {
  const unit = readFileSync(join(root, 'deploy', 'sojourn.service'), 'utf8')
  return [
    [
      '',
      /^(#.*\n)+/,
      '# Settings are in /etc/sojourn/sojourn.env. To change this unit: systemctl edit sojourn\n',
    ],
    ['the folder', /^WorkingDirectory=.*$/m, `WorkingDirectory=/${HOME}`],
    [
      'the command',
      /^ExecStart=.*$/m,
      `ExecStartPre=-+/${HOME}/create-database\nExecStart=/usr/bin/sojourn serve --migrate`,
    ],
    ['the path', /^Environment=PATH=.*\n/m, ''],
    ['what it starts after', /^After=.*$/m, 'After=network-online.target postgresql.service'],
  ].reduce((before, [, pattern = '', now]) => {
    const after = before.replace(pattern, String(now))
    if (after === before) throw new Error(`deploy/sojourn.service has no line ${pattern}.`)
    return after
  }, unit)
}

/** Of the first line of `bin/sojourn.js`. */
function nodeFlags(root: string): string {
  const [first = ''] = readFileSync(join(root, 'bin', 'sojourn.js'), 'utf8').split('\n')
  return first.split(' node ')[1] ?? ''
}

function controlFiles(entries: readonly Entry[], options: DebOptions): Entry[] {
  const all = withFolders(entries)
  const files = all.flatMap((entry) => (entry.kind === 'file' ? [entry] : []))
  // As dpkg-gencontrol counts: each file in whole KiB, and one for each folder and link.
  const size = files.reduce(
    (sum, { content }) => sum + Math.ceil(content().length / 1024),
    all.length - files.length,
  )
  const sums = files
    .filter(({ path }) => !path.startsWith('etc/'))
    .map(({ path, content }) => `${createHash('md5').update(content()).digest('hex')}  ${path}\n`)
  return [
    text('control', control(options, size)),
    text('conffiles', '/etc/sojourn/sojourn.env\n'),
    text('templates', debianFile('templates')),
    text('md5sums', sums.join('')),
    ...['postinst', 'prerm', 'postrm'].map((name) => text(name, debianFile(name), SCRIPT)),
  ]
}

const control = ({ version, architecture }: DebOptions, kilobytes: number) => `Package: sojourn
Version: ${debianVersion(version)}
Architecture: ${architecture}
Maintainer: The contributors to Sojourn <sojourn@localhost>
Installed-Size: ${kilobytes}
Depends: ${DEPENDS.join(', ')}
Section: web
Priority: optional
Description: read side of a residential wellness or treatment center
 Imports the records of a center, stores them in PostgreSQL, and serves guests,
 sessions, orders and skipped meals as read-only JSON over HTTP. Node is part
 of the package.
`
