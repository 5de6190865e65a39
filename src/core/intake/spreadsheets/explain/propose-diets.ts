/** Proposes which columns the kitchen reads: a custom field for each, what its words mean, and what must be asked. */
import { inEnglish, type Said } from '../../../locale/said.ts'
import { compared } from '../../../records/fields/diet-values.ts'
import { shown } from '../../rejects/problems.ts'
import { dietValues, foodMeaning, foodShare, foodTexts, keyOf } from './diets.ts'
import { allQuoted, type Question } from './draft.ts'
import type { Assigned } from './evidence.ts'
import { fieldsNamed } from './headings.ts'
import { booleansOf, type Profile } from './profile.ts'

export interface ProposedDiets {
  /** By name of the field, `meta.diet`: its column, for the record of the guest. */
  readonly fields: Readonly<Record<string, unknown>>
  /** The part `diets` of the mapping. */
  readonly diets: Readonly<Record<string, unknown>>
  /** By name of the field: what to check. */
  readonly checks: ReadonlyMap<string, string>
  readonly questions: readonly Question[]
  /** By column: the name of its field. */
  readonly used: ReadonlyMap<Profile, string>
}

/** Texts of other fields that may mention food. */
const isFreeText = (field: string | undefined) => field === undefined || field.startsWith('booking.formData.')

/** @param kind the record that gets the fields */
export function proposeDiets(columns: readonly Assigned[], kind: 'customer' | 'booking'): ProposedDiets {
  const fields: Record<string, unknown> = {}
  const diets: Record<string, unknown> = {}
  const checks = new Map<string, string>()
  const questions: Question[] = []
  const used = new Map<Profile, string>()
  const taken = new Set<string>()
  const free = (wanted: string): string => {
    let key = wanted
    for (let next = 2; taken.has(key); next += 1) key = `${wanted}-${next}`
    taken.add(key)
    return key
  }
  for (const { profile, field, isByCells, twin } of columns) {
    const { name } = profile
    if (field === 'diet' || field === 'allergy') {
      const { isAllergy, key, column, diet, check, unasked } = dietOf(profile, field, free)
      if (!isAllergy && !isByCells && column === name && foodShare(profile) === 0 && hasOther(profile)) {
        questions.push(
          question(
            kind,
            key,
            { column, diet },
            {
              ask: {
                key: 'dietsOrMeals',
                values: { column: shown(name), words: allQuoted(profile.samples) },
              },
              yes: [{ key: 'diets' }, { key: 'dietsMeans' }],
              no: [{ key: 'mealsOfBooking' }, { key: 'mealsOfBookingMeans' }],
            },
          ),
        )
        continue
      }
      if (unasked.length > 0) questions.push(questionOfUnasked(kind, key, profile, unasked))
      fields[`meta.${key}`] = column
      diets[key] = diet
      checks.set(
        `meta.${key}`,
        isByCells
          ? `recognized by the cells of the column, not by its name${check === undefined ? '' : `; ${check}`}`
          : (check ?? ''),
      )
      used.set(profile, `${kind}.meta.${key}`)
    } else if (isFreeText(field) && twin === undefined) {
      const mentions = foodTexts(profile)
      if (mentions.length === 0) continue
      const key = free('food-notes')
      const { values } = dietValues(
        { ...profile, texts: profile.texts.filter((text) => !/\s/.test(text)) },
        false,
      )
      questions.push(
        question(
          kind,
          key,
          { column: name, diet: { label: name, values } },
          {
            ask: {
              key: 'mentionsFood',
              values: { column: shown(name), words: allQuoted(mentions.slice(0, 3)) },
            },
            yes: [{ key: 'kitchenReads' }, { key: 'kitchenReadsMeans' }],
            no: [{ key: 'kitchenDoesNot' }, { key: 'kitchenDoesNotMeans' }],
          },
        ),
      )
    }
  }
  for (const [at, text] of checks) if (text === '') checks.delete(at)
  return { fields, diets, checks, questions, used }
}

/** Whether a cell says something that is not none. */
const hasOther = ({ texts }: Profile) => texts.some((text) => text !== '' && foodMeaning(text) !== 'none')

function dietOf(profile: Profile, field: 'diet' | 'allergy', free: (key: string) => string) {
  const { name, words, flags } = profile
  const isAllergy = field === 'allergy' && !fieldsNamed(name).has('diet')
  const says = flags === undefined ? undefined : (booleansOf(words) ?? { true: 'true', false: 'false' })
  if (says !== undefined && [says.true].flat().length > 0) {
    const meaning = foodMeaning(name)
    const isOfAllergy = isAllergy || meaning === 'allergy' || meaning === 'either'
    const isPlain = words.every((word) => ['true', 'false'].includes(word.toLowerCase()))
    return {
      isAllergy: true,
      key: free(keyOf(name) || (isOfAllergy ? 'allergy' : 'diet')),
      column: { column: name, type: 'boolean', ...(isPlain ? {} : { booleans: says }) },
      diet: { label: name, values: { true: isOfAllergy ? 'allergy' : 'diet' } },
      check: isOfAllergy ? 'yes is an allergy' : 'yes is a diet',
      unasked: [],
    }
  }
  const { values, open, unasked } = dietValues(profile, isAllergy)
  return {
    unasked,
    isAllergy,
    key: free(isAllergy ? 'allergies' : 'diet'),
    column: name,
    diet: { label: name, values },
    check:
      open.length === 0
        ? isAllergy
          ? 'every word is an allergy, except those that mean none'
          : undefined
        : `say in diets whether ${inEnglish(allQuoted(open.slice(0, 5)))}${open.length > 5 ? ` and ${open.length - 5} more` : ''} ${open.length === 1 ? 'is' : 'are'} diet, allergy or none; until then the kitchen sees ${open.length === 1 ? 'it' : 'them'} as unknown, before all diets`,
  }
}

/**
 * For one center `-` or `unknown` means that the guest has no diet, for another that nobody has asked. The kitchen must not read the second as
 * the first.
 */
function questionOfUnasked(
  kind: string,
  key: string,
  { name, texts }: Profile,
  unasked: readonly string[],
): Question {
  const same = new Set(unasked.map(compared))
  const rows = texts.filter((text) => same.has(compared(text))).length
  const every = <Meaning>(meaning: Meaning) => Object.fromEntries(unasked.map((word) => [word, meaning]))
  return {
    ask: { key: 'dashes', values: { column: shown(name), words: allQuoted(unasked), n: rows } },
    answers: [
      {
        answer: { key: 'askedNone' },
        means: { key: 'askedNoneMeans' },
        patch: { diets: { [key]: { values: every('none') } } },
      },
      {
        answer: { key: 'notAsked' },
        means: { key: 'notAskedMeans' },
        patch: { records: { [kind]: { [`meta.${key}`]: { column: name, values: every(null) } } } },
      },
    ],
  }
}

function question(
  kind: string,
  key: string,
  { column, diet }: { column: unknown; diet: unknown },
  { ask, yes, no }: { ask: Said; yes: readonly [Said, Said]; no: readonly [Said, Said] },
): Question {
  const patch = { records: { [kind]: { [`meta.${key}`]: column } }, diets: { [key]: diet } }
  return {
    ask,
    answers: [
      { answer: yes[0], means: yes[1], patch },
      { answer: no[0], means: no[1], patch: {} },
    ],
  }
}
