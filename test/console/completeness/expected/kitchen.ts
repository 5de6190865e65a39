/** What a kitchen must be able to read: portions, diets, who skips, what the key may not read, and what changed. */
import type { MealPortionsAnswer, MealSheetAnswer } from '../../../../client/src/openapi.ts'
import type { Fact, Facts } from '../facts.ts'
import { TODAY } from '../random-center.ts'
import { addDays } from '../written.ts'
import { all, type Expectation, type Expecting, fact } from './expecting.ts'

type Day = MealPortionsAnswer['days'][number]
type DietRow = Day['byDiet'][number]
type Guest = NonNullable<Day['guestList']>[number]
const MEALS = ['breakfast', 'lunch', 'dinner'] as const
type Meal = (typeof MEALS)[number]

const portionsOf = ({ api }: Expecting, from: string, days: number, withGuests: boolean) =>
  api.get<MealPortionsAnswer>(
    `/meals/portions?startDate=${from}&endDate=${addDays(from, days - 1)}&includeGuests=${withGuests}&includeReasons=${withGuests}`,
  )

/** A meal that is not served has no number. */
const plates = (day: Day) =>
  MEALS.map((meal) => (day.meals[meal].served ? String(day.meals[meal].portions) : '–'))

/** An allergy has its sign, and a value that nobody knows has one, too. */
const dietTexts =
  ({ say }: Expecting) =>
  ({ allergy, label, kind }: Pick<DietRow, 'allergy' | 'label' | 'kind'>): string[] => {
    if (kind === 'unknown') return [UNKNOWN, `${say('unknownDiet')}: ${label}`]
    return allergy ? ['◆', label] : [label]
  }
const UNKNOWN = '?'

const dietFacts = (expecting: Expecting, { byDiet }: Day): Fact[] =>
  byDiet.map((row) => fact('a diet', [...dietTexts(expecting)(row), ...MEALS.map((meal) => row[meal])]))

/** Why a guest does not eat, in the words of the page, with the hour if it is the reason. */
function reasonTexts(
  { say, of }: Expecting,
  { without = [] }: Guest,
  meals: readonly Meal[] = MEALS,
): string[] {
  const name = (meal: Meal) => (of.language === 'de' ? say(meal) : say(meal).toLocaleLowerCase(of.language))
  const reported = without.filter(({ meal }) => meals.includes(meal))
  const ofReason = (reason: string) => reported.filter((one) => one.reason === reason)
  const list = (key: string, reason: string) => {
    const found = ofReason(reason)
    return found.length === 0 ? [] : [say(key, { meals: found.map(({ meal }) => name(meal)).join(', ') })]
  }
  const late = ofReason('arrivesAfter').at(-1)
  const early = ofReason('leavesBefore')[0]
  return [
    ...(late === undefined ? [] : [say('reasonArrives', { time: late.at ?? '', meal: name(late.meal) })]),
    ...list('reasonArrivalDay', 'arrivalDay'),
    ...(early === undefined ? [] : [say('reasonLeaves', { time: early.at ?? '', meal: name(early.meal) })]),
    ...list('reasonDepartureDay', 'departureDay'),
    ...list('reasonPackage', 'package'),
    ...list('reasonProgram', 'program'),
    ...list('reasonOwn', 'ownMeals'),
  ]
}

/** Diets that the key may not read are said to be missing, so that nobody takes silence for none. */
function withheldFacts(
  { fields, say }: Expecting,
  on: 'Page' | 'Wall' | 'Sheet',
  { diets }: MealPortionsAnswer,
): Fact[] {
  const labelOf = (key: string) => fields.find(({ name }) => name === `meta.${key}`)?.label ?? key
  if (diets.withheld.length === 0)
    return diets.fields.length > 0 ? [] : [fact('that no field is a diet', [say('noDietFields')])]
  const sentence =
    diets.fields.length > 0
      ? say(`withheld${on}Some`, { fields: diets.withheld.map(labelOf).join(', ') })
      : say(`withheld${on}`)
  return [fact('that the key may not read all diets', [sentence])]
}

function notCookedFacts({ fields }: Expecting, day: Day): Fact[] {
  const statuses = fields.find(({ name }) => name === 'status')?.values ?? []
  return (['voided', 'offer'] as const).flatMap((status) => {
    const most = Math.max(...MEALS.map((meal) => day.meals[meal].notCookedFor[status].present))
    const label = statuses.find(({ value }) => value === status)?.label ?? status
    return most === 0 ? [] : [fact('bookings that are not cooked for', [label, most])]
  })
}

