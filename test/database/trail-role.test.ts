/** deploy/roles.sql: a role for the service that cannot change the audit trail. */
import { randomBytes } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { Database } from '../../src/core/database/database.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { migrate } from '../../src/core/database/schema/migrate.ts'
import { deployFile } from '../../tools/docs/deploy-blocks.ts'
import { CENTER, type Env, json, sojourn } from '../commands/sojourn.ts'
import { startTestApi } from '../support/api.ts'
import { newPostgresDatabase } from '../support/database.ts'
import { pageText } from '../support/doc-examples.ts'
import { adminQuery } from '../support/postgres-databases.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { session } from '../support/world.ts'

const section = pageText('docs/deployment.md').split('### Roles\n')[1]?.split('\n### ')[0] ?? ''
const later = [...section.matchAll(/```sql\n(.*?)```/gs)].at(-1)?.[1] ?? ''
/** What is run in the database of an administrator, and then in that of the service. */
const [roles = '', defaults = ''] = deployFile('roles.sql').split('\\connect sojourn\n')

test('the page has roles for a new database and for one that exists', () => {
  expect(roles).toContain('create role sojourn login;')
  expect(defaults).toContain('alter default privileges')
  expect(later).toContain('revoke update, delete')
})

describe('the role of the service', () => {
  // Roles are of the whole server.
  const suffix = randomBytes(4).toString('hex')
  const named = (text: string) =>
    text.replaceAll('sojourn_owner', `own_${suffix}`).replaceAll(/\bsojourn\b/g, `run_${suffix}`)
  let admin: string
  let owner: Database
  let service: Database
  const open = (user: string) => {
    const url = new URL(admin)
    ;[url.username, url.password] = [named(user), 'x']
    return openPostgres({ connection: { connectionString: url.href }, poolSize: 3, purpose: 'serve' })
  }
  const env = (user: string): Env => {
    const url = new URL(admin)
    ;[url.username, url.password] = [named(user), 'x']
    return { DATABASE_URL: url.href, DATA_DIR: makeTemporaryFolder() }
  }

  beforeAll(async () => {
    admin = await newPostgresDatabase('empty')
    const name = new URL(admin).pathname.slice(1)
    // The database of the test has a name of its own.
    await adminQuery(
      admin,
      named(
        roles
          .replace(/create database (.*) owner/, 'alter database $1 owner to')
          .replaceAll('login;', "login password 'x';"),
      ).replaceAll(/\bdatabase \w+/g, `database "${name}"`),
    )
    await adminQuery(admin, named(defaults))
    owner = open('sojourn_owner')
    await migrate(owner)
    service = open('sojourn')
  })
  afterAll(async () => {
    await service.close()
    await owner.close()
    await adminQuery(
      admin,
      named('drop owned by sojourn; drop role sojourn; drop owned by sojourn_owner cascade'),
    )
    await adminQuery(admin, `alter database "${new URL(admin).pathname.slice(1)}" owner to current_user`)
    await adminQuery(admin, named('drop role sojourn_owner'))
  })

  const refused = async (statement: string): Promise<string | undefined> =>
    service.query(raw(statement)).then(
      () => undefined,
      (error: unknown) =>
        error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : '',
    )

  it('serves, records reads, and can neither change nor delete an entry', async () => {
    const api = await startTestApi({
      database: service,
      records: [session('s1', '2026-05-01', '2026-05-10')],
    })
    const answer = await api.get('/v1/sessions?startDate=2026-05-01&endDate=2026-05-31')
    expect([answer.status, answer.body.total]).toEqual([200, 1])
    await api.app.close()
    const entries = () => owner.query(sql`select seq, hash from audit_entries order by seq`)
    const before = await entries()
    expect(before).toHaveLength(1)
    for (const statement of [
      `update audit_entries set query = ''`,
      `delete from audit_entries`,
      `truncate audit_entries`,
      `update audit_record_lists set ids = ''`,
      `delete from audit_record_lists`,
      `alter table audit_entries disable trigger all`,
      `drop table audit_entries`,
      `delete from audit_entries_first`,
      `update audit_entries_other set query = ''`,
      `truncate audit_entries_first`,
      `alter table audit_entries detach partition audit_entries_first`,
      `drop table audit_entries_first`,
    ]) {
      expect([statement, await refused(statement)]).toEqual([
        statement,
        expect.stringMatching(/permission denied|must be owner/),
      ])
    }
    expect(await entries()).toEqual(before)
    // What its other work needs remains.
    expect(await refused(`delete from usage_days`)).toBeUndefined()
  })

  it('imports with it, and no other role may connect', async () => {
    const ran = await sojourn(['import', '-'], env('sojourn'), { stdin: CENTER })
    expect(ran).toMatchObject({ code: 0 })
    expect(await owner.query(sql`select name from sessions where center_id = 'fjord'`)).toEqual([
      { name: 'Spring' },
    ])
    const { rows } = await adminQuery(
      admin,
      `select has_database_privilege('pg_monitor', current_database(), 'connect') as others`,
    )
    expect(rows).toEqual([{ others: false }])
  })

  it('commands run with it, and say in the trail who ran them', async () => {
    const key = await json<{ publicKey: string }>(
      ['keys', 'create', '--center', 'spa', '--name', 'Lab', '--preset', 'medical'],
      env('sojourn'),
    )
    expect(key.publicKey).toMatch(/^sjn_/)
    expect(await sojourn(['audit', 'verify'], env('sojourn'))).toMatchObject({ code: 0 })
  })

  it('old entries are deleted with the role of the owner', async () => {
    const asService = await sojourn(['audit', 'prune'], { ...env('sojourn'), AUDIT_DAYS: '20' })
    expect(asService.code).toBe(0)
    await owner.query(sql`
      insert into audit_entries select center_id, n - 2, at - (32 - n * 11) * interval '1 day', batch, public_key, app_id, key_name, operation,
        query, scopes, records, record_list, revision, reads, requests, previous_hash, hash, channel
      from audit_entries, generate_series(1, 2) n where seq = 1`)
    const denied = await sojourn(['audit', 'prune'], { ...env('sojourn'), AUDIT_DAYS: '20' })
    expect(denied).toMatchObject({ code: 1 })
    const ran = await sojourn(['audit', 'prune'], { ...env('sojourn_owner'), AUDIT_DAYS: '20' })
    expect(ran).toMatchObject({ code: 0, stdout: 'Deleted 1 entry older than 20 days.\n' })
  })

  it('for a database that has one role so far, the statement of the page does the same', async () => {
    await owner.query(raw(named('grant all on audit_entries to sojourn')))
    expect(await refused(`update audit_entries set query = query`)).toBeUndefined()
    await owner.query(raw(named(later).trim()))
    expect(await refused(`update audit_entries set query = query`)).toContain('permission denied')
  })
})
