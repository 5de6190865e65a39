/** The statements of webhooks (migrations/0040-baseline.sql). All timestamps come from the database's clock. */
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Scope } from '../../core/access/keys/scopes.ts'
import type { FeedKind } from '../changes/change-schema.ts'
import type { StoredSecrets } from './secrets.ts'
import type { DeliveryRow, WebhookState } from './webhook.ts'

export interface WebhookRow extends StoredSecrets {
  center_id: string
  id: string
  name: string
  url: string
  scopes: Scope[]
  kinds: FeedKind[] | null
  state: WebhookState
  created_at: number
  cursor: string
  pending_notes: number | null
  pending_cursor: string | null
  attempts: number
  failing_since: number | null
  next_attempt_at: number | null
  delivered_at: number | null
}

const columns = sql`center_id, id, name, url, scopes, kinds, salt, secret_check, earlier_salt, earlier_check,
  earlier_until, state, created_at, cursor, pending_notes, pending_cursor, attempts, failing_since, next_attempt_at, delivered_at`

/** A time this many seconds from now. */
const lease = (seconds: number) => sql`clock_timestamp() + make_interval(secs => ${seconds})`

export interface NewWebhookRow {
  readonly center_id: string
  readonly id: string
  readonly name: string
  readonly url: string
  readonly scopes: readonly Scope[]
  readonly kinds: readonly FeedKind[] | null
  readonly salt: Uint8Array
  readonly secret_check: Uint8Array
  readonly cursor: string
  readonly revision: number
}

/**
 * Adds a webhook unless its center already has `limit`; then no row is returned. The center's row is locked meanwhile.
 */
export function insertWebhook(row: NewWebhookRow, limit: number): Sql {
  return sql`
    with center as (select center_id from centers where center_id = ${row.center_id} for update)
    insert into webhooks (center_id, id, name, url, scopes, kinds, salt, secret_check, cursor, revision)
    select c.center_id, ${row.id}, ${row.name}, ${row.url}, ${row.scopes}, ${row.kinds}, ${row.salt},
      ${row.secret_check}, ${row.cursor}, ${row.revision}
    from center c
    where (select count(*) from webhooks w where w.center_id = c.center_id) < ${limit}
    returning ${columns}`
}

/** The webhooks of one center, or of all, in the order of their creation. */
export function selectWebhooks(centerId: string | undefined): Sql {
  return sql`
    select ${columns} from webhooks
    where ${centerId === undefined} or center_id = ${centerId ?? ''}
    order by center_id, created_at, id`
}

/** One webhook, of this center if one is given. Identifiers are random and therefore unique. */
export const selectWebhook = (id: string, center?: string): Sql => sql`
  select ${columns} from webhooks
  where id = ${id} ${center === undefined ? empty : sql`and center_id = ${center}`}`

/** Starts or stops sending. An instance that is sending loses its lease. */
export function setState(center: string, id: string, state: WebhookState): Sql {
  return sql`
    update webhooks set state = ${state}, attempts = 0, failing_since = null, next_attempt_at = null, idle = false,
      leased_by = null, leased_until = null
    where center_id = ${center} and id = ${id}
    returning ${columns}`
}

/** Continues from another cursor. An instance that is sending loses its lease. */
export function setCursor(center: string, id: string, cursor: string, revision: number): Sql {
  return sql`
    update webhooks set cursor = ${cursor}, revision = ${revision}, pending_notes = null, pending_cursor = null, idle = false,
      attempts = 0, failing_since = null, next_attempt_at = null, leased_by = null, leased_until = null
    where center_id = ${center} and id = ${id}
    returning ${columns}`
}

/** Stores a new secret. The previous one remains valid for the overlap, or ends at once. */
export function setSecret(
  center: string,
  id: string,
  secret: { readonly salt: Uint8Array; readonly check: Uint8Array; readonly overlapSeconds: number },
): Sql {
  const stays = secret.overlapSeconds > 0
  return sql`
    update webhooks set salt = ${secret.salt}, secret_check = ${secret.check},
      earlier_salt = case when ${stays} then salt end, earlier_check = case when ${stays} then secret_check end,
      earlier_until = case when ${stays} then ${lease(secret.overlapSeconds)} end
    where center_id = ${center} and id = ${id}
    returning ${columns}`
}

/** Deletes a webhook and returns it. */
export const deleteWebhook = (center: string, id: string): Sql =>
  sql`delete from webhooks where center_id = ${center} and id = ${id} returning ${columns}`

