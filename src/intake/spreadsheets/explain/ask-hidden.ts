/** Questions about rows and columns that the program that wrote the workbook does not show. */
import { inWords } from '../../../errors/in-words.ts'
import { isObject, shown } from '../../problems.ts'
import type { Draft, Fields } from './draft.ts'

/** Rows that are named in the question. */
const NAMED_MAX = 5

/** A filter hides the rows that it leaves out, and people hide those of guests who have cancelled. */
export function askHidden(draft: Draft, records: Fields): void {
  const rows = draft.look.rows.filter(({ isHidden }) => isHidden === true).map(({ number }) => number)
  const [first] = rows
  if (first !== undefined) {
    const more = rows.length > NAMED_MAX ? ` and ${rows.length - NAMED_MAX} more` : ''
    const one = rows.length === 1
    draft.questions.push({
      ask: `Row${one ? '' : 's'} ${inWords(rows.slice(0, NAMED_MAX).map(String))}${more} ${one ? 'is' : 'are'} hidden in the file. ${one ? 'Is it' : 'Are they'} to be imported?`,
      answers: [
        {
          answer: 'import',
          means: 'hidden rows are guests like the others',
          patch: { hiddenRows: 'import' },
        },
        { answer: 'leave out', means: 'hidden rows are not read', patch: { hiddenRows: 'leave out' } },
      ],
    })
  }
  for (const { profile } of draft.columns) {
    if (!draft.look.hiddenColumns.includes(profile.column) || profile.filled === 0) continue
    const patch = withoutColumn(records, profile.name)
    if (Object.keys(patch).length === 0) continue
    draft.questions.push({
      ask: `Column ${shown(profile.name)} ("${shown(profile.samples[0] ?? '')}") is hidden in the file. Is it to be imported?`,
      answers: [
        { answer: 'import', means: 'it is a column like the others', patch: {} },
        { answer: 'leave out', means: 'its fields are not imported', patch: { records: patch } },
      ],
    })
  }
}

/** Without these there is no record. */
const NEEDED: ReadonlySet<string> = new Set([
  'id',
  'uuid',
  'customerId',
  'orderUuid',
  'role',
  'status',
  'startDate',
  'endDate',
])

/** A merge patch that removes the fields that only this column has. */
function withoutColumn(records: Fields, column: string): Fields {
  const patch: Fields = {}
  for (const [kind, fields] of Object.entries(records)) {
    const own = Object.entries(fields as Fields).filter(
      ([field, source]) =>
        !NEEDED.has(field) && (source === column || (isObject(source) && source.column === column)),
    )
    if (own.length > 0) patch[kind] = Object.fromEntries(own.map(([field]) => [field, null]))
  }
  return patch
}
