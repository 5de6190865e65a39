/** Lists, shows and revokes links. */

import { iso, KeyError } from '../../core/access/keys/key.ts'
import { parseAppId, parseLinkId, parseLinkToken } from '../../core/access/keys/token.ts'
import { recordAct } from '../../core/audit/record-act.ts'
import type { Queryable, Transacting } from '../../core/database/database.ts'
import { readCenterZone } from '../../core/records/centers/find-center.ts'
import { type Link, type LinkRow, toLink } from './link.ts'
import { linksNamed, linksOfCenter, revokeLinks } from './links-sql.ts'

/** In the order of their creation, grouped by center. */
export async function listLinks(
  database: Transacting,
  { centerId, now }: { centerId: string | undefined; now: number },
): Promise<Link[]> {
  if (centerId !== undefined) await readCenterZone(database, centerId)
  const rows = await database.query<LinkRow>(linksOfCenter(centerId))
  return rows.map((row) => toLink(row, now))
}

/**
 * @param id of a link, or an appId for all links of the application
 * @throws {KeyError} if there is none, or the center has none
 */
export async function showLinks(
  database: Transacting,
  id: string,
  { now, center }: { now: number; center?: string | undefined },
): Promise<Link[]> {
  if (parseLinkToken(id.slice(id.lastIndexOf('/') + 1)) !== undefined) {
    throw new KeyError(
      'This is the URL of a link, which is secret. Give the id of the link instead (sjn_link_…).',
    )
  }
  if (parseLinkId(id) === undefined && parseAppId(id) === undefined) {
    throw new KeyError(
      `${JSON.stringify(id.slice(0, 60))} is not the id of a link (sjn_link_…) or an appId (sjn_app_…); "sojourn links list" lists them.`,
    )
  }
  const rows = await database.query<LinkRow>(linksNamed(id, center))
  if (rows.length === 0)
    throw new KeyError(`There is no link for ${id}; "sojourn links list" lists all links.`)
  return rows.map((row) => toLink(row, now))
}

/**
 * From the next request on, they answer nothing. Works on a full disk too. Revoking twice is no error. @returns the links that were active until
 * now
 */
export async function revokeLink(
  database: Transacting,
  id: string,
  { now, center }: { now: number; center?: string | undefined },
): Promise<string[]> {
  const links = await showLinks(database, id, { now, center })
  const revoke = async (tx: Queryable) => {
    const ids = links.map((link) => link.id)
    const rows = await tx.query<{ id: string }>(revokeLinks(ids, iso(now)))
    const revoked = links.filter((link) => rows.some((row) => row.id === link.id))
    for (const { centerId, id: link, name, appId } of revoked) {
      await recordAct(tx, { center: centerId, name: 'revokeLink', facts: { link, name, appId }, scopes: [] })
    }
    return revoked.map((link) => link.id)
  }
  return database.transaction(revoke, { space: 'reserve' })
}
