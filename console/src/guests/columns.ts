/** Which fields a table of guests shows: remembered, and only those that the key may read. */
import type { Field, FieldName } from '../../../client/src/index.ts'

const REMEMBERED = 'sojourn-columns'
const USUAL = ['name', 'acc.roomId', 'role', 'status', 'startDate', 'endDate', 'programId', 'orderNumber']
/** More than fit on any screen, and as many as one page of the service answers quickly. */
export const COLUMNS_MAX = 40

export const readable = (fields: readonly Field[]): Field[] => fields.filter((field) => field.readable)

/** In the order of the documentation; never none. */
export function chosenColumns(fields: readonly Field[], names: readonly string[]): Field[] {
  const open = readable(fields)
  const chosen = open.filter(({ name }) => names.includes(name)).slice(0, COLUMNS_MAX)
  return chosen.length > 0 ? chosen : open.filter(({ name }) => USUAL.includes(name))
}

export function rememberedColumns(memory: Pick<Storage, 'getItem'>): readonly string[] {
  const names: unknown = JSON.parse(memory.getItem(REMEMBERED) ?? 'null')
  return Array.isArray(names) ? names.map(String) : USUAL
}

export function rememberColumns(memory: Pick<Storage, 'setItem'>, names: readonly string[]): void {
  memory.setItem(REMEMBERED, JSON.stringify(names))
}

/** Fields whose name, label or description has each word of what was typed. */
export function found(fields: readonly Field[], typed: string): Field[] {
  const terms = typed.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return fields.filter(({ name, label, description }) => {
    const text = `${name} ${label} ${description}`.toLocaleLowerCase()
    return terms.every((term) => text.includes(term))
  })
}

/** The names of fields that the service itself has listed. */
export const namesOf = (fields: readonly Field[]): FieldName[] =>
  fields.map(({ name }) => name).filter(isListed)
const isListed = (_: string): _ is FieldName => true
