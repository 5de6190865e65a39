/** Reads tar archives, as npm and the publisher of Node make them. */

const BLOCK = 512

export interface TarFile {
  readonly path: string
  readonly content: Buffer
}

/** The files of an archive, one after the other, as parts of its bytes. Folders and links are left out. */
export function* filesOfTar(tar: Buffer): Generator<TarFile> {
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const text = (from: number, to: number) => tar.toString('utf8', at + from, at + to).replace(/\0.*$/s, '')
    const size = Number.parseInt(text(124, 136), 8) || 0
    const [name, type, before] = [text(0, 100), text(156, 157), text(345, 500)]
    // Empty blocks are its end.
    if (name === '') return
    const content = tar.subarray(at + BLOCK, at + BLOCK + size)
    if (type === '0' || type === '') yield { path: before === '' ? name : `${before}/${name}`, content }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
}
