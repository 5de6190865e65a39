/** What behaviours say of answers: small words that fail with the request and what came. */
import type { Answer } from './site.ts'

/** The deployment does otherwise than promised. */
export class Unmet extends Error {}
/** The deployment has no data, or the key no right, to show this. */
export class NotShown extends Error {}

export type Fields = Readonly<Record<string, unknown>>

export function must(holds: boolean, promise: string): asserts holds {
  if (!holds) throw new Unmet(promise)
}

export function same(found: unknown, wanted: unknown, what: string): void {
  const [left, right] = [JSON.stringify(found), JSON.stringify(wanted)]
  must(left === right, `${what}: expected ${cut(right)}, found ${cut(left)}`)
}

const cut = (text: string | undefined) =>
  text !== undefined && text.length > 200 ? `${text.slice(0, 200)}…` : text

/** The status; a 403 means that the key may not show this. */
export function status(answer: Answer, wanted: number, request: string): void {
  if (answer.status === 403 && wanted !== 403) throw new NotShown(`the key may not read ${request}`)
  must(
    answer.status === wanted,
    `${request}: expected ${wanted}, found ${answer.status}: ${cut(answer.text)}`,
  )
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function fields(value: unknown, what: string): Fields {
  must(isFields(value), `${what} is no object: ${cut(JSON.stringify(value))}`)
  return value
}

export function list(value: unknown, what: string): readonly unknown[] {
  must(Array.isArray(value), `${what} is no array: ${cut(JSON.stringify(value))}`)
  return value
}

export function strings(value: unknown, what: string): string[] {
  return list(value, what).map((item) => {
    must(typeof item === 'string', `${what} holds something else than strings`)
    return item
  })
}

export function exactly(record: Fields, names: readonly string[], what: string): void {
  same(Object.keys(record).sort(), [...names].sort(), `the fields of ${what}`)
}

/** A page of `GET /guests` or `GET /sessions`. */
export function page(answer: Answer, request: string): { data: Fields[]; total: number } {
  status(answer, 200, request)
  const body = fields(answer.json, request)
  exactly(body, ['data', 'total'], request)
  must(Number.isInteger(body.total) && Number(body.total) >= 0, `${request}: total is no count`)
  return {
    data: list(body.data, `data of ${request}`).map((item) => fields(item, 'a record')),
    total: Number(body.total),
  }
}

/** The one error body, and its code. */
export function refused(answer: Answer, wanted: number, code: string, request: string): Fields {
  status(answer, wanted, request)
  const body = fields(answer.json, request)
  exactly(body, ['error'], `the error body of ${request}`)
  const error = fields(body.error, 'error')
  same(error.code, code, `error.code of ${request}`)
  must(typeof error.message === 'string' && error.message !== '', `${request}: error.message is empty`)
  must(typeof error.requestId === 'string', `${request}: there is no error.requestId`)
  return error
}

/** A 400 whose details name exactly these parameters. */
export function refusesParameters(answer: Answer, parameters: readonly string[], request: string): void {
  const error = refused(answer, 400, 'INVALID_PARAMETER', request)
  const named = list(error.details, `error.details of ${request}`).map(
    (item) => fields(item, 'a detail').parameter,
  )
  same([...new Set(named)].sort(), [...parameters].sort(), `the parameters that ${request} names`)
}

export const ISO_MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
export const ISO_DAY = /^\d{4}-\d\d-\d\d$/
export const AMERICAN_DATE = /^\d\d\/\d\d\/\d{4}$/
export const DOTTED_DATE = /^\d\d\.\d\d\.\d{4}$/
