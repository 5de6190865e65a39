import { randomBytes } from 'node:crypto'
import type { Database } from '../../../src/core/database/database.ts'
import { type CreatedLink, createLink, type NewLink } from '../../../src/parts/links/create-link.ts'
import { OPERATIONS } from '../../../src/parts.ts'

export const DAY_MS = 86_400_000

/** A link, and the path that it is asked at. */
export async function makeLink(
  database: Database,
  input: Pick<NewLink, 'key' | 'question'> & Partial<NewLink>,
  now: number,
): Promise<CreatedLink & { readonly path: string }> {
  const made = await createLink(
    database,
    { name: 'Kitchen tablet', expiresAt: () => now + 90 * DAY_MS, ...input },
    { operations: OPERATIONS, random: randomBytes, now },
  )
  return { ...made, path: `/links/${made.token}` }
}
