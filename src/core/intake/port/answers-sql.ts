import sql, { type Sql } from 'sql-template-tag'

/** The answer to a delivery that went in. By the primary key. */
export const selectAnswerSql = (center: string, appId: string, delivery: Buffer): Sql => sql`
  select body, answer
  from intake_answers
  where center_id = ${center} and app_id = ${appId} and delivery = ${delivery}`

/** Keeps the answer to a delivery, in the transaction that imports it. */
export const keepAnswerSql = (
  center: string,
  appId: string,
  delivery: Buffer,
  body: Buffer,
  answer: string,
): Sql => sql`
  insert into intake_answers (center_id, app_id, delivery, body, answer)
  values (${center}, ${appId}, ${delivery}, ${body}, ${answer})`

/** Each center that has some. */
export const selectAnsweredCentersSql: Sql = sql`select distinct center_id from intake_answers order by center_id`

/** Takes out what is older than so many days. By the primary key's first column. */
export const deleteOldAnswersSql = (center: string, days: number): Sql => sql`
  delete from intake_answers
  where center_id = ${center} and at < clock_timestamp() - make_interval(days => ${days})`
