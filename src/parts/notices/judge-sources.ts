/**
 * Compares the states of all sources with the problems that are open, and opens and closes them. A problem is opened together
 * with its messages in one transaction, so that each has exactly one message for its beginning and one for its end,
 * however many instances judge, and whenever one of them is killed.
 */
import { randomUUID } from 'node:crypto'
import type { Database, Queryable } from '../../core/database/database.ts'
import { centerId } from '../../core/records/centers/center.ts'
import type { Cause, SourceState } from '../../core/records/sources/evaluate-source.ts'
import { readSourceStates } from '../../core/records/sources/read-sources.ts'
import {
  beginEvent,
  beginText,
  causesOf,
  NOTICES_A_DAY,
  type NoticeCenter,
  overEvent,
  overText,
} from './notice-words.ts'
import {
  addCauses,
  closeProblem,
  insertMail,
  insertWebhookEvents,
  type JudgedCenterRow,
  type OpenProblemRow,
  openProblem,
  type ProblemKind,
  selectJudgedCenters,
  selectOpenProblems,
} from './notices-sql.ts'

export interface JudgeOptions {
  readonly database: Database
  /** addresses for all centers; undefined if no e-mail can be sent */
  readonly addresses: readonly string[] | undefined
  /** called for a center that could not be judged; the others are */
  readonly onFailure: (error: unknown) => void
}

const KINDS: readonly ProblemKind[] = ['broken', 'keyExpires', 'rejectedLines']

/**
 * Judges all centers once.
 * @returns whether all of them could be judged
 * @throws {DatabaseUnavailable} if not even the centers could be read
 */
export async function judgeSources(options: JudgeOptions): Promise<boolean> {
  let isComplete = true
  for (const row of await options.database.query<JudgedCenterRow>(selectJudgedCenters)) {
    try {
      await judgeCenter(options, row)
    } catch (error) {
      isComplete = false
      options.onFailure(error)
    }
  }
  return isComplete
}

async function judgeCenter({ database, addresses: all }: JudgeOptions, row: JudgedCenterRow): Promise<void> {
  const center: NoticeCenter = { id: row.center_id, name: row.name, zone: row.timezone }
  const addresses = all === undefined ? [] : [...new Set([...row.addresses, ...all])]
  const states = await readSourceStates(database, centerId(center.id), center.zone)
  const open = await database.query<OpenProblemRow>(selectOpenProblems(center.id))
  const change = <T>(work: (tx: Queryable) => Promise<T>) => database.transaction(work)

  for (const state of states) {
    for (const kind of KINDS) {
      const causes = causesOf(state, kind)
      const known = open.find((one) => one.source === state.source.name && one.kind === kind)
      if (causes.length > 0 && known === undefined) {
        await change((tx) => begin(tx, center, addresses, kind, state))
      } else if (known !== undefined && isNewer(known, causes, addresses)) {
        await change((tx) => goOn(tx, center, addresses, known, state))
      }
    }
  }
  for (const problem of open) {
    const state = states.find(({ source }) => source.name === problem.source)
    if (state !== undefined && causesOf(state, problem.kind).length > 0) continue
    await change((tx) => end(tx, center, addresses, problem, state))
  }
}

/** Whether something has to be written about an open problem, which most looks have not. */
const isNewer = (known: OpenProblemRow, causes: readonly Cause[], addresses: readonly string[]) =>
  causes.some((cause) => !known.causes.includes(cause)) ||
  (causes.length > 0 && !known.has_mail && !known.muted && addresses.length > 0)

async function begin(
  tx: Queryable,
  center: NoticeCenter,
  addresses: readonly string[],
  kind: ProblemKind,
  state: SourceState,
): Promise<void> {
  const causes = causesOf(state, kind)
  const times = state.problems.filter(({ cause }) => causes.includes(cause)).map(({ since }) => since)
  const input = { id: randomUUID(), source: state.source.name, kind, causes, beganAt: Math.min(...times) }
  const [opened] = await tx.query<OpenProblemRow & { earlier: number }>(
    openProblem(center.id, input, NOTICES_A_DAY),
  )
  if (opened === undefined || opened.muted) return
  await tx.query(insertWebhookEvents(center.id, beginEvent(opened, state, opened.began_at)))
  if (addresses.length === 0) return
  const text = beginText(center, opened, state, opened.earlier === NOTICES_A_DAY - 1)
  await tx.query(insertMail(center.id, { problem: opened.id, event: 'begin', addresses, ...text }))
}

/** Its causes may become more, and a center that has just got an address learns of what is open. */
async function goOn(
  tx: Queryable,
  center: NoticeCenter,
  addresses: readonly string[],
  problem: OpenProblemRow,
  state: SourceState,
): Promise<void> {
  const causes = [...new Set([...problem.causes, ...causesOf(state, problem.kind)])]
  if (causes.length > problem.causes.length) await tx.query(addCauses(center.id, problem.id, causes))
  if (problem.has_mail || problem.muted || addresses.length === 0) return
  const text = beginText(center, problem, state, false)
  await tx.query(insertMail(center.id, { problem: problem.id, event: 'begin', addresses, ...text }))
}

async function end(
  tx: Queryable,
  center: NoticeCenter,
  addresses: readonly string[],
  problem: OpenProblemRow,
  state: SourceState | undefined,
): Promise<void> {
  const [closed] = await tx.query<OpenProblemRow & { ended_at: number }>(closeProblem(center.id, problem.id))
  if (closed === undefined || closed.muted) return
  await tx.query(insertWebhookEvents(center.id, overEvent(closed)))
  // Who got no message when it began gets none when it is over.
  if (!closed.has_mail || addresses.length === 0) return
  const text = overText(center, closed, state)
  await tx.query(insertMail(center.id, { problem: problem.id, event: 'over', addresses, ...text }))
}
