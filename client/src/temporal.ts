/** Dates and moments of records as `Temporal`, where you ask for it. */
import { SojournError } from './error.ts'
import { type Change, DATES, type Guest, type ListedOrder, type Session } from './openapi.ts'
import type { Order } from './orders.ts'

/** As much of `Temporal` as is needed, so that a polyfill can be handed in. */
export interface TemporalLike {
  readonly Instant: { from(text: string): unknown }
  readonly PlainDate: { from(text: string): unknown }
}

type OfRuntime = typeof globalThis extends { Temporal: infer T extends TemporalLike } ? T : TemporalLike
type Moment<T extends TemporalLike> = ReturnType<T['Instant']['from']>
type Day<T extends TemporalLike> = ReturnType<T['PlainDate']['from']>

/** A record in which the places that `Dates` names hold `Temporal` values. */
export type WithTemporal<Value, Dates, T extends TemporalLike> = Value extends null | undefined
  ? Value
  : Dates extends 'date-time'
    ? Moment<T>
    : Dates extends 'date'
      ? Day<T>
      : Dates extends readonly [infer Item]
        ? Value extends readonly (infer Each)[]
          ? WithTemporal<Each, Item, T>[]
          : Value
        : {
            [K in keyof Value]: K extends keyof Dates ? WithTemporal<Value[K], Dates[K], T> : Value[K]
          }

type Dated = typeof DATES

export interface TemporalDates<T extends TemporalLike> {
  /** `ids` and the days of skipped meals; the dates next to `ids` are texts for people. */
  guest<G extends Partial<Guest>>(guest: G): WithTemporal<G, Dated['Guest'], T>
  session(session: Session): WithTemporal<Session, Dated['Session'], T>
  order(order: Order): WithTemporal<Order, Dated['Order'], T>
  listedOrder(order: ListedOrder): WithTemporal<ListedOrder, Dated['ListedOrder'], T>
  change(change: Change): WithTemporal<Change, Dated['Change'], T>
}

/**
 * Functions that return a copy of a record with `Temporal.Instant` and `Temporal.PlainDate` in place of its raw texts.
 * @param temporal a polyfill; the runtime's own unless given
 * @throws {SojournError} UNSUPPORTED where there is none
 */
export function temporalDates<T extends TemporalLike = OfRuntime>(temporal?: T): TemporalDates<T> {
  const used: TemporalLike | undefined = temporal ?? Reflect.get(globalThis, 'Temporal')
  if (used === undefined) {
    throw new SojournError(
      'UNSUPPORTED',
      'This runtime has no Temporal. Hand in a polyfill: temporalDates(Temporal).',
    )
  }
  const of =
    <Dates>(dates: Dates) =>
    <Value>(value: Value): WithTemporal<Value, Dates, T> =>
      // The types follow `dates` as `readPages` does.
      converted(value, dates, used) as WithTemporal<Value, Dates, T>
  return {
    guest: of(DATES.Guest),
    session: of(DATES.Session),
    order: of(DATES.Order),
    listedOrder: of(DATES.ListedOrder),
    change: of(DATES.Change),
  }
}

function converted(value: unknown, dates: unknown, temporal: TemporalLike): unknown {
  if (value === null || value === undefined) return value
  if (typeof value === 'string') {
    return dates === 'date' ? temporal.PlainDate.from(value) : temporal.Instant.from(value)
  }
  if (Array.isArray(value)) {
    const [item] = Array.isArray(dates) ? dates : []
    return value.map((one) => converted(one, item, temporal))
  }
  const copy: Record<string, unknown> = { ...value }
  for (const [name, below] of Object.entries(dates ?? {})) {
    if (name in copy) copy[name] = converted(copy[name], below, temporal)
  }
  return copy
}
