import { KIND_NAMES, type KindName } from '../../src/core/intake/kinds/kind.ts'
import { KINDS } from '../../src/core/intake/kinds.ts'
import type { Schema } from '../../src/core/intake/lines/line-schemas.ts'
import { inEnglish } from '../../src/core/locale/said.ts'
import { code, table } from './markdown.ts'

/** What a kind is, for people. A kind without a sentence does not compile. */
const KIND_SENTENCES: Readonly<Record<KindName, string>> = {
  center: 'A center. All other records belong to one and name its identifier as `centerId`.',
  metaField: 'A custom field that the center defines for its customers or its bookings.',
  term: 'A named thing that other records point at: a program, a package, a room, a discount.',
  session: 'A dated program that guests attend.',
  order: 'An order with its items and its payment, which groups bookings.',
  customer: 'A person.',
  booking: 'One stay of one customer: what the interface calls a guest.',
  bookingCounter:
    'The highest booking number assigned in a session, so that none is assigned twice. `export` writes it; other files do not need it.',
  freedBookingId:
    'A booking identifier that a booking had and has no more, so that it is never given again. `export` writes it; other files do not need it.',
  mapping:
    'A [mapping](spreadsheets.md#stored-with-the-center) that the center keeps. `export` writes it; `sojourn mappings` saves, shows and removes it.',
  key: 'A key, with the hash of its secret. `export --keys` writes it, and `import --keys` imports it.',
  auditHead:
    'Where the audit trail of a center ends. `export --audit` writes the records of the trail, and `import --audit` imports them into a center that has no trail.',
  auditRecordList:
    'Identifiers of the records that a read showed, once for all reads that showed the same ones.',
  auditEntry: 'An entry of the audit trail: reads that differ in nothing but their moment and their request.',
}

/** Every kind with every field. */
export function recordsBlock(): string {
  return KIND_NAMES.map((name) => {
    const kind = KINDS[name]
    // TypeBox's types hide the plain JSON Schema that its objects are.
    const schema = kind.schema as unknown as Schema
    const keys = kind.key.map(({ field }) => code(field)).join(' and ') || 'its center'
    const rows = fieldRows(schema, '', kind.atLeastOne?.fields)
    return `### ${code(name)}\n\n${KIND_SENTENCES[name]} Identified by ${keys}.\n\n${table(['field', '', 'what it is', 'takes'], rows)}`
  }).join('\n\n')
}

/** @param oneOf fields of which a record has at least one */
function fieldRows(schema: Schema, prefix: string, oneOf: readonly string[] = []): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    const others = oneOf.filter((other) => other !== name).map(code)
    const required = schema.required?.includes(name)
      ? 'required'
      : oneOf.includes(name)
        ? `required without ${others.join(' or ')}`
        : ''
    const ofItems = field.items?.properties === undefined ? [] : fieldRows(field.items, `${path}[].`)
    if (field.properties !== undefined) return fieldRows(field, `${path}.`)
    const each = field.items?.expects === undefined ? '' : `; each is ${inEnglish(field.items.expects)}`
    return [
      [
        code(path),
        required,
        field.description ?? '',
        `${field.expects === undefined ? '' : inEnglish(field.expects)}${each}`,
      ],
      ...ofItems,
    ]
  })
}
