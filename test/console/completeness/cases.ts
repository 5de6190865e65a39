/** One page or printout of one center, with one key, width and language: all of it follows from the seed and a number. */

import { ADMINISTRATION, PRESETS, RIGHTS } from '../../../src/core/access/keys/scopes.ts'
import { createRandom, type Random } from '../../support/random.ts'
import { type MadeCenter, makeCenter, TODAY } from './random-center.ts'
import { addDays } from './written.ts'

/** Cases that share a center: making one takes longer than opening a page. */
const PER_CENTER = 12
/** One center of this many has thousands of guests, and one of these is a full house. */
const LARGE_EVERY = 12
const FULL_EVERY = 4

export const PAGES = [
  'today',
  'today/room-list',
  'today/evacuation-list',
  'new-guests',
  'kitchen',
  'kitchen/week',
  'kitchen/wall',
  'kitchen/day-sheet',
  'kitchen/week-sheet',
  'guests',
  'guests/one',
  'sessions',
  'rooms',
  'orders',
  'orders/one',
  'contradictions',
  'administration',
  'rights',
  'sources',
  'key',
  'search',
] as const
export type PageName = (typeof PAGES)[number]

/** A key with one of these scopes has the page; every key if there are none. */
const NEEDS: Readonly<Record<PageName, readonly string[]>> = {
  today: ['guests'],
  'today/room-list': ['guests'],
  'today/evacuation-list': ['guests'],
  'new-guests': ['guests.medical'],
  kitchen: ['meals'],
  'kitchen/week': ['meals'],
  'kitchen/wall': ['meals'],
  'kitchen/day-sheet': ['meals'],
  'kitchen/week-sheet': ['meals'],
  guests: ['guests'],
  'guests/one': ['guests'],
  sessions: ['sessions'],
  rooms: ['rooms'],
  orders: ['orders'],
  'orders/one': ['orders'],
  contradictions: ['contradictions'],
  administration: ['administration'],
  rights: ['rights'],
  sources: ['sources'],
  key: [],
  search: ['guests', 'orders'],
}

const LANGUAGES = [
  'en',
  'en',
  'de',
  'ro',
  'no',
  'el',
  'fi',
  'hu',
  'is',
  'pl',
  'pt-BR',
  'ru',
  'tr',
  'fr',
] as const
const FONTS = [undefined, 'DejaVu Sans', 'Liberation Sans'] as const
const SIZES: readonly (readonly [width: number, height: number])[] = [
  [320, 640],
  [360, 740],
  [390, 844],
  [768, 1024],
  [1024, 768],
  [1280, 800],
  [1440, 900],
  [1920, 1080],
]
/** Nobody hangs a phone on a wall. */
const WALL_SIZES: typeof SIZES = [
  [1280, 720],
  [1920, 1080],
  [1366, 768],
  [1024, 768],
  [1920, 1200],
]

export interface Case {
  readonly at: number
  readonly medium: 'screen' | 'paper'
  readonly page: PageName
  readonly query: Readonly<Record<string, string>>
  readonly width: number
  readonly height: number
  readonly scheme: 'light' | 'dark'
  readonly language: string
  /** the fonts of Debian differ in width; undefined for the one that the style sheet finds */
  readonly font: (typeof FONTS)[number]
  readonly scopes: readonly string[]
  /** custom fields that the key may read without `guests.personal` */
  readonly customFields: readonly string[]
  /** columns of the table of guests that the browser remembers; undefined for the usual ones */
  readonly columns: readonly string[] | undefined
}

/** The number of the center of a case. */
export const centerOf = (at: number): number => Math.floor(at / PER_CENTER)

export const centerAt = (seed: number, center: number): MadeCenter =>
  makeCenter(
    seed,
    center,
    center % FULL_EVERY === 0 ? 'full' : center % LARGE_EVERY === LARGE_EVERY - 1 ? 'thousands' : 'any',
  )