/**
 * How long before the newest commit a look begins to search for centers with commits. Some time passes between the moment that
 * a commit notes and the one from which it can be seen.
 */
const LOOK_BACK_SECONDS = 60

/**
 * Webhooks that may have something to send: those whose last lease did not end with nothing to send, those with events, and those
 * of centers with one of the newest commits. Uses webhooks_at_work and center_revisions_by_time, so it costs nothing for all
 * others. The sub-select of the newest commit reads one entry of the index.
 */
const candidates: Sql = sql`
  select w.center_id, w.id from webhooks w where w.state = 'active' and not w.idle
  union
  select e.center_id, e.webhook_id from webhook_events e
  union
  select w.center_id, w.id
  from center_revisions r
  -- With an offset, they are looked up one by one: the planner expects many, and would read all webhooks.
  cross join lateral (select w.center_id, w.id from webhooks w where w.center_id = r.center_id offset 0) w
  where r.advanced_at >= (
    select max(n.advanced_at) - make_interval(secs => ${LOOK_BACK_SECONDS}) from center_revisions n
  )`

/** The next webhooks in the order of their primary key, to look at all of them, one after the other. */
export const selectNextWebhooks = (
  after: { readonly center_id: string; readonly id: string },
  limit: number,
): Sql => sql`
  select center_id, id from webhooks
  where (center_id, id) > (${after.center_id}, ${after.id})
  order by center_id, id
  limit ${limit}`

/**
 * Webhooks that have something to send now and that no instance is sending, at most `limit`. The first of each center
 * come before the second of any; among these, the one whose last lease is longest ago comes first. One that is not idle is
 * among them even if nothing has happened: sending finds that out.
 * @param others webhooks to look at in addition, in case something made one due without a commit, such as API access that its
 * center has again
 */
export function selectDue(
  limit: number,
  others: readonly { readonly center_id: string; readonly id: string }[],
): Sql {
  const centers = others.map(({ center_id }) => center_id)
  const ids = others.map(({ id }) => id)
  return sql`
    select w.center_id, w.id
    from (
      ${candidates}
      union
      select o.center_id, o.id from unnest(${centers}::text[], ${ids}::text[]) as o (center_id, id)
    ) d
    cross join lateral (
      select * from webhooks own where own.center_id = d.center_id and own.id = d.id offset 0
    ) w
    cross join lateral (select api_access from centers where center_id = w.center_id offset 0) c
    cross join lateral (select revision from center_revisions where center_id = w.center_id offset 0) r
    where w.state = 'active' and c.api_access and not is_closed(w.center_id)
      and (not w.idle or w.pending_notes is not null or r.revision > w.revision or exists (
        select from webhook_events e where e.center_id = w.center_id and e.webhook_id = w.id))
      and (w.next_attempt_at is null or w.next_attempt_at <= clock_timestamp())
      and (w.leased_until is null or w.leased_until <= clock_timestamp())
    order by row_number() over (partition by w.center_id order by w.turn_at nulls first), w.turn_at nulls first
    limit ${limit}`
}

/**
 * Takes the lease of a webhook, which is at work until a lease ends with nothing to send. Returns no row if another instance has it, or the webhook is not to be sent.
 */
export function takeLease(center: string, id: string, holder: string, seconds: number): Sql {
  return sql`
    update webhooks set leased_by = ${holder}, leased_until = ${lease(seconds)}, idle = false
    where center_id = ${center} and id = ${id} and state = 'active'
      and (leased_until is null or leased_until <= clock_timestamp())
      and (next_attempt_at is null or next_attempt_at <= clock_timestamp())
    returning ${columns}`
}

/** An instance that has lost its lease changes nothing and gets no row. */
const held = (center: string, id: string, holder: string) =>
  sql`where center_id = ${center} and id = ${id} and leased_by = ${holder}`

/** Ends the lease. @param idle it found nothing to send */
export function endLease(center: string, id: string, holder: string, idle: boolean): Sql {
  return sql`
    update webhooks set leased_by = null, leased_until = null, turn_at = clock_timestamp(), idle = ${idle}
    ${held(center, id, holder)}`
}

/** Fixes the next message before it is sent, and extends the lease. */
export function settleMessage(
  center: string,
  id: string,
  holder: string,
  message: { readonly notes: number; readonly cursor: string; readonly leaseSeconds: number },
): Sql {
  return sql`
    update webhooks set pending_notes = ${message.notes}, pending_cursor = ${message.cursor},
      leased_until = ${lease(message.leaseSeconds)}
    ${held(center, id, holder)}
    returning ${columns}`
}

