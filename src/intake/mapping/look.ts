/** Looks at a table of a file: where its header is, what its columns hold, and which fields they may be. */
import { fieldLabel } from '../../locale/field-labels.ts'
import { LANGUAGES } from '../../locale/languages.ts'
import { findField, recordSchema } from '../csv-columns.ts'
import { fieldPaths, shown } from '../problems.ts'
import { type Cell, cellText, type Row, type Table } from '../tables/table.ts'
import { foldWord, ISO, readNumber } from './formats.ts'
import { columnNames } from './header.ts'
import { dateFormatsOf, HALVES, hasHalves, meaningOf } from './likeness.ts'

/** Enough to tell a form from. */
const ROWS_MAX = 5000
/** Of all of them, so that rows of a megabyte each fill no memory. */
const SIGNS_MAX = 16 * 1024 * 1024
const WORDS_MAX = 12
/** Titles and dates of a report stand above its header. */
const ABOVE_MAX = 30

/** What columns are called beside the words of the catalogues. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'booking.id': [
    'buchung',
    'buchungsnr',
    'buchungsnummer',
    'buchnr',
    'booking',
    'reservation',
    'réservation',
    'rezervare',
  ],
  'customer.id': ['kundennr', 'gastnr', 'customer', 'client id', 'guest id'],
  fullName: ['gast', 'name', 'guest', 'client', 'kunde', 'nom complet', 'oaspete'],
  'customer.firstName': ['given name'],
  'customer.lastName': ['nom', 'familienname', 'surname', 'family name', 'nume'],
  'customer.dob': ['geboren', 'geb.', 'geb', 'born', 'birthday', 'né(e) le', 'birth date'],
  'customer.email': ['mail', 'email', 'courriel'],
  'booking.startDate': ['anreise', 'von', 'an', 'arrival', 'check-in', 'arrivée', 'sosire', 'from'],
  'booking.endDate': ['abreise', 'bis', 'ab', 'departure', 'check-out', 'départ', 'plecare', 'to'],
  'booking.status': ['statut'],
  'booking.acc.roomId': ['zimmer', 'room', 'chambre', 'camera', 'cameră', 'zimmernr', 'room no'],
  'booking.financial.total': ['preis', 'price', 'prix', 'betrag', 'preț'],
  'booking.isOrderMainGuest': ['hauptgast', 'main guest', 'main', 'principal'],
  'order.uuid': [
    'rechnung',
    'rechnungsnr',
    'rechnr',
    'invoice',
    'order',
    'order no',
    'facture',
    'factura',
    'factură',
  ],
}

export interface LookedColumn {
  readonly name: string
  /** In words: `looks like DD.MM.YYYY`. */
  readonly form: string
  /** `dates`, `times`, `decimals` or `booleans`, as a mapping says it. */
  readonly says: Readonly<Record<string, unknown>>
  readonly words: readonly string[]
  /** No two rows have the same. */
  readonly isUnique: boolean
  readonly field: string | undefined
}

export interface Look {
  readonly sheet: string | undefined
  /** The row of the header; undefined where it is the first one. */
  readonly header: number | undefined
  readonly columns: readonly LookedColumn[]
  readonly rows: number
  /** There are more than were looked at. */
  readonly hasMore: boolean
}

/** @returns undefined for a table without rows */
export async function lookAtTable({ rows, sheet }: Table): Promise<Look | undefined> {
  const seen: Row[] = []
  let signs = 0
  let hasMore = false
  for await (const row of rows) {
    if (seen.length <= ROWS_MAX + ABOVE_MAX && signs < SIGNS_MAX) {
      seen.push(row)
      signs += row.cells.reduce<number>((sum, cell) => sum + 1 + cellText(cell).length, 0)
    } else {
      hasMore = true
      // The thread of a workbook reads one sheet to its end before another.
      if (sheet === undefined) break
    }
  }
  const at = headerOf(seen)
  const header = seen[at]
  if (header === undefined) return undefined
  const below = seen.slice(at + 1)
  const columns = columnNames(header.cells).map((name, column) =>
    columnOf(
      name,
      below.map(({ cells }) => cells[column]),
    ),
  )
  return { sheet, header: at === 0 ? undefined : header.number, columns, rows: below.length, hasMore }
}

