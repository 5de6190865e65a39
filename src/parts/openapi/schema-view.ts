/** Shows a JSON Schema of the document as a table of its fields. */
import { html, type Markup, prose } from './markup.ts'

/** The part of JSON Schema that the document's schemas use. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly minimum?: number
  readonly default?: unknown
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: boolean | Schema
  readonly 'x-sojourn-scope'?: string
}

export type Schemas = Readonly<Record<string, Schema>>

/** The schema that a reference names, or the schema itself. */
export function resolve(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (schemas[name] ?? schema)
}

/** The type in a few words: `string or null`, `one of patient, companion, guest`. */
export function typeInWords(schema: Schema): string {
  const { $ref, type, format, pattern, description, anyOf, items } = schema
  if (schema.enum !== undefined) return `one of ${schema.enum.filter((value) => value !== null).join(', ')}`
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? ''
  if (format !== undefined) return format
  if (anyOf !== undefined) return anyOf.map(typeInWords).join(' or ')
  if (pattern !== undefined && description !== undefined) return description
  if (type === 'array') return items === undefined ? 'list' : `list of ${plural(typeInWords(items))}`
  return [type ?? 'any'].flat().join(' or ')
}

const plural = (words: string) =>
  /^(string|number|integer|object|boolean|date)$/.test(words) ? `${words}s` : words

interface FieldRow {
  readonly path: string
  readonly schema: Schema
}

/**
 * Every field: dots for nested fields, `[]` for the items of a list, `*` for keys of a map.
 * @param label names the table among those of the page
 */
export function schemaTable(label: string, schema: Schema, schemas: Schemas): Markup {
  const rows = fieldRows(schema, '', schemas)
  const scopes = rows.some((row) => row.schema['x-sojourn-scope'] !== undefined)
  // It is wider than a narrow window. `tabindex` makes it scrollable with the keyboard.
  return html`<div class="wide" tabindex="0" role="region" aria-label="${label}"><table class="fields">
<thead><tr><th>field</th><th>type</th><th>what it is</th>${scopes ? html`<th>scope</th>` : undefined}</tr></thead>
<tbody>${rows.map(
    ({ path, schema: field }) =>
      html`<tr><td><code>${path}</code></td><td>${typeInWords(field)}</td><td>${
        field.description === undefined ? undefined : prose(field.description)
      }</td>${scopes ? html`<td>${field['x-sojourn-scope']}</td>` : undefined}</tr>`,
  )}</tbody></table></div>`
}

function fieldRows(schema: Schema, prefix: string, schemas: Schemas): FieldRow[] {
  const { properties, items, additionalProperties } = resolve(schema, schemas)
  if (items !== undefined) return fieldRows(items, `${prefix}[]`, schemas)
  const own = Object.entries(properties ?? {}).flatMap(([name, field]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`
    return [{ path, schema: field }, ...fieldRows(field, path, schemas)]
  })
  if (typeof additionalProperties !== 'object') return own
  const path = `${prefix}.*`
  return [...own, { path, schema: additionalProperties }, ...fieldRows(additionalProperties, path, schemas)]
}

/** A value as it is typed into a field of a form: a list with commas. */
export function asTyped(value: unknown): string {
  if (value === undefined || value === null) return ''
  return Array.isArray(value) ? value.join(',') : String(value)
}
