/**
 * The baseline: one migration with the whole schema, which has replaced all migrations before it. A database that has
 * applied all of these has the same schema already, so only the log of migrations changes: records, keys, trail, links and
 * cursors remain as they are.
 */
import { raw } from 'sql-template-tag'
import type { Queryable } from '../database.ts'
import { splitStatements } from '../postgres/split-statements.ts'
import * as statements from './baseline-sql.ts'
import type { Migration } from './migrate.ts'
import { differingObjects, schemaObjects } from './schema-objects.ts'

/** The last migration that the baseline has replaced. */
const LAST_FORMER = '0039-cut-offs'

/** The last version of Sojourn that has the former migrations. */
const FORMER_VERSION = '22170b2'

/** As many differences are named. */
const NAMED_MAX = 3

export const isBaseline = ({ name }: Pick<Migration, 'name'>): boolean => name.endsWith('-baseline')

/**
 * @param applied the log of migrations, in order
 * @returns whether the log ends with the last former migration, so the baseline can replace it; false if the log is empty
 * or begins with the baseline
 * @throws if the log ends with an earlier one
 */
export function requireLastFormer(
  applied: readonly { readonly version: number; readonly name: string }[],
  baseline: Migration,
): boolean {
  const last = applied.at(-1)
  if (last === undefined || applied.some(({ version }) => version >= baseline.version)) return false
  if (last.name === LAST_FORMER) return true
  throw new Error(
    `the database has the schema of an older version of Sojourn (its last migration is ${last.name}): run "sojourn migrate" of version ${FORMER_VERSION} first, then of this one`,
  )
}

/**
 * Replaces the log of the former migrations, if there is one, after comparing the schema with the baseline's. For that,
 * the baseline is created in a schema of its own and removed again, so that the same server describes both.
 * @returns false if there is no such log: the baseline is to be created
 * @throws if the schema differs; what was added to it, such as an index, does not count
 */
export async function adoptBaseline(tx: Queryable, baseline: Migration): Promise<boolean> {
  const [log] = await tx.query<{ count: number }>(statements.countMigrations)
  if (log?.count === 0) return false
  const [role] = await tx.query<{ may: boolean }>(statements.selectMayCreate)
  if (role?.may !== true) {
    throw new Error(
      'the role may not create a schema in this database, which is necessary once to compare the schema with that of this version: "grant create on database … to …", then run "sojourn migrate"',
    )
  }
  const [current] = await tx.query<{ path: string }>(statements.selectSearchPath)
  const found = await schemaObjects(tx)
  await tx.query(statements.createSchema)
  await tx.query(statements.setSearchPath(statements.SCHEMA))
  for (const statement of splitStatements(baseline.script)) await tx.query(raw(statement))
  const wanted = await schemaObjects(tx)
  await tx.query(statements.setSearchPath(current?.path ?? 'public'))
  await tx.query(statements.dropSchema)
  const differing = differingObjects(wanted, found)
  if (differing.length > 0) {
    const more = differing.length > NAMED_MAX ? ` and ${differing.length - NAMED_MAX} more` : ''
    throw new Error(
      `the schema of the database is not the one of migration ${LAST_FORMER}, because somebody changed it (${differing.slice(0, NAMED_MAX).join(', ')}${more}): undo that, run "sojourn migrate" of version ${FORMER_VERSION}, then of this one`,
    )
  }
  await tx.query(statements.deleteMigrations)
  return true
}
