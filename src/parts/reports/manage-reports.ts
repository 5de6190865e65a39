/** Adds, shows and removes reports for the operator. All input is checked here, whichever command it comes from. */
import { checkName } from '../../core/access/keys/create-key.ts'
import { findKeys } from '../../core/access/keys/find-keys.ts'
import { iso, KeyError, toKey } from '../../core/access/keys/key.ts'
import { isScope } from '../../core/access/keys/scopes.ts'
import { createId, type RandomBytes } from '../../core/access/keys/token.ts'
import { ownScopes } from '../../core/answer/handle-request.ts'
import { recordAct } from '../../core/audit/record-act.ts'
import type { Printers } from '../../core/config/printers.ts'
import type { Queryable, Transacting } from '../../core/database/database.ts'
import { didYouMean } from '../../core/errors/suggest.ts'
import { readLanguageTag } from '../../core/locale/languages.ts'
import { localDateOf } from '../../core/locale/zones.ts'
import { type CenterId, centerId, readCenter } from '../../core/records/centers/center.ts'
import { readCenterZone } from '../../core/records/centers/find-center.ts'
import type { Operation, RequestContext } from '../../core/request/operation.ts'
import { readRawQuery } from '../../core/request/parameters.ts'
import { askedOn, noQuestion, questionText, readQuestion, whyNotSaved } from '../links/question.ts'
import { selectWebhook, type WebhookRow } from '../webhooks/webhooks-sql.ts'
import { FORMATS, type Format } from './documents/document.ts'
import {
  type Destination,
  pathsOf,
  REPORT_KINDS,
  ReportError,
  type ReportKind,
  readDestination,
} from './report.ts'
import {
  deleteReport,
  insertReport,
  insertRun,
  type ReportRow,
  type ShownRunRow,
  selectReport,
  selectReportNumbers,
  selectReports,
  selectRuns,
} from './reports-sql.ts'
import { nextTime, scheduleProblem } from './schedule.ts'

export interface NewReport {
  /** an appId, or one of its publicKeys */
  readonly key: string
  /** only keys of this center */
  readonly center?: string | undefined
  readonly name: string
  readonly kind: string
  readonly format: string
  readonly times: readonly string[]
  readonly days: string
  readonly to: readonly string[]
  readonly language?: string | undefined
  /** of the kind `query`: path and query */
  readonly question?: string | undefined
}

export interface ReportMaking {
  readonly operations: readonly Operation[]
  readonly random: RandomBytes
  /** epoch ms */
  readonly now: number
  readonly printers: Printers
}

const REPORTS_MAX = 20
const DESTINATIONS_MAX = 10
const QUESTION_LENGTH_MAX = 4000

export interface Report {
  readonly id: string
  readonly centerId: string
  readonly appId: string
  readonly name: string
  readonly kind: ReportKind
  readonly question: string | null
  readonly format: Format
  readonly language: string | null
  readonly times: readonly string[]
  readonly days: string
  readonly destinations: readonly string[]
  /** ISO */
  readonly nextAt: string
  /** whether its application has an active key */
  readonly hasKey: boolean
}

const toReport = (row: ReportRow & { public_key?: string | null }): Report => ({
  id: row.id,
  centerId: row.center_id,
  appId: row.app_id,
  name: row.name,
  kind: row.kind,
  question: row.question,
  format: row.format,
  language: row.language,
  times: row.times,
  days: row.days,
  destinations: row.destinations,
  nextAt: iso(row.next_at),
  hasKey: row.public_key !== null,
})

