/** What a page shows of a file: each column with its first texts, and what a mapping makes of it. */
import type { Said } from '../../../locale/said.ts'
import { compared } from '../../../records/fields/diet-values.ts'
import type { KindName } from '../../kinds/kind.ts'
import { ISO } from '../mapping/formats.ts'
import {
  type CellSource,
  columnsOf,
  type DietMapping,
  type DietMeaning,
  type FieldMapping,
  type Mapping,
  type TableMapping,
} from '../mapping/mapping.ts'
import { foldWord } from '../mapping/words.ts'
import { mayBeUnasked, partsOf } from './diets.ts'
import type { Assigned } from './evidence.ts'
import type { Profile } from './profile.ts'
import type { Proposal } from './propose-table.ts'
import type { Look } from './table-profile.ts'

export interface TableDescription {
  /** undefined for a file without sheets */
  readonly sheet: string | undefined
  /** of the rows that were looked at */
  readonly rows: number
  readonly hasMore: boolean
  /** Whether the program that wrote the file does not show it. */
  readonly isHidden?: true
  /** Its position in the mapping, counted from 0; undefined if the mapping does not read the table. */
  readonly table: number | undefined
  readonly columns: readonly ColumnDescription[]
}

export interface ColumnDescription {
  readonly name: string
  /** The first different texts, three at most. */
  readonly samples: readonly string[]
  readonly hasMoreTexts: boolean
  /** What the cells are, whatever the mapping says. */
  readonly looksLike: 'empty' | 'dates' | 'numbers' | 'yesNo' | 'text'
  /** The formats of dates that read all cells, the likeliest first. */
  readonly dates: readonly string[]
  /** The fields that the mapping makes of it: `booking.startDate`. */
  readonly fields: readonly ColumnUse[]
  /** Why a proposal does not use it. */
  readonly reason?: Said
}

export interface ColumnUse {
  readonly field: string
  readonly dates?: readonly string[]
  readonly decimals?: string
  readonly part?: string
  readonly time?: string
  /** The meaning of words: `[["Angereist", "arrived"]]`; '' for none. */
  readonly values?: readonly (readonly [string, string])[]
  /** of a diet: its name in the mapping, and what its words mean */
  readonly diet?: {
    readonly key: string
    readonly words: readonly DietWord[]
  }
}

export interface DietWord {
  /** `true` of a column that says yes or no */
  readonly word: string
  /** undefined if nobody has said it */
  readonly meaning: DietMeaning | undefined
}

export function describeTables(
  looks: readonly Look[],
  mapping: Mapping | undefined,
  proposals?: ReadonlyMap<Look, Proposal>,
): TableDescription[] {
  return looks.map((look, at) => {
    const table = (mapping?.tables ?? []).findIndex(({ sheet }) =>
      typeof sheet === 'number' ? sheet === at + 1 : sheet === undefined ? at === 0 : sheet === look.sheet,
    )
    const wanted = mapping?.tables[table]
    const proposal = proposals?.get(look)
    return {
      sheet: look.sheet,
      rows: look.rows.length,
      hasMore: look.hasMore,
      ...(look.isHidden === true && { isHidden: true }),
      table: table < 0 ? undefined : table,
      columns: (proposal ?? look).columns.map((column) => describeColumn(column, wanted, proposal)),
    }
  })
}

function describeColumn(
  { profile }: Assigned,
  wanted: TableMapping | undefined,
  proposal: Proposal | undefined,
): ColumnDescription {
  const { name, samples, distinct, filled, dates, numbers, flags } = profile
  const reason = proposal?.unused.get(name)
  const isDates = dates !== undefined && dates.share > 0.5
  return {
    name,
    samples,
    hasMoreTexts: distinct > samples.length,
    looksLike:
      filled === 0
        ? 'empty'
        : isDates
          ? 'dates'
          : flags === 'words'
            ? 'yesNo'
            : numbers !== undefined && numbers.share > 0.9
              ? 'numbers'
              : 'text',
    dates: isDates ? dates.ways.flat() : [],
    fields: (wanted?.records ?? []).flatMap(({ kind, fields }) =>
      fields
        .filter(({ source }) => columnsOf(source).some((column) => foldWord(column.name) === foldWord(name)))
        .map((field) => useOf(kind, field, wanted?.diets ?? [], profile)),
    ),
    ...(reason !== undefined && { reason }),
  }
}

function useOf(
  kind: KindName,
  { name, schema, source }: FieldMapping,
  diets: readonly DietMapping[],
  profile: Profile,
): ColumnUse {
  const field = `${kind}.${name}`
  if (source.from !== 'cells') return { field }
  const diet = diets.find(({ key, of }) => of === kind && name === `meta.${key}`)
  const isDate = schema.form === 'moment' || schema.form === 'date' || source.type === 'date'
  const types = [schema.type ?? []].flat()
  // A custom field may be a number or a text.
  const isNumber = source.type === 'number' || (types.includes('number') && !types.includes('string'))
  return {
    field,
    ...(isDate && { dates: datesOf(source) }),
    ...(isNumber && source.formats.decimals !== undefined && { decimals: source.formats.decimals }),
    ...(source.part !== undefined && { part: String(source.part) }),
    ...(isDate && source.time !== undefined && { time: source.time.slice(0, 5) }),
    ...(diet && { diet: { key: diet.key, words: wordsOf(diet, profile) } }),
    ...(source.values !== undefined && {
      values: [...source.values]
        .slice(0, VALUES_MAX)
        .map(([word, means]) => [word, means === null ? '' : String(means)] as const),
    }),
  }
}

const VALUES_MAX = 50
/** As many as a proposal gives a meaning. */
const WORDS_MAX = 100

function wordsOf({ type, values }: DietMapping, profile: Profile): DietWord[] {
  if (type === 'boolean') return [{ word: 'true', meaning: values.get('true') ?? 'diet' }]
  const meanings = new Map([...values].map(([word, meaning]) => [compared(word), meaning]))
  return partsOf(profile)
    .filter((part) => !mayBeUnasked(part))
    .slice(0, WORDS_MAX)
    .map((word) => ({ word, meaning: meanings.get(compared(word)) }))
}

/** As declared, without the times that may follow. */
function datesOf({ formats }: CellSource): string[] {
  const declared = formats.dates.map(({ text }) => text).filter((text) => !/[Hh]/.test(text))
  // It is always read, so it is named only if there is no other.
  const others = declared.filter((text) => text !== ISO)
  return others.length > 0 ? others : declared
}
