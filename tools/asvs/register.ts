/** The register of the requirements of ASVS 5.0.0 and of the OpenSSF baseline, as data (`register.tsv`, `osps-baseline.tsv`). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const STATUSES = ['met', 'not applicable', 'open'] as const
export interface Requirement {
  /** of ASVS 5.0.0: chapter, section, requirement */
  readonly number: string
  readonly status: string
  /** our own words: the measure, the reason why it does not apply, or what is done instead */
  readonly words: string
  /** the files that implement it, if it is met */
  readonly files: readonly string[]
  /** the test that fails if the measure is removed, if it is met */
  readonly testFile: string
  readonly testTitle: string
}

export interface BaselineControl {
  readonly control: string
  readonly status: string
  readonly words: string
}

const rowsOf = (name: string): string[][] =>
  readFileSync(join(import.meta.dirname, name), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))

export const register = (): Requirement[] =>
  rowsOf('register.tsv').map(
    ([number = '', status = '', words = '', files = '', testFile = '', testTitle = '']) => ({
      number,
      status,
      words,
      files: files.split(' ').filter((file) => file !== ''),
      testFile,
      testTitle,
    }),
  )

export const openSsfBaseline = (): BaselineControl[] =>
  rowsOf('osps-baseline.tsv').map(([control = '', status = '', words = '']) => ({ control, status, words }))

/** The list of numbers of the standard, with the level of each. No text of the standard is in this project. */
export interface Standard {
  readonly source: string
  readonly repository: string
  readonly commit: string
  readonly levels: Readonly<Record<string, number>>
}

export const standard = (): Standard =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'numbers.json'), 'utf8')) as Standard
