/** The statement that reads what a cell answers for. */
import sql, { type Sql } from 'sql-template-tag'

export interface ClaimsRow {
  /** hexadecimal, of all claims */
  digest: string
  /** whether a center is moving into or out of it */
  moving: boolean
  /**
   * for each center its tag, its rank, and the identifiers of its keys, links and one-time links; null if the digest is the
   * one that was sent
   */
  claims: [tag: string, rank: number, ids: string[]][] | null
}

/**
 * The keys, links and one-time links of all centers of a database, and a digest of them, so that the many reads that find
 * nothing new return one short row. A key or link that has ended is left out, and gets the same 401 or 404 from any cell. A
 * one-time link that has ended remains, because its holder may learn that it was used. The tag of a center is a digest of
 * its history, which is its own and moves with it. A center that is arriving is left out, and one that is moving or has moved
 * has the lower rank. Reads each table once; a cell has some thousand rows.
 */
export const selectClaims = (known: string): Sql => sql`
  with ids as (
    select center_id, public_key as id from api_keys
    where revoked_at is null and coalesce(expires_at > clock_timestamp(), true)
    union all
    select center_id, id from links where revoked_at is null and expires_at > clock_timestamp()
    union all
    select center_id, id from device_links
  ), centers as (
    select r.center_id, left(encode(sha256(uuid_send(r.history_id)), 'hex'), 16) as tag,
      case when m.center_id is null then 2 else 1 end as rank,
      json_agg(i.id order by i.id collate "C") as ids
    from center_revisions r
    join ids i on i.center_id = r.center_id
    left join center_moves m on m.center_id = r.center_id
    where m.state is distinct from 'arriving'
    group by r.center_id, m.center_id
  ), listed as (
    select coalesce(json_agg(json_build_array(tag, rank, ids) order by tag collate "C"), '[]') as claims from centers
  ), digested as (
    select claims, encode(sha256(convert_to(claims::text, 'UTF8')), 'hex') as digest from listed
  )
  select digest, exists (select from center_moves where state <> 'moved') as moving,
    case when digest = ${known} then null else claims end as claims from digested`
