/** What the kitchen's pages compute: marks against the sheet, what comes next, how a sheet is laid out. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { groupChanges, guestsIn } from '../../console/src/kitchen/change-groups.ts'
import { nextMeal } from '../../console/src/kitchen/meal-times.ts'
import {
  dietMark,
  isCurrent,
  markOf,
  signed,
  type TakenSheet,
  takenSheet,
  withVanished,
} from '../../console/src/kitchen/sheet-marks.ts'
import { breakSheets } from '../../console/src/paper/break-sheets.ts'
import { dayList, MEAL_MARKS, mealMark } from '../../src/documents/day-list.ts'
import {
  dietsOf,
  digitsOf,
  type ListedGuest,
  MEALS,
  type Meal,
  notCookedFor,
  type PortionsDay,
} from '../../src/documents/portions.ts'
import { shortName, shortRooms } from '../../src/documents/short-names.ts'

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

type Changes = TakenSheet['changes']

/** A sheet whose numbers differ from those of now as the changes say. */
const sheetWith = (changes: Partial<Changes>, of: PortionsDay): TakenSheet => ({
  sheet: 2,
  takenAt: '2026-11-21T04:00:00.000Z',
  onWall: { sheet: 2, confirmedAt: null },
  sheets: [{ sheet: 2, takenAt: '2026-11-21T04:00:00.000Z' }],
  diets: { fields: [], withheld: [] },
  day: of,
  changes: { meals: sameMeals, byDiet: [], guests: [], ...changes },
})
const same = { was: 25, now: 25, diets: false }
const sameMeals = { breakfast: same, lunch: same, dinner: same }
const wasNow = (was: number, now: number) => ({ was, now })

const change = (of: Partial<Changes['guests'][number]>): Changes['guests'][number] => ({
  guestId: 'b1',
  room: '302',
  kind: 'changed',
  more: [],
  fewer: [],
  dietsAdded: [],
  dietsRemoved: [],
  changedAt: null,
  ...of,
})

describe('against the sheet', () => {
  const today = day([29, 27, 25], [diet('low salt', [4, 4, 3])])
  const nuts = { field: 'diet', value: 'uten nøtter', label: 'uten nøtter', allergy: true }

  it('nothing is marked while nothing has changed', () => {
    const sheet = sheetWith({}, today)
    expect(isCurrent(sheet)).toBe(true)
    expect(markOf(sheet, 'lunch')).toEqual({ by: 0, was: 25, areDietsOther: false })
    expect(dietMark(sheet, nuts, 'lunch')).toBe(0)
  })

  it('a changed number is shown with its former value, and 25 may stay 25 with other diets', () => {
    const sheet = sheetWith(
      {
        meals: {
          ...sameMeals,
          lunch: { was: 28, now: 27, diets: true },
          dinner: { was: 25, now: 25, diets: true },
        },
        byDiet: [{ ...nuts, breakfast: wasNow(6, 6), lunch: wasNow(4, 3), dinner: wasNow(5, 4) }],
      },
      today,
    )
    expect(isCurrent(sheet)).toBe(false)
    expect(markOf(sheet, 'lunch')).toEqual({ by: -1, was: 28, areDietsOther: true })
    expect(markOf(sheet, 'dinner')).toEqual({ by: 0, was: 25, areDietsOther: true })
    expect(dietMark(sheet, nuts, 'lunch')).toBe(-1)
  })

  it('a diet that nobody has any more stays, with 0, and is still an allergy', () => {
    const gone = { breakfast: wasNow(6, 0), lunch: wasNow(4, 0), dinner: wasNow(5, 0) }
    const silence = { ...gone, field: null, value: null, label: 'No diet on record', allergy: false }
    const sheet = sheetWith({ byDiet: [{ ...nuts, ...gone }, silence] }, today)
    expect(
      withVanished(sheet, today.byDiet).map(({ label, allergy, breakfast }) => [label, allergy, breakfast]),
    ).toEqual([
      ['low salt', false, 4],
      ['uten nøtter', true, 0],
    ])
    expect(withVanished(undefined, today.byDiet)).toEqual(today.byDiet)
  })

  it('a day without a sheet has no marks', () => {
    expect(takenSheet(undefined)).toBeUndefined()
    expect(takenSheet({ ...sheetWith({}, today), sheet: null, takenAt: null })).toBeUndefined()
    expect(takenSheet(sheetWith({}, today))).toMatchObject({ sheet: 2 })
  })

  it('signs are those of print', () => {
    expect([signed(-1), signed(2)]).toEqual(['−1', '+2'])
  })
})

