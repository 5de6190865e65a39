/** Marks by which files of rejects are recognized wherever they are imported. */
import { InputError } from '../input-error.ts'

/** Names of the columns added to the rows. The first one says whether the other rows were imported. */
export const REJECTED = 'Rejected row'
export const INVALID = 'Invalid row'
export const ADDED_COLUMNS = ['Table', 'Records', 'Problem']

/** Joins the kinds of a row's refused records. It contains no CSV delimiter, so it needs no quotes. */
export const KINDS_JOINED = ' + '

/** Marks lines of a file of which nothing was imported, as `INVALID` does for rows. */
export const NOTHING_IMPORTED = 'nothingImported'

/** The error for importing such a file. */
export const notImported = (name: string): InputError =>
  new InputError(
    `${name} lists what is wrong with a file of which nothing was imported. Correct that file and import it, or import it with --skip-invalid and correct the rejected records.`,
  )
