import sql, { type Sql } from 'sql-template-tag'

/** A function of the session, so it is no part of the schema. It reports an error as a row, because the cursor would not survive one. */
export const createFunction = `create or replace function pg_temp.read_earlier(
  number integer, out rows json, out code text, out message text
) stable language plpgsql as $$
begin
  execute current_setting('sojourn.statement') using current_setting('sojourn.parameters')::text[] into rows;
exception when others then
  code := sqlstate;
  message := sqlerrm;
end $$`

/** Its argument makes every fetch a call of its own. A series in a select list is made one number at a time. */
export const openCursor = `declare earlier_reads no scroll cursor for
  select read.* from (select generate_series(1, 2147483647) as number) each, pg_temp.read_earlier(each.number) read`

export const fetchOne = 'fetch 1 from earlier_reads'

/**
 * Says what the next fetch runs. Nothing can be written until the end of the savepoint in which this is said.
 * @param types of its parameters, as PostgreSQL names them
 * @param parameters an array of texts, as PostgreSQL writes one
 */
export function setStatement({ strings }: Sql, types: readonly string[], parameters: string | null): Sql {
  const text = strings.reduce((all, next, at) => `${all}($1)[${at}]::${types[at - 1]}${next}`)
  return sql`
    select set_config('sojourn.statement', ${`select json_agg(read::text) from (${text}\n) read`}, true),
      set_config('sojourn.parameters', ${parameters}, true), set_config('transaction_read_only', 'on', true)`
}

/** The names of the types of a prepared statement's parameters, in their order. */
export const selectParameterTypes = (statement: string): Sql => sql`
  select type::text from pg_prepared_statements, unnest(parameter_types) with ordinality as of_statement (type, place)
  where name = ${statement} order by place`
