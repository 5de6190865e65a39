/** Recognizes columns by their cells if their names do not help. */
import { shown } from '../problems.ts'
import { meaningOf } from './likeness.ts'
import type { LookedColumn } from './look.ts'
import { rawWord } from './raw-words.ts'

/**
 * Assigns each field to one column: the first one named like it, otherwise the only one whose cells look like it.
 * @param texts the cells of each column, row by row
 */
export function toldByCells(
  columns: readonly LookedColumn[],
  texts: readonly (readonly string[])[],
): LookedColumn[] {
  const all = withoutTwins(columns)
  /** Assigns the field to the only column that fits, unless another column has its name. */
  const tell = (
    field: string,
    holds: (column: LookedColumn, at: number) => boolean,
    looked: (column: LookedColumn) => Partial<LookedColumn>,
  ) => {
    if (all.some((column) => column.field === field)) return
    const [at, ...others] = all.keys().filter((at) => {
      const column = all[at]
      return column !== undefined && column.field === undefined && holds(column, at)
    })
    const column = at === undefined ? undefined : all[at]
    if (column !== undefined && at !== undefined && others.length === 0) {
      all[at] = { ...column, ...looked(column), field, isTold: true }
    }
  }
  const isListOf =
    (kind: 'role' | 'status') =>
    ({ words }: LookedColumn) =>
      words.length > 1 && words.every((word) => rawWord(kind, word) !== undefined)
  const asList = ({ words }: LookedColumn) => ({ form: listOfWords(words) })
  tell('booking.status', isListOf('status'), asList)
  if (all.every(({ field }) => field !== 'isCompanion')) tell('booking.role', isListOf('role'), asList)
  const orders = texts[all.findIndex(({ field }) => field === 'order.uuid')]
  if (orders !== undefined) {
    tell(
      'booking.isOrderMainGuest',
      (column, at) => (column.isFlag || isDigits(column)) && isYesOnce(texts[at] ?? [], orders),
      (column) => (isDigits(column) ? DIGITS : {}),
    )
  }
  return all
}

function withoutTwins(columns: readonly LookedColumn[]): LookedColumn[] {
  const taken = new Map<string, string>()
  return columns.map((column) => {
    const { name, isFlag } = column
    // Another column of that name contains the companion's name.
    const own = column.field === 'isCompanion' && !isFlag ? undefined : column.field
    const field = own === 'customer.phone' && taken.has(own) ? 'customer.secondaryPhone' : own
    if (field === undefined) return { ...column, field }
    const twin = taken.get(field)
    if (twin !== undefined) return { ...column, field: undefined, twin }
    taken.set(field, name)
    return { ...column, field }
  })
}

/** Yes and no as digits, in a column that is known to contain yes or no. */
export const DIGITS = { form: '1 or 0', isFlag: true, says: { booleans: { true: 1, false: 0 } } }
/** Whether a column contains only 0 and 1. */
export const isDigits = ({ words }: Pick<LookedColumn, 'words'>) =>
  words.length > 0 && words.every((word) => word === '0' || word === '1')

/** For words of a list, the words themselves are more useful than their number. */
export const listOfWords = (words: readonly string[]) => `the words ${words.map(shown).join(', ')}`

/** Whether each order with several rows has exactly one in which the column says yes. */
function isYesOnce(flags: readonly string[], orders: readonly string[]): boolean {
  const rows = new Map<string, { all: number; yes: number }>()
  for (const [at, order] of orders.entries()) {
    if (order === '') continue
    const { all, yes } = rows.get(order) ?? { all: 0, yes: 0 }
    const flag = flags[at] ?? ''
    rows.set(order, { all: all + 1, yes: yes + (flag === '1' || meaningOf(flag) === true ? 1 : 0) })
  }
  const shared = [...rows.values()].filter(({ all }) => all > 1)
  return shared.length > 0 && shared.every(({ yes }) => yes === 1)
}
