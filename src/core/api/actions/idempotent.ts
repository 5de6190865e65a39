/**
 * Performs an action once for each Idempotency-Key: in one transaction, which also stores its answer and its entry in
 * the audit trail. So none of the three exists without the others, however often and wherever it is repeated.
 */
import { createHash } from 'node:crypto'
import type { KeyState } from '../../access/key-states.ts'
import { recordAction } from '../../audit/record-action.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { errors } from '../../errors/api-error.ts'
import { localDateOf } from '../../locale/zones.ts'
import type { Center } from '../../records/centers/center.ts'
import {
  type Action,
  type ActionContext,
  type ActionOutcome,
  type ActionSettings,
  actionId,
} from '../../request/action.ts'
import { claimKey, selectAnswer, storeAnswer } from './action-answers-sql.ts'

export interface Performance {
  readonly action: Action
  readonly key: KeyState
  readonly center: Center
  readonly idempotencyKey: string
  /** the body as received */
  readonly text: string
  /** what the body asks for */
  perform(context: ActionContext): Promise<ActionOutcome>
  readonly requestId: string
  /** epoch ms */
  readonly now: number
  readonly settings: ActionSettings
}

export interface Performed {
  /** the body of the answer */
  readonly answer: string
  /** completes the body, after the commit */
  readonly complete?: () => Promise<string>
  /** whether an earlier request with the same key has performed it */
  readonly isRepeated: boolean
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** @throws {ApiError} 422 if the key was used for another request; what the action throws */
export function performOnce(database: Database, performance: Performance): Promise<Performed> {
  const { action, key, center, idempotencyKey, text, requestId, now } = performance
  const under = digest(idempotencyKey)
  const request = digest(`${action.name}\n${text}`)
  const work = async (tx: Queryable): Promise<Performed> => {
    const [claimed] = await tx.query(claimKey(key.center, key.appId, under, request))
    if (claimed === undefined) {
      const [known] = await tx.query<{ request: Uint8Array; answer: string | null }>(
        selectAnswer(key.center, key.appId, under),
      )
      // It was pruned in this moment.
      if (known?.answer == null) throw errors.unavailable()
      if (!request.equals(known.request)) throw errors.idempotencyKeyReused()
      return { answer: known.answer, isRepeated: true }
    }
    const { answer, facts, shown, afterwards } = await performance.perform({
      center,
      now,
      today: localDateOf(center.timezone, now),
      settings: performance.settings,
      actor: { appId: key.appId, publicKey: key.publicKey, expiresAt: key.expiresAt },
      reader: { scopes: [...key.scopes], customFields: key.customFields },
      query: (statement) => tx.query(statement),
    })
    const stored = JSON.stringify({
      ...answer,
      ...Object.fromEntries((action.once ?? []).map((name) => [name, null])),
    })
    await tx.query(storeAnswer(key.center, key.appId, under, stored))
    // Last, because it holds up the trail of the center's reads until the commit.
    await recordAction(tx, {
      ...{ key, operation: actionId(action), facts, scope: action.scope, requestId },
      shown: shown ?? [],
    })
    return {
      answer: JSON.stringify(answer),
      isRepeated: false,
      ...(afterwards === undefined
        ? {}
        : { complete: async () => JSON.stringify({ ...answer, ...(await afterwards()) }) }),
    }
  }
  return database.transaction(work, action)
}
