/** What writes refused records: rows of a table stay rows, so that they can be corrected in a spreadsheet program. */
import type { CsvDialect } from '../../answer/files/csv.ts'
import { refuseForm } from '../../errors/unknown-form.ts'
import type { NewFile } from '../lines/files.ts'
import type { CsvForm } from '../spreadsheets.ts'
import type { ImportProblem } from './problem-report.ts'
import { RejectedLines } from './rejected-lines.ts'
import { RejectedRows } from './rejected-rows.ts'
import { RejectsFile } from './rejects-file.ts'
import type { RejectsForm } from './rejects-form.ts'

/** A file of refused records, created with the first one. */
export interface RejectsWriter {
  /** Accepts problems in the order of the import, which keeps those of one line together. */
  add(problem: ImportProblem): Promise<void>
  keep(): Promise<void>
  /** Removes the file, because the valid records were not imported either. */
  discard(): Promise<void>
}

export interface RejectsWriterOptions {
  readonly form: RejectsForm
  /** whether each line names its file */
  readonly namesFiles: boolean
  /** whether the other records are imported */
  readonly othersGoIn: boolean
  /** the delimiter of the input, if it is known */
  delimiter(): CsvDialect['delimiter']
}

export function rejectsWriter(options: RejectsWriterOptions, create: () => Promise<NewFile>): RejectsWriter {
  const file = new RejectsFile(create)
  const { form } = options
  switch (form) {
    case 'ndjson':
      return new RejectedLines(options, file)
    case 'csv':
    case 'xlsx':
      return new RejectedRows({ ...options, form }, file)
    default:
      return refuseForm(form)
  }
}

/** The delimiter of rejects: the input's own, where a spreadsheet program reads it. */
export const rejectsDelimiter = (form: CsvForm | undefined): CsvDialect['delimiter'] =>
  form?.delimiter === ',' || form?.delimiter === '\t' ? form.delimiter : ';'
