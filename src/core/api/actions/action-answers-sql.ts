/** The statements that store answers to actions, for repetitions with the same Idempotency-Key. */
import sql, { type Sql } from 'sql-template-tag'

/** How many days an answer is stored. */
export const ANSWER_DAYS = 7
/** How many answers of an application are stored: the default limit of requests per hour. */
export const ANSWERS_PER_APPLICATION_MAX = 1000

/**
 * Claims the Idempotency-Key for this transaction. Callers may rely on: one row if the key is new; none if it was used
 * before. If another transaction has just claimed it, this waits for its end. Uses the primary key.
 * @param request SHA-256
 */
export const claimKey = (center: string, appId: string, key: Buffer, request: Buffer): Sql => sql`
    insert into action_answers (center_id, app_id, idempotency_key, request)
    values (${center}, ${appId}, ${key}, ${request})
    on conflict do nothing
    returning true as claimed`

/** What is stored under a key: at most one row. Uses the primary key. */
export const selectAnswer = (center: string, appId: string, key: Buffer): Sql => sql`
    select request, answer from action_answers
    where center_id = ${center} and app_id = ${appId} and idempotency_key = ${key}`

/** Stores the answer under a claimed key, and deletes the application's oldest ones. Uses action_answers_by_time. */
export const storeAnswer = (center: string, appId: string, key: Buffer, answer: string): Sql => sql`
    with gone as (
      delete from action_answers
      where center_id = ${center} and app_id = ${appId} and at < (
        select at from action_answers
        where center_id = ${center} and app_id = ${appId}
        order by at desc offset ${ANSWERS_PER_APPLICATION_MAX - 1} limit 1
      )
    )
    update action_answers set answer = ${answer}
    where center_id = ${center} and app_id = ${appId} and idempotency_key = ${key}`

/** Each center that has any. */
export const selectCentersWithAnswers: Sql = sql`select distinct center_id from action_answers`

/** Deletes old answers of a center. Callers may rely on: exactly one row, with their number. Uses the primary key. */
export const deleteOldAnswers = (center: string): Sql => sql`
    with gone as (
      delete from action_answers
      where center_id = ${center} and at < clock_timestamp() - make_interval(days => ${ANSWER_DAYS})
      returning 1
    )
    select count(*)::integer as answers from gone`
