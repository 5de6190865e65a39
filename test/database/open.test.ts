import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { describe, expect, test, vi } from 'vitest'
import { type OpenOptions, openDatabase } from '../../src/core/database/open.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { allMigrations } from '../../src/core/database/schema/migrate.ts'
import { afterwards, newPostgresDatabase } from '../support/database.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const everyMigration = allMigrations().map((migration) => migration.name)

async function open(place: { url?: string; folder?: string }, options: OpenOptions) {
  const config = { databaseUrl: place.url, databasePoolSize: 3, dataDir: place.folder ?? '/nowhere' }
  const database = await openDatabase(config, options)
  let isOpen = true
  const close = async () => {
    if (isOpen) await database.close()
    isOpen = false
  }
  afterwards(close)
  return { ...database, close }
}

const migrationsIn = async (url: string) => {
  const database = openPostgres({ connection: { connectionString: url }, poolSize: 1, purpose: 'command' })
  const [found] = await database.query<{ there: boolean }>(
    sql`select to_regclass('schema_migrations') is not null as there`,
  )
  await database.close()
  return found?.there
}

describe('PostgreSQL', () => {
  test('an empty one is refused, naming the command, and left as it is', async () => {
    const url = await newPostgresDatabase('empty')
    for (const purpose of ['serve', 'command'] as const) {
      await expect(open({ url }, { purpose })).rejects.toThrow(
        `migrations ${everyMigration[0]} to ${everyMigration.at(-1)} are pending. Run "sojourn migrate" first, or start with "sojourn serve --migrate".`,
      )
    }
    expect(await migrationsIn(url)).toBe(false)
  })

  test('is migrated where that is asked for, and then opens without', async () => {
    const url = await newPostgresDatabase('empty')
    const first = await open({ url }, { purpose: 'serve', migrate: true })
    expect(first.migrationsApplied).toEqual(everyMigration)
    const second = await open({ url }, { purpose: 'serve', migrate: true })
    expect(second.migrationsApplied).toEqual([])
    const third = await open({ url }, { purpose: 'command' })
    expect(await third.query(sql`select count(*) as n from centers`)).toEqual([{ n: 0 }])
  })

  test('one that a newer version has migrated is refused', async () => {
    const url = await newPostgresDatabase()
    const database = await open({ url }, { purpose: 'command' })
    await database.query(sql`
    insert into schema_migrations (version, name, checksum) values (9999, '9999-later', 'x')`)
    await expect(open({ url }, { purpose: 'serve' })).rejects.toThrow('by a newer version of Sojourn')
  })

  test('what keeps it from being opened is reported without the password', async () => {
    const good = new URL(await newPostgresDatabase())
    const wrong = new URL(good)
    wrong.pathname = '/not_there'
    wrong.password = 'hunter2'
    const failure = open({ url: wrong.href }, { purpose: 'serve' })
    await expect(failure).rejects.toThrow(
      `PostgreSQL at ${good.host}/not_there cannot be used (DATABASE_URL): password authentication failed for user "${good.username}".`,
    )
    await expect(failure).rejects.not.toThrow('hunter2')
  })

  test('the password may be in a password file instead of the URL', async () => {
    const good = new URL(await newPostgresDatabase())
    const { hostname, port, username, password } = good
    const file = join(makeTemporaryFolder(), 'passwords')
    writeFileSync(file, `${hostname}:${port}:*:${username}:${password}\n`, { mode: 0o600 })
    good.password = ''
    afterwards(async () => vi.unstubAllEnvs())
    vi.stubEnv('PGPASSFILE', join(makeTemporaryFolder(), 'none'))
    await expect(open({ url: good.href }, { purpose: 'serve' })).rejects.toThrow(
      'it asks for a password, and neither the URL, nor PGPASSWORD, nor the password file',
    )
    vi.stubEnv('PGPASSFILE', file)
    const warned = vi.spyOn(process, 'emitWarning')
    const database = await open({ url: good.href }, { purpose: 'serve' })
    expect(await database.query(sql`select count(*) as n from centers`)).toEqual([{ n: 0 }])
    expect(warned).not.toHaveBeenCalled()
    warned.mockRestore()
  })

  test('one that is not there, and one that never answers', async () => {
    const nobody = open({ url: 'postgres://u:hunter2@127.0.0.1:1/d' }, { purpose: 'serve' })
    await expect(nobody).rejects.toThrow('PostgreSQL at 127.0.0.1:1/d cannot be used (DATABASE_URL): ')
    await expect(nobody).rejects.toThrow('ECONNREFUSED')

    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    afterwards(async () => silent.close())
    const address = silent.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const url = `postgres://u:hunter2@127.0.0.1:${port}/d`
    await expect(open({ url }, { purpose: 'serve' })).rejects.toThrow(
      'cannot be used (DATABASE_URL): the database gave no connection within 2000 ms.',
    )
  })
})
