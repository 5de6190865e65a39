/**
 * What describes a field of a record: of a guest, a session, an order. One entry says where the value is stored, how it is imported, how it is shown, its
 * raw value, its scope, and its documentation; all code that needs one of these reads the entry.
 */

import type { Scope } from '../../access/keys/scopes.ts'
import { isoMoment } from '../../locale/dates.ts'
import type { LabelKind } from '../../locale/labels.ts'
import type { Language } from '../../locale/languages.ts'
import type { Center } from '../centers/center.ts'
import type { Pseudonyms } from '../centers/pseudonyms.ts'
import type { GuestSource, Source, Stored, ValueOf } from './source.ts'
import type { JsonSchema } from './value-kinds.ts'

/** What showing a value may depend on, in addition to the value. */
export interface ShowContext {
  readonly center: Center
  readonly language: Language
  /** the center's local day, `YYYY-MM-DD` */
  readonly today: string
  /** for orders: whether moments are shown as dates for people */
  readonly formatDates?: boolean
  /** of the application, for a key that reads under pseudonyms (access/pseudonyms.ts) */
  readonly pseudonyms?: Pseudonyms | null
  /** of the record's amounts; by default the center's */
  readonly currency?: string
}

// The presenter recognizes the following functions: it writes their results without making a string of each.

/** Shows a value unchanged. */
export const asItIs = <T>(_: ShowContext, value: T): T => value

/** Shows an identifier as the name of its term; without one, unchanged. */
export const nameOrId = <T>(_: ShowContext, id: T, name: T): T => name ?? id

/** Shows epoch milliseconds as ISO 8601 in UTC. */
export const asMoment = (_: ShowContext, at: number | null): string | null =>
  at === null ? null : isoMoment(at)

/** The documentation of a field, and the scope that it needs. */
export interface About {
  readonly scope: Scope
  /** its group in the documentation */
  readonly group: string
  readonly description: string
}

/** A field of an intake record, and where it is stored. */
export interface RecordField {
  /** dots for nesting */
  readonly name: string
  readonly path: readonly string[]
  readonly description: string
  /** describes the value of a record, if it contains more than what is shown */
  readonly recordDescription?: string
  readonly stored: Stored
  /** the value that is stored if a record leaves the field out; by default null */
  readonly empty?: readonly string[]
}

interface RawValue<Values extends readonly unknown[]> {
  readonly schema: JsonSchema
  readonly example: unknown
  readonly value: (context: ShowContext, ...values: Values) => unknown
}

interface Definition<Values extends readonly unknown[]> extends About {
  readonly example: unknown
  /** JSON Schema of the shown value; null is allowed too, unless every guest has a value */
  readonly schema: JsonSchema
  /** whether every guest has a value, although each of the sources may be null */
  readonly isAlwaysThere?: true
  readonly show: (context: ShowContext, ...values: Values) => unknown
  /** The raw value of a humanized field, which `ids` contains under the same path (ruling 22). */
  readonly raw?: RawValue<Values>
  /** the kind of label, if the shown value is the label of the raw one */
  readonly labels?: LabelKind
  /** where an import stores the value; absent for computed values */
  readonly stored?: Stored
  /** its name in intake records, if that is another one */
  readonly recordName?: string
  readonly recordDescription?: string
  /** the value that is stored if a record leaves the field out; by default null */
  readonly empty?: readonly string[]
  /** of a list of records: the fields of each */
  readonly items?: readonly Field[]
  /** of a list of objects: which of their values a cell of a file has */
  readonly itemName?: { readonly shown: string; readonly raw: string }
  /** of an object: its values, of which each is a cell of a file */
  readonly cells?: readonly string[]
  /** the parameter without which an answer does not have it */
  readonly requestedBy?: string
  /** for records that are read one by one, which have the raw values */
  readonly single?: SingleValue
}

/** How a record that is read by itself differs from the same record in a list. */
interface SingleValue {
  /** where the field is only there, and a list has it at most in `ids` */
  readonly only?: 'single' | 'ids'
  /** the parameter without which it is not there, if a list always has it */
  readonly requestedBy?: string
  /** whether it is shown as in a list if the request formats dates */
  readonly isFormatted?: true
  /** JSON Schema of its value there, if it is not that of the raw value */
  readonly schema?: JsonSchema
  /** its value there, if it is neither the raw value nor the one that is shown */
  readonly value?: (context: ShowContext, ...values: never[]) => unknown
}

/** One entry of the registry: the single description of a field. */
export interface Field<From extends Source = Source> extends Definition<unknown[]> {
  /** the name in `project`, dots for nesting */
  readonly name: string
  readonly path: readonly string[]
  /** the selected values, in the order of the arguments of `show` */
  readonly sources: readonly From[]
}

export type GuestField = Field<GuestSource>

type ValuesOf<Sources extends readonly Source[]> = {
  -readonly [Index in keyof Sources]: ValueOf<Sources[Index]>
}

/**
 * Defines a field, with `show` and `raw` checked against the types of its sources. @param name public name; a dot
 * separates levels
 */
export function field<const Sources extends readonly Source[]>(
  name: string,
  definition: Definition<ValuesOf<Sources>> & { readonly sources: Sources },
): Field<Sources[number] extends GuestSource ? GuestSource : Source> {
  // The registry holds fields of all types. A plan passes to each field exactly the values of its sources.
  return { name, path: name.split('.'), ...definition } as never
}

/** Makes the documentation of a field with this scope: `guests('Staff', 'Name of the doctor.')`. */
const about =
  (scope: About['scope']) =>
  (group: string, description: string): About => ({ scope, group, description })

export const guests = about('guests')
export const personal = about('guests.personal')
export const medical = about('guests.medical')
export const financial = about('guests.financial')
export const paid = about('guests.paid')
