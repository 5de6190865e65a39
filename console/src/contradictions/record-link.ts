/** The name of a record of a contradiction, which leads to its page for a key that may read it. */
import { type ComponentChild, h } from 'preact'
import type { Contradiction } from '../../../src/documents/contradiction-kinds.ts'
import { nameOfOrder } from '../../../src/documents/order-name.ts'
import { to } from '../base/routes.ts'
import { may } from '../base/signed-in.ts'
import { linkedGuest } from '../guest/guest-link.ts'

export type EvidenceRecord = Contradiction['evidence']['records'][number]

/** A guest without a name, and an order without a number, is called by its identifier. */
export const nameOfRecord = ({ kind, id, name }: EvidenceRecord): string =>
  kind === 'order' ? nameOfOrder({ orderNumber: name, uuid: id }) : (name ?? id)

export const linkedRecord = (record: EvidenceRecord): ComponentChild => {
  if (record.kind === 'guest') return linkedGuest(record.id, nameOfRecord(record))
  return record.kind === 'order' && may('orders')
    ? h('a', { href: to('orders/one', { uuid: record.id }) }, nameOfRecord(record))
    : nameOfRecord(record)
}
