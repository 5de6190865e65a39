/** The text of a printout, with `pdftotext` (Debian's `poppler-utils`). */
import { spawnSync } from 'node:child_process'

/** @returns the text as it is on the paper; a form feed ends each page */
export function textOfPdf(pdf: Buffer): string {
  const { status, stdout, stderr, error } = spawnSync('pdftotext', ['-layout', '-', '-'], { input: pdf })
  if (status !== 0) throw error ?? new Error(`pdftotext: ${stderr}`)
  return stdout.toString()
}
