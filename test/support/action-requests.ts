/** Requests derived from the list of actions, for tests of every action. A new action needs a body here. */
import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Scope } from '../../src/access/keys/scopes.ts'
import { ACTIONS } from '../../src/app.ts'
import type { Database } from '../../src/database/database.ts'
import { type Action, actionPath } from '../../src/request/action.ts'
import type { Asker, TestAnswer } from './api.ts'

/** The center's local day in tests of actions. */
export const ACTION_DAY = '2025-01-08'
export const ACTION_NOW = `${ACTION_DAY}T06:00:00Z`

/** Bodies that need nothing else to exist. */
const BODIES: Readonly<Record<string, object>> = {
  'store-sheet': { day: ACTION_DAY },
  'confirm-sheet': { day: ACTION_DAY, sheet: null },
  'acknowledge-changes': { day: ACTION_DAY, sheet: null },
  'dismiss-contradiction': { contradiction: 'of-both', digest: 'seen', reason: 'Checked', name: 'Maria' },
}

/** Bodies that name what only one center has, once `BODIES` were sent for it. */
export const OF_ONE_CENTER: Readonly<Record<string, object>> = {
  'confirm-sheet': { day: ACTION_DAY, sheet: 1 },
  'acknowledge-changes': { day: ACTION_DAY, sheet: 1 },
  'dismiss-contradiction': { contradiction: 'of-spa', digest: 'seen', reason: 'Checked', name: 'Maria' },
}

/** Scopes of what an action is about, in addition to its own. */
const SCOPES_OF_SUBJECT: Readonly<Record<string, readonly Scope[]>> = { 'dismiss-contradiction': ['guests'] }

export const scopesOfAction = ({ name, scope }: Action): readonly Scope[] => [
  scope,
  ...(SCOPES_OF_SUBJECT[name] ?? []),
]

/** Stores what the bodies name, if no other action does. */
export const addSubjects = (database: Database): Promise<unknown> =>
  database.query(sql`
    insert into contradictions (center_id, id, kind, since, changed_at, digest, form, evidence)
    select k.center_id, k.id, 'overlappingStays', now(), now(), 'seen', 'f', '{"records": [], "compared": []}'
    from (values ('spa', 'of-both'), ('lodge', 'of-both'), ('spa', 'of-spa')) as k (center_id, id)`)

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
