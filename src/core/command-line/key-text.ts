/** Keys as text for the terminal. */

import type { Key, KeyWithSecrets } from '../access/keys/key.ts'
import { ADMINISTRATION } from '../access/keys/scopes.ts'
import type { DatabaseUse } from './context.ts'
import { tableLines } from './table.ts'

/** A line for each property of a key. */
export function keyLines(key: Key | KeyWithSecrets): string[] {
  const rows: [string, string | undefined][] = [
    ['appId', key.appId],
    ['publicKey', key.publicKey],
    ['secretKey', 'secretKey' in key ? key.secretKey : undefined],
    ['apiKey', 'apiKey' in key ? key.apiKey : undefined],
    ['name', key.name],
    ['center', key.centerId],
    ['scopes', scopesText(key)],
    [
      'fields',
      key.customFields.length === 0 ? undefined : key.customFields.map((field) => `meta.${field}`).join(', '),
    ],
    ['may grant', key.scopes.includes(ADMINISTRATION) ? key.grants.join(', ') || 'no scope' : undefined],
    ['person', key.responsible ?? 'none'],
    ['review', key.reviewOn ?? 'no date'],
    ['limits', `${limit(key.limits.perMinute)} per minute, ${limit(key.limits.perHour)} per hour`],
    ['used from', key.allowedAddresses.length === 0 ? 'anywhere' : key.allowedAddresses.join(', ')],
    [
      'assistants',
      key.intake
        ? undefined
        : key.allowAssistants
          ? 'also personal and medical data'
          : 'no personal or medical data',
    ],
    ['status', key.status],
    ['created', minute(key.createdAt)],
    ['expires', minute(key.expiresAt) ?? 'never'],
    ['revoked', minute(key.revokedAt)],
    ['last used', minute(key.lastUsedAt) ?? ('secretKey' in key ? undefined : 'never')],
  ]
  return rows.flatMap(([label, value]) => (value === undefined ? [] : [`${label.padEnd(10)} ${value}`]))
}

/** How a command that changes keys uses the database, and what it prints if it is interrupted. */
export const KEYS_CHANGE: DatabaseUse = {
  outcomes: {
    nothing: 'No key was changed.',
    unknown: 'The change may have been saved: check with "sojourn keys list" before you run it again.',
  },
}

/** How a key is sent; printed once, with its secrets. */
export const SECRETS_ONCE =
  'The secrets are shown only once: store them now. Send appId, publicKey and secretKey as X-API-APP-ID, X-API-PUBLIC-KEY and X-API-SECRET-KEY, or send apiKey after "Authorization: Bearer".'

export function keyTable(keys: readonly Key[]): string[] {
  const rows = [
    [
      'appId',
      'publicKey',
      'name',
      'center',
      'scopes',
      'fields',
      'assistants',
      'status',
      'expires',
      'last used',
      'responsible',
      'review',
    ],
    ...keys.map((key) => [
      key.appId,
      key.publicKey,
      key.name,
      key.centerId,
      key.intake ? ['intake', ...key.scopes].join(',') : key.scopes.join(','),
      key.customFields.map((field) => `meta.${field}`).join(','),
      key.allowAssistants ? 'allowed' : '',
      key.status,
      minute(key.expiresAt) ?? 'never',
      minute(key.lastUsedAt) ?? 'never',
      key.responsible ?? '',
      key.reviewOn ?? '',
    ]),
  ]
  return tableLines(rows)
}

function scopesText({ intake, scopes }: Key): string {
  const named = scopes.join(', ')
  if (!intake) return named
  return named === '' ? 'none: it sends records' : `${named}; it sends records`
}

const limit = (requests: number) => (requests === 0 ? 'no limit' : `${requests} requests`)

/** `2026-03-01 10:00 UTC` */
const minute = (iso: string | null) =>
  iso === null ? undefined : `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
