/** What files of rejects say of themselves, so that they are known wherever they come in. */
import { InputError } from './input-error.ts'

/** What the columns before the rows are called; the first says whether the other rows went in. */
export const REJECTED = 'Rejected row'
export const INVALID = 'Invalid row'
export const BESIDE = ['Table', 'Records', 'Problem']

/** What stands between the kinds of a row's refused records: no separator of CSV, so that it needs no quotes. */
export const KINDS_JOINED = ' + '

/** The mark of lines of which nothing went in, as `INVALID` is that of rows. */
export const NOTHING_IMPORTED = 'nothingImported'

export const notImported = (name: string): InputError =>
  new InputError(
    `${name} lists what is wrong with a file of which nothing was imported. Mend that file and import it; or import it with --skip-invalid, and mend what that rejects.`,
  )
