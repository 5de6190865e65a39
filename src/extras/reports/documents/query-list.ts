/** The answer of any saved query, as a link has it: a list as one table, anything else as names and values. */
import { parse } from 'csv-parse/sync'
import type { Operation } from '../../../request/operation.ts'
import { askedOn, readQuestion } from '../../links/question.ts'
import type { FileCell, ReportDocument } from './document.ts'
import { type AgeKind, finishDocument, type Making, startWriting } from './writing.ts'

export interface QueryMaking extends Making {
  /** as it is stored */
  readonly question: string
  /** the report's name, which is its heading */
  readonly name: string
  readonly operations: readonly Operation[]
}

const AGES: Readonly<Record<string, readonly AgeKind[]>> = {
  orders: ['orders'],
  sessions: ['sessions'],
  contradictions: ['bookings', 'orders'],
}

/** Of a report's own format. */
const OWN = ['format', 'start', 'length', 'dialect']

/** @throws {AskRefused | AskUnavailable} */
export async function queryList(making: QueryMaking): Promise<ReportDocument> {
  const writing = await startWriting(making)
  const { language, day, ask, parts, t } = writing
  const { name, operations } = making
  const question = readQuestion(making.question, operations)
  if (question === undefined) throw new Error('the path of a saved query is no longer one')
  for (const parameter of OWN) question.query.delete(parameter)
  const isTable = question.operation.formats?.includes('csv') === true
  if (isTable) question.query.set('format', 'csv')
  const moved = askedOn(question, day)
  const path = question.operation.paths[0].replaceAll(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(moved.pathParameters[key] ?? ''),
  )
  const asked = await ask(moved.query === '' ? path : `${path}?${moved.query}`, language)
  const [headings = [], ...rows] = isTable
    ? (parse(asked.body, { bom: true, relax_column_count: true }) as string[][])
    : [['name', 'value'], ...flattened('', JSON.parse(asked.body))]
  const [, kind = ''] = path.split('/')
  return finishDocument(writing, {
    heading: [name, parts.writtenDay(day, language)],
    page: name,
    ages: AGES[kind] ?? ['bookings'],
    asked,
    blocks:
      rows.length === 0
        ? [{ kind: 'paragraph', style: 'notice', text: t('none') }]
        : [{ kind: 'table', caption: name, headings, rows: rows.map((cells) => ({ cells })) }],
    file: { name: kind, headings, rows: rows as FileCell[][] },
  })
}

/** `key.name`, `"Anna"` for each value of a JSON document. */
function flattened(path: string, value: unknown): string[][] {
  if (value === null || typeof value !== 'object') return [[path, value === null ? '' : String(value)]]
  const entries = Object.entries(value)
  if (entries.length === 0) return [[path, '']]
  return entries.flatMap(([key, one]) => flattened(path === '' ? key : `${path}.${key}`, one))
}
