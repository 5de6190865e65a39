/** Imports a generated file with its unchanged proposal, without a database, and compares it with the truth. */
import { parse } from 'yaml'
import type { KindName } from '../../../../../src/core/intake/kinds/kind.ts'
import { KINDS } from '../../../../../src/core/intake/kinds.ts'
import { LINE_SCHEMAS } from '../../../../../src/core/intake/lines/line-schemas.ts'
import { readFiles } from '../../../../../src/core/intake/lines/read-files.ts'
import type { RecordLine } from '../../../../../src/core/intake/lines/record-line.ts'
import { explainTables } from '../../../../../src/core/intake/spreadsheets/explain/explain.ts'
import { readMapping } from '../../../../../src/core/intake/spreadsheets/mapping/read-mapping.ts'
import type { CsvForm } from '../../../../../src/core/intake/spreadsheets/tables/csv-rows.ts'
import type { Encoding } from '../../../../../src/core/intake/spreadsheets/tables/encodings.ts'
import { readTables } from '../../../../../src/core/intake/spreadsheets/tables/read-tables.ts'
import { inEnglish } from '../../../../../src/core/locale/said.ts'
import type { GeneratedFile, TrueGuest } from './generate-file.ts'

export const NOW = new Date('2026-11-25T10:00:00Z')

async function* bytesOf(file: Buffer) {
  yield file
}

export async function proposalOf({ bytes, name }: Pick<GeneratedFile, 'bytes' | 'name'>): Promise<string> {
  let encoding: Encoding | undefined
  const onForm = (form: CsvForm) => {
    encoding = form.encoding
  }
  return explainTables({
    open: () => readTables(bytesOf(bytes), name, { acceptsRival: true, onForm }),
    name,
    mappingName: 'guests.yaml',
    now: NOW,
    seen: () => [],
    encoding: () => encoding,
  })
}

export const questionsOf = (proposal: string): string[] =>
  [...proposal.matchAll(/^ *- ask: (.*)$/gm)].map(([, ask = '']) => ask)

interface Asked {
  readonly questions?: readonly { readonly answers: Readonly<Record<string, unknown>> }[]
  readonly tables?: readonly Asked[]
}

/** The answers that each question of a proposal allows. */
export function answersOf(proposal: string): string[][] {
  const { questions = [], tables = [] } = parse(proposal) as Asked
  return [{ questions }, ...tables].flatMap(({ questions = [] }) =>
    questions.map(({ answers }) => Object.keys(answers)),
  )
}

/** Answers all questions of a proposal, in their order. */
export function answer(proposal: string, answers: readonly string[]): string {
  let at = 0
  return proposal.replaceAll(/answer: "\?"/g, () => `answer: ${JSON.stringify(answers[at++])}`)
}

/** Every way to answer some questions. */
export const waysToAnswer = (questions: readonly (readonly string[])[]): string[][] =>
  questions.reduce<string[][]>((ways, of) => ways.flatMap((way) => of.map((one) => [...way, one])), [[]])

export interface Outcome {
  /** guests that are there as they are in the file, and all fields that the file has */
  readonly isComplete: boolean
  /** what is there and is not true: the worst that can happen */
  readonly wrong: readonly string[]
  /** what is in the file and was not read */
  readonly missing: readonly string[]
  /** rows that were refused, by what is wrong with them */
  readonly problems: readonly string[]
}

type Compared = Pick<GeneratedFile, 'name' | 'bytes' | 'headings' | 'guests'>

/** The lines of a file as a mapping reads it. @param mapping a proposal, with its questions answered */
export async function linesOf(
  { name, bytes }: Pick<GeneratedFile, 'bytes' | 'name'>,
  mapping: string,
): Promise<RecordLine[]> {
  const options = { mapping: readMapping(mapping, 'guests.yaml', { now: NOW }) }
  return Array.fromAsync(await readFiles([name], { open: async () => bytesOf(bytes) }, options))
}