/** Advances the cursor after a delivery, or if there was nothing to deliver. */
export function advance(
  center: string,
  id: string,
  holder: string,
  to: { readonly cursor: string; readonly revision: number; readonly delivered: boolean },
): Sql {
  return sql`
    update webhooks set cursor = ${to.cursor}, revision = ${to.revision}, pending_notes = null,
      pending_cursor = null, attempts = 0, failing_since = null, next_attempt_at = null,
      delivered_at = case when ${to.delivered} then clock_timestamp() else delivered_at end
    ${held(center, id, holder)}
    returning ${columns}`
}

/** The oldest event that a webhook has not been sent, which is not a change of a record; at most one row. */
export const selectNextEvent = (center: string, id: string): Sql => sql`
  select seq::text as seq, message_id, body from webhook_events
  where center_id = ${center} and webhook_id = ${id}
  order by webhook_events.seq limit 1`

export interface WebhookEventRow {
  readonly seq: string
  readonly message_id: string
  readonly body: string
}

/** Extends the lease before a message is sent. */
export const extendLease = (center: string, id: string, holder: string, seconds: number): Sql => sql`
  update webhooks set leased_until = ${lease(seconds)}
  ${held(center, id, holder)}
  returning ${columns}`

/** Deletes an event that the receiver has accepted. */
export const eventDelivered = (center: string, id: string, holder: string, seq: string): Sql => sql`
  with accepted as (
    delete from webhook_events where center_id = ${center} and webhook_id = ${id} and seq = ${seq}::bigint
  )
  update webhooks set attempts = 0, failing_since = null, next_attempt_at = null, delivered_at = clock_timestamp()
  ${held(center, id, holder)}
  returning ${columns}`

/** Records a failed attempt. The next one is later, or sending stops. */
export function postpone(
  center: string,
  id: string,
  holder: string,
  next: { readonly delaySeconds: number; readonly state: WebhookState },
): Sql {
  return sql`
    update webhooks set attempts = attempts + 1, failing_since = coalesce(failing_since, clock_timestamp()),
      next_attempt_at = ${lease(next.delaySeconds)}, state = ${next.state}
    ${held(center, id, holder)}
    returning id`
}

/** Stores an attempt and keeps the newest `attemptsMax` of its webhook. Stores nothing if the webhook was removed. */
export function insertDelivery(
  center: string,
  id: string,
  delivery: Omit<DeliveryRow, 'at'>,
  attemptsMax: number,
): Sql {
  return sql`
    with old as (
      delete from webhook_deliveries
      where center_id = ${center} and webhook_id = ${id} and seq <= (
        select seq from webhook_deliveries where center_id = ${center} and webhook_id = ${id}
        order by seq desc offset ${attemptsMax - 1} limit 1
      )
    )
    insert into webhook_deliveries (center_id, webhook_id, message_id, attempt, entries, outcome, status, duration_ms)
    select w.center_id, w.id, ${delivery.message_id}, ${delivery.attempt}, ${delivery.entries}, ${delivery.outcome},
      ${delivery.status}, ${delivery.duration_ms}
    from webhooks w where w.center_id = ${center} and w.id = ${id}`
}

/** The deliveries of a webhook, newest first. */
export function selectDeliveries(center: string, id: string, limit: number): Sql {
  return sql`
    select at, message_id, attempt, entries, outcome, status, duration_ms
    from webhook_deliveries where center_id = ${center} and webhook_id = ${id}
    order by seq desc limit ${limit}`
}

/** For the metrics; returns exactly one row. The lag is that of the oldest commit that a webhook has not been sent. */
export const selectSummary: Sql = sql`
  select
    count(*) filter (where w.state = 'active') as active,
    count(*) filter (where w.state = 'active' and w.failing_since is not null) as failing,
    count(*) filter (where w.state = 'paused') as paused,
    count(*) filter (where w.state in ('failed', 'gone')) as stopped,
    coalesce(max(extract(epoch from clock_timestamp() - (
      select c.committed_at from change_commits c
      where c.center_id = w.center_id and c.revision > w.revision order by c.revision limit 1
    ))) filter (where w.state = 'active'), 0)::double precision as lag_seconds
  from webhooks w`
