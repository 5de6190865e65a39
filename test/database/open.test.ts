import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { describe, expect, test, vi } from 'vitest'
import { allMigrations, migrate } from '../../src/database/migrate.ts'
import { type OpenOptions, openDatabase } from '../../src/database/open.ts'
import { openPostgres } from '../../src/database/postgres.ts'
import { json, newFolder } from '../commands/sojourn.ts'
import { afterwards, newPostgresDatabase, testEngine } from '../support/database.ts'
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

if (testEngine() === 'postgres')
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

if (testEngine() === 'embedded')
  describe('the embedded folder', () => {
    test('is made where it is not there, with the schema, and is there the next time', async () => {
      const folder = join(makeTemporaryFolder(), 'data')
      const first = await open({ folder }, { purpose: 'command' })
      expect(first.migrationsApplied).toEqual(everyMigration)
      await first.query(sql`
      insert into centers (center_id, name, timezone, currency) values ('a', 'A', 'UTC', 'EUR')`)
      await first.close()
      const second = await open({ folder }, { purpose: 'command' })
      expect(second.migrationsApplied).toEqual([])
      expect(await second.query(sql`select center_id from centers`)).toEqual([{ center_id: 'a' }])
    })

    test('holds no file that others may read, and one that others may look into is reported when it is served', async () => {
      const folder = makeTemporaryFolder()
      const reported: string[] = []
      const onChange = (sentence: string) => reported.push(sentence)
      const first = await open({ folder }, { purpose: 'serve', onChange })
      // A table and more log than a new folder has come from the engine itself.
      await first.runScript('create table made_here as select n from generate_series(1, 1000) n')
      await first.close()
      expect(reported).toEqual([])
      const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      const wide = files.filter(
        (file) => file.isFile() && (statSync(join(file.parentPath, file.name)).mode & 0o077) !== 0,
      )
      expect(wide.map(({ name }) => name)).toEqual([])
      expect(files.length).toBeGreaterThan(100)
      chmodSync(folder, 0o755)
      const second = await open({ folder }, { purpose: 'serve', onChange })
      await second.close()
      expect(reported).toEqual([
        `Other users of this machine may look into the database folder ${folder} (mode 755). "chmod 700 ${folder}" keeps them out.`,
      ])
      expect(statSync(folder).mode & 0o777).toBe(0o755)
    })

    test('is refused to a command while somebody has it, naming who, and free afterwards', async () => {
      const folder = newFolder()
      const service = await open({ folder }, { purpose: 'serve' })
      await expect(open({ folder }, { purpose: 'command' })).rejects.toThrow(
        `Process ${process.pid} is using the database folder ${folder}`,
      )
      await service.close()
      await open({ folder }, { purpose: 'command' })
    })

    test('commands at the same time run one after the other', async () => {
      const env = { DATA_DIR: newFolder() }
      const centers = ['a', 'b', 'c']
      const record = (id: string) =>
        JSON.stringify({ kind: 'center', id, name: 'A', timezone: 'UTC', currency: 'EUR' })
      await Promise.all(centers.map((id) => json(['import', '-'], env, record(id))))
      const database = await open({ folder: env.DATA_DIR }, { purpose: 'command' })
      expect(await database.query(sql`select center_id from centers order by 1`)).toEqual(
        centers.map((center_id) => ({ center_id })),
      )
    })

    test('a folder that cannot be one is reported in a sentence', async () => {
      const file = import.meta.filename
      await expect(open({ folder: file }, { purpose: 'serve' })).rejects.toThrow(
        `DATA_DIR, ${file}, cannot be used as the embedded database's folder: `,
      )
    })

    test('what a failed start had taken is given back', async () => {
      const folder = newFolder()
      const first = await open({ folder }, { purpose: 'command' })
      await first.query(sql`
      insert into schema_migrations (version, name, checksum) values (9999, '9999-later', 'x')`)
      await first.close()
      for (let round = 0; round < 2; round++) {
        await expect(open({ folder }, { purpose: 'serve' })).rejects.toThrow('newer version of Sojourn')
      }
    })

    test('migrating twenty times at once applies each once', async () => {
      const folder = newFolder()
      const service = await open({ folder }, { purpose: 'serve' })
      const all = await Promise.all(Array.from({ length: 20 }, () => migrate(service)))
      expect(all.flat()).toEqual([])
    })
  })
