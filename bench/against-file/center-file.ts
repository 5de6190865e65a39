/** The centers of a file of records, taken at its word: the import has judged it already. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import type { Fields } from './comparison.ts'

export interface CenterRecord {
  readonly id: string
  readonly timezone: string
  readonly currency: string
  readonly automaticBookingIds?: boolean
}
export interface SessionRecord {
  readonly id: string
  readonly number?: string
  readonly startDate: string
  readonly endDate: string
  readonly programIds?: string[]
}
export interface CustomerRecord {
  readonly id: string
  readonly firstName: string
  readonly lastName: string
  readonly email?: string | null
}
export interface BookingRecord {
  readonly id: string
  readonly customerId: string
  readonly role: string
  readonly status: string
  readonly startDate: string
  readonly endDate: string
  readonly sessionIds?: string[]
  readonly bookingId?: string
  readonly orderUuid?: string
  readonly isOrderMainGuest?: boolean
  readonly skippingMeals?: Partial<Record<Meal, string[]>>
}
export interface OrderRecord {
  readonly uuid: string
  readonly number?: string
  readonly orderDate: string
  readonly totalAmount: number
  readonly status: string
  readonly currency?: string
  readonly items?: { itemId: string; name: string; quantity: number; price: number }[]
}
export interface CenterFile {
  readonly center: CenterRecord
  readonly sessions: SessionRecord[]
  readonly customers: Map<string, CustomerRecord>
  readonly bookings: BookingRecord[]
  readonly orders: OrderRecord[]
}

export const MEALS = ['breakfast', 'lunch', 'dinner'] as const
export type Meal = (typeof MEALS)[number]

export async function readCenters(file: string): Promise<CenterFile[]> {
  const centers = new Map<string, CenterFile>()
  const bytes = createReadStream(file)
  const lines = createInterface({ input: file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes })
  for await (const line of lines) {
    if (line.trim() === '') continue
    // The file is taken at its word: the import has judged it already.
    const record = JSON.parse(line) as Fields & { kind: string; id: string; centerId: string }
    const id = record.kind === 'center' ? record.id : record.centerId
    let of = centers.get(id)
    if (of === undefined) {
      of = {
        center: { id, timezone: 'UTC', currency: 'EUR' },
        sessions: [],
        customers: new Map(),
        bookings: [],
        orders: [],
      }
      centers.set(id, of)
    }
    if (record.kind === 'center') Object.assign(of.center, record)
    else if (record.kind === 'session') of.sessions.push(record as unknown as SessionRecord)
    else if (record.kind === 'customer') of.customers.set(record.id, record as unknown as CustomerRecord)
    else if (record.kind === 'booking') of.bookings.push(record as unknown as BookingRecord)
    else if (record.kind === 'order') of.orders.push(record as unknown as OrderRecord)
  }
  return [...centers.values()]
}
