/** The text of a printout, with `pdftotext` (Debian's `poppler-utils`). */
import { spawnSync } from 'node:child_process'

/** @returns the text as it is on the paper; a form feed ends each page */
export function textOfPdf(pdf: Buffer): string {
  const { status, stdout, stderr, error } = spawnSync('pdftotext', ['-layout', '-', '-'], { input: pdf })
  if (status !== 0) throw error ?? new Error(`pdftotext: ${stderr}`)
  return stdout.toString()
}

/** The first page as a picture: its width in pixels, and how dark each of them is. */
export interface Picture {
  readonly width: number
  readonly pixels: Uint8Array
}

/** A4 with pixels of two points, so that the edges of letters, which each program draws in its own way, count less. */
const A4 = { width: 298, height: 421 }

/** @returns the first page as `pdftoppm` shows it, in grey */
export function pictureOfPdf(pdf: Buffer): Picture {
  const size = ['-scale-to-x', String(A4.width), '-scale-to-y', String(A4.height)]
  const options = ['-gray', ...size, '-f', '1', '-l', '1', '-']
  const { status, stdout, stderr, error } = spawnSync('pdftoppm', options, {
    input: pdf,
    maxBuffer: 64_000_000,
  })
  if (status !== 0) throw error ?? new Error(`pdftoppm: ${stderr}`)
  // `P5`, width and height, the value of white; then the pixels.
  const [head = '', width = '0', height = '0'] =
    /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(stdout.toString('latin1', 0, 40)) ?? []
  const pixels = stdout.subarray(head.length, head.length + Number(width) * Number(height))
  return { width: Number(width), pixels: pixels.map((grey) => 255 - grey) }
}

/** @returns how much ink there is, in full pixels */
export const inkOf = ({ pixels }: Picture): number =>
  pixels.reduce((sum: number, dark) => sum + dark, 0) / 255

/** @returns how alike the ink of two pictures is: 1 if it is the same, near 0 if it is elsewhere */
export function likeness(a: Picture, b: Picture): number {
  const product = (one: Uint8Array, other: Uint8Array) =>
    one.reduce((sum: number, value, at) => sum + value * (other[at] ?? 0), 0)
  if (a.width !== b.width) return 0
  return product(a.pixels, b.pixels) / Math.sqrt(product(a.pixels, a.pixels) * product(b.pixels, b.pixels))
}
