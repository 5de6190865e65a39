/** Archives with the same bytes for the same content: tar (ustar) and ar, with one owner and one time for everything. */

import { padding, TAR_END, ustarHeader } from './tar-header.ts'

interface Place {
  /** without a slash at its beginning or end */
  readonly path: string
}

export type Entry = Place &
  (
    | { readonly kind: 'folder'; readonly mode?: number; readonly owner?: number }
    | { readonly kind: 'link'; readonly target: string }
    | {
        readonly kind: 'file'
        readonly mode?: number
        /** read when it is written, because Node alone has 150 MB */
        readonly content: () => Uint8Array
      }
  )

const FOLDER_MODE = 0o755
const FILE_MODE = 0o644
const TYPES = { file: '0', link: '2', folder: '5' } as const

/**
 * @param entries in any order; missing folders are added
 * @param prefix before each path, such as `./`, which Debian uses
 * @param seconds the time of everything, since 1970
 */
export function tar(
  entries: readonly Entry[],
  { prefix = '', seconds }: { prefix?: string; seconds: number },
): Buffer {
  const parts: Uint8Array[] = []
  for (const entry of withFolders(entries, prefix !== '')) {
    const content = entry.kind === 'file' ? entry.content() : new Uint8Array()
    parts.push(header(entry, prefix, content.length, seconds), content)
    parts.push(padding(content.length))
  }
  parts.push(TAR_END)
  return Buffer.concat(parts)
}

/** Sorted by path, so that a folder is before what it contains. */
export function withFolders(entries: readonly Entry[], withRoot = false): readonly Entry[] {
  const all = new Map<string, Entry>(withRoot ? [['', { kind: 'folder', path: '' }]] : [])
  for (const entry of entries) {
    const parts = entry.path.split('/')
    for (let n = 1; n < parts.length; n++) {
      const path = parts.slice(0, n).join('/')
      if (!all.has(path)) all.set(path, { kind: 'folder', path })
    }
    const other = all.get(entry.path)
    if (other !== undefined && other.kind !== 'folder') throw new Error(`${entry.path} is there twice.`)
    all.set(entry.path, entry)
  }
  return [...all.values()].sort((one, other) => (one.path < other.path ? -1 : 1))
}

function header(entry: Entry, prefix: string, size: number, seconds: number): Buffer {
  const path = `${prefix}${entry.path}${entry.kind === 'folder' && entry.path !== '' ? '/' : ''}`
  const { name, before } = splitName(path)
  const owner = entry.kind === 'folder' ? (entry.owner ?? 0) : 0
  const target = entry.kind === 'link' ? entry.target : ''
  if (Buffer.byteLength(target) > 100) throw new Error(`The link ${path} is too long for tar.`)
  return ustarHeader({
    ...{ name, prefix: before, mode: modeOf(entry), owner, size, seconds, type: TYPES[entry.kind], target },
    ownerName: owner === 0 ? 'root' : '',
  })
}

function modeOf(entry: Entry): number {
  if (entry.kind === 'link') return 0o777
  return entry.mode ?? (entry.kind === 'folder' ? FOLDER_MODE : FILE_MODE)
}

/** A path of more than 100 bytes has its first folders in a field of their own, of at most 155. */
function splitName(path: string): { name: string; before: string } {
  if (Buffer.byteLength(path) <= 100) return { name: path, before: '' }
  for (let at = path.indexOf('/'); at >= 0 && at < path.length - 1; at = path.indexOf('/', at + 1)) {
    const [before, name] = [path.slice(0, at), path.slice(at + 1)]
    if (Buffer.byteLength(name) <= 100 && Buffer.byteLength(before) <= 155) return { name, before }
  }
  throw new Error(`The path ${path} is too long for tar.`)
}

/** The archive that a Debian package is. */
export function ar(
  members: readonly (readonly [name: string, content: Uint8Array])[],
  seconds: number,
): Buffer {
  const parts: Uint8Array[] = [Buffer.from('!<arch>\n')]
  for (const [name, content] of members) {
    const fields = [
      name.padEnd(16),
      String(seconds).padEnd(12),
      '0     ',
      '0     ',
      '100644  ',
      String(content.length).padEnd(10),
    ]
    parts.push(Buffer.from(`${fields.join('')}\`\n`), content)
    if (content.length % 2 === 1) parts.push(Buffer.from('\n'))
  }
  return Buffer.concat(parts)
}