describe('changes since the sheet', () => {
  const at = (time: string) => `2026-11-21T${time}:00.000Z`
  const nuts = { field: 'diet', value: 'nuts', label: 'nuts', allergy: true }
  const choir = Array.from({ length: 30 }, (_, index) =>
    change({
      guestId: `n${index}`,
      kind: 'came',
      room: `${130 - index}`,
      more: index === 0 ? [] : ['dinner'],
      dietsAdded: index < 2 ? [nuts] : [],
      changedAt: at('09:12'),
    }),
  )

  it('a group that comes in one commit is one line, with its portions and diets, by room', () => {
    const [group, ...others] = groupChanges(choir)
    expect(others).toEqual([])
    expect(group).toMatchObject({ kind: 'came', portions: { breakfast: 0, lunch: 0, dinner: 29 }, moved: 0 })
    expect(group!.diets).toEqual([{ diet: nuts, by: 2 }])
    expect(group!.changes.map(({ room }) => room).slice(0, 2)).toEqual(['101', '102'])
  })

  it('hides no other change, of its commit or of another, and the newest comes first', () => {
    const skips = change({ guestId: 'a', fewer: ['dinner'], changedAt: at('09:12') })
    const allergic = change({ guestId: 'b', dietsAdded: [nuts], changedAt: at('08:20') })
    const old = change({ guestId: 'c', fewer: ['dinner'] })
    const groups = groupChanges([old, skips, ...choir, allergic])
    expect(groups.map(({ changes: [one], changes }) => [one!.guestId, changes.length])).toEqual([
      ['a', 1],
      ['n29', 30],
      ['b', 1],
      ['c', 1],
    ])
    expect(guestsIn(groups)).toBe(33)
  })

  it('changes of two kinds, of two commits or of other diets are lines of their own', () => {
    const lunch = { fewer: ['lunch'] as Meal[], changedAt: at('07:00') }
    const groups = groupChanges([
      change({ guestId: 'a', ...lunch }),
      change({ guestId: 'b', ...lunch }),
      change({ guestId: 'c', ...lunch, changedAt: at('07:01') }),
      change({ guestId: 'd', ...lunch, kind: 'left' }),
      change({ guestId: 'e', ...lunch, dietsRemoved: [nuts] }),
      change({ guestId: 'f', ...lunch, roomWas: null }),
    ])
    expect(groups.map(({ changes }) => changes.map(({ guestId }) => guestId).join(''))).toEqual([
      'c',
      'ab',
      'd',
      'e',
      'f',
    ])
  })

  it('every guest is in exactly one line, and the lines have the sums', () => {
    const some = fc.record({
      kind: fc.constantFrom('came', 'left', 'changed'),
      more: fc.subarray([...MEALS]),
      fewer: fc.subarray([...MEALS]),
      changedAt: fc.constantFrom(null, at('07:00'), at('08:00')),
      dietsAdded: fc.subarray([nuts]),
      dietsRemoved: fc.subarray([nuts]),
    })
    fc.assert(
      fc.property(fc.array(some, { maxLength: 20 }), (all) => {
        const changes = all.map((one, index) => change({ guestId: `g${index}`, ...one }))
        const groups = groupChanges(changes)
        expect(groups.flatMap((group) => group.changes.map(({ guestId }) => guestId)).sort()).toEqual(
          changes.map(({ guestId }) => guestId).sort(),
        )
        for (const meal of MEALS) {
          const sum = changes.reduce(
            (by, { more, fewer }) => by + Number(more.includes(meal)) - Number(fewer.includes(meal)),
            0,
          )
          expect(groups.reduce((by, { portions }) => by + portions[meal], 0)).toBe(sum)
        }
      }),
    )
  })
})

