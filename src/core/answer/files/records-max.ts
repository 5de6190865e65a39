/** How many records a file may have. */
import { errors } from '../../errors/api-error.ts'
import { LISTED_IDS_MAX } from '../../request/listed-ids.ts'
import type { FilePlan } from '../../request/operation.ts'
import type { AskedFile } from './file-parameters.ts'
import { SHEET_ROWS_MAX } from './xlsx.ts'

/** A workbook with several rows for a record is in memory until its rows are counted. */
const COUNTED_MAX = 5000

/**
 * @param isNamed whether the audit trail has to name each of the records, because of what is shown of them
 * @param hasSeveralRows whether a record has several rows
 */
export function recordsMax(
  { format }: AskedFile,
  isNamed: boolean,
  hasSeveralRows = false,
): FilePlan['recordsMax'] {
  const rowsMax = hasSeveralRows ? COUNTED_MAX : SHEET_ROWS_MAX - 1
  const ofSheet = format === 'xlsx' ? rowsMax : Number.POSITIVE_INFINITY
  const ofTrail = isNamed ? LISTED_IDS_MAX : Number.POSITIVE_INFINITY
  const max = Math.min(ofSheet, ofTrail)
  const why =
    max === ofTrail
      ? 'a file with personal, medical or financial fields has at most that many, because the audit trail names each of them'
      : hasSeveralRows
        ? 'a workbook with several rows for each has at most that many'
        : 'a sheet of a workbook has no more rows'
  return {
    count: max,
    refusal: (count) =>
      errors.invalidParameters([
        {
          parameter: 'format',
          message: `The list has ${count} records; ${why} (${max}). Request fewer records, such as a shorter range${max === ofTrail ? '' : ', or for format=csv or format=ndjson'}.`,
        },
      ]),
  }
}