/** Adds a report. @throws {ReportError | KeyError} with what is wrong with the input */
export async function addReport(
  database: Transacting,
  input: NewReport,
  making: ReportMaking,
): Promise<Report> {
  const { now, random, printers } = making
  checkName(input.name, 'report')
  const kind = oneOf('kind', input.kind, REPORT_KINDS)
  const format = oneOf('format', input.format, FORMATS)
  const schedule = { times: [...new Set(input.times)].sort(), days: input.days.toLowerCase() }
  const problem = scheduleProblem(schedule)
  if (problem !== undefined) throw new ReportError(problem)
  const destinations = [...new Set(input.to)]
  if (destinations.length === 0 || destinations.length > DESTINATIONS_MAX) {
    throw new ReportError(`A report has from 1 to ${DESTINATIONS_MAX} destinations.`, 'destinations')
  }
  const where = destinations.map((text) => readDestination(text, format))
  if (
    input.language !== undefined &&
    ['malformed', 'unsupported'].includes(readLanguageTag(input.language))
  ) {
    throw new ReportError(
      `${JSON.stringify(input.language.slice(0, 20))} is not a language; give a tag such as en or ro.`,
    )
  }
  if ((kind === 'query') !== (input.question !== undefined)) {
    throw new ReportError(
      'A report of the kind query, and no other, takes --query with a path of the interface.',
      'query',
    )
  }
  const keys = (await findKeys(database, input.key, input.center)).map((row) => toKey(row, now))
  const key = keys.find(({ status, intake }) => status === 'active' && !intake)
  if (key === undefined)
    throw new KeyError(`${input.key} has no active key that reads, so its reports would be empty.`)
  const center = await readCenter(database, centerId(key.centerId))
  if (center === undefined) throw new KeyError(`The center ${key.centerId} no longer exists.`)
  for (const destination of where) await requireOwn(database, center.id, printers, destination)

  const today = localDateOf(center.timezone, now)
  let question: string | null = null
  const scopes = new Set(key.scopes.filter(isScope))
  for (const path of pathsOf(kind, input.question, today)) {
    const read = readQuestion(path, making.operations)
    if (read === undefined) throw new ReportError(noQuestion(path, making.operations), 'query')
    if (kind === 'query') question = questionText(read)
    const { operation } = read
    const reason = whyNotSaved(operation)
    if (reason !== undefined) throw new ReportError(`${reason}, so a report cannot show it.`)
    const asked = askedOn(read, today)
    const plan = operation.parse({
      key: { ...key, scopes: [...scopes], quotas: key.limits, expiresAt: null },
      limits: { minute: null, hour: null },
      today,
      language: center.language,
      pseudonyms: null,
      customFields: scopes.has('guests.personal') ? 'all' : key.customFields,
      accepts: 'json',
      center,
      query: readRawQuery(`?${asked.query}`),
      pathParameters: asked.pathParameters,
    } satisfies RequestContext)
    const missing = [...ownScopes(operation, scopes), ...plan.requiredScopes].filter(
      ({ scope, customField }) =>
        !scopes.has(scope) && (customField === undefined || !key.customFields.includes(customField)),
    )
    if (missing.length > 0) {
      throw new ReportError(
        `The key may not read this: ${missing.map(({ what, scope }) => `${what} needs the scope ${scope}`).join('; ')}.`,
      )
    }
    if ('refusal' in plan) {
      const { message, details = [] } = plan.refusal
      throw new ReportError([message, ...details.map((one) => `${one.parameter}: ${one.message}`)].join('\n'))
    }
  }
  if (question !== null && question.length > QUESTION_LENGTH_MAX) {
    throw new ReportError(`A query may have ${QUESTION_LENGTH_MAX} characters.`)
  }
  const row = {
    center_id: key.centerId,
    id: createId('sjn_report_', random),
    app_id: key.appId,
    name: input.name.trim(),
    kind,
    question,
    format,
    language: input.language ?? null,
    ...schedule,
    destinations,
    next_at: iso(nextTime(schedule, center.timezone, now)),
  }
  await database.transaction(async (tx) => {
    const [added] = await tx.query(insertReport(row, REPORTS_MAX))
    if (added === undefined) {
      throw new ReportError(
        `A center may have at most ${REPORTS_MAX} reports; remove one that is no longer needed.`,
      )
    }
    const facts = {
      report: row.id,
      name: row.name,
      appId: row.app_id,
      kind,
      format,
      schedule: `${schedule.times.join(',')} ${schedule.days}`,
      ...trailOf(destinations),
    }
    await recordAct(tx, { center: key.centerId, name: 'addReport', facts, scopes: [] })
  })
  return toReport({ ...row, next_at: Date.parse(row.next_at), public_key: key.publicKey })
}

