/** What a report may be: its kinds, what each asks of the interface, and where it may be sent. */

import { isMailAddress } from '../../core/config/mail-kinds.ts'
import { UserError } from '../../core/errors/user-error.ts'
import { portionsQuery } from './documents/day-sheet.ts'
import type { Format } from './documents/document.ts'
import { ordersControlQuery, ordersQuery } from './documents/orders-list.ts'

export const REPORT_KINDS = ['day', 'week', 'arrivals', 'rooms', 'contradictions', 'orders', 'query'] as const
export type ReportKind = (typeof REPORT_KINDS)[number]

/** An input that is not possible. The message says why and how to go on. */
export class ReportError extends UserError {
  override readonly name = 'ReportError'
  /** of the input that the message is about, if it is one */
  readonly field: 'destinations' | 'query' | undefined
  constructor(message: string, field?: 'destinations' | 'query') {
    super(message)
    this.field = field
  }
}

/** What a kind asks, so that its rights can be checked before it is stored. @param day a local day */
export function pathsOf(kind: ReportKind, question: string | undefined, day: string): readonly string[] {
  switch (kind) {
    case 'day':
    case 'week':
      return [portionsQuery(day, day)]
    case 'arrivals':
      return [
        `/guests?startDate=${day}&endDate=${day}&project=name,status,acc.roomId,programId,startDate,endDate`,
      ]
    case 'rooms':
      return [`/rooms?date=${day}`]
    case 'contradictions':
      return ['/contradictions?dismissed=false']
    case 'orders':
      return [ordersQuery(day, day), ordersControlQuery(day, day)]
    case 'query':
      return [question ?? '']
  }
}

export type Destination =
  | { readonly kind: 'mail'; readonly to: string }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'printer'; readonly name: string }
  | { readonly kind: 'webhook'; readonly id: string }

const FOLDER = /^(?!\.)[\p{L}\p{N}._ -]{1,60}(?:\/(?!\.)[\p{L}\p{N}._ -]{1,60}){0,4}$/u

/** @param text `mail:kitchen@example.org`, `folder:kitchen/day`, `printer:kitchen`, `webhook:sjn_hook_…` @throws {ReportError} */
export function readDestination(text: string, format: Format): Destination {
  const at = text.indexOf(':')
  const [kind, where] = [text.slice(0, at), text.slice(at + 1)]
  if (kind === 'mail') {
    if (isMailAddress(where)) return { kind, to: where }
    throw new ReportError(
      `${JSON.stringify(where.slice(0, 80))} is not an e-mail address such as kitchen@example.org.`,
      'destinations',
    )
  }
  if (kind === 'folder') {
    if (FOLDER.test(where)) return { kind, path: where }
    throw new ReportError(
      `${JSON.stringify(where.slice(0, 80))} is not a folder below REPORTS_FOLDER. Give names of letters, digits, spaces, "-", "_" and ".", separated by "/", none of which begins with a dot.`,
      'destinations',
    )
  }
  if (kind === 'printer') {
    if (format !== 'pdf' && format !== 'text') {
      throw new ReportError(`A printer prints pdf or text, not ${format}.`, 'destinations')
    }
    if (/^[\w-]{1,60}$/.test(where)) return { kind, name: where }
    throw new ReportError(
      `${JSON.stringify(where.slice(0, 80))} is not the name of a printer in REPORTS_PRINTERS.`,
      'destinations',
    )
  }
  if (kind === 'webhook') {
    if (/^sjn_hook_\w{1,60}$/.test(where)) return { kind, id: where }
    throw new ReportError(
      'A webhook is given by its id, sjn_hook_…; "sojourn webhooks list" lists them.',
      'destinations',
    )
  }
  throw new ReportError(
    `${JSON.stringify(text.slice(0, 80))} is not a destination. Give mail:ADDRESS, folder:NAME, printer:NAME or webhook:ID.`,
    'destinations',
  )
}
