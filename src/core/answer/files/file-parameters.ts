/** How the whole of a list is asked for as a file: the parameters that all lists share. */
import type { Problem } from '../../errors/api-error.ts'
import type { Language } from '../../locale/languages.ts'
import { type FileFormat, FORMATS, type Format } from '../../request/format.ts'
import { booleanParameter, enumParameter } from '../../request/parameter-kinds.ts'
import type { Parameter, ParameterValues, SentParameters } from '../../request/parameters.ts'
import { type CsvDialect, spreadsheetDialect } from './csv.ts'
import type { Values } from './table.ts'

const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t' } as const
const DECIMALS = { point: '.', comma: ',' } as const

const { default: _, ...flag } = booleanParameter({
  description:
    'For CSV: whether the file begins with a byte order mark, without which Excel misreads accented letters; `true` by default.',
})
const bom: Parameter<boolean> = { ...flag, schema: { anyOf: flag.schema.anyOf, examples: [false] } }

export const fileParameters = {
  format: enumParameter({
    description:
      '`csv`, `ndjson` or `xlsx`: the whole list as a file, without pages. Without it, the `Accept` header decides, and `json` is the default.',
    values: FORMATS,
  }),
  values: enumParameter({
    description:
      'For tables (`csv`, `xlsx`): `shown` (default), with labels and names in the requested language, or `raw`, as in `ids`.',
    values: ['shown', 'raw'],
  }),
  delimiter: enumParameter({
    description:
      'For CSV: the delimiter; by default what spreadsheet programs in the requested language expect.',
    values: ['comma', 'semicolon', 'tab'],
  }),
  decimal: enumParameter({
    description: 'For CSV: the decimal separator; by default that of the requested language.',
    values: ['point', 'comma'],
  }),
  bom,
} as const

/** Which file is asked for. */
export interface AskedFile {
  readonly format: FileFormat
  readonly values: Values
  readonly dialect: CsvDialect
}

/** What of a request belongs to tables alone, and to CSV alone. */
const OF_TABLES = ['values', 'rows'] as const
const OF_CSV = ['delimiter', 'decimal', 'bom'] as const
/** A file holds the whole list. */
const OF_PAGES = ['start', 'length']

/** @returns undefined for an answer in JSON */
export function readFile(
  given: ParameterValues<typeof fileParameters>,
  sent: SentParameters,
  { accepts, language }: { readonly accepts: Format; readonly language: Language },
): { file: AskedFile | undefined; problems: Problem[] } {
  const { format = accepts } = given
  const misplaced = (names: readonly string[], why: string) =>
    names.filter((name) => sent.has(name)).map((parameter) => ({ parameter, message: `${parameter} ${why}` }))
  const isTable = format === 'csv' || format === 'xlsx'
  const problems = [
    ...(isTable
      ? []
      : misplaced(OF_TABLES, 'belongs to format=csv or format=xlsx. Leave it out, or ask for one of these.')),
    ...(format === 'csv' ? [] : misplaced(OF_CSV, 'belongs to format=csv. Leave it out, or ask for that.')),
  ]
  if (format === 'json') return { file: undefined, problems }
  problems.push(
    ...misplaced(
      OF_PAGES,
      `belongs to pages, and a file (${format}) has the whole list. Leave it out, or ask for format=json.`,
    ),
  )
  const usual = spreadsheetDialect(language)
  const delimiter = given.delimiter === undefined ? usual.delimiter : DELIMITERS[given.delimiter]
  const ofLanguage = usual.decimal === delimiter ? '.' : usual.decimal
  const decimal = given.decimal === undefined ? ofLanguage : DECIMALS[given.decimal]
  if (format === 'csv' && decimal === delimiter) {
    problems.push({
      parameter: 'decimal',
      message:
        'The delimiter and the decimal separator cannot both be a comma. Give delimiter=semicolon, delimiter=tab or decimal=point.',
    })
  }
  const dialect = { delimiter, decimal, bom: given.bom ?? usual.bom }
  return { file: { format, values: given.values ?? 'shown', dialect }, problems }
}

/** What the request in normal form has of it. */
export const fileText = (file: AskedFile | undefined): readonly unknown[] => {
  if (file === undefined) return []
  const { format, values, dialect } = file
  return format === 'csv' ? [format, values, dialect] : format === 'xlsx' ? [format, values] : [format]
}
