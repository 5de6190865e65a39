/** What a delivery is answered with, as JSON Schema: the documents say it, and tests hold the answers to it. */
import { SNAPSHOT_KINDS } from '../stage/snapshot.ts'

const WHOLE = { type: 'integer', minimum: 0 } as const
const IMPORT = {
  type: ['string', 'null'],
  format: 'uuid',
  description: 'The identifier of the import in the log of imports; null for a dry run.',
} as const
const LINES = { ...WHOLE, description: 'Lines of the body that are not empty.' } as const

const EFFECTS = {
  created: { ...WHOLE, description: 'Records that were not there.' },
  changed: { ...WHOLE, description: 'Records that are different now.' },
  unchanged: { ...WHOLE, description: 'Records that were the same already.' },
  removed: { ...WHOLE, description: 'Records that are gone.' },
  older: { ...WHOLE, description: 'Records that were passed over, because a newer version was there.' },
} as const

const counts = {
  type: 'object',
  description: 'By kind, of the kinds that the body has.',
  properties: Object.fromEntries(
    SNAPSHOT_KINDS.map((kind) => [
      kind,
      { type: 'object', required: Object.keys(EFFECTS), properties: EFFECTS },
    ]),
  ),
} as const

/** Of a delivery that went in, and of a dry run that would have. */
export const DELIVERED_SCHEMA = {
  type: 'object',
  required: ['import', 'applied', 'dryRun', 'lines', 'erased', 'changes', 'counts'],
  properties: {
    import: IMPORT,
    applied: { type: 'boolean', description: 'Whether the records are in.' },
    dryRun: { type: 'boolean' },
    lines: LINES,
    erased: {
      ...WHOLE,
      description: 'Lines that were left out, because they are of people who were erased.',
    },
    changes: { ...WHOLE, description: 'Records created, changed and removed.' },
    counts,
  },
} as const

const PLACE = {
  line: { type: 'integer', minimum: 1, description: 'Line of the body, from 1.' },
  kind: { type: 'string', description: 'Kind of the record, where the line says it.' },
  id: { type: 'string', description: 'Identifier of the record, where the line says it.' },
} as const

/** Next to `error`, where records are refused. */
export const REFUSED_PROPERTIES = {
  import: IMPORT,
  lines: LINES,
  rejected: { ...WHOLE, description: 'Lines that are invalid.' },
  problems: { ...WHOLE, description: 'What is wrong with them, in all.' },
  complete: {
    type: 'boolean',
    description: 'Whether all lines were checked. With 10,000 problems, the rest of the body is not.',
  },
  causes: {
    type: 'array',
    description:
      'What is wrong, once for each cause, those of most lines first; fifty at most. One change by the sender corrects one.',
    items: {
      type: 'object',
      required: ['count', 'message', 'places'],
      properties: {
        count: { type: 'integer', minimum: 1, description: 'Lines that it concerns.' },
        message: { type: 'string', description: 'What is wrong with them, and how to correct it.' },
        places: {
          type: 'array',
          description: 'The first of these lines.',
          items: { type: 'object', required: ['line'], properties: PLACE },
        },
      },
    },
  },
  complaints: {
    type: 'array',
    description: 'The first hundred problems.',
    items: {
      type: 'object',
      required: ['line', 'message'],
      properties: {
        ...PLACE,
        field: { type: 'string', description: 'Path of the field; absent where the whole line is meant.' },
        message: { type: 'string', description: 'What was given and what is expected.' },
      },
    },
  },
  leftOut: { ...WHOLE, description: 'Problems that `complaints` does not have.' },
} as const
