/** Typical changes by a front desk, each as SQL of the center's own system and as records to import. */
import sql, { type Sql } from 'sql-template-tag'
import { pick, randomBelow } from './random.ts'
import { CENTER } from './records.ts'

export interface DeskAct {
  readonly statements: readonly Sql[]
  readonly records: readonly object[]
}

const STATUSES = ['registered', 'confirmed', 'arrived', 'paid', 'departed', 'cancelled']
let added = 0

/**
 * A change of one random guest.
 * @param sessions number of sessions
 * @param guests number of guests in a session
 */
export function deskAct(sessions: number, guests: number): DeskAct {
  const session = randomBelow(sessions)
  const guest = session * guests + randomBelow(guests)
  const id = `${guest}`
  const value = randomBelow(1_000_000)
  const booking = (set: Sql, fields: object): DeskAct => ({
    statements: [sql`update bookings set ${set} where center_id = ${CENTER} and id = ${id}`],
    records: [{ kind: 'booking', centerId: CENTER, id, ...fields }],
  })
  const acts: (() => DeskAct)[] = [
    () => {
      const status = pick(STATUSES)
      return booking(sql`status = ${status}`, { status })
    },
    () =>
      booking(
        sql`accommodation = coalesce(accommodation, '{}') || ${JSON.stringify({ roomId: `room${value}` })}`,
        {
          acc: { roomId: `room${value}` },
        },
      ),
    () =>
      booking(sql`financial = coalesce(financial, '{}') || ${JSON.stringify({ total: value })}`, {
        financial: { total: value },
      }),
    () =>
      booking(sql`medical = coalesce(medical, '{}') || ${JSON.stringify({ weight2: value / 10_000 })}`, {
        weight2: value / 10_000,
      }),
    () => {
      const lunch = [`2024-01-${10 + randomBelow(20)}`]
      return booking(sql`skipping_meals = ${JSON.stringify({ breakfast: [], lunch, dinner: [] })}`, {
        skippingMeals: { breakfast: [], lunch, dinner: [] },
      })
    },
    () => ({
      statements: [
        sql`update customers set phone = ${`+40 ${value}`} where center_id = ${CENTER} and id = ${id}`,
      ],
      records: [{ kind: 'customer', centerId: CENTER, id, phone: `+40 ${value}` }],
    }),
    () => {
      const uuid = `order-${session}-${(guest % guests) >> 1}`
      const paymentStatus = pick(['paid', 'pending', 'refunded'])
      return {
        statements: [
          sql`update orders set payment_status = ${paymentStatus} where center_id = ${CENTER} and uuid = ${uuid}`,
        ],
        records: [{ kind: 'order', centerId: CENTER, uuid, paymentStatus }],
      }
    },
    () => {
      added += 1
      const startDate = '2024-03-01T14:00:00Z'
      const endDate = '2024-03-08T10:00:00Z'
      const name = { firstName: 'Nou', lastName: `Oaspete ${added}` }
      const stay = { role: 'guest', status: 'registered', startDate, endDate, sessionIds: [`${session}`] }
      return {
        statements: [
          sql`
            insert into customers (center_id, id, first_name, last_name)
            values (${CENTER}, ${`new${added}`}, ${name.firstName}, ${name.lastName})`,
          sql`
            insert into bookings (center_id, id, customer_id, role, status, start_date, end_date, session_ids)
            values (${CENTER}, ${`new${added}`}, ${`new${added}`}, ${stay.role}, ${stay.status}, ${startDate}, ${endDate},
              ${stay.sessionIds})`,
        ],
        records: [
          { kind: 'customer', centerId: CENTER, id: `new${added}`, ...name },
          { kind: 'booking', centerId: CENTER, id: `new${added}`, customerId: `new${added}`, ...stay },
        ],
      }
    },
  ]
  return pick(acts)()
}
