/** What a projection gives: the type of a guest follows from the names that were asked for. */
import type { Guest, GuestFieldName } from './openapi.ts'

/** The custom fields of a center by their keys: `{ shoeSize: number; diet: string }`. */
export type CustomFields = Readonly<Record<string, unknown>>

/** The name of a field that `project` takes; with the center's custom fields named, only theirs. */
export type FieldName<Meta extends CustomFields = CustomFields> =
  | GuestFieldName
  | `meta.${keyof Meta & string}`

/** What `GET /guests` shows if nothing is projected, and what this client then asks for. */
export const USUAL_FIELDS = [
  'firstName',
  'lastName',
  'email',
  'startDate',
  'endDate',
  'status',
  'role',
  'skippingMeals',
] as const satisfies readonly GuestFieldName[]

export type UsualFields = typeof USUAL_FIELDS

/** Present: `null` where there is no value, never absent; a group has all of its fields. */
type Shown<T> =
  NonNullable<T> extends readonly unknown[] | string | number | boolean
    ? Exclude<T, undefined>
    : { [K in keyof T]-?: Shown<T[K]> } | Extract<T, null>

/** Adds nothing to an intersection. */
type Nothing = Record<never, never>

/** The part of a record that a dotted name means. */
type At<T, Name extends string> = Name extends `${infer Head}.${infer Rest}`
  ? Head extends keyof T
    ? { [K in Head]: At<NonNullable<T[Head]>, Rest> }
    : Nothing
  : Name extends keyof T
    ? { [K in Name]: Shown<Exclude<T[Name], undefined>> }
    : Nothing

type Custom<Name extends string, Meta extends CustomFields> = Name extends `meta.${infer Key}`
  ? { meta: { [K in Key]: Key extends keyof Meta ? Meta[Key] | null : unknown } }
  : Nothing

type All<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer Every) => void
  ? Every
  : never

/** One object in place of an intersection, as a person would write it. */
type Plain<T> = unknown extends T
  ? T
  : T extends readonly unknown[] | string | number | boolean | null
    ? T
    : { [K in keyof T]: Plain<T[K]> }

type Ids = Guest['ids']
/** Always there, whatever is projected. */
type UsualIds = Pick<Ids, 'role' | 'status' | 'sessionId' | 'sessionIds'>

type Named<Name extends string, Meta extends CustomFields> = Plain<
  All<Name extends `meta.${string}` ? Custom<Name, Meta> : At<Guest, Name>>
>

/** Raw values of those custom fields that are dates. */
type CustomIds<Name extends string> = [Extract<Name, `meta.${string}`>] extends [never]
  ? unknown
  : { meta?: Record<string, unknown> }

/**
 * A guest with exactly the named fields, and `ids` with their raw values. Where the names are not known to the
 * compiler (`string[]`), every field is optional.
 */
export type Projected<Names extends readonly string[], Meta extends CustomFields = CustomFields> = [
  GuestFieldName,
] extends [Names[number]]
  ? Guest
  : string extends Names[number]
    ? Guest
    : Named<Names[number], Meta> & {
        ids: Plain<UsualIds & All<At<Omit<Ids, keyof UsualIds | 'meta'>, Names[number]>>> &
          CustomIds<Names[number]>
      }
