/** All kinds of records, in the order they are written: what others refer to comes first. */
import type { Static } from 'typebox'
import { booking } from './kinds/booking.ts'
import { center } from './kinds/center.ts'
import { customer } from './kinds/customer.ts'
import { KIND_NAMES, type Kind, type KindName } from './kinds/kind.ts'
import { metaField } from './kinds/meta-field.ts'
import { order } from './kinds/order.ts'
import { session } from './kinds/session.ts'
import { term } from './kinds/term.ts'

const kinds = { center, metaField, term, session, order, customer, booking }

export const KINDS: Readonly<Record<KindName, Kind>> = kinds

export function isKindName(value: unknown): value is KindName {
  return typeof value === 'string' && (KIND_NAMES as readonly string[]).includes(value)
}

type Fields<Name extends KindName> = Static<(typeof kinds)[Name]['schema']>
type KeyField<Name extends KindName> = (typeof kinds)[Name]['key'][number]['field'] & keyof Fields<Name>
type CenterField<Name extends KindName> = Name extends 'center' ? object : { centerId?: string }

/** A value as a merge patch: parts may be left out or cleared, lists are whole. */
type Patch<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { [Field in keyof Value]?: Patch<Value[Field]> | null | undefined }
    : Value

/** A record of one kind, version 1: an upsert with merge semantics, or a removal. */
export type RecordOf<Name extends KindName> = { kind: Name } & CenterField<Name> &
  Pick<Fields<Name>, KeyField<Name>> &
  (Omit<Patch<Fields<Name>>, KeyField<Name>> | { deleted: true })

/** Any record that may come in. */
export type IntakeRecord = { [Name in KindName]: RecordOf<Name> }[KindName]
