import Type from 'typebox'
import { filledText, identifier, label, list, longText, moment, text } from '../../fields/values.ts'
import { checkInterval, type Kind } from './kind.ts'

const { Optional } = Type

/** A dated program that guests attend. */
export const session = {
  name: 'session',
  table: 'sessions',
  key: [{ field: 'id', column: 'id' }],
  schema: Type.Object({
    id: identifier('Identifier of the session.'),
    name: filledText('Name.'),
    number: Optional(label('Session number.')),
    text: Optional(longText('Description.')),
    startDate: moment('Start of the session.'),
    endDate: moment('End of the session.'),
    programIds: Optional(list('Programs offered: terms of the set `program`.', text('Program.'))),
    unitIds: Optional(list('Units available: terms of the set `unit`.', text('Unit.'))),
  }),
  columns: [
    { name: 'name', type: 'text', field: 'name' },
    { name: 'number', type: 'text', field: 'number' },
    { name: 'text', type: 'text', field: 'text' },
    { name: 'start_date', type: 'timestamptz', field: 'startDate' },
    { name: 'end_date', type: 'timestamptz', field: 'endDate' },
    { name: 'program_ids', type: 'text[]', field: 'programIds', empty: [] },
    { name: 'unit_ids', type: 'text[]', field: 'unitIds', empty: [] },
  ],
  check: checkInterval,
} as const satisfies Kind
