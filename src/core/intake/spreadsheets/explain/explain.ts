/**
 * `import --explain`: describes a file and proposes a mapping for it, which was tried on all of its rows. What the file
 * leaves open is a question in the mapping.
 */
import { Document, isCollection, isNode, isPair, isScalar, visit } from 'yaml'
import { inWords } from '../../../errors/in-words.ts'
import { inEnglish } from '../../../locale/said.ts'
import { InputError } from '../../input-error.ts'
import type { LeftOut, LeftOutOfTable } from '../../lines/left-out.ts'
import { kitchenKeyCommand } from '../../merge/diets.ts'
import { isObject, shown } from '../../rejects/problems.ts'
import { type Encoding, label } from '../tables/encodings.ts'
import type { Tables } from '../tables/read-tables.ts'
import { type Question, quoted } from './draft.ts'
import type { Assigned } from './evidence.ts'
import { orderColumns } from './propose-orders.ts'
import { type Proposal, proposeTable } from './propose-table.ts'
import { standardTimes } from './standard-times.ts'
import { type Look, profileTable } from './table-profile.ts'
import { type Trial, tryMapping } from './try-mapping.ts'

export interface ExplainOptions {
  /** Opens the file; called twice, to look at it and to try the proposal. */
  readonly open: () => Promise<Tables>
  /** The file's name, for messages. */
  readonly name: string
  /** The name that the mapping is proposed to have. */
  readonly mappingName: string
  readonly now: Date
  /** The only sheet that is proposed to be read; by default those that have guests. */
  readonly sheet?: string | undefined
  /** An encoding that could be another one, known once the file has been read. */
  readonly encoding?: () => Encoding | undefined
  /** Facts known once the file has been read, such as its encoding. */
  readonly seen: () => readonly string[]
}

/** Causes that are listed above the mapping. */
const CAUSES_MAX = 5

/** What is proposed for a file. */
export interface Explained {
  /** the mapping, below the description as comments */
  readonly text: string
  readonly mapping: string
  readonly looks: readonly Look[]
  /** of the tables that have guests */
  readonly proposals: ReadonlyMap<Look, Proposal>
  readonly trial: Trial
}

/** @throws {InputError} if the file has no rows or cannot be read */
export const explainTables = async (options: ExplainOptions): Promise<string> =>
  (await explainInParts(options)).text

/** The same in parts. @throws {InputError} */
export async function explainInParts({
  open,
  name,
  mappingName,
  now,
  sheet,
  seen,
  encoding,
}: ExplainOptions): Promise<Explained> {
  const today = now.toISOString().slice(0, 10)
  const { looks, unread } = await lookAtAll(await open(), today)
  const visible = looks.filter(({ isHidden }) => isHidden !== true)
  const [first] = visible
  if (first === undefined)
    throw new InputError(`${name} has no rows${looks.length > 0 ? ', except in sheets that are hidden' : ''}`)
  const used = sheet === undefined ? looksWithGuests(visible) : looks.filter((look) => look.sheet === sheet)
  if (used.length === 0) throw new InputError(`${name} has no sheet ${shown(sheet ?? '')} with rows`)
  const aboutEncoding = encodingQuestion(encoding?.())
  const proposed = new Map(
    used.map((look) => {
      const proposal = proposeTable(look, today)
      return [look, { ...proposal, questions: [...aboutEncoding, ...proposal.questions] }]
    }),
  )
  const proposals = [...proposed.values()]
  const mapping = written(proposals)
  const trial = await tryMapping(open(), mapping, mappingName, name, now)
  const lines = [
    `${shown(name)}: ${[...seen(), ...(first.sheet === undefined ? [countOf(first)] : [])].join(', ')}`,
    ...visible.flatMap((look) => describe(look, proposed.get(look), trial.leftOut)),
    ...(first.sheet === undefined ? [] : unread),
    '',
    ...outcome(proposals, trial, name, mappingName),
  ]
  const text = `${lines.map((line) => (line === '' ? '#' : `# ${line}`)).join('\n')}\n\n${mapping}`
  return { text, mapping, looks, proposals: proposed, trial }
}

