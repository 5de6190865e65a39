/** All guests of a list as a file. */

import type { AskedFile } from '../../answer/files/file-parameters.ts'
import type { Column, FileRecord } from '../../answer/files/table.ts'
import { writeFile } from '../../answer/files/write-file.ts'
import type { MovedSince } from '../../changes/feed-sql.ts'
import { TextRows } from '../../database/text-rows.ts'
import type { ListPlan } from '../../lists/list-operation.ts'
import { fieldLabel } from '../../locale/field-labels.ts'
import type { Language } from '../../locale/languages.ts'
import type { GuestField, ShowContext } from '../../records/fields/field.ts'
import { MEALS } from '../../records/fields/meals.ts'
import { kindOf } from '../../records/record-columns.ts'
import type { RequiredScope, Rows } from '../../request/operation.ts'
import { type GuestFilters, selectGuestRows } from './guests-sql.ts'
import { presenterOf } from './present-guest.ts'
import { META_PREFIX, type Projection } from './projection.ts'

const GUESTS_PER_CHUNK = 200

interface GuestFile {
  readonly asked: AskedFile
  readonly filters: GuestFilters
  readonly projection: Projection
  readonly moved: MovedSince | undefined
  readonly requiredScopes: readonly RequiredScope[]
  readonly context: ShowContext
}

export function guestFile({
  asked,
  filters,
  projection,
  moved,
  requiredScopes,
  context,
}: GuestFile): ReturnType<ListPlan['file']> {
  const { center, language } = context
  // A table also contains raw values, which a page without `project` does not have.
  const isTable = asked.format !== 'ndjson'
  const presenter = presenterOf(isTable ? namedOf(projection) : projection)
  const written = {
    name: 'guests',
    columns: projection.fields.flatMap((field) => columnsOf(field, language)),
    zone: center.timezone,
  }
  return {
    isNamed: requiredScopes.some(({ scope }) => scope !== 'guests'),
    rowsPerChunk: GUESTS_PER_CHUNK,
    reading(separator) {
      async function* records(chunks: AsyncIterable<Rows>) {
        for await (const rows of chunks) {
          const text = [rows.length, ...asRows(rows).map(([, , guest]) => guest)].join(separator)
          const { json } = presenter.present(new TextRows(text, presenter.width, separator), context)
          yield JSON.parse(json.toString()) as readonly FileRecord[]
        }
      }
      return {
        statement: selectGuestRows(center.id, filters, presenter.selection, context, separator, moved),
        write: (rows, manifest) => writeFile(asked, written, records(rows), manifest),
      }
    },
  }
}

/** One object for each projection, because the presenter is cached by it. */
const named = new WeakMap<Projection, Projection>()
function namedOf(projection: Projection): Projection {
  if (projection.named) return projection
  const known = named.get(projection) ?? { ...projection, named: true }
  named.set(projection, known)
  return known
}

/** A row in the order of the statement. */
type GuestRow = readonly [startDate: string, id: string, guest: string]
const asRows = (rows: Rows) => rows as readonly unknown[] as readonly GuestRow[]

function columnsOf({ name, path, schema, raw, description }: GuestField, language: Language): Column[] {
  // A custom field is labelled with the center's own description.
  const label = name.startsWith(META_PREFIX) ? description : fieldLabel(name, language)
  if (name === 'skippingMeals') {
    return MEALS.map((meal) => {
      const of = [...path, meal]
      return {
        name: `${name}.${meal}`,
        label: label && `${label}: ${meal}`,
        kind: 'list',
        shown: of,
        raw: of,
      }
    })
  }
  const kind = kindOf(raw?.schema ?? schema)
  return [{ name, label, kind, shown: path, raw: raw === undefined ? path : ['ids', ...path] }]
}
