/** Statements that find out whether a server is a replica of another one, and how far it is behind. */
import sql, { type Sql } from 'sql-template-tag'

/** Notes a start of the primary (`Generation.name`), for its replicas to receive. Harmless when repeated. */
export const noteGeneration = (name: string): Sql => sql`
  insert into server_generations (name) values (${name}) on conflict do nothing`

/**
 * Whether this server is a standby, and whether it has received the start of the primary: one row.
 * A standby that has it has everything committed before, and nothing that the primary has not.
 */
export const selectIsReplica = (name: string): Sql => sql`
  select pg_is_in_recovery() as standby,
    exists (select from server_generations where name = ${name}) as received`

/** How many bytes the primary has written to its log: one row. Any role may ask. */
export const selectWrittenPosition: Sql = sql`
  select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as position`

/** How many bytes of the primary's log this standby shows: one row; null if it is not a standby. */
export const selectReplayedPosition: Sql = sql`
  select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') as position`