/** The tables of a file that have guests or orders: a list of prices next to them has a price, too. */
function looksWithGuests(looks: readonly Look[]): readonly Look[] {
  const known = looks.filter(({ columns }) => columns.some(({ field }) => field !== undefined))
  const withPeople = known.filter(
    (look) => look.columns.some(({ field }) => isOfPerson(field)) || orderColumns(look) !== undefined,
  )
  if (withPeople.length > 0) return withPeople
  return known.length === 0 ? looks.slice(0, 1) : known
}

const isOfPerson = (field: string | undefined) =>
  field === 'fullName' || field === 'booking.customerId' || field?.startsWith('customer.') === true

/** A text that reads in two encodings and means something else in each. */
function encodingQuestion(encoding: Encoding | undefined): Question[] {
  if (encoding?.rival === undefined) return []
  const { name, rival } = encoding
  const [one, other] = rival.readings
  return [
    {
      ask: {
        key: 'encoding',
        values: {
          one: label(name),
          oneText: quoted(one),
          other: label(rival.name),
          otherText: quoted(other),
        },
      },
      answers: [
        { answer: name, means: quoted(one), patch: { encoding: name } },
        { answer: rival.name, means: quoted(other), patch: { encoding: rival.name } },
      ],
    },
  ]
}

/** Sheets that are hidden are the last; they are reported, and read only if a mapping names them. */
export async function lookAtAll(
  { sheets, hidden, isBinary, table, close }: Tables,
  today: string,
): Promise<{ looks: Look[]; unread: string[] }> {
  try {
    const looks: Look[] = []
    const unseen: Look[] = []
    const unread = isBinary
      ? ['binary workbook: what is hidden, and zeros that a format adds, cannot be seen in it']
      : []
    for (const [index, sheet] of (sheets ?? ['']).entries()) {
      if (hidden.has(sheet)) {
        unread.push(`${shown(sheet)}: hidden, not used; name it as sheet in the mapping if it has guests`)
      }
      const look = await profileTable(table(index), today)
      if (hidden.has(sheet)) {
        if (look !== undefined) unseen.push({ ...look, isHidden: true })
      } else if (look === undefined) unread.push(`${shown(sheet)}: no rows`)
      else looks.push(look)
    }
    return { looks: [...looks, ...unseen], unread }
  } finally {
    await close()
  }
}

function describe(look: Look, proposal: Proposal | undefined, { tables }: LeftOut): string[] {
  const { sheet, header } = look
  const rows = proposal && tables.find((table) => table.sheet === sheet)?.rows
  const { columns } = proposal ?? look
  const of = columns.map(
    (column) => `  ${shown(column.profile.name)}: ${formOf(column)}${useOf(column, proposal)}`,
  )
  return [
    ...(sheet === undefined
      ? []
      : [
          `${shown(sheet)}: ${countOf(look)}${proposal === undefined ? ', not used: no column is recognized' : ''}`,
        ]),
    ...(header === undefined
      ? []
      : header === 0
        ? ['  no row of headings: columns are named A, B, C']
        : [`  the header is row ${header}`]),
    ...of,
    ...(rows === undefined || rows.count === 0
      ? []
      : [`  left out, because they are no guests: ${rowsInWords(rows)}`]),
  ]
}

const rowsInWords = ({ count, first }: LeftOutOfTable['rows']) =>
  `row${count === 1 ? '' : 's'} ${inWords(first.slice(0, 5).map(String))}${count > 5 ? ` and ${count - 5} more` : ''}`

