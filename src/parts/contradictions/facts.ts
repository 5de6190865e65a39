/** What is known of the records that are compared, as the statements in `facts-sql.ts` return it. Moments are epoch ms. */

export interface Session {
  readonly id: string
  readonly start: number
  readonly end: number
}

/** A booking with what is compared of it. */
export interface Stay {
  readonly id: string
  readonly customer: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly status: string
  readonly start: number
  readonly end: number
  readonly sessions: readonly Session[]
  readonly bookingId: string | null
  readonly order: string | null
  /** amount as text, moment in epoch ms */
  readonly deposit: {
    readonly amount: string | null
    readonly paidAt: string | null
    readonly paymentType: string | null
    readonly notes: string | null
  }
  /** a value for each of the diet fields that belong to bookings */
  readonly diets: readonly unknown[]
}

/** A customer who has bookings. */
export interface Person {
  readonly customer: string
  /** one of the customer's bookings: the API shows guests, not customers */
  readonly guest: string
  readonly firstName: string | null
  readonly lastName: string | null
  /** YYYY-MM-DD */
  readonly dob: string | null
  readonly gender: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly secondaryPhone: string | null
  /** as `name_readings` returns them */
  readonly readings: readonly string[]
}

/** Two customers who share something. */
export interface Pair {
  readonly one: Person
  readonly other: Person
  /** null if one of them has none */
  readonly sameEmail: boolean | null
  readonly samePhone: boolean | null
}

/** A booking in a room. */
export interface RoomStay {
  readonly id: string
  readonly customer: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly start: number
  readonly end: number
  /** of a stay without segments */
  readonly room: string | null
  /** the segments of a stay in several rooms, as they are stored */
  readonly segments: unknown
}

export interface Room {
  readonly id: string
  readonly name: string
  readonly beds: number
}
