/** Mappings stored under a name with their center, so that no file is needed. */
import { createHash } from 'node:crypto'
import { type Act, recordAct } from '../audit/record-act.ts'
import type { Database, Queryable } from '../database/database.ts'
import { readCenterZone } from '../records/centers/find-center.ts'
import { InputError } from './input-error.ts'
import { readMapping } from './spreadsheets/mapping/read-mapping.ts'
import { type IsDietWordStored, storedForm } from './spreadsheets/mapping/stored-form.ts'
import { readTree, type TreeNode } from './spreadsheets/mapping/yaml-tree.ts'
import {
  deleteMappingSql,
  type StoredMappingRow,
  saveMappingSql,
  selectMappingSql,
  selectMappingsSql,
} from './stored-mappings-sql.ts'

/** A center exports from one or two programs; more mappings than this are a mistake in a script. */
export const MAPPINGS_MAX = 100

/** The mappings of one center, or of all. @throws {NoSuchCenter} */
export async function listMappings(
  database: Queryable,
  centerId: string | undefined,
): Promise<StoredMappingRow[]> {
  const rows = await database.query<StoredMappingRow>(selectMappingsSql(centerId))
  if (rows.length === 0 && centerId !== undefined) await readCenterZone(database, centerId)
  return rows
}

/** @throws {InputError} that lists the center's mappings */
export async function findMapping(
  database: Queryable,
  centerId: string,
  name: string,
): Promise<StoredMappingRow> {
  const [found] = await database.query<StoredMappingRow>(selectMappingSql(centerId, name))
  return found ?? notThere(database, centerId, name)
}

/**
 * Stores a mapping that a person wrote, or replaces one of the same name, and records it in the audit trail.
 * @throws {InputError} if it is not a valid mapping, or the center has as many as it may have
 */
export async function saveMapping(
  database: Database,
  { centerId, name, body, user }: { centerId: string; name: string; body: string; user: string },
): Promise<void> {
  readMapping(body, name)
  const tree = readTree(body, name)
  if (body.includes('\0')) throw new InputError(`${name} has a NUL character`)
  if (await database.transaction((tx) => writeMapping(tx, { centerId, name, tree, user }))) return
  await readCenterZone(database, centerId)
  throw new InputError(
    `${centerId} has ${MAPPINGS_MAX} mappings, which is the most it may have; remove one first.`,
  )
}

/**
 * The same in the transaction of an import by a mapping that was read, by a key.
 * @throws {InputError} if it is too long to be stored, or the center has as many as it may have
 */
export async function storeMapping(
  tx: Queryable,
  mapping: NewMapping,
  isStored: IsDietWordStored,
): Promise<void> {
  const isWritten = await writeMapping(tx, mapping, isStored).catch((error) => {
    if (!(error instanceof InputError)) throw error
    throw new InputError(`${error.message}. Nothing was imported; import without storing the mapping`)
  })
  if (isWritten) return
  throw new InputError(
    `The center has ${MAPPINGS_MAX} mappings, which is the most it may have. Nothing was imported; import without storing the mapping, or remove one first`,
  )
}

interface NewMapping {
  readonly centerId: string
  readonly name: string
  readonly tree: TreeNode
  readonly user: string
  readonly by?: Act['by']
}

/** @returns whether it was stored: the center may have as many as it may have */
async function writeMapping(
  tx: Queryable,
  { centerId, name, tree, user, by }: NewMapping,
  isStored: IsDietWordStored = () => true,
): Promise<boolean> {
  const body = storedForm(tree, isStored)
  const row = { center_id: centerId, name, body, saved_by: user }
  const sha256 = createHash('sha256').update(body).digest('hex')
  const rows = await tx.query(saveMappingSql(row, MAPPINGS_MAX))
  if (rows.length > 0) await act(tx, 'saveMapping', centerId, { mapping: name, sha256 }, by)
  return rows.length > 0
}

/** @throws {InputError} that lists the center's mappings */
export async function removeMapping(database: Database, centerId: string, name: string): Promise<void> {
  const removed = await database.transaction(async (tx) => {
    const rows = await tx.query(deleteMappingSql(centerId, name))
    if (rows.length > 0) await act(tx, 'removeMapping', centerId, { mapping: name })
    return rows
  })
  if (removed.length === 0) await notThere(database, centerId, name)
}

const act = (
  tx: Queryable,
  name: 'saveMapping' | 'removeMapping',
  center: string,
  facts: Readonly<Record<string, string>>,
  by?: Act['by'],
) => recordAct(tx, { center, name, facts, scopes: [], ...(by && { by }) })

async function notThere(database: Queryable, centerId: string, name: string): Promise<never> {
  const names = (await listMappings(database, centerId)).map((row) => row.name)
  const known = names.length === 0 ? 'it keeps none' : `it keeps ${names.join(', ')}`
  throw new InputError(
    `${centerId} keeps no mapping "${name}"; ${known}. A file is named with its ending: ${name}.yaml.`,
  )
}
