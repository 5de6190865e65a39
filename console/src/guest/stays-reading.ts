/** All stays of one person, with the fields that this page shows and the key may read. */
import type { FieldName } from '../../../client/src/projection.ts'
import { type StayHours, stayHours } from '../base/presence.ts'
import type { Reader } from '../base/reading.ts'
import { useResource } from '../base/resource.ts'
import { person } from '../base/signed-in.ts'
import { type Row, textOf, valueAt } from '../guests/values.ts'
import { zone } from '../kitchen/kitchen-reading.ts'

/** No medical and no financial fields: a page at a desk is seen by others. */
const FIELDS = [
  ...['id', 'firstName', 'lastName', 'role', 'status', 'startDate', 'endDate', 'bookingId', 'programId'],
  ...[
    'packageId',
    'acc.roomId',
    'acc.floor',
    'email',
    'phone',
    'secondaryPhone',
    'doctorName',
    'therapistName',
  ],
  ...['orderUuid', 'orderNumber', 'orderStatus', 'sessionInterval', 'dob', 'age', 'address', 'paid'],
] as const

export const CONTACT = ['phone', 'secondaryPhone', 'email', 'address'] as const

/** More stays of one person than this are on no page; their number is said. */
const STAYS_MAX = 100

export interface Stay extends StayHours {
  readonly id: string
  readonly row: Row
}

export interface Stays {
  /** by start */
  readonly stays: readonly Stay[]
  readonly total: number
}

/** A center may have shorter pages. */
export const pageOf = (length: number): number =>
  Math.min(length, person.value?.me.center.maximumPageLength ?? length)

/** `address` means all of its parts. */
export function readableFields(): string[] {
  const names = person.value?.fields.flatMap(({ name, readable }) => (readable ? [name] : [])) ?? []
  return names.filter(
    (name) =>
      (FIELDS as readonly string[]).includes(name) || name.startsWith('address.') || name.startsWith('meta.'),
  )
}

export const isReadable = (name: string): boolean =>
  person.value?.fields.some(
    (field) => field.readable && (field.name === name || field.name.startsWith(`${name}.`)),
  ) ?? false

export const useStays = (id: string): Reader<Stays> =>
  useResource(
    async (sojourn, signal) => {
      const project = ['id', ...readableFields()] as FieldName[]
      const { data, total } = await sojourn.guests.list(
        { personOf: id, project, length: pageOf(STAYS_MAX) },
        { signal },
      )
      return { stays: (data as unknown as readonly Row[]).map(stayOf), total }
    },
    [id],
  )

/** A row with `id`, `startDate` and `endDate`. */
export function stayOf(row: Row): Stay {
  const moment = (name: string) => textOf(valueAt(row, `ids.${name}`))
  const { standardTimes } = person.value!.me.center
  return {
    ...stayHours(moment('startDate'), moment('endDate'), zone(), standardTimes),
    id: textOf(row.id),
    row,
  }
}

export const textAt = ({ row }: Stay, name: string): string => textOf(valueAt(row, name))

export const nameOf = (stay: Stay): string =>
  [textAt(stay, 'firstName'), textAt(stay, 'lastName')].filter(Boolean).join(' ')
