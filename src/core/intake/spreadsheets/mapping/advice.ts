/** What a refused value looks like, and how its cause is corrected: in the mapping or in the cells. */
import { inWords } from '../../../errors/in-words.ts'
import type { Schema } from '../../lines/line-schemas.ts'
import { clash, ISO } from './formats.ts'
import { type Decimals, readNumber } from './numbers.ts'
import { rawWord } from './statuses.ts'
import { dateFormatsOf, HALVES, hasHalves, meaningOf } from './written-forms.ts'

/** What a refused value looks like, as far as it may be shown. */
export type Likeness =
  | { readonly is: 'date'; readonly formats: readonly string[]; readonly hasHalves: boolean }
  | { readonly is: 'number'; readonly decimals: readonly Decimals[] }
  | { readonly is: 'flag'; readonly word: string; readonly means: boolean }
  | { readonly is: 'word'; readonly word: string }
  /** A required value is missing. */
  | { readonly is: 'missing' }
  /** Other rows of the same record give another value. */
  | { readonly is: 'contradiction' }

/** What a text looks like that does not fit its field; undefined if nothing is recognized. */
export function likenessOf(schema: Schema, text: string): Likeness | undefined {
  const { form, reveal } = schema
  if (form === 'moment' || form === 'date') {
    const fitting = dateFormatsOf(text)
    return fitting.length === 0 ? undefined : { is: 'date', formats: fitting, hasHalves: hasHalves(text) }
  }
  const types = [schema.type ?? []].flat()
  if (types.includes('number') || types.includes('integer')) {
    const decimals = ([',', '.'] as const).filter((sign) => readNumber(text, sign) !== undefined)
    return decimals.length === 0 ? undefined : { is: 'number', decimals }
  }
  if (types.includes('boolean')) {
    const means = meaningOf(text)
    return means === undefined ? undefined : { is: 'flag', word: text, means }
  }
  const words = schema.enum?.filter((word) => typeof word === 'string')
  return words !== undefined && words.length > 0 && reveal && text.trim() !== ''
    ? { is: 'word', word: text }
    : undefined
}

/** What is known of one cause: the common likeness of all its values, and details of the first. */
export interface Likenesses {
  readonly is: Likeness['is']
  /** The formats or decimal signs that fit all values; if none does, those that fit any. */
  readonly forms: readonly string[]
  /** Whether no form fits all values. */
  readonly isMixed: boolean
  readonly hasHalves: boolean
  /** For flags and words: the words found, with the meaning of flags. */
  readonly words: ReadonlyMap<string, boolean | undefined>
  /** Whether there were more words. */
  readonly isCut: boolean
}

/**
 * The context of the suggestion: a file read with a mapping of this name, a table with Sojourn's own columns, or lines
 * of JSON.
 */
export interface Setting {
  readonly mapping: string | undefined
  readonly isTable: boolean
  /** The name of the field, if only one is affected. */
  readonly field: string
  /** The columns that the field is made from. */
  readonly columns: readonly string[]
  /** The date formats that are already read. */
  readonly dates: readonly string[]
  /** The formats that all dates of the mapping need. */
  readonly allNeeded: readonly string[]
  readonly hasValues: boolean
}

/**
 * @param many whether several columns are affected
 * @returns the end of a sentence; undefined if the likeness explains nothing
 */
export function adviceFor(likenesses: Likenesses, setting: Setting, many: boolean): string | undefined {
  switch (likenesses.is) {
    case 'date':
      return dateAdvice(likenesses, setting, many)
    case 'number':
      return numberAdvice(likenesses, setting, many)
    case 'flag':
      return flagAdvice(likenesses, setting, many)
    case 'word':
      return wordAdvice(likenesses, setting)
    case 'missing':
      return missingAdvice(setting)
    case 'contradiction':
      return contradictionAdvice(setting)
  }
}

const looks = (many: boolean) => (many ? 'look like' : 'looks like')

function dateAdvice(
  { forms, isMixed, hasHalves }: Likenesses,
  setting: Setting,
  many: boolean,
): string | undefined {
  const { mapping, isTable, dates, allNeeded } = setting
  if (isMixed) {
    const isClash = forms.some((one) => forms.some((other) => clash(one, other)))
    const either = isClash ? '. No mapping can tell what 03/04 is in such a column' : ''
    return `${looks(many)} ${forms.join(' in some rows and ')} in others${either}; write all of them in one way`
  }
  const needed = neededDates(forms, dates)
  if (needed.length === 0 && !(hasHalves && mapping !== undefined)) return undefined
  const like = `${looks(many)} ${forms.join(' or ')}${hasHalves ? ` ${HALVES}` : ''}`
  const read = dates.filter((form) => form !== ISO)
  const named = [...read, ...allNeeded]
  const [form = ''] = needed
  if (mapping !== undefined && named.some((other) => clash(form, other))) {
    // A list of both formats would read 03/04 by the first one, right or wrong.
    const other = read.find((known) => clash(form, known))
    const mixed =
      other === undefined
        ? ''
        : `, and ${mapping} reads ${other}; if ${many ? 'a column' : 'the column'} has both, 03/04 may be either day: write all of them in one way. If all are ${form}`
    const says = many
      ? `"dates: ${form}" at each of these fields`
      : `"${setting.field}: {column: ${plain(setting.columns[0] ?? '')}, dates: ${form}}"`
    return `${like}${mixed}${mixed === '' ? '; other columns have another order, so' : ','} write ${says} in ${mapping}`
  }
  const keys = [
    ...(needed.length === 0 ? [] : [`dates: ${listed(named)}`]),
    ...(hasHalves ? [`times: ${HALVES}`] : []),
  ]
  const says = keys.map((key) => `"${key}"`).join(' and ')
  if (mapping !== undefined && needed.length > 1) {
    return `${like}; say in ${mapping} which one it is, such as ${says}`
  }
  if (mapping !== undefined) return `${like}; write ${says} in ${mapping}`
  return `${like}; write ${ISO}${isTable ? `, or use a mapping (--map) that has ${says}` : ''}`
}

