/** The statements of notices (migrations/0048-notices.sql). All timestamps come from the database's clock. */
import sql, { type Sql } from 'sql-template-tag'
import type { Cause } from '../../core/records/sources/evaluate-source.ts'

/** `broken`: something keeps data from arriving. The others are warnings. */
export type ProblemKind = 'broken' | 'keyExpires' | 'rejectedLines'
export type NoticeEvent = 'begin' | 'over'

const ms = (moment: Sql) => sql`floor(extract(epoch from ${moment}) * 1000)`
const momentOf = (at: number) => sql`to_timestamp(${at / 1000}::double precision)`
const later = (seconds: number) => sql`clock_timestamp() + make_interval(secs => ${seconds})`

/** The centers to judge: those that expect deliveries, and those with an open problem. With their addresses. */
export const selectJudgedCenters: Sql = sql`
  select c.center_id, c.name, c.timezone, coalesce(a.addresses, '{}') as addresses
  from centers c
  left join notice_addresses a on a.center_id = c.center_id
  where not is_closed(c.center_id) and (
    exists (select from sources s where s.center_id = c.center_id and s.schedule is not null)
    or exists (select from source_problems p where p.center_id = c.center_id and p.ended_at is null)
  )
  order by c.center_id`

export interface JudgedCenterRow {
  readonly center_id: string
  readonly name: string | null
  readonly timezone: string
  readonly addresses: readonly string[]
}

export interface OpenProblemRow {
  readonly id: string
  readonly source: string
  readonly kind: ProblemKind
  readonly causes: readonly Cause[]
  /** epoch ms */
  readonly began_at: number
  readonly muted: boolean
  readonly has_mail: boolean
}

const problemColumns = sql`
  p.id, p.source, p.kind, p.causes, ${ms(sql`p.began_at`)}::float8 as began_at, p.muted,
  exists (select from notice_mails m where m.center_id = p.center_id and m.problem = p.id) as has_mail`

/** The open problems of a center. Uses source_problems_open. */
export const selectOpenProblems = (center: string): Sql => sql`
  select ${problemColumns}
  from source_problems p where p.center_id = ${center} and p.ended_at is null
  order by p.began_at, p.source, p.kind`

/**
 * Opens a problem. Returns no row if it is open already, also if another instance has opened it at the same time.
 * `earlier` counts the problems of the source within the day before it; if there are `noticesADay`, the new one is muted.
 */
export const openProblem = (
  center: string,
  problem: {
    readonly id: string
    readonly source: string
    readonly kind: ProblemKind
    readonly causes: readonly Cause[]
    readonly beganAt: number
  },
  noticesADay: number,
): Sql => sql`
  with earlier as (
    select count(*)::int as count from source_problems
    where center_id = ${center} and source = ${problem.source}
      and noticed_at > clock_timestamp() - interval '1 day'
  )
  insert into source_problems as p (center_id, id, source, kind, causes, began_at, noticed_at, muted)
  select c.center_id, ${problem.id}, ${problem.source}, ${problem.kind}, ${problem.causes},
    ${momentOf(problem.beganAt)}, clock_timestamp(), e.count >= ${noticesADay}
  from centers c, earlier e where c.center_id = ${center}
  on conflict (center_id, source, kind) where ended_at is null do nothing
  returning ${problemColumns}, (select count from earlier) as earlier`

/** Adds causes to an open problem. */
export const addCauses = (center: string, id: string, causes: readonly Cause[]): Sql => sql`
  update source_problems set causes = ${causes} where center_id = ${center} and id = ${id} and ended_at is null`

/** Ends a problem. Returns no row if another instance has ended it. */
export const closeProblem = (center: string, id: string): Sql => sql`
  update source_problems p set ended_at = clock_timestamp()
  where p.center_id = ${center} and p.id = ${id} and p.ended_at is null
  returning ${problemColumns}, ${ms(sql`p.ended_at`)}::float8 as ended_at`

export interface NewMail {
  readonly problem: string
  readonly event: NoticeEvent
  readonly subject: string
  readonly body: string
  readonly addresses: readonly string[]
}

/** Stores a message to be sent, once for each event of a problem. */
export const insertMail = (center: string, { problem, event, subject, body, addresses }: NewMail): Sql => sql`
  insert into notice_mails (center_id, problem, event, subject, body, addresses, state, created_at)
  values (${center}, ${problem}, ${event}, ${subject}, ${body}, ${addresses}, 'waiting', clock_timestamp())
  on conflict do nothing`

/** Stores an event for each webhook of the center with the scope `sources`, which is sent it in the order of the events. */
export const insertWebhookEvents = (center: string, body: string): Sql => sql`
  insert into webhook_events (center_id, webhook_id, message_id, body, created_at)
  select w.center_id, w.id, 'msg_' || replace(gen_random_uuid()::text, '-', ''), ${body}, clock_timestamp()
  from webhooks w where w.center_id = ${center} and 'sources' = any (w.scopes) and w.state <> 'gone'`

