/** What a center says of its meals: which it serves, who eats them, and which custom fields are diets. */

type ByMeal<T> = Readonly<Record<'breakfast' | 'lunch' | 'dinner', T>>

/** A value that a center knows, with the other ways to write it. */
export interface DietValue {
  readonly value: string
  readonly otherSpellings: readonly string[]
  readonly isAllergy: boolean
  readonly isNone: boolean
}

/** A custom field that is a diet, and those of its values that are allergies. */
export interface DietField {
  readonly field: string
  readonly allergies: readonly string[]
  /** the values that it knows; undefined: any text is one diet (ruling 44) */
  readonly values?: readonly DietValue[]
}

export interface MealRules {
  /** when meals begin, `HH:MM`; null where the center says none */
  readonly mealTimes: ByMeal<string | null>
  /** until when an arriving guest is still served, `HH:MM`, later than the begin; null where the center says none */
  readonly mealEnds: ByMeal<string | null>
  /** hours, `HH:MM`, that booking systems write if nobody knows the hour (ruling 43) */
  readonly standardTimes: { readonly arrival: readonly string[]; readonly departure: readonly string[] }
  readonly arrivalMeals: readonly string[]
  readonly departureMeals: readonly string[]
  /** dates, and days of the week in English */
  readonly daysNotServed: ByMeal<readonly string[]>
  readonly dietFields: readonly DietField[]
  readonly alsoCookFor: readonly string[]
  /** until when the kitchen takes changes of a meal; null: no cut-off */
  readonly cutOffs: ByMeal<CutOff | null>
}

/** A local time, `HH:MM`, so many days before the day of the meal. */
export interface CutOff {
  readonly daysBefore: number
  readonly time: string
}

/** A center's rules with the defaults in place of what is not said. */
export function readMealRules(stored: unknown): MealRules {
  const rules = asObject(stored)
  const times = asObject(rules.mealTimes)
  const ends = asObject(rules.mealEnds)
  const standard = asObject(rules.standardTimes)
  const closed = asObject(rules.daysNotServed)
  const cutOffs = asObject(rules.cutOffs)
  return {
    mealTimes: { breakfast: text(times.breakfast), lunch: text(times.lunch), dinner: text(times.dinner) },
    mealEnds: {
      breakfast: endOf(times.breakfast, ends.breakfast),
      lunch: endOf(times.lunch, ends.lunch),
      dinner: endOf(times.dinner, ends.dinner),
    },
    standardTimes: {
      arrival: texts(standard.arrival) ?? [],
      departure: texts(standard.departure) ?? [],
    },
    arrivalMeals: texts(rules.arrivalMeals) ?? ['dinner'],
    departureMeals: texts(rules.departureMeals) ?? ['breakfast'],
    daysNotServed: {
      breakfast: texts(closed.breakfast) ?? [],
      lunch: texts(closed.lunch) ?? [],
      dinner: texts(closed.dinner) ?? [],
    },
    dietFields: (Array.isArray(rules.dietFields) ? rules.dietFields : []).flatMap((entry) => {
      const { field, allergies, values } = asObject(entry)
      if (typeof field !== 'string') return []
      const known = valuesOf(values)
      return [{ field, allergies: texts(allergies) ?? [], ...(known === undefined ? {} : { values: known }) }]
    }),
    alsoCookFor: texts(rules.alsoCookFor) ?? [],
    cutOffs: {
      breakfast: cutOffOf(cutOffs.breakfast),
      lunch: cutOffOf(cutOffs.lunch),
      dinner: cutOffOf(cutOffs.dinner),
    },
  }
}

// The center's own system may have written them, so nothing is taken for granted.
const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

const text = (value: unknown) => (typeof value === 'string' ? value : null)

const texts = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined

function valuesOf(stored: unknown): readonly DietValue[] | undefined {
  if (!Array.isArray(stored)) return undefined
  return stored.flatMap((entry: unknown) => {
    const { value, otherSpellings, isAllergy, isNone } = asObject(entry)
    if (typeof value !== 'string') return []
    const spellings = texts(otherSpellings) ?? []
    return [{ value, otherSpellings: spellings, isAllergy: isAllergy === true, isNone: isNone === true }]
  })
}

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/

/** An end decides nothing without an earlier begin. */
function endOf(begin: unknown, end: unknown): string | null {
  if (typeof begin !== 'string' || typeof end !== 'string') return null
  return TIME.test(begin) && TIME.test(end) && begin < end ? end : null
}

/** Sheets are stored for so many days ahead. */
const DAYS_BEFORE_MAX = 31

function cutOffOf(stored: unknown): CutOff | null {
  const { daysBefore, time } = asObject(stored)
  if (typeof time !== 'string' || !TIME.test(time)) return null
  if (typeof daysBefore !== 'number' || !Number.isInteger(daysBefore)) return null
  return daysBefore < 0 || daysBefore > DAYS_BEFORE_MAX ? null : { daysBefore, time }
}
