/** The JSON Schema of a page of a list. */

import { inOrder } from '../records/intake-fields.ts'
import type { RecordDefinition } from '../records/record.ts'
import { requestedFields, shownSchemas } from '../records/record-schema.ts'
import { object } from '../request/object-schema.ts'

/** The page with its total. */
export const pageSchema = ({ fields, firstInAnswers = [] }: RecordDefinition) =>
  object({
    data: {
      type: 'array',
      items: object(shownSchemas(inOrder(fields, firstInAnswers)), requestedFields(fields)),
    },
    total: { type: 'integer', description: 'number of records available in all pages' },
  })
