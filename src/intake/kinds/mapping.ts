import Type from 'typebox'
import { filledText, longText, mappingName, moment } from '../../fields/values.ts'
import type { Kind } from './kind.ts'

/** A mapping of a spreadsheet's columns that a center keeps; what it says is checked where it is read (import-run.ts). */
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
  // Removing one is an entry of the trail: `mappings remove`.
  isKept: true,
} as const satisfies Kind