describe('the day', () => {
  it('shows who is in the house and is not cooked for', () => {
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

describe('the guests on the sheet of a day', () => {
  const guest = (id: string, eats: readonly Meal[], skips: readonly Meal[]): ListedGuest => ({
    id,
    name: id,
    room: null,
    role: 'patient',
    roleLabel: 'Patient',
    program: null,
    diets: [],
    eats: [...eats],
    skips: [...skips],
  })
  const of = (guestList: ListedGuest[]) => dayList({ ...day([1, 1, 1], []), guestList })

  it('are those who skip, where most eat', () => {
    const list = of([
      guest('a', MEALS, []),
      guest('b', ['lunch', 'dinner'], ['breakfast']),
      guest('c', MEALS, []),
    ])
    expect([list.guests.map(({ id }) => id), list.others, list.byEaters]).toEqual([['b'], 2, []])
  })

  it('are those who eat, where most skip', () => {
    const list = of([
      guest('a', ['breakfast', 'dinner'], ['lunch']),
      guest('b', MEALS, []),
      guest('c', ['breakfast', 'dinner'], ['lunch']),
    ])
    expect(list.guests.map(({ id }) => id)).toEqual(['b'])
    expect([list.others, list.byEaters, list.bySkippers]).toEqual([2, ['lunch'], ['breakfast', 'dinner']])
  })

  it('are always those who have a diet', () => {
    const vegetarian = { ...guest('a', ['lunch'], []), diets: [diet('vegetarian', [0, 1, 0])] }
    expect(of([vegetarian]).guests).toEqual([vegetarian])
  })

  it('a meal has a mark if it is served', () => {
    const marks = (one: ListedGuest, served: readonly Meal[] = MEALS) =>
      MEALS.map((meal) => mealMark(one, meal, served))
    expect(marks(guest('a', ['breakfast'], ['lunch']))).toEqual(['•', '×', '–'])
    expect(marks(guest('a', ['breakfast'], []), ['breakfast', 'dinner'])).toEqual(['•', '', '–'])
  })

  it('for each meal, the printed names that eat it and the others are as many as its portions', () => {
    const meals = fc.subarray([...MEALS])
    const guests = fc.array(fc.record({ present: meals, skipped: meals, hasDiet: fc.boolean() }), {
      maxLength: 30,
    })
    fc.assert(
      fc.property(guests, meals, (all, served) => {
        const guestList = all.map(({ present, skipped, hasDiet }, at) => ({
          ...guest(
            `g${at}`,
            present.filter((meal) => served.includes(meal) && !skipped.includes(meal)),
            present.filter((meal) => skipped.includes(meal)),
          ),
          diets: hasDiet ? [diet('vegan', [0, 0, 0])] : [],
        }))
        const portions = (meal: Meal) => guestList.filter(({ eats }) => eats.includes(meal)).length
        const empty = day([0, 0, 0], [])
        const withMeals = Object.fromEntries(
          MEALS.map((meal) => [meal, { ...empty.meals[meal], served: served.includes(meal) }]),
        ) as PortionsDay['meals']
        const list = dayList({ ...empty, meals: withMeals, guestList })
        for (const meal of served) {
          const named = list.guests.filter(
            (one) => mealMark(one, meal, list.served) === MEAL_MARKS.eats,
          ).length
          expect(named + (list.bySkippers.includes(meal) ? list.others : 0)).toBe(portions(meal))
        }
      }),
    )
  })
})

it('the longest number of portions decides how large all are', () => {
  expect(digitsOf([day([99, 9, 9], []), day([99, 99, 99], [])])).toBe(2)
  expect(digitsOf([day([9, 9, 9], []), day([9, 9, 100], [])])).toBe(3)
  expect(digitsOf([day([9, 9, 1000], [])])).toBe(4)
  expect(digitsOf([])).toBe(2)
})

it('a list on sheets has each row once, in order, on sheets that have room for it', () => {
  const height = fc.integer({ min: 1, max: 40 })
  const table = fc.record({ lead: height, leadAgain: height, rows: fc.array(height, { maxLength: 60 }) })
  const heights = fc.record({
    first: fc.integer({ min: 0, max: 300 }),
    further: fc.integer({ min: 80, max: 300 }),
    end: fc.integer({ min: 0, max: 30 }),
    tables: fc.array(table, { maxLength: 3 }),
  })
  fc.assert(
    fc.property(heights, ({ first, further, end, tables }) => {
      const sheets = breakSheets({ first, further, end, tables })
      const rows = sheets
        .flat()
        .flatMap(({ table: at, from, until }) =>
          Array.from({ length: until - from }, (_, step) => `${at} ${from + step}`),
        )
      expect(rows).toEqual(tables.flatMap(({ rows: own }, at) => own.map((_, row) => `${at} ${row}`)))
      for (const [at, sheet] of sheets.entries()) {
        const used = sheet.map(({ table: number, from, until }) => {
          const { lead, leadAgain, rows: own } = tables[number]!
          return own.slice(from, until).reduce((sum, one) => sum + one, at === 0 ? lead : leadAgain)
        })
        const isLast = at === sheets.length - 1
        const taken = used.reduce((sum, one) => sum + one, isLast ? end : 0)
        // A sheet is never without rows only to have room for the last line.
        const isAlone = sheet.length === 1 && sheet[0]!.until - sheet[0]!.from === 1
        if (sheet.length > 0 && !(isAlone && isLast))
          expect(taken).toBeLessThanOrEqual(at === 0 ? first : further)
      }
    }),
  )
})

describe('rooms of a list', () => {
  for (const [rooms, written] of [
    [
      ['Room 101', 'Room 102', null],
      ['101', '102'],
    ],
    // The number alone could be a room of another house.
    [
      ['Garden house 1', 'Room 2'],
      ['Garden house 1', 'Room 2'],
    ],
    [
      ['House A 12', 'House B 12'],
      ['House A 12', 'House B 12'],
    ],
    [
      ['Room 101', '101'],
      ['Room 101', '101'],
    ],
    [['Garden house 1'], ['Garden house 1']],
    [
      ['Rom 12 B', 'Rom 13 B'],
      ['Rom 12 B', 'Rom 13 B'],
    ],
    [
      ['Room 7', 'Room  7'],
      ['Room 7', 'Room  7'],
    ],
  ] as const) {
    it(`${rooms.join(', ')}: ${written.join(', ')}`, () => {
      const short = shortRooms(rooms)
      expect(rooms.flatMap((room) => (room === null ? [] : [short(room)]))).toEqual(written)
    })
  }

  it.each([
    ['Cătălin Morăraș', 'C. Morăraș'],
    ['Ștefania Năstase-Prună', 'Ș. Năstase-Prună'],
    ['Madonna', 'Madonna'],
    ['Ana Maria de la Cruz', 'A. Maria de la Cruz'],
  ])('%s is %s where there is little space', (name, short) => {
    expect(shortName(name)).toBe(short)
  })
})