/** @param medium whether it is a page or a printout; each has its own cases */
export function makeCase(seed: number, at: number, medium: Case['medium'], center: MadeCenter): Case {
  const random = createRandom(seed, `${medium}-${at}`)
  const pages = PAGES.filter(
    (page) =>
      (page !== 'orders/one' || center.orderUuids.length > 0) &&
      (page !== 'guests/one' || center.guestIds.length > 0) &&
      (page !== 'rights' || center.fullNames.length > 0) &&
      // A wall is not printed: where it alternates, paper would have one of its pages.
      (page !== 'kitchen/wall' || medium === 'screen') &&
      // What is typed into the search is not printed.
      (page !== 'search' || (medium === 'screen' && center.soughtFor.length > 0)),
  )
  const page = pages[at % pages.length]!
  const need = NEEDS[page]
  const sets: readonly (readonly string[])[] = [...Object.values(PRESETS), [ADMINISTRATION], [RIGHTS]]
  const presets = sets.filter(
    (scopes) =>
      need.length === 0 ||
      (need.some((one) => scopes.includes(one)) &&
        // A laboratory reads medical data and no names.
        (page !== 'new-guests' || scopes.includes('guests'))),
  )
  const scopes: readonly string[] = random.pick(presets)
  const mayHaveFields = scopes.includes('meals') || scopes.includes('guests')
  const [width, height] = random.pick(page === 'kitchen/wall' ? WALL_SIZES : SIZES)
  return {
    at,
    medium,
    page,
    query: queryOf(random, page, center),
    width,
    height,
    scheme: random.pick(['light', 'dark']),
    language: random.pick(LANGUAGES),
    font: random.pick(FONTS),
    scopes,
    customFields: mayHaveFields ? random.pick([[], center.dietFields, center.dietFields.slice(0, 1)]) : [],
    columns: random.pick([
      undefined,
      undefined,
      ['name', 'email', 'startDate', 'meta.diet', 'meta.allergies'],
      ['lastName', 'status', 'dob', 'financial.total', 'medicalData.notes', 'bookedAt', 'skippingMeals'],
    ]),
  }
}

function queryOf(random: Random, page: PageName, center: MadeCenter): Record<string, string> {
  const day = random.pick([TODAY, TODAY, addDays(TODAY, 1), addDays(TODAY, random.whole(-20, 20))])
  switch (page) {
    case 'today':
    case 'today/room-list':
    case 'today/evacuation-list':
    case 'new-guests':
    case 'kitchen':
    case 'kitchen/day-sheet':
      return day === TODAY ? {} : { day }
    case 'kitchen/week':
    case 'kitchen/week-sheet':
      return day === TODAY ? {} : { from: day }
    case 'guests':
      return guestQuery(random, center)
    case 'rooms':
      return day === TODAY ? {} : { date: day }
    case 'sessions':
      return random.chance(0.7) ? {} : { year: random.pick(['2025', '2027']) }
    case 'orders':
      return random.chance(0.5) ? {} : { startDate: addDays(TODAY, -random.whole(5, 90)), endDate: TODAY }
    case 'search':
      return { q: random.pick(center.soughtFor) }
    case 'rights':
      return { name: random.pick(center.fullNames) }
    case 'guests/one':
      return { id: random.pick(center.guestIds) }
    case 'orders/one':
      return { uuid: random.pick(center.orderUuids) }
    default:
      return {}
  }
}

function guestQuery(random: Random, { sessionIds, lastNames }: MadeCenter): Record<string, string> {
  const day = addDays(TODAY, random.whole(-3, 5))
  const which = random.pick(['usual', 'dates', 'session', 'arriving', 'inHouse', 'departing'])
  const of: Readonly<Record<string, Record<string, string>>> = {
    dates: { startDate: addDays(TODAY, -random.whole(1, 200)), endDate: addDays(TODAY, random.whole(0, 60)) },
    session: sessionIds.length > 0 ? { sessionId: random.pick(sessionIds) } : {},
    arriving: { arriving: day },
    inHouse: { inHouse: day },
    departing: { departing: day },
  }
  return {
    ...of[which],
    ...(random.chance(0.15) && lastNames.length > 0 ? { q: random.pick(lastNames).split(' ')[0] ?? '' } : {}),
    ...(random.chance(0.2) ? { role: 'patient' } : {}),
    ...(random.chance(0.2) ? { status: 'cancelled,confirmed' } : {}),
    ...(random.chance(0.2) ? { sort: random.pick(['lastName', '-startDate']) } : {}),
  }
}
