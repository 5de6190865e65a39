/**
 * Digests of the files that are read, as `sha256sum` prints them: of the bytes as stored, whether compressed or not.
 */
import { createHash } from 'node:crypto'
import type { Files } from './files.ts'

export interface FileDigest {
  readonly sha256: string
  readonly bytes: number
}

export interface DigestedFiles extends Files {
  /** Digests of the files that were read to their end, in that order. */
  readonly digests: () => readonly FileDigest[]
}

/** Wraps files so that everything read from them is hashed. */
export function digested(files: Files): DigestedFiles {
  const found: FileDigest[] = []
  async function* watched(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const hash = createHash('sha256')
    let length = 0
    for await (const chunk of bytes) {
      hash.update(chunk)
      length += chunk.length
      yield chunk
    }
    const sha256 = hash.digest('hex')
    // A file may be read once to inspect it and again to import it.
    if (!found.some((one) => one.sha256 === sha256)) found.push({ sha256, bytes: length })
  }
  return {
    create: (path) => files.create(path),
    open: async (path) => watched(await files.open(path)),
    digests: () => found,
  }
}
