/** Looks at the first table of a file, and writes what it sees and a mapping to edit. */
import { stringify } from 'yaml'
import { BOOKING_STATUSES, ROLES } from '../../fields/statuses.ts'
import { fieldLabel } from '../../locale/field-labels.ts'
import { labelOf } from '../../locale/labels.ts'
import { LANGUAGES } from '../../locale/languages.ts'
import { findField, recordSchema } from '../csv-columns.ts'
import { InputError } from '../input-error.ts'
import { fieldPaths, shown } from '../problems.ts'
import { type Cell, cellText, type Table } from '../tables/table.ts'
import { foldWord, readNumber } from './formats.ts'
import { columnNames } from './header.ts'
import { dateFormatsOf, hasHalves, meaningOf } from './likeness.ts'

/** Enough to tell a form from. */
const ROWS_MAX = 5000
const WORDS_MAX = 12

/** What columns are called beside the words of the catalogues. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'booking.id': ['buchung', 'buchungsnr', 'booking', 'reservation', 'réservation', 'rezervare'],
  'customer.id': ['kundennr', 'gastnr', 'customer', 'client id', 'guest id'],
  fullName: ['gast', 'name', 'guest', 'client', 'kunde', 'nom complet', 'oaspete'],
  'customer.firstName': ['given name'],
  'customer.lastName': ['nom', 'familienname', 'surname', 'family name', 'nume'],
  'customer.dob': ['geboren', 'geb.', 'born', 'birthday', 'né(e) le', 'birth date'],
  'customer.email': ['mail', 'email', 'courriel'],
  'booking.startDate': ['anreise', 'von', 'arrival', 'check-in', 'arrivée', 'sosire', 'from'],
  'booking.endDate': ['abreise', 'bis', 'departure', 'check-out', 'départ', 'plecare', 'to'],
  'booking.status': ['statut'],
  'booking.financial.total': ['preis', 'price', 'prix', 'betrag', 'preț'],
  'booking.isOrderMainGuest': ['hauptgast', 'main guest', 'main', 'principal'],
}

interface Column {
  readonly name: string
  readonly form: string
  /** `dates`, `times`, `decimals` or `booleans`, as a mapping says it. */
  readonly says: Readonly<Record<string, unknown>>
  readonly words: readonly string[]
  readonly field: string | undefined
}

/**
 * @param name the table's, for messages
 * @param seen what is known of the file already, such as its encoding
 */
export async function proposeMapping(
  table: Table,
  name: string,
  seen: () => readonly string[],
): Promise<string> {
  let names: string[] | undefined
  const cells: Cell[][] = []
  for await (const row of table.rows) {
    if (names === undefined) names = columnNames(row.cells)
    else cells.push([...row.cells])
    if (cells.length >= ROWS_MAX) break
  }
  if (names === undefined) throw new InputError(`${name} has no rows`)
  const columns = names.map((column, at) =>
    columnOf(
      column,
      cells.map((row) => row[at]),
    ),
  )
  return [
    `# ${shown(name)}: ${[...seen(), `${cells.length}${cells.length < ROWS_MAX ? '' : ' or more'} rows`].join(', ')}`,
    ...columns.map(
      ({ name: column, form, field }) =>
        `#   ${shown(column)}: ${form}${field === undefined ? ', not used' : ` → ${field}`}`,
    ),
    '',
    stringify(mappingOf(columns, table.sheet), { lineWidth: 0, flowCollectionPadding: false }),
  ].join('\n')
}

