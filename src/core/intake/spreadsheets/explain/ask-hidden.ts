/** Questions about rows and columns that the program that wrote the workbook does not show. */
import { isObject, shown } from '../../rejects/problems.ts'
import { type Draft, type Fields, quoted } from './draft.ts'

/** Rows that are named in the question. */
const NAMED_MAX = 5

/** A filter hides the rows that it leaves out, and people hide those of guests who have cancelled. */
export function askHidden(draft: Draft, records: Fields): void {
  const rows = draft.look.rows.filter(({ isHidden }) => isHidden === true).map(({ number }) => number)
  const [first] = rows
  if (first !== undefined) {
    const more = rows.length > NAMED_MAX ? ', …' : ''
    draft.questions.push({
      ask: {
        key: 'hiddenRows',
        values: { n: rows.length, rows: `${rows.slice(0, NAMED_MAX).join(', ')}${more}` },
      },
      answers: [
        {
          answer: { key: 'import' },
          means: { key: 'hiddenRowsImport' },
          patch: { hiddenRows: 'import' },
        },
        {
          answer: { key: 'leaveOut' },
          means: { key: 'hiddenRowsOut' },
          patch: { hiddenRows: 'leave out' },
        },
      ],
    })
  }
  for (const { profile } of draft.columns) {
    if (!draft.look.hiddenColumns.includes(profile.column) || profile.filled === 0) continue
    const patch = withoutColumn(records, profile.name)
    if (Object.keys(patch).length === 0) continue
    draft.questions.push({
      ask: {
        key: 'hiddenColumn',
        values: { column: shown(profile.name), example: quoted(profile.samples[0] ?? '') },
      },
      answers: [
        { answer: { key: 'import' }, means: { key: 'hiddenColumnImport' }, patch: {} },
        { answer: { key: 'leaveOut' }, means: { key: 'hiddenColumnOut' }, patch: { records: patch } },
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