const mealRows = ({ say }: Expecting, day: Day, portions: string): Fact[] => [
  fact('portions', [say(portions), ...plates(day)]),
  fact('guests at the meals', [say('guestsHere'), ...MEALS.map((meal) => day.meals[meal].present)]),
  fact('guests who skip', [say('ofThemSkip'), ...MEALS.map((meal) => day.meals[meal].skipping)]),
  ...(MEALS.some((meal) => (day.meals[meal].additional ?? 0) > 0)
    ? [
        fact('people without a name', [
          say('additionalPeople'),
          ...MEALS.map((meal) => day.meals[meal].additional ?? 0),
        ]),
      ]
    : []),
]

/** Marks of what changed since the newest sheet; none without a sheet. */
/** Late changes, as many as there are, by room. */
async function lateFacts({ api, say, of }: Expecting, date: string): Promise<Fact[]> {
  const { late } = await api.get<MealSheetAnswer>(`/meals/sheets/${date}?sheet=wall`)
  if (late === undefined || late.guests.length === 0) return []
  const name = (meal: Meal) => (of.language === 'de' ? say(meal) : say(meal).toLocaleLowerCase(of.language))
  const counts = MEALS.flatMap((meal) => {
    const changes = late.meals[meal]?.changes ?? 0
    return changes === 0 ? [] : [`${name(meal)} ${changes}`]
  })
  // Those who changed the same meals are one line, with each room once.
  const where = (room: string | null) =>
    room === null ? say('noRoom') : /^\d/.test(room) ? `${say('room')} ${room}` : room
  const alike = Map.groupBy(late.guests, ({ meals }) => meals.map(name).join(', '))
  const guests = [...alike].map(([meals, own]) => {
    const rooms = Map.groupBy(own, ({ room }) => where(room))
    const texts = [...rooms].map(([room, { length }]) => (length === 1 ? room : `${room} ×${length}`))
    return fact('guests whose change is late', [`${meals}: ${texts.join(', ')}`])
  })
  return [fact('how many changes are late', [say('lateWhy', { list: counts.join(', ') })]), ...guests]
}

async function changeFacts(expecting: Expecting, date: string): Promise<Fact[]> {
  const { api, say } = expecting
  const { sheet, changes } = await api.get<MealSheetAnswer>(`/meals/sheets/${date}?sheet=wall`)
  if (sheet === null) return []
  const signed = (by: number) => (by < 0 ? `−${-by}` : `+${by}`)
  const marks = MEALS.flatMap((meal) => {
    const { was, now } = changes.meals[meal]
    return was === now ? [] : [signed(now - was), say('was', { n: was })]
  })
  const diets = changes.byDiet.map((row) =>
    fact('a diet that has changed', [
      ...(row.field === null ? [row.label] : dietTexts(expecting)(row)),
      ...MEALS.flatMap((meal) =>
        row[meal].was === row[meal].now ? [] : [signed(row[meal].now - row[meal].was)],
      ),
    ]),
  )
  // Many are one line, which opens to all of them. A row with two changes also has the texts of a row with one of them.
  const bySigns = changes.guests.toSorted(
    (a, b) => b.more.length + b.fewer.length - (a.more.length + a.fewer.length),
  )
  const guests = bySigns.map(({ room, more, fewer, additional }) => {
    const name = room === null ? say('noRoom') : /^\d/.test(room) ? `${say('room')} ${room}` : room
    const signs = MEALS.flatMap((meal) => {
      const { was, now } = additional?.[meal] ?? { was: 0, now: 0 }
      const by = Number(more.includes(meal)) - Number(fewer.includes(meal)) + now - was
      return by === 0 ? [] : [signed(by)]
    })
    return fact('a guest whose meals have changed', [...signs, name])
  })
  return [...(marks.length > 0 ? [fact('changes since the sheet', marks)] : []), ...diets, ...guests]
}

const dayOf = ({ of }: Expecting) => of.query.day ?? TODAY

export const kitchenToday: Expectation = async (expecting) => {
  const { say, written } = expecting
  const date = dayOf(expecting)
  const answer = await portionsOf(expecting, date, 2, true)
  const [day, tomorrow] = answer.days
  if (day === undefined || tomorrow === undefined) throw new Error('the answer has no day')
  const house = [day.guests, day.arriving, day.departing].map((count) => written.number(count))
  const isEmpty = day.guests === 0
  const groups = [...day.byRole, ...day.byProgram, ...day.byRoom].map((row) =>
    fact('portions of a group', [row.label, ...MEALS.map((meal) => row[meal])]),
  )
  const skipping = MEALS.flatMap((meal) =>
    (day.guestList ?? [])
      .filter(({ skips }) => skips.includes(meal))
      .map(({ room, name }) => fact('a guest who skips', [room ?? say('noRoom'), name ?? ''], [say(meal)])),
  )
  const whoEatsNot = (day.guestList ?? []).flatMap((guest) => {
    const reasons = reasonTexts(expecting, guest)
    if (reasons.length === 0) return []
    return [fact('why a guest does not eat', [guest.room ?? say('noRoom'), guest.name ?? '', ...reasons])]
  })
  return [
    all(fact('the house', house), ...mealRows(expecting, day, 'portionsToCook')),
    all(...dietFacts(expecting, day)),
    all(...withheldFacts(expecting, 'Page', answer)),
    all(...notCookedFacts(expecting, day)),
    all(...(await changeFacts(expecting, date))),
    all(...(await lateFacts(expecting, date))),
    all(...tomorrowFacts(expecting, tomorrow)),
    ...(isEmpty ? [] : [all(...groups), all(...skipping), all(...whoEatsNot)]),
  ]
}

