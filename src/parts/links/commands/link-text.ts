/** Links as text for the terminal. */

import type { DatabaseUse } from '../../../core/command-line/context.ts'
import type { Link } from '../link.ts'

/** How a command that changes links uses the database, and what it prints if it is interrupted. */
export const LINKS_CHANGE: DatabaseUse = {
  outcomes: {
    nothing: 'No link was changed.',
    unknown: 'The change may have been saved: check with "sojourn links list" before you run it again.',
  },
}

/** A line for each property of a link. */
export function linkLines(link: Link & { readonly url?: string }): string[] {
  const { perMinute, perHour } = link.limits
  const rows: [string, string | undefined][] = [
    ['id', link.id],
    ['url', link.url],
    ['name', link.name],
    ['center', link.centerId],
    ['appId', link.appId],
    ['query', link.question],
    ['language', link.language ?? 'the center’s own'],
    ['limits', `${perMinute} requests per minute, ${perHour} requests per hour`],
    ['used from', link.allowedAddresses.length === 0 ? 'anywhere' : link.allowedAddresses.join(', ')],
    ['sensitive', link.allowSensitive ? 'may show personal and medical data' : 'no personal or medical data'],
    ['status', link.status],
    ['created', minute(link.createdAt)],
    ['expires', minute(link.expiresAt)],
    ['revoked', link.revokedAt === null ? undefined : minute(link.revokedAt)],
    ['requests', link.url === undefined ? `${link.requests} in the last 30 days` : undefined],
    ['last used', link.url === undefined ? (link.lastUsed ?? 'never') : undefined],
  ]
  return rows.flatMap(([label, value]) => (value === undefined ? [] : [`${label.padEnd(10)} ${value}`]))
}

/** `2026-03-01 10:00 UTC` */
const minute = (iso: string) => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
