/** Requests derived from the list of actions, for tests of every action. A new action needs a body here. */
import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Scope } from '../../src/core/access/keys/scopes.ts'
import type { Database } from '../../src/core/database/database.ts'
import { type Action, actionPath } from '../../src/core/request/action.ts'
import { deriveSecret, secretCheck } from '../../src/parts/webhooks/secrets.ts'
import { ACTIONS } from '../../src/parts.ts'
import type { Asker, TestAnswer } from './api.ts'

/** The center's local day in tests of actions. */
export const ACTION_DAY = '2025-01-08'
export const ACTION_NOW = `${ACTION_DAY}T06:00:00Z`

/** Applications of both centers, and one of the first. In truth, no two centers have the same. */
const OF_BOTH = 'sjn_app_ofBoth0000000000'
const TO_REVOKE = 'sjn_app_toRevoke00000000'
const OF_SPA = 'sjn_app_ofSpa00000000000'
const REPORT_OF_BOTH = 'sjn_report_ofBoth'
const REPORT_OF_SPA = 'sjn_report_ofSpa'
const HOOK_OF_BOTH = 'sjn_hook_ofBoth'
const HOOK_OF_SPA = 'sjn_hook_ofSpa'

/** The service as tests of every action need it. */
export const ACTION_APP = { webhooksKey: Buffer.alloc(32, 7).toString('base64') }

/** Bodies that need nothing else to exist. */
const BODIES: Readonly<Record<string, object>> = {
  'store-sheet': { day: ACTION_DAY },
  'confirm-sheet': { day: ACTION_DAY, sheet: null },
  'acknowledge-changes': { day: ACTION_DAY, sheet: null },
  'dismiss-contradiction': { contradiction: 'of-both', digest: 'seen', reason: 'Checked', name: 'Maria' },
  'create-key': {
    name: 'Kitchen wall',
    scopes: ['meals', 'sessions'],
    diets: false,
    responsible: null,
    reviewOn: null,
    expiresOn: null,
    allowedAddresses: [],
  },
  'describe-key': { key: OF_BOTH, responsible: 'Doina', reviewOn: '2026-12-31' },
  'rotate-key': { key: OF_BOTH, overlapHours: 1 },
  'revoke-key': { key: TO_REVOKE },
  'add-webhook': { name: 'Lab', url: 'https://lab.example.org/hook', scopes: ['guests'] },
  'create-device-link': { key: OF_BOTH, validMinutes: 15 },
  'revoke-device-link': { link: 'sjn_dev_none' },
  'create-link': {
    key: OF_BOTH,
    name: 'Kitchen',
    query: '/meals/portions?startDate=today&endDate=today',
    language: null,
    expiresOn: '2099-12-31',
    allowedAddresses: [],
    allowSensitive: false,
  },
  'revoke-link': { link: 'sjn_link_none' },
  'set-source': { source: 'watch', kinds: ['bookings'], schedule: 'every night by 04:00', application: null },
  'remove-source': { source: 'none' },
  'set-notice-addresses': { addresses: ['office@example.org'] },
  'set-center': { changes: { mealRules: { mealTimes: { lunch: '12:30' } } } },
  'set-diet': { field: 'shared', value: 'nuts', otherSpellings: [], meaning: 'allergy' },
  'add-report': {
    key: OF_BOTH,
    name: 'Kitchen',
    kind: 'day',
    format: 'pdf',
    times: ['06:00'],
    days: 'daily',
    destinations: ['mail:kitchen@example.org'],
    language: null,
    query: null,
  },
  'run-report': { report: REPORT_OF_BOTH },
  'remove-report': { report: 'sjn_report_none' },
  'test-webhook': { webhook: HOOK_OF_BOTH },
  'remove-webhook': { webhook: 'sjn_hook_none' },
  'find-person': { name: 'Ana Popescu', dob: null, email: null },
  'show-person': { customer: 'person-of-both' },
  'erase-person': { customer: 'person-of-both', retentionYears: 0, keepOrders: false, confirm: null },
}

/** Bodies that name what only one center has, once `BODIES` were sent for it. */
export const OF_ONE_CENTER: Readonly<Record<string, object>> = {
  'confirm-sheet': { day: ACTION_DAY, sheet: 1 },
  'acknowledge-changes': { day: ACTION_DAY, sheet: 1 },
  'dismiss-contradiction': { contradiction: 'of-spa', digest: 'seen', reason: 'Checked', name: 'Maria' },
  'describe-key': { key: OF_SPA, responsible: 'Doina', reviewOn: '2026-12-31' },
  'rotate-key': { key: OF_SPA, overlapHours: 1 },
  'revoke-key': { key: OF_SPA },
  'create-device-link': { key: OF_SPA, validMinutes: 15 },
  'run-report': { report: REPORT_OF_SPA },
  'test-webhook': { webhook: HOOK_OF_SPA },
  'show-person': { customer: 'person-of-spa' },
  'erase-person': { customer: 'person-of-spa', retentionYears: 0, keepOrders: false, confirm: null },
}

