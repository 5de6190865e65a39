/** What the heading of a column may mean, in 24 languages and in the exports of common booking systems. */
import { fieldLabel } from '../../../locale/field-labels.ts'
import { LANGUAGES } from '../../../locale/languages.ts'
import words from '../../heading-words.json' with { type: 'json' }
import { recordSchema } from '../../lines/csv-columns.ts'
import { fieldPaths } from '../../rejects/problems.ts'
import { plainWord } from '../mapping/words.ts'

/** Weights of a heading as evidence. See `EVIDENCE` for the weight of cells. */
export const EXACT = 10
const LABEL = 9
const ONE_OF_TWO = 8
const WITH_NEUTRAL = 7
const CONTAINED = 3
/** Shorter terms, such as `an`, `ab`, `de`, occur in too many headings. */
const CONTAINED_LENGTH_MIN = 5

/** Fields of Sojourn that no other program exports. */
const OWN = ['id', 'kind', 'centerId', 'version', 'deleted', 'customerId', 'orderUuid', 'meta', 'name']

/** `and` in the languages of the headings, and its signs. */
const AND = /[&+,;]|\s(?:und|and|et|y|e|ed|i|a|og|och|en|ve|ja|és|și|si|in|и|і|та|και)\s/iu

interface Term {
  readonly field: string
  readonly tokens: readonly string[]
}

interface Known {
  /** By folded heading without spaces: the fields that it means, with the weight. */
  readonly exact: ReadonlyMap<string, ReadonlyMap<string, number>>
  readonly terms: readonly Term[]
  readonly neutral: ReadonlySet<string>
}

let known: Known | undefined

/** `StayDateFrom`, `stay_date_from` and `Stay date (from)` are the same words. */
export const foldHeading = (heading: string): string =>
  heading
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map(plainWord)
    .filter((token) => token !== '')
    .join(' ')

/** `CHECKIN`, `check-in` and `Check In` are one heading. */
const squeezed = (folded: string) => folded.replaceAll(' ', '')
const keyOf = (heading: string) => squeezed(foldHeading(heading))

function knownTerms(): Known {
  if (known !== undefined) return known
  const exact = new Map<string, Map<string, number>>()
  const terms: Term[] = []
  const learn = (heading: string, field: string, weight: number) => {
    const folded = foldHeading(heading)
    if (folded === '') return
    const fields = exact.get(squeezed(folded)) ?? new Map<string, number>()
    if (!fields.has(field)) fields.set(field, weight)
    exact.set(squeezed(folded), fields)
    if (squeezed(folded).length >= CONTAINED_LENGTH_MIN) terms.push({ field, tokens: folded.split(' ') })
  }
  const { neutral, ...fields } = words
  for (const [field, byLanguage] of Object.entries(fields)) {
    for (const list of Object.values(byLanguage)) for (const heading of list) learn(heading, field, EXACT)
  }
  for (const kind of ['customer', 'booking'] as const) {
    for (const path of fieldPaths(recordSchema(kind))) {
      if (OWN.includes(path)) continue
      learn(path, `${kind}.${path}`, LABEL)
      for (const language of LANGUAGES) learn(fieldLabel(path, language) ?? '', `${kind}.${path}`, LABEL)
    }
  }
  known = { exact, terms, neutral: new Set(neutral.all.map(foldHeading)) }
  return known
}

/** The fields that a heading may mean, with the weight of each as evidence. */
export function fieldsNamed(heading: string): ReadonlyMap<string, number> {
  const { exact, terms, neutral } = knownTerms()
  const found = new Map<string, number>()
  const add = (fields: ReadonlyMap<string, number> | undefined, most: number) => {
    for (const [field, weight] of fields ?? []) {
      found.set(field, Math.max(found.get(field) ?? 0, Math.min(weight, most)))
    }
  }
  add(exact.get(keyOf(heading)), EXACT)
  // Units and remarks in brackets: `Price (EUR)`, `Guest name(s)`.
  add(exact.get(keyOf(heading.replaceAll(/[([{][^()[\]{}]{0,100}[)\]}]/g, ' '))), LABEL)
  // Two languages, or two meanings: `Klient/Gość`, `Anreise | Arrival`.
  const halves = heading.split(/[/|\n]/)
  if (halves.length > 1) for (const half of halves) add(exact.get(keyOf(half)), ONE_OF_TWO)
  if (found.size > 0) return found
  // `Allergien & Diät`, `Diets and allergies`: words between two headings that the kitchen reads.
  const food = heading.split(AND).map((part) => exact.get(keyOf(part)))
  if (food.length > 1 && food.every((fields) => fields?.has('diet') || fields?.has('allergy'))) {
    for (const fields of food) add(fields, ONE_OF_TWO)
    return found
  }
  const tokens = foldHeading(heading).split(' ')
  for (const { field, tokens: term } of terms) {
    const at = tokens.findIndex((_, from) => term.every((token, index) => tokens[from + index] === token))
    if (at < 0) continue
    const others = [...tokens.slice(0, at), ...tokens.slice(at + term.length)]
    const weight = others.every((token) => neutral.has(token) || /^\d+$/.test(token))
      ? WITH_NEUTRAL
      : CONTAINED
    found.set(field, Math.max(found.get(field) ?? 0, weight))
  }
  return found
}

/** Whether a text is the heading of a known field, so that its row is rather headings than data. */
export const isKnownHeading = (text: string): boolean => knownTerms().exact.has(keyOf(text))