/** An address is a person's, so the trail has how many there are, as of those of notices. */
function trailOf(destinations: readonly string[]): { destinations: string; addresses: string } {
  const isMail = (text: string) => text.startsWith('mail:')
  const named = destinations.map((text) => (isMail(text) ? 'mail' : text))
  return {
    destinations: [...new Set(named)].join(', '),
    addresses: String(destinations.filter(isMail).length),
  }
}

function oneOf<const One extends string>(what: string, given: string, all: readonly One[]): One {
  const found = all.find((one) => one === given)
  if (found !== undefined) return found
  throw new ReportError(
    `There is no ${what} ${JSON.stringify(given.slice(0, 40))}; there are ${all.join(', ')}${didYouMean(given, all) || '.'}`,
  )
}

/** @throws {ReportError} if a printer or a webhook is not the center's; it names none of another one */
async function requireOwn(
  database: Queryable,
  center: CenterId,
  printers: Printers,
  destination: Destination,
): Promise<void> {
  if (destination.kind === 'printer' && !printers.get(center)?.has(destination.name)) {
    const names = [...(printers.get(center)?.keys() ?? [])]
    throw new ReportError(
      `${destination.name} is not a printer of the center in REPORTS_PRINTERS, which has ${names.length === 0 ? 'none' : names.join(', ')} for it.`,
      'destinations',
    )
  }
  if (destination.kind === 'webhook') {
    const [webhook] = await database.query<WebhookRow & Record<string, unknown>>(
      selectWebhook(destination.id, center),
    )
    if (webhook === undefined) {
      throw new ReportError(
        `The center has no webhook ${destination.id}; "sojourn webhooks list" lists its webhooks.`,
        'destinations',
      )
    }
  }
}

export interface ReportWithRuns extends Report {
  /** newest first */
  readonly runs: readonly ShownRunRow[]
}

const withRuns = async (database: Transacting, row: ReportRow, limit: number): Promise<ReportWithRuns> => ({
  ...toReport(row),
  runs: await database.query<ShownRunRow & Record<string, unknown>>(selectRuns(row.center_id, row.id, limit)),
})

/** The reports of a center, or of all centers, with their last runs. */
export async function listReports(
  database: Transacting,
  center: string | undefined,
): Promise<ReportWithRuns[]> {
  if (center !== undefined) await readCenterZone(database, center)
  const rows = await database.query<ReportRow & Record<string, unknown>>(selectReports(center))
  return Promise.all(rows.map((row) => withRuns(database, row, 3)))
}

/** @throws {ReportError} if there is none */
export const showReport = async (database: Transacting, id: string): Promise<ReportWithRuns> =>
  withRuns(database, await find(database, id), 20)

/** Sends a report once more, now. @throws {ReportError} */
export async function runReportNow(database: Transacting, id: string, center?: string): Promise<void> {
  const { center_id, app_id: appId, name } = await find(database, id, center)
  await database.transaction(async (tx) => {
    await tx.query(insertRun(center_id, id))
    await recordAct(tx, {
      center: center_id,
      name: 'runReport',
      facts: { report: id, name, appId },
      scopes: [],
    })
  })
}

/** Removes a report, and what became of it. @throws {ReportError} */
export async function removeReport(database: Transacting, id: string, center?: string): Promise<void> {
  const { center_id, app_id: appId, name } = await find(database, id, center)
  await database.transaction(async (tx) => {
    await tx.query(deleteReport(center_id, id))
    await recordAct(tx, {
      center: center_id,
      name: 'removeReport',
      facts: { report: id, name, appId },
      scopes: [],
    })
  })
}

/** How many runs are late, and how many of the last day were missed or refused. */
export async function readReportTroubles(database: Queryable): Promise<{ late: number; missed: number }> {
  const [row] = await database.query<{ late: number; missed: number }>(selectReportNumbers)
  return { late: row?.late ?? 0, missed: row?.missed ?? 0 }
}

/** @param center in which it must be; any center by default */
async function find(database: Transacting, id: string, center?: string): Promise<ReportRow> {
  const [row] = await database.query<ReportRow & Record<string, unknown>>(selectReport(id, center))
  if (row !== undefined) return row
  throw new ReportError(
    `There is no report ${JSON.stringify(id.slice(0, 60))}; "sojourn reports list" lists them.`,
  )
}
