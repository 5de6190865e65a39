/**
 * Which column is which field. Every sign of it is in one table: the heading (its weight is in `headings.ts`), and what the
 * cells are. A field goes to the column with the most evidence; cells that contradict a field exclude it, whatever the
 * heading says.
 */
import { isIdentifier } from '../../../records/fields/values.ts'
import { findField, recordSchema } from '../../lines/csv-columns.ts'
import { addressesIn } from '../mapping/email-addresses.ts'
import { rawWord } from '../mapping/statuses.ts'
import { meaningOf } from '../mapping/written-forms.ts'
import { foodMeaning, foodShare } from './diets.ts'
import { fieldsNamed } from './headings.ts'
import type { Profile } from './profile.ts'

/** The cells cannot be this field. */
const NEVER = Number.NEGATIVE_INFINITY
/** The least evidence for a field whose heading names it. */
const NAMED_MIN = 6
/** The least evidence for a field that only the cells show. */
const CELLS_MIN = 6

/** What is known of the table when a column is looked at. */
export interface Context {
  readonly rows: number
  readonly today: string
  /** Whether a column names the property, whose town and country follow. */
  readonly hasProperty: boolean
}

/** @returns a weight to add to that of the heading, or NEVER */
type CellEvidence = (profile: Profile, context: Context) => number

