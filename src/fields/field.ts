/**
 * What a field of a guest is made of. One entry says where its value is kept, how it comes in, how it is shown, its
 * raw value, its scope, and what people read about it; a place that needs one of these asks the entry.
 */
import type { Center } from '../centers/center.ts'
import type { Scope } from '../keys/scopes.ts'
import type { LabelKind } from '../locale/labels.ts'
import type { Language } from '../locale/languages.ts'
import type { Source, Stored, ValueOf } from './source.ts'
import type { JsonSchema } from './value-kinds.ts'

/** What showing a value may depend on besides the value. */
export interface ShowContext {
  readonly center: Center
  readonly language: Language
  /** the center's local day, `YYYY-MM-DD` */
  readonly today: string
}

/** Shows a value as it is; known by itself, because the presenter does without the call. */
export const asItIs = <T>(_: ShowContext, value: T): T => value

/** What people read about a field, and who may read it. */
export interface About {
  readonly scope: Extract<Scope, `guests${string}`>
  /** the documentation's group */
  readonly group: string
  readonly description: string
}

/** A field of an intake record, and where it is kept. */
export interface RecordField {
  /** dots for nesting */
  readonly name: string
  readonly path: readonly string[]
  readonly description: string
  /** what a record's value is, where that is more than what is shown of it */
  readonly recordDescription?: string
  readonly stored: Stored
  /** what is kept where a record leaves the field out; null unless given */
  readonly empty?: readonly string[]
}

interface RawValue<Values extends readonly unknown[]> {
  readonly schema: JsonSchema
  readonly example: unknown
  readonly value: (context: ShowContext, ...values: Values) => unknown
}

interface Definition<Values extends readonly unknown[]> extends About {
  readonly example: unknown
  /** JSON Schema of the value as it is shown; null is always allowed too */
  readonly schema: JsonSchema
  readonly show: (context: ShowContext, ...values: Values) => unknown
  /** Where the field is humanized, `ids` carries its raw value under the same path (ruling 22). */
  readonly raw?: RawValue<Values>
  /** where the shown value is the label of the raw one: of which kind */
  readonly labels?: LabelKind
  /** where a record keeps the value; absent for what is computed */
  readonly stored?: Stored
  readonly recordDescription?: string
}

/** One entry of the registry: the single description of a field. */
export interface GuestField extends Definition<unknown[]> {
  /** the name in `project`, dots for nesting */
  readonly name: string
  readonly path: readonly string[]
  /** what is selected for it, in the order in which `show` takes the values */
  readonly sources: readonly Source[]
}

type ValuesOf<Sources extends readonly Source[]> = {
  -readonly [Index in keyof Sources]: ValueOf<Sources[Index]>
}

/**
 * A field whose `show` and `raw` are checked against the types of its sources.
 * @param name public name, dots for nesting.
 */
export function field<const Sources extends readonly Source[]>(
  name: string,
  definition: Definition<ValuesOf<Sources>> & { readonly sources: Sources },
): GuestField {
  // The registry holds fields of all types of values; a plan hands each exactly the values of its sources.
  return { name, path: name.split('.'), ...definition } as unknown as GuestField
}

/** The entry of a field by its scope: `guests('Staff', 'Name of the doctor.')`. */
const about =
  (scope: About['scope']) =>
  (group: string, description: string): About => ({ scope, group, description })

export const guests = about('guests')
export const personal = about('guests.personal')
export const medical = about('guests.medical')
export const financial = about('guests.financial')
