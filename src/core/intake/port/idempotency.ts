/** `Idempotency-Key`: a delivery that is sent again under its key is not imported again, but answered as before. */
import { createHash } from 'node:crypto'
import type { KeyState } from '../../access/key-states.ts'
import type { Database, Queryable } from '../../database/database.ts'
import {
  deleteOldAnswersSql,
  keepAnswerSql,
  selectAnsweredCentersSql,
  selectAnswerSql,
} from './answers-sql.ts'
import { Refusal } from './refusal.ts'

/** How long an answer is stored. */
export const ANSWERS_DAYS = 7

const digest = (text: string) => createHash('sha256').update(text).digest()

export interface Delivery {
  readonly key: Pick<KeyState, 'center' | 'appId'>
  readonly idempotencyKey: string
  /** SHA-256 of the body, hexadecimal */
  readonly sha256: string
}

/** @returns the answer to the same delivery @throws {Refusal} where the key was used for another body */
export async function knownAnswer(database: Database, delivery: Delivery): Promise<string | undefined> {
  const { key, idempotencyKey, sha256 } = delivery
  const [known] = await database.query<{ body: Uint8Array; answer: string }>(
    selectAnswerSql(key.center, key.appId, digest(idempotencyKey)),
  )
  if (known === undefined) return undefined
  if (Buffer.from(known.body).toString('hex') === sha256) return known.answer
  throw new Refusal(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used for another body. Use a new key for each delivery.',
  )
}

export const keepAnswer = (tx: Queryable, { key, idempotencyKey, sha256 }: Delivery, answer: string) =>
  tx.query(keepAnswerSql(key.center, key.appId, digest(idempotencyKey), Buffer.from(sha256, 'hex'), answer))

/** Safe next to another instance that does the same. */
export async function pruneDeliveryAnswers(database: Database): Promise<void> {
  const centers = await database.query<{ center_id: string }>(selectAnsweredCentersSql)
  for (const { center_id } of centers) {
    await database.transaction((tx) => tx.query(deleteOldAnswersSql(center_id, ANSWERS_DAYS)))
  }
}