const tomorrowFacts = ({ say, written }: Expecting, day: Day): Fact[] => [
  fact(
    'the next day',
    MEALS.flatMap((meal): (string | number)[] => {
      const { served, portions, skipping } = day.meals[meal]
      return served ? [say(meal), portions, written.number(skipping)] : [say(meal), say('notServed')]
    }),
  ),
  fact('who comes and leaves the next day', [written.number(day.arriving), written.number(day.departing)]),
]

const dietKey = ({ field, value, kind }: DietRow) => JSON.stringify([field, value, kind])

/** Every diet of some days, each once. */
const dietsOf = (days: readonly Day[]): DietRow[] => [
  ...new Map(days.flatMap(({ byDiet }) => byDiet.map((row) => [dietKey(row), row] as const))).values(),
]

/** For each day, the numbers of a diet. */
const dietNumbers = (days: readonly Day[], diet: DietRow) =>
  days.map(({ byDiet }) => {
    const row = byDiet.find((one) => dietKey(one) === dietKey(diet))
    return MEALS.map((meal) => row?.[meal] ?? 0)
  })

const DAYS = 7
const fromOf = ({ of }: Expecting) => of.query.from ?? TODAY

/** `Sat 21` */
const shortDay = ({ say }: Expecting, date: string) =>
  say('weekdaysShort').split(', ')[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? ''

export const kitchenWeek: Expectation = async (expecting) => {
  // The page prints the sheet.
  if (expecting.of.medium === 'paper') return weekSheet(expecting)
  const { say, written } = expecting
  const answer = await portionsOf(expecting, fromOf(expecting), DAYS, false)
  const { days } = answer
  const diets = dietsOf(days)
  const mealsOf = (day: Day) =>
    MEALS.flatMap((meal): (string | number)[] => {
      const { served, portions, skipping } = day.meals[meal]
      return served
        ? [portions, ...(skipping > 0 ? [written.number(skipping)] : [])]
        : ['–', say('notServed')]
    })
  const name = ({ date }: Day) => (date === TODAY ? say('today') : shortDay(expecting, date))
  const inColumns = days.map((day) =>
    fact(`the numbers of ${day.date}`, [
      name(day),
      ...mealsOf(day),
      day.arriving,
      day.departing,
      ...diets.flatMap((diet) => dietNumbers([day], diet).flat()),
    ]),
  )
  const heads = diets.length > 0 ? [fact('the diets', diets.flatMap(dietTexts(expecting)))] : []
  // Where the columns have no room, all of a day is in rows below it.
  const inRows = days.flatMap((day) => [
    fact(`the numbers of ${day.date}`, [name(day), ...mealsOf(day)]),
    fact(
      `who comes and leaves on ${day.date}`,
      [day.arriving, day.departing].filter((count) => count > 0).map((count) => written.number(count)),
    ),
    ...dietFacts(expecting, day),
  ])
  return [{ facts: [...heads, ...inColumns], or: inRows }, all(...withheldFacts(expecting, 'Page', answer))]
}

export const wall: Expectation = async (expecting) => {
  const { say } = expecting
  const answer = await portionsOf(expecting, TODAY, 2, false)
  const [day, tomorrow] = answer.days
  if (day === undefined || tomorrow === undefined) throw new Error('the answer has no day')
  return [
    all(...mealRows(expecting, day, 'portions')),
    // What does not fit is counted, but never an allergy, nor what may be one.
    {
      facts: dietFacts(expecting, day),
      areLeftOut: (missing, says) =>
        missing.every(({ texts }) => texts[0] !== '◆' && texts[0] !== UNKNOWN) &&
        says(say('moreDiets', { n: missing.length })),
    },
    all(...withheldFacts(expecting, 'Wall', answer)),
    all(
      fact(
        'the next day',
        MEALS.map((meal) => {
          const { served, portions } = tomorrow.meals[meal]
          return served ? portions : say('notServed')
        }),
      ),
    ),
  ]
}

export const daySheet: Expectation = async (expecting) => {
  const { say } = expecting
  const answer = await portionsOf(expecting, dayOf(expecting), 1, true)
  const [day] = answer.days
  if (day === undefined) throw new Error('the answer has no day')
  return [
    all(fact('portions', [say('portions'), ...plates(day)])),
    all(...dietFacts(expecting, day)),
    ...(MEALS.some((meal) => (day.meals[meal].additional ?? 0) > 0)
      ? [
          all(
            fact(
              'people without a name',
              MEALS.flatMap((meal) => {
                const n = day.meals[meal].additional ?? 0
                return n > 0 ? [say('ofAdditional', { n })] : []
              }),
            ),
          ),
        ]
      : []),
    all(...withheldFacts(expecting, 'Sheet', answer)),
    guestsOnSheet(expecting, day),
  ]
}

/** Guests with a diet or who skip a meal are listed; the others are counted. */
function guestsOnSheet(expecting: Expecting, day: Day): Facts {
  const { say, of } = expecting
  const list = day.guestList ?? []
  const served = MEALS.filter((meal) => day.meals[meal].served)
  const inSentence = (meal: Meal) =>
    of.language === 'de' ? say(meal) : say(meal).toLocaleLowerCase(of.language)
  // Where most skip a meal, or have not booked it, who eats it is listed instead.
  const BOOKED = ['package', 'program', 'ownMeals']
  const goesWithout = (guest: Guest, meal: Meal) =>
    guest.skips.includes(meal) ||
    (guest.without ?? []).some((one) => one.meal === meal && BOOKED.includes(one.reason))
  const areEatersListed = (meal: Meal) =>
    list.filter((guest) => goesWithout(guest, meal)).length >
    list.filter(({ eats }) => eats.includes(meal)).length
  const OWN = ['arrivesAfter', 'leavesBefore', 'ownMeals']
  const isOwn = ({ without = [] }: Guest) => without.some(({ reason }) => OWN.includes(reason))
  /** Those of the first and last day alone are said as meals. */
  const reasonsOf = (guest: Guest) =>
    (guest.without ?? []).some(({ reason }) => [...OWN, ...BOOKED].includes(reason))
      ? reasonTexts(expecting, guest, served)
      : []
  const mealsOf = ({ eats, skips }: Guest) => [
    ...served.filter((meal) => !areEatersListed(meal) && skips.includes(meal)),
    ...served.filter((meal) => areEatersListed(meal) && eats.includes(meal)),
  ]
  const made = list.map((guest) => ({
    guest,
    fact: fact('a guest', [
      // Said once for all guests of it. No center of the check has rooms that begin alike, so none is shortened.
      list.find(({ room }) => room === guest.room) === guest ? (guest.room ?? say('noRoom')) : '',
      guest.name ?? '',
      ...(guest.additional === undefined ? [] : [say('andWithoutName', { n: guest.additional })]),
      ...reasonsOf(guest),
      ...guest.diets.flatMap(dietTexts(expecting)),
      ...served.map((meal) => (guest.skips.includes(meal) ? '×' : guest.eats.includes(meal) ? '•' : '–')),
    ]),
  }))
  const mustBeListed = new Set(
    made
      .filter(
        ({ guest }) =>
          guest.diets.length > 0 || (guest.additional ?? 0) > 0 || isOwn(guest) || mealsOf(guest).length > 0,
      )
      .map(({ fact }) => fact),
  )
  const rankOf = (one: Fact) => Number(mustBeListed.has(one))
  const meals =
    served
      .filter((meal) => !areEatersListed(meal))
      .map(inSentence)
      .join(', ') || say('noMeal')
  return {
    // Ana Pop is also the beginning of Ana Pop 7, so long names go first.
    facts: made
      .map(({ fact }) => fact)
      .sort((a, b) => rankOf(b) - rankOf(a) || b.texts[1]!.length - a.texts[1]!.length),
    areLeftOut: (missing, says) =>
      missing.every((one) => !mustBeListed.has(one)) &&
      ['othersEatAll', 'othersEat', 'othersEatAllDietUnknown', 'othersEatDietUnknown'].some((key) =>
        says(say(key, { n: missing.length, meals })),
      ),
  }
}

export const weekSheet: Expectation = async (expecting) => {
  const answer = await portionsOf(expecting, fromOf(expecting), DAYS, true)
  const { days } = answer
  const diets = dietsOf(days)
  const facts: Facts[] = [
    all(
      ...days.map((day) =>
        fact(`the portions of ${day.date}`, [
          shortDay(expecting, day.date),
          Number(day.date.slice(8)),
          ...plates(day),
        ]),
      ),
    ),
    all(
      ...diets.map((diet) =>
        fact('a diet', [...dietTexts(expecting)(diet), ...dietNumbers(days, diet).flat()]),
      ),
    ),
    all(...withheldFacts(expecting, 'Sheet', answer)),
  ]
  return facts
}
