/** What the role of the service may do, and whether other roles may change the audit trail. */

import { listed } from './check-schema.ts'
import { selectMissingRights, selectRole, selectTrailRights } from './doctor-sql.ts'
import type { Inspected } from './inspect-database.ts'
import { notOk, ok, type Result } from './result.ts'

interface Role {
  readonly name: string
  readonly is_superuser: boolean
  readonly owns: boolean
  readonly may_stage: boolean
}

const ROLES = 'docs/deployment.md (Roles) and deploy/roles.sql create the two roles.'

export async function checkRights(database: Inspected): Promise<Result[]> {
  if (database.isFolder) {
    return [ok('rights', 'Who may write to the folder may change everything in it, the audit trail too.')]
  }
  const { role, missing, others } = await database.read(async (tx) => {
    const [role] = await tx.query<Role>(selectRole)
    const missing = await tx.query<{ name: string; privilege: string }>(selectMissingRights)
    const others = await tx.query<{ role: string }>(selectTrailRights)
    return { role, missing, others: others.map((other) => other.role) }
  })
  const results: Result[] = []
  if (others.length > 0) {
    results.push(
      notOk(
        'rights',
        `Roles that do not own the audit trail may change it: ${listed(others)}.`,
        'Run "sojourn migrate" as the owner, or "revoke update, delete, truncate, trigger on audit_entries, audit_record_lists from …".',
      ),
    )
  }
  if (missing.length > 0) {
    const names = missing.map(({ name, privilege }) => `${privilege.toLowerCase()} on ${name}`)
    results.push(
      notOk(
        'rights',
        `The role ${role?.name} lacks ${listed(names)}.`,
        `Grant it as the owner of the tables. ${ROLES}`,
      ),
    )
  }
  if (role?.may_stage === false) {
    results.push(
      notOk(
        'rights',
        `The role ${role.name} may not create temporary tables, which imports use.`,
        'Run "grant temporary on database … to …" as the owner of the database.',
      ),
    )
  }
  if (role?.is_superuser === true) {
    results.push(
      notOk(
        'rights',
        `The role ${role.name} is a superuser: nothing on the server is protected from the service.`,
        `Use a role of its own. ${ROLES}`,
      ),
    )
  }
  if (results.length > 0) return results
  return [
    ok(
      'rights',
      role?.owns === true
        ? `The role ${role.name} owns the tables, so it could change the audit trail; a second role prevents that.`
        : `The role ${role?.name} has what it uses, and cannot change the audit trail.`,
    ),
  ]
}
