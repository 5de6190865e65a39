import {
  DEMO_CENTER_ID,
  demoRecords,
  type IntakeRecord,
  OTHER_CENTER_ID,
} from '../../../src/parts/demo/demo-records.ts'

/** A booking with the fields the tests ask about. */
export type Booking = IntakeRecord & {
  id: string
  customerId: string
  role: string
  status: string
  startDate: string
  endDate: string
  sessionIds?: string[]
  orderUuid?: string
  isOrderMainGuest?: boolean
  skippingMeals?: Record<'breakfast' | 'lunch' | 'dinner', string[]>
}

/** Days that have broken calendars before: a leap day, the end of a year, both changes of the clock. */
export const awkwardDays = [
  '2026-05-14',
  '2028-02-29',
  '2027-02-28',
  '2025-12-31',
  '2026-03-29',
  '2026-10-25',
]

/** All records of one kind of one center. */
export function recordsOf(records: readonly IntakeRecord[], kind: string, center = DEMO_CENTER_ID) {
  return records.filter((record) => record.kind === kind && (record.centerId ?? record.id) === center)
}

/** The bookings of one center. */
export function bookingsOf(records: readonly IntakeRecord[], center = DEMO_CENTER_ID): Booking[] {
  // The demo speaks of records; what a booking holds is what these tests are about to check.
  return recordsOf(records, 'booking', center) as Booking[]
}

/** Whether it is one of the records that contradict others on purpose. */
export const isConflict = (record: IntakeRecord): boolean =>
  String(record.id ?? '').startsWith('conflict-') || record.uuid === 'b7c2d9e4-51f6-4a08-93be-6f7d20c4a815'

/** The whole demo as a list. */
export const demo = (today = '2026-05-14'): IntakeRecord[] => [...demoRecords({ today })]

/** Every path of a record that has a value, such as `acc.roomId`; of a list, the path of the list. */
export function pathsOf(value: object, prefix = ''): string[] {
  return Object.entries(value).flatMap(([key, item]) => {
    const path = prefix + key
    const isGroup = typeof item === 'object' && item !== null && !Array.isArray(item)
    return isGroup ? [path, ...pathsOf(item, `${path}.`)] : [path]
  })
}

export { DEMO_CENTER_ID, OTHER_CENTER_ID }