export interface DueMailRow {
  readonly center_id: string
  readonly problem: string
  readonly event: NoticeEvent
  readonly subject: string
  readonly body: string
  readonly addresses: readonly string[]
  readonly attempts: number
  /** epoch ms */
  readonly created_at: number
}

/**
 * Takes the oldest message that is due, of any center; no row if there is none. The end of a problem is not sent before its
 * beginning. Instances pass over what another one takes at the same time.
 */
export const takeMail = (holder: string, seconds: number): Sql => sql`
  update notice_mails n set leased_by = ${holder}, leased_until = ${later(seconds)}
  from (
    select m.center_id, m.problem, m.event from notice_mails m
    where m.state = 'waiting' and not is_closed(m.center_id)
      and (m.next_attempt_at is null or m.next_attempt_at <= clock_timestamp())
      and (m.leased_until is null or m.leased_until <= clock_timestamp())
      and not (m.event = 'over' and exists (
        select from notice_mails b
        where b.center_id = m.center_id and b.problem = m.problem and b.event = 'begin' and b.state = 'waiting'))
    order by m.created_at, m.event
    limit 1
    for update skip locked
  ) due
  where n.center_id = due.center_id and n.problem = due.problem and n.event = due.event
  returning n.center_id, n.problem, n.event, n.subject, n.body, n.addresses, n.attempts,
    ${ms(sql`n.created_at`)}::float8 as created_at`

/** Stores the result of an attempt. An instance that has lost its lease changes nothing. */
export const endAttempt = (
  { center_id: center, problem, event }: Pick<DueMailRow, 'center_id' | 'problem' | 'event'>,
  holder: string,
  result: {
    readonly remaining: readonly string[]
    readonly state: 'waiting' | 'sent' | 'failed'
    readonly reason: string | undefined
    readonly delaySeconds: number
  },
): Sql => sql`
  update notice_mails set addresses = ${result.remaining}, state = ${result.state}, reason = ${result.reason ?? null},
    attempts = attempts + 1, next_attempt_at = ${later(result.delaySeconds)},
    sent_at = case when ${result.state === 'sent'} then clock_timestamp() end,
    leased_by = null, leased_until = null
  where center_id = ${center} and problem = ${problem} and event = ${event} and leased_by = ${holder}`

/** Gives up a lease without an attempt, so that the next instance may send at once. */
export const releaseMail = (
  { center_id: center, problem, event }: Pick<DueMailRow, 'center_id' | 'problem' | 'event'>,
  holder: string,
): Sql => sql`
  update notice_mails set leased_by = null, leased_until = null
  where center_id = ${center} and problem = ${problem} and event = ${event} and leased_by = ${holder}`

/** For the metrics and the heartbeat; returns exactly one row. */
export const selectNoticeNumbers: Sql = sql`
  select
    (select count(*)::int from source_problems where ended_at is null and kind = 'broken') as open,
    (select count(*)::int from notice_mails where state = 'waiting') as waiting,
    (select coalesce(max(extract(epoch from clock_timestamp() - created_at)), 0)::float8
      from notice_mails where state = 'waiting') as waiting_seconds`

export interface NoticeNumbersRow {
  readonly open: number
  readonly waiting: number
  readonly waiting_seconds: number
}

/** What the mail server has not accepted, for `sojourn status`; returns exactly one row. */
export const selectWaitingMails: Sql = sql`
  select count(*)::int as count, ${ms(sql`min(created_at)`)}::float8 as since,
    (array_agg(reason order by created_at) filter (where reason is not null))[1] as reason
  from notice_mails where state = 'waiting'`

export interface WaitingMailsRow {
  readonly count: number
  /** epoch ms */
  readonly since: number | null
  readonly reason: string | null
}

/** The addresses of a center; at most one row. */
export const selectAddresses = (center: string): Sql =>
  sql`select addresses from notice_addresses where center_id = ${center}`

/** Sets the addresses of a center. */
export const setAddresses = (center: string, addresses: readonly string[]): Sql => sql`
  insert into notice_addresses (center_id, addresses) values (${center}, ${addresses})
  on conflict (center_id) do update set addresses = excluded.addresses`

/** Removes the addresses of a center. */
export const deleteAddresses = (center: string): Sql =>
  sql`delete from notice_addresses where center_id = ${center}`

/** Deletes what ended so many days ago, and events that no receiver has accepted for so long. */
export const pruneProblems = (center: string, days: number): Sql => sql`
  delete from source_problems
  where center_id = ${center} and ended_at < clock_timestamp() - make_interval(days => ${days})`

export const pruneWebhookEvents = (center: string, days: number): Sql => sql`
  delete from webhook_events
  where center_id = ${center} and created_at < clock_timestamp() - make_interval(days => ${days})`

/** The centers that have something to prune. */
export const selectCentersWithNotices: Sql = sql`
  select center_id from source_problems union select center_id from webhook_events`
