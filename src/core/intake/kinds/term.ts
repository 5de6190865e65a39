import Type from 'typebox'
import { onlyEnglish } from '../../locale/said.ts'
import { MEALS } from '../../records/fields/meals.ts'
import { TERM_SETS } from '../../records/fields/term-sets.ts'
import {
  filledText,
  identifier,
  integer,
  languageCode,
  namesByLanguage,
  oneOf,
  uniqueList,
} from '../../records/fields/values.ts'
import type { JsonObject, Kind } from './kind.ts'

/** More than any dormitory has. */
const BEDS_MAX = 1000

/** A named item that other records refer to by its identifier. */
export const term = {
  name: 'term',
  table: 'terms',
  key: [
    { field: 'set', column: 'term_set' },
    { field: 'id', column: 'id' },
  ],
  schema: Type.Object({
    set: oneOf('Kind of thing that it names.', [...TERM_SETS]),
    id: identifier('Identifier, unique within the set.'),
    name: filledText('Name, used if there is none in the requested language.'),
    names: Type.Optional(namesByLanguage('Names by language.')),
    meals: Type.Optional(
      uniqueList(
        'Meals that a package or program includes: a guest who has it eats no others. An empty list means none; without the list, all. Only in the sets `package` and `program`.',
        oneOf('Meal.', [...MEALS]),
        MEALS.length,
      ),
    ),
    beds: Type.Optional(
      integer('Number of beds. Without it, they are not known. Only in the set `room`.', 0, BEDS_MAX),
    ),
  }),
  columns: [
    { name: 'name', type: 'text', field: 'name' },
    { name: 'names', type: 'jsonb', empty: {} },
    { name: 'meals', type: 'text[]', field: 'meals' },
    { name: 'beds', type: 'integer', field: 'beds' },
  ],
  // Names are looked up by the base code of the language, so `nb-NO` is stored as `no`.
  toRow(record, row) {
    const { names } = record
    if (names === undefined) return
    row.names = names === null ? null : byBaseCode(names as JsonObject)
  },
  fromRow({ names }, record) {
    record.names = names ?? {}
  },
  check({ meals, beds }, _zone, { set }) {
    const isAbsent = (value: unknown) => value === undefined || value === null
    return [
      ...(isAbsent(meals) || set === 'package' || set === 'program'
        ? []
        : [
            {
              field: 'meals',
              ...onlyEnglish('is given, but only terms of the sets package and program have meals'),
            },
          ]),
      ...(isAbsent(beds) || set === 'room'
        ? []
        : [{ field: 'beds', ...onlyEnglish('is given, but only terms of the set room have beds') }]),
    ]
  },
} as const satisfies Kind

function byBaseCode(names: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(names).map(([tag, name]) => [languageCode(tag), name]))
}