const filled = ({ cells }: Row) => cells.filter((cell) => cellText(cell) !== '')

/** The first row of about as many cells as most have, all of them names. */
function headerOf(rows: readonly Row[]): number {
  const widths = Map.groupBy(rows.slice(0, 200), (row) => filled(row).length)
  const [usual = 0] = [...widths].reduce<[number, number]>(
    (most, [width, { length }]) => (length > most[1] ? [width, length] : most),
    [0, 0],
  )
  const isName = (cell: Cell) =>
    typeof cell === 'string' && readNumber(cell) === undefined && dateFormatsOf(cell).length === 0
  const found = rows
    .slice(0, ABOVE_MAX)
    .findIndex((row) => filled(row).length >= usual * 0.7 && filled(row).every(isName))
  return Math.max(found, 0)
}

function columnOf(name: string, cells: readonly (Cell | undefined)[]): LookedColumn {
  const given = cells.filter((cell) => cellText(cell) !== '')
  const texts = given.map(cellText)
  const different = new Set(texts)
  const words = [...different].slice(0, WORDS_MAX + 1)
  const field = fieldNamed(name)
  const isUnique = different.size === texts.length
  const column = (form: string, says: LookedColumn['says'] = {}) => ({
    name,
    form,
    says,
    words,
    isUnique,
    field,
  })
  if (given.length === 0) return column('empty')
  if (isFlag(field) && words.every((word) => word === '0' || word === '1')) {
    return column('1 or 0', { booleans: { true: 1, false: 0 } })
  }
  if (given.every((cell) => typeof cell === 'number')) return column('numbers')
  const dates = formatsOfAll(texts)
  if (dates.includes(ISO)) return column(`looks like ${ISO}`)
  if (dates[0] !== undefined) {
    return column(`looks like ${dates.join(' or ')}`, {
      dates: dates[0],
      ...(texts.some(hasHalves) ? { times: HALVES } : {}),
    })
  }
  if (texts.every((text) => readNumber(text, '.') !== undefined)) return column('numbers')
  if (texts.every((text) => readNumber(text, ',') !== undefined)) {
    return column('numbers with a decimal comma', { decimals: ',' })
  }
  const meanings = words.map(meaningOf)
  if (meanings.every((means) => means !== undefined)) {
    const meaning = (wanted: boolean) => {
      const [first, ...others] = words.filter((_, at) => meanings[at] === wanted)
      return others.length === 0 ? (first ?? []) : [first, ...others]
    }
    const isNamed = words.some((word, at) => foldWord(word) !== String(meanings[at]))
    return column('yes or no', isNamed ? { booleans: { true: meaning(true), false: meaning(false) } } : {})
  }
  return column(words.length <= WORDS_MAX ? wordsOf(words, field) : 'text')
}

/** Those of a list are better seen than counted; others may be names. */
function wordsOf(words: readonly string[], field: string | undefined): string {
  const isOfList = field === 'booking.status' || field === 'booking.role'
  return isOfList ? `the words ${words.map(shown).join(', ')}` : `${words.length} different words`
}

/** The formats that every text fits. */
function formatsOfAll([first = '', ...others]: readonly string[]): string[] {
  let fitting = dateFormatsOf(first)
  for (const text of others) {
    if (fitting.length === 0) break
    const also = dateFormatsOf(text)
    fitting = fitting.filter((format) => also.includes(format))
  }
  return fitting
}

function isFlag(field: string | undefined): boolean {
  const path = field?.startsWith('booking.') ? field.slice('booking.'.length) : ''
  return findField(recordSchema('booking'), path)?.schema.type?.includes('boolean') ?? false
}

/** The field that a column is called after, in any language. */
function fieldNamed(column: string): string | undefined {
  const wanted = foldWord(column)
  const own = Object.entries(NAMES).find(([, names]) => names.includes(wanted))
  if (own !== undefined) return own[0]
  for (const kind of ['customer', 'booking'] as const) {
    const found = fieldPaths(recordSchema(kind)).find(
      (path) =>
        foldWord(path) === wanted ||
        LANGUAGES.some((language) => foldWord(fieldLabel(path, language) ?? '') === wanted),
    )
    if (found !== undefined && found !== 'id') return `${kind}.${found}`
  }
  return undefined
}
