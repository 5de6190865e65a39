/** How old the data of a page is: in its last line, and as a notice where a cook or a receptionist would act on old data. */
import { type ComponentChild, type ComponentChildren, h } from 'preact'
import { isLateAt, type Received, receivedOf, ageOf as since } from '../../../src/documents/data-age.ts'
import { localTime } from '../../../src/documents/days.ts'
import type { WordKey } from '../../../src/documents/words.ts'
import { minute } from '../base/minute.ts'
import type { Reading } from '../base/reading.ts'
import { to } from '../base/routes.ts'
import { may, person, words } from '../base/signed-in.ts'
import { Foot, momentOf } from './states.ts'

export type DataKind = 'bookings' | 'sessions' | 'orders'

const WORDS: Readonly<
  Record<DataKind, { readonly last: WordKey; readonly never: WordKey; readonly unknown: WordKey }>
> = {
  bookings: { last: 'bookingsReceived', never: 'bookingsNeverReceived', unknown: 'bookingsAgeUnknown' },
  sessions: { last: 'sessionsReceived', never: 'sessionsNeverReceived', unknown: 'sessionsAgeUnknown' },
  orders: { last: 'ordersReceived', never: 'ordersNeverReceived', unknown: 'ordersAgeUnknown' },
}

/** `fresh`: not late; `late`: a delivery is missing; `silent`: for a day, or a night lies between; `unknown`: not known */
export type Age = 'fresh' | 'late' | 'silent' | 'unknown'

const DAY_MS = 86_400_000

/** @returns what is known now of a kind */
function now(kind: DataKind): { readonly received: Received | undefined; readonly age: Age } {
  const received = receivedOf(person.value?.store.received.value ?? null, kind)
  if (received === undefined) return { received, age: 'unknown' }
  if (!isLateAt(received, minute.value)) return { received, age: 'fresh' }
  const zone = person.value?.me.center.timezone ?? 'UTC'
  const day = (at: number) => localTime(at, zone).day
  const { at } = received
  const isSilent = at === undefined || minute.value - at >= DAY_MS || day(at) !== day(minute.value)
  return { received, age: isSilent ? 'silent' : 'late' }
}

/** `Bookings last received 3 h ago; expected every hour`. Without the header, that it is not known. */
export function ageText(kind: DataKind): string {
  const t = words.value
  const { received } = now(kind)
  if (received === undefined) return t(WORDS[kind].unknown)
  const { at, every } = received
  const last = at === undefined ? t(WORDS[kind].never) : t(WORDS[kind].last, { age: since(at, minute.value) })
  if (every === undefined) return last
  return `${last}; ${expectation(every)}`
}

function expectation(every: number): string {
  const t = words.value
  if (every === 3600) return t('expectedHourly')
  if (every === 86_400) return t('expectedDaily')
  return t('expectedMinutes', { minutes: Math.round(every / 60) })
}

export const ageOf = (kind: DataKind): Age => now(kind).age

const CLASSES: Readonly<Record<Age, string>> = {
  fresh: 'age',
  late: 'age chg',
  silent: 'age silent',
  unknown: 'age',
}

/** For the last line of a page, the wall and paper. */
export const DataAge = ({ kind }: { readonly kind: DataKind }): ComponentChild =>
  h('span', { class: CLASSES[ageOf(kind)] }, ageText(kind))

/** The last line of a page: whether what it shows is right, and how old its data is. */
export const DataFoot = ({
  reading,
  kind,
  children,
  isStill = false,
}: {
  readonly reading: Reading<unknown>
  readonly kind: DataKind
  readonly children?: ComponentChildren
  /** what is shown is read once, and not followed */
  readonly isStill?: boolean
}): ComponentChild => h(Foot, { reading, isStill }, [h(DataAge, { kind }), children, h(Why, { kind })])

/** What is wrong with a delivery is on another page, for keys that may read it. */
function Why({ kind }: { readonly kind: DataKind }): ComponentChild {
  const age = ageOf(kind)
  if (!may('sources') || age === 'fresh' || age === 'unknown') return null
  return h('a', { class: 'no-print', href: to('sources') }, words.value('sources'))
}

/** Above the numbers of a kitchen page: they are those of a while ago. */
export function OldData({ kind }: { readonly kind: DataKind }): ComponentChild {
  const t = words.value
  const { received, age } = now(kind)
  if (received === undefined || age === 'fresh') return null
  const known = received.at === undefined ? undefined : t('dataKnownAt', { time: momentOf(received.at) })
  return h(
    'div',
    { class: age === 'silent' ? 'say bad' : 'say chgd', role: age === 'silent' ? 'alert' : 'status' },
    h('div', null, [
      h('b', null, `${ageText(kind)}.`),
      known === undefined ? '' : ` ${known}`,
      ' ',
      h(Why, { kind }),
    ]),
  )
}