function columnOf(name: string, cells: readonly (Cell | undefined)[]): Column {
  const given = cells.filter((cell) => cellText(cell) !== '')
  const texts = given.map(cellText)
  const words = [...new Set(texts.slice(0, ROWS_MAX))].slice(0, WORDS_MAX + 1)
  const field = fieldNamed(name)
  const column = (form: string, says: Column['says'] = {}) => ({ name, form, says, words, field })
  if (given.length === 0) return column('empty')
  if (isFlag(field) && words.every((word) => word === '0' || word === '1')) {
    return column('1 or 0', { booleans: { true: 1, false: 0 } })
  }
  if (given.every((cell) => typeof cell === 'number')) return column('numbers')
  const dates = formatsOfAll(texts)
  if (dates.includes('YYYY-MM-DD')) return column('looks like YYYY-MM-DD')
  if (dates[0] !== undefined) {
    return column(`looks like ${dates.join(' or ')}`, {
      dates: dates[0],
      ...(texts.some(hasHalves) ? { times: 'h:mm A' } : {}),
    })
  }
  if (texts.every((text) => readNumber(text, '.') !== undefined)) return column('numbers')
  if (texts.every((text) => readNumber(text, ',') !== undefined)) {
    return column('numbers with a decimal comma', { decimals: ',' })
  }
  const meanings = words.map(meaningOf)
  if (meanings.every((means) => means !== undefined)) {
    const meaning = (wanted: boolean) => words.filter((_, at) => meanings[at] === wanted)
    const isNamed = words.some((word, at) => foldWord(word) !== String(meanings[at]))
    return column('yes or no', isNamed ? { booleans: { true: meaning(true), false: meaning(false) } } : {})
  }
  return column(words.length <= WORDS_MAX ? `${words.length} different words` : 'text')
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

function mappingOf(columns: readonly Column[], sheet: string | undefined): object {
  const named = (field: string) => columns.find((column) => column.field === field)
  const formats = Object.assign(
    {},
    ...columns.filter(({ field }) => field !== undefined).map(({ says }) => says),
  )
  const full = named('fullName')
  const dob = named('customer.dob')
  const names = [named('customer.lastName'), named('customer.firstName'), full].filter(
    (column) => column !== undefined,
  )
  const person = [...names, dob ?? named('customer.email')].flatMap((column) =>
    column === undefined ? [] : [column.name],
  )
  const id = named('customer.id')
  // A table without names has no customers that a proposal could find.
  if (person.length === 0) person.push(...columns.slice(0, 1).map(({ name }) => name))
  const customer: Record<string, unknown> = {
    id: id === undefined ? { columns: person, identifier: 'hash', prefix: 'c-' } : id.name,
  }
  if (full !== undefined && names.length === 1) {
    const isTurned = full.words.every((word) => word.includes(','))
    const part = (turned: number, word: string) =>
      isTurned ? { column: full.name, split: ',', part: turned } : { column: full.name, part: word }
    customer.firstName = part(2, 'givenNames')
    customer.lastName = part(1, 'familyName')
  }
  const booking: Record<string, unknown> = {
    id: named('booking.id')?.name ?? {
      columns: [...person, ...[named('booking.startDate')].flatMap((column) => column?.name ?? [])],
      identifier: 'hash',
      prefix: 'b-',
    },
    customerId: { idOf: 'customer' },
    role: { value: 'patient' },
    status: { value: 'confirmed' },
  }
  for (const { name, field, words } of columns) {
    const [kind, ...path] = field?.split('.') ?? []
    const target = kind === 'customer' ? customer : kind === 'booking' ? booking : undefined
    const key = path.join('.')
    if (target === undefined || key === 'id') continue
    target[key] = key === 'role' || key === 'status' ? { column: name, ...valuesOf(key, words) } : name
  }
  return { ...(sheet === undefined ? {} : { sheet }), ...formats, records: { customer, booking } }
}

/** What the words of a column mean, as far as a catalogue has them. */
function valuesOf(kind: 'role' | 'status', words: readonly string[]): object {
  const known: readonly string[] = kind === 'role' ? ROLES : BOOKING_STATUSES
  const values = words.flatMap((word) => {
    const means = (raw: string) =>
      LANGUAGES.some((language) => foldWord(labelOf(language, kind, raw)) === foldWord(word))
    const raw = known.find((value) => foldWord(value) === foldWord(word)) ?? known.find(means)
    return raw === undefined || raw === word ? [] : [[word, raw] as const]
  })
  return values.length === 0 ? {} : { values: Object.fromEntries(values) }
}
