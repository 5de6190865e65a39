/** Changes since a sheet, one line for all guests of one commit who changed alike: a group that arrives hides no other. */
import { dietKey, dietRank, type Meal } from '../../../src/documents/portions.ts'
import type { GuestChange } from './sheet-marks.ts'

type ChangedDiet = GuestChange['dietsAdded'][number]

export interface ChangeGroup {
  readonly key: string
  readonly kind: GuestChange['kind']
  /** null if unknown */
  readonly changedAt: string | null
  /** by room, at least one */
  readonly changes: readonly GuestChange[]
  /** portions more, negative for fewer */
  readonly portions: Readonly<Record<Meal, number>>
  /** portions of each diet more or fewer, without those that stay as many */
  readonly diets: readonly { readonly diet: ChangedDiet; readonly by: number }[]
  /** how many are in another room */
  readonly moved: number
}

const rooms = new Intl.Collator('und', { numeric: true })

/** @returns the newest first, those without a time last */
export function groupChanges(changes: readonly GuestChange[]): ChangeGroup[] {
  const groups = new Map<string, GuestChange[]>()
  for (const change of changes) {
    const key = keyOf(change)
    groups.set(key, [...(groups.get(key) ?? []), change])
  }
  return [...groups]
    .map(([key, alike]) => groupOf(key, alike))
    .sort((a, b) =>
      (a.changedAt ?? '') === (b.changedAt ?? '') ? 0 : (a.changedAt ?? '') < (b.changedAt ?? '') ? 1 : -1,
    )
}

/** Those who came or left in one commit are one group, whatever they eat; other changes must be the same one. */
function keyOf(change: GuestChange): string {
  const { kind, changedAt, more, fewer, dietsAdded, dietsRemoved, additional, roomWas, guestId } = change
  // Another number of people without a name is said of each booking.
  if (additional !== undefined) return JSON.stringify([changedAt, kind, guestId])
  if (kind !== 'changed') return JSON.stringify([changedAt, kind])
  const diets = [dietsAdded, dietsRemoved].map((list) => list.map(dietKey).sort())
  return JSON.stringify([changedAt, kind, more, fewer, ...diets, roomWas !== undefined])
}

function groupOf(key: string, alike: readonly GuestChange[]): ChangeGroup {
  const [{ kind, changedAt }] = alike as readonly [GuestChange, ...GuestChange[]]
  const by = (meal: Meal) => alike.reduce((sum, change) => sum + portionsMore(change, meal), 0)
  return {
    key,
    kind,
    changedAt,
    changes: [...alike].sort((a, b) => compareRooms(a.room, b.room)),
    portions: { breakfast: by('breakfast'), lunch: by('lunch'), dinner: by('dinner') },
    diets: dietsOf(alike),
    moved: alike.filter(({ roomWas }) => roomWas !== undefined).length,
  }
}

/** Portions that a guest has more, with those of additional people. */
function portionsMore({ more, fewer, additional }: GuestChange, meal: Meal): number {
  const { was, now } = additional?.[meal] ?? { was: 0, now: 0 }
  return Number(more.includes(meal)) - Number(fewer.includes(meal)) + now - was
}

const compareRooms = (a: string | null, b: string | null) =>
  a === null || b === null ? Number(a === null) - Number(b === null) : rooms.compare(a, b)

/** Allergies first. */
function dietsOf(alike: readonly GuestChange[]): ChangeGroup['diets'] {
  const found = new Map<string, { diet: ChangedDiet; by: number }>()
  const count = (diet: ChangedDiet, by: number) => {
    const known = found.get(dietKey(diet)) ?? { diet, by: 0 }
    found.set(dietKey(diet), { diet, by: known.by + by })
  }
  for (const { dietsAdded, dietsRemoved } of alike) {
    for (const diet of dietsAdded) count(diet, 1)
    for (const diet of dietsRemoved) count(diet, -1)
  }
  return [...found.values()].filter(({ by }) => by !== 0).sort((a, b) => dietRank(a.diet) - dietRank(b.diet))
}

/** How many guests these groups have. */
export const guestsIn = (groups: readonly ChangeGroup[]): number =>
  groups.reduce((sum, { changes }) => sum + changes.length, 0)
