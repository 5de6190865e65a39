/**
 * People who were erased, by a digest of their customer's identifier: enough to know them again when an import brings
 * them, and too little to say who they were.
 */
import { hash } from 'node:crypto'
import type { Queryable } from '../database/database.ts'
import { deleteErasures, insertErasure, selectErased, selectSalt } from './erased-sql.ts'
import type { JsonObject } from './kinds/kind.ts'
import type { FieldProblem } from './problems.ts'
import type { StagedLine } from './stage-sql.ts'

const digestOf = (salt: Buffer, id: string) => hash('sha256', Buffer.concat([salt, Buffer.from(id)]), 'hex')

async function saltOf(queryable: Queryable, center: string): Promise<Buffer | undefined> {
  const [row] = await queryable.query<{ salt: Uint8Array }>(selectSalt(center))
  return row && Buffer.from(row.salt)
}

/** @param newSalt used where nobody of the center was erased before @returns the digest, in hexadecimal */
export async function noteErased(
  tx: Queryable,
  center: string,
  id: string,
  newSalt: () => Uint8Array,
): Promise<string> {
  const salt = (await saltOf(tx, center)) ?? Buffer.from(newSalt())
  const digest = digestOf(salt, id)
  await tx.query(insertErasure(center, digest, salt))
  return digest
}

/** @returns when each of the customers was erased (epoch ms), of those that were */
async function erasedAmong(
  queryable: Queryable,
  center: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const salt = await saltOf(queryable, center)
  if (salt === undefined || ids.length === 0) return new Map()
  const byDigest = new Map(ids.map((id) => [digestOf(salt, id), id]))
  const rows = await queryable.query<{ digest: string; erased_at: number }>(
    selectErased(center, [...byDigest.keys()]),
  )
  return new Map(rows.map(({ digest, erased_at }) => [byDigest.get(digest) ?? '', erased_at]))
}

/**
 * Looks whether lines of customers bring back people who were erased.
 * @param restore they may come back, and are no longer known as erased
 * @returns the problem of a record
 */
export async function refuseErased(
  tx: Queryable,
  lines: readonly StagedLine[],
  restore: boolean,
): Promise<(record: JsonObject, centerId: string) => FieldProblem[]> {
  const byCenter = Map.groupBy(lines, ({ center_id }) => center_id)
  const erased = new Map<string, ReadonlyMap<string, number>>()
  for (const [center, own] of byCenter) {
    const found = await erasedAmong(tx, center, [...new Set(own.map(({ key }) => key))])
    if (restore) await forgetErased(tx, center, [...found.keys()])
    else erased.set(center, found)
  }
  return ({ id }, center) => {
    const at = erased.get(center)?.get(String(id))
    if (at === undefined) return []
    const day = new Date(at).toISOString().slice(0, 10)
    return [
      {
        field: 'id',
        message: `is of a person who was erased on ${day}; leave the record out, use --skip-invalid to import the others, or --restore-erased if the person has agreed to be stored again`,
      },
    ]
  }
}

/** They may be imported again from now on. */
async function forgetErased(tx: Queryable, center: string, ids: readonly string[]): Promise<void> {
  const salt = await saltOf(tx, center)
  if (salt !== undefined && ids.length > 0) {
    await tx.query(
      deleteErasures(
        center,
        ids.map((id) => digestOf(salt, id)),
      ),
    )
  }
}
