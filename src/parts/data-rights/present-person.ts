/** What is stored about a person, as labels and texts in the language of the center. */
import type { JsonObject } from '../../core/intake/kinds/kind.ts'
import type { Center } from '../../core/records/centers/center.ts'
import type { SubjectExport } from './export-subject.ts'
import { columnLabel, labelFor, momentText, type PageForm, valueText } from './page-words.ts'

export interface PersonSection {
  readonly about: 'person' | 'stay' | 'session' | 'order' | 'kitchenSheet' | 'contradiction'
  readonly title: string
  readonly rows: readonly (readonly [label: string, value: string])[]
}

export interface HeldPerson {
  readonly held: SubjectExport
  /** identifiers of other guests' bookings, whose items in shared orders are not this person's data */
  readonly others: ReadonlySet<string>
  readonly terms: readonly { readonly term_set: string; readonly id: string; readonly name: string }[]
  readonly center: Center
}

/** Fields that only programs need, and the sessions, which have a section. */
const HIDDEN = new Set(['kind', 'centerId', 'version', 'id', 'customerId', 'uuid', 'sessionIds', 'takenAt'])

/** The sets of terms whose identifiers are values of these fields. */
const TERMS: Readonly<Record<string, string>> = {
  programId: 'program',
  packageId: 'package',
  religion: 'religion',
  referralType: 'referralType',
  'acc.roomId': 'room',
  'acc.roomStandardId': 'roomStandard',
  'acc.bedType': 'bedType',
  'acc.type': 'accommodationType',
  'accSegments.roomId': 'room',
}

export function presentPerson({ held, others, terms, center }: HeldPerson) {
  const form: PageForm = {
    language: center.language,
    zone: center.timezone,
    currency: center.currency,
    centerName: center.name,
  }
  const names = new Map(terms.map(({ term_set, id, name }) => [`${term_set} ${id}`, name]))
  const orders = new Map(held.orders.map((one) => [String(one.uuid), String(one.number ?? one.uuid)]))
  const label = (path: string) =>
    (path.startsWith('meta.') ? center.metaFields.get(path.slice(5))?.label : undefined) ??
    labelFor(path, form.language)
  const text = (path: string, value: unknown, currency: string): string => {
    if (Array.isArray(value)) return value.map((one) => text(path, one, currency)).join(', ')
    if (typeof value === 'object' && value !== null) {
      return leavesOf(value, path)
        .map(([own, leaf]) => `${label(own)}: ${text(own, leaf, currency)}`)
        .join('; ')
    }
    const id = String(value)
    const known = path === 'orderUuid' ? orders.get(id) : names.get(`${TERMS[path] ?? ''} ${id}`)
    return known ?? valueText(path, value, form, currency)
  }
  const section = (
    about: PersonSection['about'],
    title: string,
    record: object,
    currency = form.currency,
  ): PersonSection => ({
    about,
    title,
    rows: leavesOf(record).map(([path, value]) => [label(path), text(path, value, currency)] as const),
  })
  const span = ({ startDate, endDate }: JsonObject) =>
    [startDate, endDate].map((moment) => valueText('', moment, form)).join(' – ')
  const { customer } = held
  return {
    sections: [
      section('person', [customer.firstName, customer.lastName].filter(Boolean).join(' '), customer),
      ...held.bookings.map((stay) => section('stay', span(stay), stay)),
      ...held.sessions.map((one) =>
        section('session', [one.name, span(one)].filter(Boolean).join(' · '), {}),
      ),
      ...held.orders.map((order) => {
        const currency = typeof order.currency === 'string' ? order.currency : form.currency
        return section('order', String(order.number ?? order.uuid), withoutOthers(order, others), currency)
      }),
      ...held.kitchenSheets.flatMap(({ day, guests }) =>
        guests.map((guest) => section('kitchenSheet', valueText('day', day, form), guest)),
      ),
      ...held.contradictions.map(({ kind, compared }) => ({
        about: 'contradiction' as const,
        title: kind,
        rows: compared.map(
          ({ field, values }) =>
            [label(field), values.map((one) => text(field, one ?? '–', form.currency)).join(' / ')] as const,
        ),
      })),
    ],
    reads: held.reads.map(({ at, key, operation }) => ({
      at: momentText(at, form),
      key: key.name,
      operation,
    })),
    changes: held.changes.map(({ at, kind, columns }) => ({
      at: momentText(at, form),
      kind,
      fields: columns.map((column) => columnLabel(column, form.language)).join(', '),
    })),
  }
}

/** The catalogue has separate labels for the status of an order. */
function withoutOthers({ status, items, ...order }: JsonObject, others: ReadonlySet<string>): object {
  const own = (Array.isArray(items) ? items : []).flatMap((item) =>
    typeof item === 'object' && item !== null && !Array.isArray(item) && !others.has(String(item.itemId))
      ? [{ name: item.name, quantity: item.quantity, price: item.price }]
      : [],
  )
  return {
    ...order,
    ...(typeof status === 'string' && { orderStatus: status }),
    ...(own.length > 0 && { items: own }),
  }
}

/** The values by path, such as `address.city`. Lists are left whole. */
function leavesOf(value: object, path = ''): [path: string, value: unknown][] {
  return Object.entries(value).flatMap(([name, child]): [string, unknown][] => {
    const own = path === '' ? name : `${path}.${name}`
    if (HIDDEN.has(own) || child === null || child === undefined) return []
    return typeof child === 'object' && !Array.isArray(child) ? leavesOf(child, own) : [[own, child]]
  })
}
