/** Headers of the tar format (POSIX ustar). */

const BLOCK = 512

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

const sumOf = (header: Buffer) => header.reduce((sum, byte) => sum + byte, 0)