/** @param mapping a proposal, with its questions answered */
export async function compare(file: Compared, mapping: string): Promise<Outcome> {
  const lines = await linesOf(file, mapping)
  const records = accepted(
    lines.map(({ value, problem, line }) => ({
      value: Object(value),
      problem: problem && inEnglish(problem),
      line,
    })),
  )
  const { problems } = records
  const customers = new Map(
    records.values.filter(({ kind }) => kind === 'customer').map((one) => [one.id, one]),
  )
  const bookings = records.values.filter(({ kind }) => kind === 'booking')
  const wrong: string[] = []
  const missing: string[] = []
  const { headings } = file
  const truth = new Map(file.guests.map((guest) => [keyOf(guest), guest]))
  for (const booking of bookings) {
    const customer: Partial<ReadRecord> = customers.get(booking.customerId ?? '') ?? {}
    const key = `${customer.firstName ?? ''}|${customer.lastName ?? ''}`
    const guest = truth.get(key)
    if (guest === undefined) {
      wrong.push(`nobody is called ${key}`)
      continue
    }
    truth.delete(key)
    const check = (field: string, given: unknown, expected: unknown, isThere: boolean) => {
      if (!isThere || Object.is(given, expected)) return
      if (given === undefined) missing.push(field)
      else wrong.push(`${field}: ${String(given)} is ${String(expected)}`)
    }
    check('startDate', String(booking.startDate ?? '').slice(0, 10) || undefined, guest.start, true)
    check('endDate', String(booking.endDate ?? '').slice(0, 10) || undefined, guest.end, true)
    check('total', booking.financial?.total, guest.total, headings.total !== undefined)
    check(
      'room',
      booking.acc?.roomId,
      guest.room === '' ? undefined : guest.room,
      headings.room !== undefined,
    )
    check('status', booking.status, guest.status, headings.status !== undefined)
    const others = booking.meals?.reduce((all, { guests = 0 }) => all + guests, 0) ?? 0
    check('people', 1 + others, guest.people, headings.people !== undefined)
    check('id', booking.id, guest.id, headings.id !== undefined)
    check('dob', customer.dob, guest.dob, headings.dob !== undefined)
    check('email', customer.email, guest.email, headings.email !== undefined)
    check('phone', customer.phone, guest.phone, headings.phone !== undefined)
  }
  for (const key of truth.keys()) missing.push(`guest ${key}`)
  return {
    isComplete: wrong.length + missing.length + problems.length === 0,
    wrong,
    missing: [...new Set(missing)],
    problems,
  }
}

/** A customer or a booking, as far as files of guests have it. */
interface ReadRecord {
  readonly kind: KindName
  readonly id: string
  readonly customerId?: string
  readonly firstName?: string
  readonly lastName?: string
  readonly dob?: string
  readonly email?: string
  readonly phone?: string
  readonly startDate?: string
  readonly endDate?: string
  readonly status?: string
  readonly financial?: { readonly total?: number }
  readonly acc?: { readonly roomId?: string }
  readonly meals?: readonly { readonly guests?: number }[]
}

interface Read {
  readonly value: ReadRecord
  readonly problem: string | undefined
  readonly line: number
}

/** The records that an import accepts: without a problem, with the fields that they need, and each from one row only. */
function accepted(lines: readonly Read[]) {
  const problems: string[] = []
  const known = new Map<string, { line: number; text: string }>()
  const refused = new Set<number>()
  for (const { value, problem, line } of lines) {
    const lacking =
      problem === undefined
        ? KINDS[value.kind].schema.required.filter((field) => Object(value)[field] === undefined)
        : []
    if (problem !== undefined) problems.push(problem)
    else if (!LINE_SCHEMAS[value.kind].record.check(value))
      problems.push(`row ${line}: ${value.kind} is not valid`)
    else if (lacking.length > 0) problems.push(`row ${line}: ${value.kind} has no ${lacking.join()}`)
    else {
      const key = `${value.kind} ${value.id}`
      const before = known.get(key)
      const text = JSON.stringify(value)
      if (before === undefined) known.set(key, { line, text })
      else if (before.text !== text) {
        problems.push(
          `row ${before.line} contradicts row ${line}`,
          `row ${line} contradicts row ${before.line}`,
        )
        refused.add(before.line).add(line)
      }
      continue
    }
    refused.add(line)
  }
  return { problems, values: lines.filter(({ line }) => !refused.has(line)).map(({ value }) => value) }
}

const keyOf = ({ firstName, lastName }: TrueGuest) => `${firstName}|${lastName}`
