/**
 * The parts of the tar format (POSIX ustar) that a backup uses: folders and files, with short names. Other programs can list
 * and unpack it; of what they write, only what is written here is read.
 */

const BLOCK = 512
const NAME_MAX = 100

/** Tar's numbers are octal texts: 8 GB at most. A file of the database has 1 GB at most. */
const SIZE_MAX = 8 ** 11 - 1

export interface TarEntry {
  readonly path: string
  readonly isFolder: boolean
  /** bytes; 0 for a folder */
  readonly size: number
}

/** Something else than a backup, or one that was changed or cut off. */
export class NotATar extends Error {
  override readonly name = 'NotATar'
}

/** Two blocks of zeros end an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK)

/** The zeros that follow a file of this size. */
export const padding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)

/** The fields of a header. Its numbers are written as octal texts. */
export interface TarFields {
  readonly name: string
  /** what is before the name, if the path is longer than a name may be */
  readonly prefix?: string
  readonly mode: number
  /** identifier of the user and of the group */
  readonly owner: number
  /** name of the user and of the group */
  readonly ownerName?: string
  /** bytes */
  readonly size: number
  /** time of the entry, since 1970 */
  readonly seconds: number
  /** 0: a file; 2: a link; 5: a folder */
  readonly type: '0' | '2' | '5'
  /** of a link */
  readonly target?: string
}

/** A header (POSIX ustar). The caller has checked that its texts fit. */
export function ustarHeader(fields: TarFields): Buffer {
  const { name, prefix = '', mode, owner, ownerName = '', size, seconds, type, target = '' } = fields
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, digits: number) =>
    header.write(`${value.toString(8).padStart(digits, '0')}\0`, at)
  header.write(name, 0)
  octal(mode, 100, 7)
  octal(owner, 108, 7)
  octal(owner, 116, 7)
  octal(size, 124, 11)
  octal(seconds, 136, 11)
  header.write(' '.repeat(8), 148)
  header.write(type, 156)
  header.write(target, 157)
  header.write('ustar\u000000', 257)
  header.write(ownerName, 265)
  header.write(ownerName, 297)
  header.write(prefix, 345)
  octal(sumOf(header), 148, 6)
  return header
}

/** @param seconds time of the entry, since 1970 */
export function tarHeader({ path, isFolder, size }: TarEntry, seconds: number): Buffer {
  const name = isFolder ? `${path}/` : path
  if (Buffer.byteLength(name) > NAME_MAX || size > SIZE_MAX)
    throw new Error(`${path} does not fit into a backup`)
  const mode = isFolder ? 0o700 : 0o600
  return ustarHeader({ name, mode, owner: 0, size, seconds, type: isFolder ? '5' : '0' })
}

const sumOf = (header: Buffer) => header.reduce((sum, byte) => sum + byte, 0)

/** @returns undefined at the end of the archive @throws {NotATar} */
export function readTarHeader(header: Buffer): TarEntry | undefined {
  if (header.every((byte) => byte === 0)) return undefined
  const text = (at: number, length: number) => {
    const field = header.subarray(at, at + length)
    const end = field.indexOf(0)
    return field.toString('utf8', 0, end === -1 ? length : end)
  }
  const blank = Buffer.from(header)
  blank.fill(' ', 148, 156)
  if (Number.parseInt(text(148, 8), 8) !== sumOf(blank)) throw new NotATar('the sum of a header is wrong')
  const name = text(0, NAME_MAX)
  const isFolder = text(156, 1) === '5'
  const path = isFolder ? name.replace(/\/$/, '') : name
  const size = Number.parseInt(text(124, 12), 8)
  if (!/^[05]$/.test(text(156, 1)) || !isSafe(path) || !Number.isInteger(size) || (isFolder && size > 0)) {
    throw new NotATar('it has an entry that no backup has')
  }
  return { path, isFolder, size }
}

/** Whether it names something below a folder, with nothing that leads out of it. */
const isSafe = (path: string) =>
  /^[A-Za-z0-9_.-]+(?:\/[A-Za-z0-9_.-]+)*$/.test(path) && !path.split('/').some((part) => /^\.+$/.test(part))

/** Bytes in the sizes that a reader asks for, from pieces of any size. */
export class TarBytes {
  readonly #pieces: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]()
  }

  /** @returns at most this many bytes, and at least one @throws {NotATar} at the end */
  async some(most: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const next = await this.#pieces.next()
      if (next.done === true) throw new NotATar('it ends too early')
      this.#rest = next.value
    }
    const piece = this.#rest.subarray(0, most)
    this.#rest = this.#rest.subarray(piece.length)
    return piece
  }

  async exactly(length: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let left = length; left > 0; ) {
      const piece = await this.some(left)
      parts.push(piece)
      left -= piece.length
    }
    return Buffer.concat(parts)
  }

  header(): Promise<Buffer> {
    return this.exactly(BLOCK)
  }

  /** @throws {NotATar} if something follows */
  async end(): Promise<void> {
    if (this.#rest.length > 0) throw new NotATar('something follows its end')
    const next = await this.#pieces.next()
    if (next.done !== true) throw new NotATar('something follows its end')
  }
}