const share = (texts: readonly string[], holds: (text: string) => boolean) => {
  const given = texts.filter((text) => text !== '')
  return given.length === 0 ? 0 : given.filter(holds).length / given.length
}
const hasEmail = (text: string) => addressesIn(text).length > 0
const isPhone = (text: string) =>
  /^[+(]?\d[\d\s()./-]{5,18}\d$/.test(text) && text.replaceAll(/\D/g, '').length >= 7
const isNameLike = (text: string) => {
  const letters = text.replaceAll(/[^\p{L}\p{M}]/gu, '').length
  return /^["'(]?[\p{L}\p{M}]/u.test(text) && letters >= text.replaceAll(/\s/g, '').length * 0.6
}
const isFullName = (text: string) =>
  isNameLike(text) && !/\d/.test(text) && /\p{L}{2}/u.test(text) && /[\s,]/.test(text)

/** Dates: at least half of the cells, because some rows of real files are wrong. */
const isDates: CellEvidence = ({ dates, filled }) =>
  filled === 0 ? 0 : dates !== undefined && dates.share >= 0.5 ? 2 : NEVER
const isAmounts: CellEvidence = ({ numbers, filled }) => {
  if (filled === 0) return 0
  return numbers !== undefined && numbers.share >= 0.5 ? 2 : NEVER
}
const isText: CellEvidence = ({ dates, numbers, filled }) =>
  filled > 0 && ((dates?.share ?? 0) > 0.8 || (numbers?.share ?? 0) > 0.8) ? NEVER : 0
/** A name has letters and hardly any digit: not `#1113`. */
const isNames: CellEvidence = (profile) => {
  if (profile.filled === 0) return NEVER
  const named = share(profile.texts, isNameLike)
  return named < 0.6 ? NEVER : named > 0.9 ? 1 : 0
}
/** The same town in every row, next to the name of a property, is the property’s. */
const isPlace: CellEvidence = (profile, { hasProperty, rows }) => {
  if (share(profile.texts, (text) => /^[\d\s.,]+$/.test(text)) > 0.5) return NEVER
  return hasProperty && rows > 1 && profile.distinct === 1 ? NEVER : 0
}
const isListOf =
  (kind: 'role' | 'status'): CellEvidence =>
  ({ words, filled, distinct, texts, numbers }) => {
    if (filled === 0) return 0
    const known = share(texts, (text) => rawWord(kind, text) !== undefined)
    if (known > 0) return known > 0.5 && distinct <= 12 ? 6 : 3
    // Regions such as PE and RJ, or numbers, are no statuses, whatever `estado` means.
    if ((numbers?.share ?? 0) > 0.5) return NEVER
    return words.every((word) => /^\p{Lu}{2,3}$/u.test(word)) || distinct > 12 ? NEVER : 0
  }
const isWholeFrom =
  (least: number, most: number): CellEvidence =>
  ({ numbers, filled }) =>
    filled === 0 ||
    (numbers !== undefined && numbers.share >= 0.5 && numbers.range[0] >= least && numbers.range[1] <= most)
      ? 2
      : NEVER

/** A number or code of the file’s own program: one for each row, no words, no date, no amount. */
export function identifierEvidence(profile: Profile): number {
  const { isUnique, filled, texts, dates, numbers } = profile
  if (filled === 0 || (dates?.share ?? 0) > 0.5) return 0
  if (!isUnique && !isCodeGivenTwice(profile)) return 0
  if (share(texts, (text) => text.length <= 64 && !/\s/.test(text) && /\d/.test(text)) < 1) return 0
  if (share(texts, hasEmail) > 0 || share(texts, (text) => /^[+(0]\d{6,}/.test(text) && isPhone(text)) > 0.5)
    return 0
  if (texts.some((text) => /[.,]\d{2}$/.test(text)) && (numbers?.share ?? 0) > 0.9) return 0
  // Two rows of numbers differ by chance.
  if (filled < (texts.every((text) => text === '' || /\p{L}/u.test(text)) ? 2 : 3)) return 0
  // Numbers of the rows change with the next export.
  if (isRowNumbers(profile)) return 0
  return filled === texts.length ? 6 : 4
}

/**
 * Whether a column has a code of one form for each row, of which one was given twice: which row has the wrong one is a
 * question.
 */
function isCodeGivenTwice({ words, filled, distinct, isFilled }: Profile): boolean {
  const [form, ...others] = new Set(
    words.map((word) => word.replaceAll(/\d/g, '0').replaceAll(/\p{L}/gu, 'a')),
  )
  return isFilled && filled >= 5 && distinct === filled - 1 && others.length === 0 && (form ?? '').length >= 4
}

/** Whether a column counts its rows: 1, 2, 3 … */
export function isRowNumbers({ texts }: Profile): boolean {
  const given = texts.filter((text) => text !== '')
  const first = Number(given[0])
  return (first === 0 || first === 1) && given.every((text, at) => text === String(first + at))
}

const isFood = (name: string) => !['none', undefined].includes(foodMeaning(name))

interface Evidence {
  readonly cells: CellEvidence
  /** Whether the cells alone may show it, without a heading that names it. */
  readonly byCells?: CellEvidence
}

/** The fields that a column may be. Fields of the catalogue that are not listed are checked by the type of their value. */
const EVIDENCE: Readonly<Record<string, Evidence>> = {
  'booking.startDate': { cells: isDates },
  'booking.endDate': { cells: isDates },
  'booking.bookedAt': { cells: isDates },
  'order.orderDate': { cells: isDates },
  nights: { cells: isWholeFrom(0, 1000) },
  // The day before the departure, in some booking systems.
  lastNight: { cells: isDates },
  'booking.id': {
    cells: (profile) => {
      if (profile.filled === 0 || (profile.dates?.share ?? 0) > 0.5) return NEVER
      // `Position` and `Reference` may be anything: what repeats or has spaces identifies nothing.
      return share(profile.texts, (text) => /\d/.test(text)) < 0.5 ? NEVER : profile.isUnique ? 3 : 0
    },
    byCells: identifierEvidence,
  },
  'customer.id': {
    cells: (profile) => (share(profile.texts, (text) => /\d/.test(text)) < 0.5 ? NEVER : 2),
  },
  fullName: {
    cells: (profile) => {
      const names = isNames(profile, { rows: 0, today: '', hasProperty: false })
      return names === NEVER || profile.flags !== undefined
        ? NEVER
        : names + (share(profile.texts, isFullName) > 0.3 ? 1 : 0)
    },
    byCells: (profile) =>
      share(profile.texts, isFullName) > 0.8 && profile.distinct > profile.filled / 2 && profile.filled > 1
        ? 6
        : 0,
  },
  'customer.firstName': { cells: isNames },
  'customer.lastName': { cells: isNames },
  'customer.dob': {
    cells: (profile, { today }) => {
      if (isDates(profile, { rows: 0, today, hasProperty: false }) === NEVER) return NEVER
      return 2
    },
  },
  'customer.email': {
    cells: ({ texts, filled }) => (filled === 0 ? 0 : share(texts, hasEmail) >= 0.5 ? 6 : NEVER),
    byCells: ({ texts, filled }) => (filled > 0 && share(texts, hasEmail) > 0.8 ? 10 : 0),
  },
  'customer.phone': {
    cells: ({ texts, filled, dates }) =>
      filled > 0 &&
      (share(texts, (text) => /\d{3}/.test(text.replaceAll(/[\s()./-]/g, ''))) < 0.5 ||
        (dates?.share ?? 0) > 0.5)
        ? NEVER
        : 3,
    byCells: ({ texts, filled, dates }) =>
      filled > 0 &&
      (dates?.share ?? 0) < 0.5 &&
      share(texts, (text) => /^[+(0]/.test(text) && isPhone(text)) > 0.8
        ? 6
        : 0,
  },
  'customer.address.street': { cells: isText },
  'customer.address.city': { cells: isPlace },
  'customer.address.country': { cells: isPlace },
  'customer.address.zip': {
    cells: (profile, context) =>
      share(profile.texts, (text) => /\d/.test(text) && text.length <= 12) < 0.5
        ? NEVER
        : isPlace({ ...profile, texts: [] }, context),
  },
  'customer.gender': {
    cells: ({ distinct, filled, numbers }) =>
      filled > 0 && (distinct > 6 || (numbers?.share ?? 0) > 0.5) ? NEVER : 1,
  },
  'booking.acc.roomId': {
    cells: ({ filled, dates, texts }) =>
      filled > 0 && ((dates?.share ?? 0) > 0.5 || share(texts, (text) => text.length <= 64) < 0.9)
        ? NEVER
        : 0,
  },
  'booking.financial.total': { cells: isAmounts },
  'booking.status': {
    cells: isListOf('status'),
    byCells: (profile, context) =>
      profile.words.length > 1 && profile.words.every((word) => rawWord('status', word) !== undefined)
        ? isListOf('status')(profile, context)
        : 0,
  },
  'booking.role': {
    cells: isListOf('role'),
    byCells: (profile, context) =>
      profile.words.length > 1 && profile.words.every((word) => rawWord('role', word) !== undefined)
        ? isListOf('role')(profile, context)
        : 0,
  },
  'booking.isOrderMainGuest': { cells: ({ flags }) => (flags === undefined ? NEVER : 2) },
  isCompanion: { cells: ({ flags }) => (flags === undefined ? NEVER : 2) },
  'order.uuid': { cells: ({ filled, dates }) => (filled === 0 || (dates?.share ?? 0) > 0.5 ? NEVER : 1) },
  'booking.formData.observations': { cells: isText },
  diet: {
    cells: isText,
    // Diets as words, or a diet as the heading above yes and no: `Vegan`.
    byCells: (profile) =>
      foodShare(profile) > 0.8 || (profile.flags !== undefined && isFood(profile.name)) ? 6 : 0,
  },
  allergy: { cells: ({ numbers }) => ((numbers?.share ?? 0) > 0.8 ? NEVER : 0) },
  // Columns that must not become another field.
  property: { cells: () => 0 },
  people: { cells: isWholeFrom(0, 1000) },
  currency: { cells: ({ distinct }) => (distinct > 10 ? NEVER : 0) },
}

/** Fields without an entry: a number, a date or a flag must look like one. */
function byType(field: string): CellEvidence {
  const [kind = '', ...path] = field.split('.')
  const schema =
    kind === 'customer' || kind === 'booking'
      ? findField(recordSchema(kind), path.join('.'))?.schema
      : undefined
  if (schema?.form === 'moment' || schema?.form === 'date') return isDates
  const types = [schema?.type ?? []].flat()
  if (types.includes('number') || types.includes('integer')) return isAmounts
  if (types.includes('boolean')) return ({ flags, filled }) => (flags === undefined && filled > 0 ? NEVER : 0)
  return () => 0
}

/** A column, and the field that it is. */
export interface Assigned {
  readonly profile: Profile
  readonly field: string | undefined
  /** Whether the field was recognized by the cells alone. */
  readonly isByCells: boolean
  /** The column that already is the field that this one is named after. */
  readonly twin?: string
  /** The field that the heading names and the cells contradict. */
  readonly contradicted?: string
}

/** Assigns each field to the column with the most evidence. */
export function assignFields(profiles: readonly Profile[], today: string): Assigned[] {
  const rows = Math.max(...profiles.map(({ texts }) => texts.length), 0)
  const named = new Map(profiles.map((profile) => [profile, fieldsNamed(profile.name)]))
  const context: Context = {
    rows,
    today,
    hasProperty: profiles.some((profile) => named.get(profile)?.has('property') === true),
  }
  const candidates: { profile: Profile; field: string; score: number }[] = []
  const contradicted = new Map<Profile, string>()
  for (const profile of profiles) {
    for (const [field, weight] of named.get(profile) ?? []) {
      const score = weight + (EVIDENCE[field]?.cells ?? byType(field))(profile, context)
      if (score >= NAMED_MIN) candidates.push({ profile, field, score })
      else if (score === NEVER && weight >= NAMED_MIN && profile.filled > 0) contradicted.set(profile, field)
    }
  }
  candidates.sort((a, b) => b.score - a.score || a.profile.column - b.profile.column)
  const fields = new Map<Profile, string>()
  const owners = new Map<string, Profile>()
  const twins = new Map<Profile, string>()
  const take = (profile: Profile, field: string) => {
    fields.set(profile, field)
    owners.set(field, profile)
  }
  for (const { profile, field } of candidates) {
    if (fields.has(profile)) continue
    const owner = owners.get(field)
    if (owner === undefined || SEVERAL.has(field)) take(profile, field)
    else if (field === 'customer.phone' && !owners.has('customer.secondaryPhone'))
      take(profile, 'customer.secondaryPhone')
    else if (!twins.has(profile)) twins.set(profile, owner.name)
  }
  const byCells = new Set<Profile>()
  for (const [field, { byCells: evidence }] of Object.entries(EVIDENCE)) {
    if (evidence === undefined || (isTaken(field, owners) && !SEVERAL.has(field))) continue
    const fitting = profiles
      // A heading that is known says what the column is, even if that is not used.
      .filter((profile) => !fields.has(profile) && !isNamed(named.get(profile)))
      .map((profile) => ({ profile, score: evidence(profile, context) }))
      .filter(({ score }) => score >= CELLS_MIN)
    if (SEVERAL.has(field)) {
      for (const { profile } of fitting) {
        take(profile, field)
        byCells.add(profile)
      }
      continue
    }
    const [best, ...others] = fitting
    // Of several identifiers, the first is the file’s own; of several lists or names, nothing says which.
    if (best === undefined || (others.length > 0 && field !== 'booking.id')) continue
    take(best.profile, field)
    byCells.add(best.profile)
  }
  const main = mainGuestByCells(profiles, fields, owners)
  if (main !== undefined) {
    take(main, 'booking.isOrderMainGuest')
    byCells.add(main)
  }
  return profiles.map((profile) => {
    const field = fields.get(profile)
    const [twin, against] = [twins.get(profile), contradicted.get(profile)]
    return {
      profile,
      field,
      isByCells: byCells.has(profile),
      ...(field === undefined && twin !== undefined ? { twin } : {}),
      ...(field === undefined && against !== undefined ? { contradicted: against } : {}),
    }
  })
}

/** Whether a heading is that of a known field. */
const isNamed = (fields: ReadonlyMap<string, number> | undefined) =>
  [...(fields ?? [])].some(([, weight]) => weight > NAMED_MIN)

/** Several columns may be these. */
const SEVERAL: ReadonlySet<string> = new Set(['property', 'people', 'currency', 'diet', 'allergy'])

/** Whether cells need not be asked: another column has the field, or what replaces it. */
function isTaken(field: string, owners: ReadonlyMap<string, Profile>): boolean {
  if (field === 'fullName') {
    return ['fullName', 'customer.firstName', 'customer.lastName'].some((name) => owners.has(name))
  }
  return owners.has(field) || (field === 'booking.role' && owners.has('isCompanion'))
}

/** The column that says yes in exactly one of the rows of each order that several guests share. */
function mainGuestByCells(
  profiles: readonly Profile[],
  fields: ReadonlyMap<Profile, string>,
  owners: ReadonlyMap<string, Profile>,
): Profile | undefined {
  const orders = owners.get('order.uuid')?.texts
  if (orders === undefined || owners.has('booking.isOrderMainGuest')) return undefined
  const fitting = profiles.filter(
    (profile) => !fields.has(profile) && profile.flags !== undefined && isYesOnce(profile, orders),
  )
  return fitting.length === 1 ? fitting[0] : undefined
}

function isYesOnce({ texts, flags }: Profile, orders: readonly string[]): boolean {
  const rows = new Map<string, { all: number; yes: number }>()
  for (const [at, order] of orders.entries()) {
    if (order === '') continue
    const { all, yes } = rows.get(order) ?? { all: 0, yes: 0 }
    rows.set(order, { all: all + 1, yes: yes + (isYes(texts[at] ?? '', flags) ? 1 : 0) })
  }
  const shared = [...rows.values()].filter(({ all }) => all > 1)
  return shared.length > 0 && shared.every(({ yes }) => yes === 1)
}

/** Whether a word of a column of yes and no means yes. */
export const isYes = (text: string, flags: Profile['flags']): boolean =>
  flags === 'digits' ? text === '1' : meaningOf(text) === true

/** Whether the texts can be used as identifiers as they are. */
export const areIdentifiers = ({ texts }: Profile): boolean =>
  texts.every((text) => text === '' || isIdentifier(text))
