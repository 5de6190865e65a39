/** The guests of a small center, as its booking system knows them: what the exports of `dialects.ts` are made of. */
export interface StoryGuest {
  readonly booking: string
  readonly firstName: string
  readonly lastName: string
  /** local dates */
  readonly born: string
  readonly arrival: string
  readonly departure: string
  readonly email: string
  readonly room: string
  readonly status: 'arrived' | 'confirmed' | 'cancelled'
  readonly role: 'patient' | 'companion'
  readonly price: number
  readonly isMain: boolean
  /** Two guests share one. */
  readonly order: string
}

const FIRST = ['Jürgen', 'Anna Maria', 'Zoë', 'François', 'Käthe', 'Ännchen', 'Hélène', 'Björn', 'Ute', 'Gül']
const LAST = ['Müller', 'Groß', 'Lefèvre', 'von Thüringen', 'Öztürk', 'Strauß', 'Núñez', 'Schäfer', 'Böhm']

const day = (start: string, days: number) =>
  new Date(Date.parse(start) + days * 86_400_000).toISOString().slice(0, 10)

/** Always the same ones; names repeat, and each guest is reported apart by the date of birth. */
export const STORY_GUESTS: readonly StoryGuest[] = Array.from({ length: 300 }, (_, at) => {
  const arrival = day('2026-11-16', 4 * (at % 12))
  return {
    booking: `B-${1000 + at}`,
    firstName: FIRST[at % FIRST.length] ?? '',
    lastName: LAST[at % LAST.length] ?? '',
    born: day('1941-02-03', at * 61),
    arrival,
    departure: day(arrival, 4 + (at % 3)),
    email: at % 7 === 0 ? '' : `guest${at}@example.com`,
    room: String(101 + (at % 40)),
    status: (['arrived', 'confirmed', 'confirmed', 'cancelled'] as const)[at % 4] ?? 'confirmed',
    role: at % 3 === 2 ? 'companion' : 'patient',
    price: [1000.5, 850, 12.25, 0][at % 4] ?? 0,
    isMain: at % 2 === 0,
    order: `R${5000 + Math.floor(at / 2)}`,
  }
})
