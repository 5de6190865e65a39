/** What the interface's description shows of a list, made from its record: the JSON Schema of an answer, and an example. */

import { inOrder } from '../records/intake-fields.ts'
import type { RecordDefinition } from '../records/record.ts'
import { inIds, inLists } from '../records/record-parts.ts'
import { idsSchemas, requestedFields, shownSchemas } from '../records/record-schema.ts'
import { listOf, object } from '../request/object-schema.ts'
import type { AnswerExample } from '../request/operation.ts'
import { assign } from '../request/record-parts.ts'

/** The page with its total, or all records of a list without pages. */
export function listSchema({ fields, firstInAnswers = [] }: RecordDefinition, hasPages: boolean) {
  const ordered = inOrder(fields, firstInAnswers)
  const ids = fields.some(inIds) ? { ids: object(idsSchemas(ordered)) } : {}
  const records = listOf(object({ ...shownSchemas(ordered), ...ids }, requestedFields(fields)))
  if (!hasPages) return records
  const total = { type: 'integer', description: 'number of records available in all pages' }
  return object({ data: records, total })
}

/** A list of one record, with the examples of its fields; without those that a request has to name. */
export function listExample(
  { fields, firstInAnswers = [] }: RecordDefinition,
  hasPages: boolean,
): AnswerExample {
  const record: Record<string, unknown> = {}
  const shown = inOrder(fields, firstInAnswers).filter(({ requestedBy }) => requestedBy === undefined)
  for (const { path, example } of shown.filter(inLists)) assign(record, path, example)
  for (const { path, raw, example } of shown.filter(inIds)) {
    assign(record, ['ids', ...path], raw?.example ?? example)
  }
  return { request: undefined, answer: hasPages ? { data: [record], total: 1 } : [record] }
}
