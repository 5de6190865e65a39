/** What the kitchen's pages compute: marks against the sheet, what comes next, how a sheet is laid out. */
import { describe, expect, it } from 'vitest'
import { nextMeal } from '../../console/src/kitchen/meal-times.ts'
import { dietsOf, notCookedFor, type PortionsDay } from '../../console/src/kitchen/portions.ts'
import {
  dietMark,
  type Memory,
  markOf,
  numbersOf,
  rememberedSheet,
  rememberSheet,
  signed,
  withVanished,
} from '../../console/src/kitchen/sheet-memory.ts'
import { layOutSheet, shortName, shortRoom } from '../../console/src/kitchen/sheet-pages.ts'

type Numbers = readonly [breakfast: number, lunch: number, dinner: number]

const meal = (portions: number) => ({
  served: true,
  present: 32,
  skipping: 32 - portions,
  portions,
  notCookedFor: { voided: { present: 2, skipping: 1 }, offer: { present: 0, skipping: 0 } },
})

const diet = (value: string | null, [breakfast, lunch, dinner]: Numbers, allergy = false) => ({
  field: value === null ? null : 'diet',
  value,
  label: value ?? 'No diet on record',
  allergy,
  breakfast,
  lunch,
  dinner,
})

const day = (
  [breakfast, lunch, dinner]: Numbers,
  byDiet: readonly ReturnType<typeof diet>[],
): PortionsDay => ({
  date: '2026-11-21',
  guests: 32,
  arriving: 0,
  departing: 0,
  meals: { breakfast: meal(breakfast), lunch: meal(lunch), dinner: meal(dinner) },
  byRole: [],
  byProgram: [],
  byRoom: [],
  byDiet: [...byDiet],
})

function memory(): Memory & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>()
  return {
    kept,
    get length() {
      return kept.size
    },
    key: (at) => [...kept.keys()][at] ?? null,
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, text) => void kept.set(name, text),
    removeItem: (name) => void kept.delete(name),
  }
}

describe('against the sheet', () => {
  const printed = day([29, 28, 25], [diet('uten nøtter', [6, 4, 5], true), diet('low salt', [4, 4, 3])])
  const sheet = numbersOf(printed, 0)

  it('nothing is marked while nothing has changed', () => {
    for (const one of ['breakfast', 'lunch', 'dinner'] as const) {
      expect(markOf(sheet, printed, one)).toMatchObject({ by: 0, areDietsOther: false })
    }
  })

  it('a changed number is told with what it was', () => {
    const now = day([29, 27, 25], [diet('uten nøtter', [6, 3, 5], true), diet('low salt', [4, 4, 3])])
    expect(markOf(sheet, now, 'lunch')).toEqual({ by: -1, was: 28, areDietsOther: true })
    expect(dietMark(sheet, diet('uten nøtter', [6, 3, 5]), 'lunch')).toBe(-1)
  })

  it('25 may stay 25 while one diet leaves and another comes', () => {
    const now = day(
      [29, 28, 25],
      [
        diet('uten nøtter', [6, 4, 4], true),
        diet('low salt', [4, 4, 3]),
        diet('no lactose', [0, 0, 1], true),
      ],
    )
    expect(markOf(sheet, now, 'dinner')).toEqual({ by: 0, was: 25, areDietsOther: true })
    expect(markOf(sheet, now, 'lunch').areDietsOther).toBe(false)
  })

  it('a diet that nobody has any more stays, with 0', () => {
    const now = day([29, 28, 25], [diet('low salt', [4, 4, 3])])
    expect(markOf(sheet, now, 'breakfast').areDietsOther).toBe(true)
    const rows = withVanished(sheet, now.byDiet)
    expect(rows.map(({ label, breakfast }) => [label, breakfast])).toEqual([
      ['low salt', 4],
      ['uten nøtter', 0],
    ])
    expect(dietMark(sheet, rows[1]!, 'breakfast')).toBe(-6)
  })

  it('is kept in numbers, by center and day, and forgotten when the day is over', () => {
    const place = memory()
    rememberSheet(place, 'spa', printed, 1000, '2026-11-21')
    expect(rememberedSheet(place, 'spa', '2026-11-21')).toEqual({ ...sheet, at: 1000 })
    expect(rememberedSheet(place, 'lodge', '2026-11-21')).toBeUndefined()
    rememberSheet(place, 'spa', { ...printed, date: '2026-11-22' }, 2000, '2026-11-22')
    expect([...place.kept.keys()]).toEqual(['sojourn-sheet 2026-11-22 spa'])
    place.setItem('other', 'x')
    rememberSheet(place, 'spa', { ...printed, date: '2026-11-23' }, 3000, '2026-11-23')
    expect([...place.kept.keys()]).toEqual(['other', 'sojourn-sheet 2026-11-23 spa'])
  })

  it('signs are those of print', () => {
    expect([signed(-1), signed(2)]).toEqual(['−1', '+2'])
  })
})

describe('the day', () => {
  it('tells who stands in the house and is not cooked for', () => {
    expect(notCookedFor(day([1, 1, 1], []))).toEqual([{ status: 'voided', count: 2 }])
  })

  it('of several days every diet has one row, allergies first, silence last', () => {
    const days = [
      day([1, 1, 1], [diet('low salt', [1, 1, 1]), diet(null, [1, 1, 1])]),
      day([1, 1, 1], [diet('uten nøtter', [1, 1, 1], true), diet('low salt', [2, 2, 2])]),
    ]
    expect(dietsOf(days).map(({ label }) => label)).toEqual(['uten nøtter', 'low salt', 'No diet on record'])
  })

  it.each([
    ['00:10', 'breakfast'],
    ['08:59', 'breakfast'],
    ['09:00', 'lunch'],
    ['13:59', 'lunch'],
    ['14:00', 'dinner'],
    ['20:30', undefined],
  ])('at %s the next meal is %s', (time, next) => {
    expect(nextMeal({ breakfast: '07:30', lunch: '12:30', dinner: null }, time)).toBe(next)
  })
})

describe('a sheet', () => {
  const rows = (count: number) => Array.from({ length: count }, (_, at) => at)

  it('is one page as long as names can be read at arm’s length', () => {
    expect(layOutSheet([], 6)).toEqual({ points: 13.5, pages: [[]] })
    expect(layOutSheet(rows(20), 6)).toMatchObject({ points: 13.5, pages: [rows(20)] })
    expect(layOutSheet(rows(26), 6).pages.length).toBe(1)
    expect(layOutSheet(rows(26), 6).points).toBeLessThan(layOutSheet(rows(20), 6).points)
  })

  it.each([40, 200, 418, 1000])('%i names stand once each on numbered pages', (count) => {
    const { pages, points } = layOutSheet(rows(count), 6)
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.flat()).toEqual(rows(count))
    expect(points).toBe(12.5)
  })

  it.each([
    ['Room 101', '101'],
    ['Rom 12 B', 'Rom 12 B'],
    ['101', '101'],
    ['Garden House', 'Garden House'],
  ])('the room %s is %s', (label, short) => {
    expect(shortRoom(label)).toBe(short)
  })

  it.each([
    ['Cătălin Morăraș', 'C. Morăraș'],
    ['Ștefania Năstase-Prună', 'Ș. Năstase-Prună'],
    ['Madonna', 'Madonna'],
    ['Ana Maria de la Cruz', 'A. Maria de la Cruz'],
  ])('%s is %s where there is little space', (name, short) => {
    expect(shortName(name)).toBe(short)
  })
})