/** What the cells look like, with the first three. */
function formOf({ profile }: Assigned): string {
  const { filled, dates, numbers, flags, distinct, samples } = profile
  if (filled === 0) return 'empty'
  const examples = ` (${samples.map((text) => `"${shown(text)}"`).join(', ')}${distinct > samples.length ? ' …' : ''})`
  if (dates !== undefined && dates.share > 0.5) {
    if (dates.isMixed) return `dates in two orders${examples}`
    const ways = dates.ways.filter((formats) => formats.length > 0).slice(0, 2)
    return `looks like ${ways.length === 0 ? 'YYYY-MM-DD' : ways.map((formats) => formats.join(' and ')).join(' or ')}${examples}`
  }
  if (flags === 'words') return `yes or no${examples}`
  if (flags === 'digits') return `1 or 0${examples}`
  if (numbers !== undefined && numbers.share > 0.9) {
    const isComma = numbers.decimals.length === 1 && numbers.decimals[0] === ','
    return `numbers${isComma ? ' with a decimal comma' : ''}${examples}`
  }
  return `${distinct === profile.words.length ? `${distinct} different text${distinct === 1 ? '' : 's'}` : 'text'}${examples}`
}

function useOf({ field, profile }: Assigned, proposal: Proposal | undefined): string {
  if (proposal === undefined) return ''
  const reason = proposal.unused.get(profile.name)
  if (reason !== undefined) return `, not used: ${inEnglish(reason)}`
  if (field === 'diet' || field === 'allergy')
    return ` → ${proposal.diets.get(profile) ?? 'a question below'}`
  return ` → ${field === 'fullName' ? 'customer.firstName, customer.lastName' : (SHOWN_AS[field ?? ''] ?? field)}`
}

/** Fields of the proposal that are parts of another one. */
const SHOWN_AS: Readonly<Record<string, string>> = {
  isCompanion: 'booking.role',
  nights: 'booking.endDate',
  lastNight: 'booking.endDate',
  startTime: 'booking.startDate',
  endTime: 'booking.endDate',
}

/** What was tested, what is open, and the next command. */
function outcome(proposals: readonly Proposal[], trial: Trial, name: string, mappingName: string): string[] {
  const questions = proposals.reduce((sum, proposal) => sum + proposal.questions.length, 0)
  const missing = [...new Set(proposals.flatMap((proposal) => proposal.missing))]
  const [one, several] = trial.areOrders
    ? ['order', 'orders']
    : trial.withoutBooking
      ? ['person', 'people']
      : ['guest', 'guests']
  const guests = `${trial.guests} ${trial.guests === 1 ? one : several}`
  const lines = [
    `Tried on all rows: ${guests}, ${trial.refused === 0 ? 'no row to correct' : `${trial.refused} row${trial.refused === 1 ? '' : 's'} to correct`}.`,
  ]
  for (const { count, text, places } of trial.causes.slice(0, CAUSES_MAX)) {
    const rows = places.map(({ line }) => line)
    lines.push(
      `  ${count === 1 ? 'row' : `${count} rows:`} ${rows.join(', ')}${count > rows.length ? ' …' : ''}: ${text}`,
    )
  }
  if (trial.causes.length > CAUSES_MAX) lines.push(`  and ${trial.causes.length - CAUSES_MAX} more causes`)
  for (const { row, records } of trial.preview) lines.push(`  row ${row} becomes ${previewOf(records)}`)
  if (trial.withoutBooking) {
    lines.push(
      'These are people without bookings. They are imported, but nobody is shown as a guest until a booking names them.',
    )
    lines.push(
      'If all stay on the same days, add a booking with startDate and endDate as {value: 2026-03-01}.',
    )
  }
  if (missing.length > 0) {
    lines.push(
      `No column is recognized as ${inWords(missing, 'or')}, which a booking must have. Name the columns in the mapping.`,
    )
  }
  if (questions > 0) {
    lines.push(
      `${questions === 1 ? 'One question is' : `${questions} questions are`} open. Nothing is imported until each has an answer below.`,
    )
  }
  if (proposals.some(({ checks }) => checks.size > 0))
    lines.push('Look at the lines that end with "# check".')
  if (questions === 0 && missing.length === 0 && trial.refused === 0)
    lines.push('This mapping works as it is.')
  if (proposals.some(({ mapping, questions }) => 'diets' in mapping || questions.some(asksForDiets))) {
    lines.push(
      'Diets: the import adds the custom fields, and the diets to the meal rules of the center, unless it has them.',
      'Afterwards, create a key for the kitchen, which may read them:',
      `  ${kitchenKeyCommand('YOUR-CENTER')}`,
    )
  }
  for (const { columns } of proposals) lines.push(...standardTimes(columns))
  lines.push(`Next: sojourn import --center YOUR-CENTER --map ${shown(mappingName)} --dry-run ${shown(name)}`)
  return lines
}

