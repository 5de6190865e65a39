import type { GuestField } from '../../src/core/records/fields/field.ts'
import {
  DEFAULT_FIELD_NAMES,
  FIELD_GROUPS,
  GUEST_FIELDS,
} from '../../src/core/records/fields/guest-fields.ts'
import { code, table } from './markdown.ts'

/** Every projectable field, by group, in the registry's order. */
export function fieldsBlock(): string {
  const groups = [...new Set(GUEST_FIELDS.map((field) => field.group))]
  return groups.map((group) => `### ${group}\n\n${groupTable(group)}`).join('\n\n')
}

function groupTable(group: string): string {
  return table(
    ['field', 'what it shows', 'scope', 'shown as', 'raw, in `ids`'],
    GUEST_FIELDS.filter((field) => field.group === group).map((field) => [
      code(field.name),
      field.description,
      code(field.scope),
      example(field.example),
      field.raw === undefined ? '' : example(field.raw.example),
    ]),
  )
}

const example = (value: GuestField['example']) => code(JSON.stringify(value))

/** The names that stand for several fields, and the fields of an answer without `project`. */
export function fieldGroupsBlock(): string {
  const below = (name: string) =>
    GUEST_FIELDS.filter((field) => field.name.startsWith(`${name}.`)).map((field) => code(field.name))
  const lines = FIELD_GROUPS.map((name) => `* ${code(name)} means ${below(name).join(', ')}.`)
  return [`* Without ${code('project')}: ${DEFAULT_FIELD_NAMES.map(code).join(', ')}.`, ...lines].join('\n')
}