/** Scopes of what an action is about, in addition to its own. */
const SCOPES_OF_SUBJECT: Readonly<Record<string, readonly Scope[]>> = { 'dismiss-contradiction': ['guests'] }

export const scopesOfAction = ({ name, scope }: Action): readonly Scope[] => [
  scope,
  ...(SCOPES_OF_SUBJECT[name] ?? []),
]

/** Stores what the bodies name, if no other action does. */
export async function addSubjects(database: Database): Promise<void> {
  await database.query(sql`
    insert into api_keys (center_id, public_key, app_id, name, secret_hash, scopes)
    select k.center_id, k.public_key, k.app_id, 'of ' || k.center_id, decode(repeat('00', 32), 'hex'), '{meals}'
    from (values ('spa', 'sjn_pk_a', ${OF_BOTH}), ('lodge', 'sjn_pk_b', ${OF_BOTH}), ('spa', 'sjn_pk_c', ${TO_REVOKE}),
      ('lodge', 'sjn_pk_d', ${TO_REVOKE}), ('spa', 'sjn_pk_e', ${OF_SPA})) as k (center_id, public_key, app_id)`)
  await database.query(sql`
    insert into reports (center_id, id, app_id, name, kind, format, times, days, destinations, created_at, next_at)
    select k.center_id, k.id, ${OF_BOTH}, 'of ' || k.center_id, 'day', 'pdf', '{06:00}', 'daily',
      '{mail:kitchen@example.org}', now(), now() + interval '1 day'
    from (values ('spa', ${REPORT_OF_BOTH}), ('lodge', ${REPORT_OF_BOTH}), ('spa', ${REPORT_OF_SPA})) as k (center_id, id)`)
  // Paused, and to an address that is not allowed: nothing is sent to the network.
  const salt = Buffer.alloc(16, 1)
  const check = secretCheck(deriveSecret(ACTION_APP.webhooksKey, salt))
  await database.query(sql`
    insert into webhooks (center_id, id, name, url, scopes, salt, secret_check, state, cursor, revision)
    select k.center_id, k.id, 'of ' || k.center_id, 'http://127.0.0.1:9/hook', '{guests}', ${salt}, ${check}, 'paused', '', 0
    from (values ('spa', ${HOOK_OF_BOTH}), ('lodge', ${HOOK_OF_BOTH}), ('spa', ${HOOK_OF_SPA})) as k (center_id, id)`)
  await database.query(sql`
    insert into contradictions (center_id, id, kind, since, changed_at, digest, form, evidence)
    select k.center_id, k.id, 'overlappingStays', now(), now(), 'seen', 'f', '{"records": [], "compared": []}'
    from (values ('spa', 'of-both'), ('lodge', 'of-both'), ('spa', 'of-spa')) as k (center_id, id)`)
  await database.query(sql`
    insert into customers (center_id, id, first_name, last_name)
    values ('spa', 'person-of-both', 'Zita', 'Both'), ('lodge', 'person-of-both', 'Zita', 'Both'), ('spa', 'person-of-spa', 'Zita', 'Spa')`)
}

/** Removes what earlier requests added, of which a center has only so many. */
export async function removeAdded(database: Database): Promise<void> {
  await database.query(sql`delete from webhooks where name = 'Lab'`)
  await database.query(sql`delete from reports where name = 'Kitchen'`)
}

/** The table of a `describe.each` over all actions. */
export const EVERY_ACTION = ACTIONS.map((action) => [action.name, action] as const)

export function actionBody({ name }: Action): string {
  const body = BODIES[name]
  if (body === undefined) throw new Error(`name a body of the action ${name} in BODIES`)
  return JSON.stringify(body)
}

export const actionHeaders = (idempotencyKey: string = randomUUID()) => ({
  'content-type': 'application/json',
  'idempotency-key': idempotencyKey,
})

/** Sends a valid request, unless its parts are replaced. */
export const sendAction = (
  asker: Asker,
  action: Action,
  { headers = {}, body = actionBody(action) }: { headers?: Record<string, string>; body?: string } = {},
): Promise<TestAnswer> =>
  asker.request('POST', `/v1${actionPath(action)}`, { ...actionHeaders(), ...headers }, body)
