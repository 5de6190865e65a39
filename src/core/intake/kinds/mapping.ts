import Type from 'typebox'
import { filledText, longText, mappingName, moment } from '../../records/fields/values.ts'
import type { Kind } from './kind.ts'

/**
 * A mapping of spreadsheet columns stored with its center. Its content is checked when it is imported (import-run.ts).
 */
export const mapping = {
  name: 'mapping',
  table: 'mappings',
  key: [{ field: 'name', column: 'name' }],
  schema: Type.Object({
    name: mappingName('Name that `import --map` gives.'),
    body: longText('The mapping, as YAML or JSON.'),
    savedAt: moment('When it was saved.'),
    savedBy: filledText('Who saved it.'),
  }),
  columns: [
    { name: 'body', type: 'text', field: 'body' },
    { name: 'saved_at', type: 'timestamptz', field: 'savedAt' },
    { name: 'saved_by', type: 'text', field: 'savedBy' },
  ],
  // A mapping is removed by `mappings remove`, which the audit trail records.
  isPermanent: true,
} as const satisfies Kind
