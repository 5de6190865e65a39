/** `sojourn import --template`: a template for records of a kind. It needs no database. */

import { csvLine } from '../core/answer/files/csv.ts'
import { type CommandContext, print, UsageError } from '../core/command-line/context.ts'
import { didYouMean } from '../core/errors/suggest.ts'
import type { Json, JsonObject } from '../core/intake/kinds/kind.ts'
import { LIST_SEPARATOR, recordSchema } from '../core/intake/lines/csv-columns.ts'
import { put, valueAt } from '../core/intake/lines/json-paths.ts'
import type { Schema } from '../core/intake/lines/line-schemas.ts'
import { TEMPLATE_EXAMPLES, type TemplateKind } from '../core/intake/lines/template-examples.ts'
import { shown } from '../core/intake/rejects/problems.ts'

/** Fields that are given once for all records, or that only an export writes. */
const LEFT_OUT = ['kind', 'centerId', 'version', 'deleted', 'bookingNumber']

const KINDS = Object.keys(TEMPLATE_EXAMPLES)
const isTemplateKind = (name: string): name is TemplateKind => KINDS.includes(name)

export interface TemplateOptions {
  readonly template: string
  /** a table instead of lines of JSON */
  readonly csv?: boolean | undefined
  /** with example values */
  readonly example?: boolean | undefined
}

/** @throws {UsageError} */
export async function printTemplate(
  context: Pick<CommandContext, 'stdout' | 'interrupts'>,
  { template: kind, csv, example }: TemplateOptions,
): Promise<void> {
  if (!isTemplateKind(kind)) {
    const end = didYouMean(kind, KINDS) || '.'
    throw new UsageError(`--template is "${shown(kind)}"; expected one of ${KINDS.join(', ')}${end}`)
  }
  const examples = TEMPLATE_EXAMPLES[kind]
  const paths = fieldsOf(recordSchema(kind), [], examples)
  if (csv) {
    const rows = example ? examples.map((record) => paths.map((path) => cellOf(valueAt(record, path)))) : []
    return print(
      context,
      [paths.map((path) => path.join('.')), ...rows].map((cells) => csvLine(cells)).join(''),
    )
  }
  const empty: JsonObject = {}
  for (const path of paths) put(empty, path, null)
  const records = example ? examples : [empty]
  await print(context, records.map((record) => `${JSON.stringify({ kind, ...record })}\n`).join(''))
}

/** Every field that accepts a value. For custom fields and names by language, those of the examples. */
function fieldsOf(
  schema: Schema,
  at: readonly string[],
  examples: readonly JsonObject[],
): (readonly string[])[] {
  if (schema.items === undefined && schema.properties !== undefined) {
    return Object.entries(schema.properties).flatMap(([name, child]) =>
      at.length === 0 && LEFT_OUT.includes(name) ? [] : fieldsOf(child, [...at, name], examples),
    )
  }
  if (schema.patternProperties === undefined) return [at]
  const keys = examples.flatMap((record) => Object.keys(valueAt(record, at) ?? {}))
  return [...new Set(keys)].map((key) => [...at, key])
}

/** A value in the form in which a cell of a table is read. */
function cellOf(value: Json | undefined): string | number | boolean {
  if (value === undefined || value === null) return ''
  if (!Array.isArray(value)) return typeof value === 'object' ? JSON.stringify(value) : value
  const isOfObjects = value.some((item) => typeof item === 'object')
  return isOfObjects ? JSON.stringify(value) : value.map(String).join(LIST_SEPARATOR)
}