const asksForDiets = ({ answers }: Question) => answers.some(({ patch }) => 'diets' in patch)

/** One row's records in a line: the guest, the stay, the rest. */
function previewOf(records: readonly Record<string, unknown>[]): string {
  const of = (kind: string) => records.find((record) => record.kind === kind)
  const [customer, booking, order] = [of('customer'), of('booking'), of('order')]
  if (customer === undefined && booking === undefined && order !== undefined) {
    const values = Object.entries(order).filter(([field]) => field !== 'kind' && field !== 'uuid')
    return [`order ${order.uuid}`, ...values.flatMap(valuesOf).map((value) => value.join(' '))]
      .map(shown)
      .join(', ')
  }
  const name = [customer?.firstName, customer?.lastName].filter((part) => part !== undefined).join(' ')
  const stay =
    booking === undefined
      ? []
      : [`${booking.startDate ?? '?'} to ${booking.endDate ?? '?'}`, `status ${booking.status}`]
  const others = [customer, booking].flatMap((record) => Object.entries(record ?? {}).flatMap(valuesOf))
  const rest = others.filter(([field]) => !PREVIEWED.has(field)).slice(0, 4)
  return [name === '' ? 'a guest without a name' : name, ...stay, ...rest.map((value) => value.join(' '))]
    .map(shown)
    .join(', ')
}

/** Fields that are shown in words, or made by the mapping. */
const PREVIEWED = new Set(
  'kind id customerId firstName lastName startDate endDate status role orderUuid'.split(' '),
)

/** A field as path and text, the parts of a group each by itself. */
function valuesOf([field, value]: readonly [string, unknown]): (readonly [string, string])[] {
  if (!isObject(value)) return [[field, String(value)]]
  return Object.entries(value).flatMap(([part, inner]) => valuesOf([`${field}.${part}`, inner]))
}

/** The mapping as YAML: its questions first, then one line for each field, as people write it. */
function written(proposals: readonly Proposal[]): string {
  const mappings = proposals.map(({ mapping, questions }) => {
    const { sheet, header, ...rest } = mapping
    return {
      ...(sheet === undefined ? {} : { sheet }),
      ...(header === undefined ? {} : { header }),
      ...(questions.length === 0
        ? {}
        : {
            questions: questions.map(({ ask, answers }) => ({
              ask: inEnglish(ask),
              answers: Object.fromEntries(answers.map(({ answer, patch }) => [inEnglish(answer), patch])),
              answer: '?',
            })),
          }),
      ...rest,
    }
  })
  const isOne = mappings.length === 1
  const document = new Document(isOne ? mappings[0] : { tables: mappings }, { aliasDuplicateObjects: false })
  visit(document, {
    Pair(_, { key, value }, path) {
      const above = path.filter(isPair).map((pair) => String(pair.key))
      const isBlock = ['records', 'tables', 'questions', 'answers', 'diets'].includes(
        String(isScalar(key) ? key.value : key),
      )
      const isKind = above.at(-1) === 'records' && !above.includes('answers')
      if (isCollection(value) && !isKind && (!isBlock || above.includes('answers'))) value.flow = true
    },
  })
  for (const [at, { checks, questions }] of proposals.entries()) {
    const base = isOne ? [] : ['tables', at]
    const comment = (path: readonly unknown[], text: string) => {
      const node = document.getIn([...base, ...path], true)
      if (isNode(node)) node.comment = ` check: ${text}`
    }
    for (const [place, text] of checks) comment(place.split(' '), text)
    for (const [index, { answers }] of questions.entries()) {
      for (const { answer, means } of answers)
        comment(['questions', index, 'answers', inEnglish(answer)], inEnglish(means))
    }
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: false })
}

const countOf = ({ rows, hasMore }: Look) =>
  rows.length === 1 ? '1 row' : `${rows.length}${hasMore ? ' or more' : ''} rows`