/** The formats of which one must be declared; none if the dates are already read. */
export const neededDates = (forms: readonly string[], dates: readonly string[]): readonly string[] =>
  forms.includes(ISO) || forms.some((form) => dates.includes(form)) ? [] : forms

const SIGNS: Readonly<Record<string, string>> = { ',': 'comma', '.': 'point' }

function numberAdvice({ forms }: Likenesses, { mapping, isTable }: Setting, many: boolean): string {
  if (forms.length > 1) {
    const choice = `write 'decimals: ","' if 1.250 is one thousand two hundred and fifty, or 'decimals: "."' if it is one and a quarter`
    return mapping === undefined
      ? `may be thousands or decimals; write 1250 or 1.25${isTable ? `, or use a mapping (--map): ${choice}` : ''}`
      : `may be thousands or decimals; ${choice}, in ${mapping}`
  }
  const sign = (forms[0] ?? '.') as Decimals
  const like = `${looks(many)} ${many ? 'numbers' : 'a number'} with a decimal ${SIGNS[sign]}`
  const says = `'decimals: "${sign}"'`
  if (mapping !== undefined) return `${like}; write ${says} in ${mapping}`
  if (isTable) return `${like}; write it as 1000.50, or use a mapping (--map) that has ${says}`
  return `is text that ${like}; write it as a number of JSON, such as 1000.5`
}

function flagAdvice({ words }: Likenesses, { mapping, isTable }: Setting, many: boolean): string {
  const meaning = (wanted: boolean) =>
    listed([...words].filter(([, means]) => means === wanted).map(([word]) => plain(word)))
  const parts = [true, false].flatMap((means) => {
    const list = meaning(means)
    return list === '' ? [] : [`${means}: ${list}`]
  })
  const says = `"booleans: {${parts.join(', ')}}"`
  const given = `${many ? 'are' : 'is'} ${inWords(
    [...words.keys()].map((word) => `"${word}"`),
    'or',
  )}`
  if (mapping !== undefined) return `${given}; write ${says} in ${mapping}`
  return `${given}; write true or false${isTable ? `, or use a mapping (--map) that has ${says}` : ''}`
}

function wordAdvice({ words, isCut }: Likenesses, setting: Setting): string | undefined {
  const { mapping, field, columns, hasValues } = setting
  if (mapping === undefined) return undefined
  const kind = field.endsWith('role') ? 'role' : 'status'
  const values = [...words.keys()].map((word) => `${plain(word)}: ${rawWord(kind, word) ?? '…'}`)
  const all = [...values, ...(isCut ? ['…'] : [])].join(', ')
  if (hasValues) return `add "${all}" to the values of ${field} in ${mapping}`
  return `write "${field}: {column: ${plain(columns[0] ?? '')}, values: {${all}}}" in ${mapping}`
}

function missingAdvice({ mapping, field, columns }: Setting): string | undefined {
  if (mapping === undefined) return undefined
  if (columns.length === 0) return `name its column in ${mapping}`
  // With a default, all rows would have the same identifier and become one record.
  const isKey = ['id', 'uuid', 'key'].includes(field)
  return isKey ? 'fill in the cells' : `fill in the cells, or give ${field} a "default" in ${mapping}`
}

function contradictionAdvice({ mapping, field, columns, isTable }: Setting): string | undefined {
  if (!isTable) return undefined
  const column = columns[0]
  const others = 'give the rows another identifier if they are two people, stays or orders'
  if (mapping === undefined || column === undefined) return `correct the rows, or ${others}`
  return `if one row counts, write "${field}: {column: ${plain(column)}, rows: first}", or with last or, for a number, sum, in ${mapping}; ${others}`
}

const listed = (words: readonly string[]) => (words.length > 1 ? `[${words.join(', ')}]` : (words[0] ?? ''))

/** Quoted if YAML needs it. */
const plain = (word: string) =>
  /^[\p{L}\p{N}][\p{L}\p{N} ._/()-]*$/u.test(word) && !/^(?:true|false|null|yes|no|[\d.]+)$/i.test(word)
    ? word
    : JSON.stringify(word)
