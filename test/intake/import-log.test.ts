/** The log of imports: a line for each center of each import, whatever came of it. */
import { createHash } from 'node:crypto'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/core/database/database.ts'
import { pruneImports } from '../../src/core/intake/prune-imports.ts'
import { CENTER, databaseSettings, json, sojourn } from '../commands/sojourn.ts'
import { openTestDatabase } from '../support/database.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { center, importAll, session } from './import-lines.ts'

interface Line {
  readonly id: string
  readonly center: string | null
  readonly [field: string]: unknown
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

let database: Database
const run = (args: string[], stdin = '') => sojourn(args, {}, { database, stdin })
const ISO_MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const read = async <T>(...args: string[]) => JSON.parse((await run([...args, '--json'])).stdout) as T
const lines = (...args: string[]) => read<Line[]>('imports', 'list', ...args)

beforeAll(async () => {
  database = await openTestDatabase()
})

describe('sojourn imports list', () => {
  it('has nothing before the first import, nor after a dry run', async () => {
    await run(['import', '--dry-run', '-'], CENTER)
    expect((await run(['imports', 'list'])).stdout).toBe('No imports.\n')
  })

  it('tells who imported which bytes, what changed, and between which revisions', async () => {
    const file = join(makeTemporaryFolder(), 'maria-popescu.ndjson.gz')
    const packed = gzipSync(CENTER)
    writeFileSync(file, packed)
    expect((await run(['import', file])).code).toBe(0)
    const [line] = await lines()
    expect(line).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      endedAt: expect.stringMatching(ISO_MOMENT),
      center: 'fjord',
      how: 'command',
      source: 'command',
      fileTime: expect.stringMatching(ISO_MOMENT),
      causes: [],
      by: { user: 'tester' },
      files: [{ sha256: sha256(packed), bytes: packed.length }],
      durationMs: expect.any(Number),
      outcome: 'done',
      lines: 2,
      rejected: 0,
      erased: 0,
      problems: 0,
      counts: { center: { created: 1 }, session: { created: 1 } },
      changes: 2,
      revisionBefore: 0,
      revisionAfter: 1,
    })
    // A file's name may be a guest's.
    const printed = await run(['imports', 'list'])
    expect(printed.stdout + JSON.stringify(line)).not.toMatch(/maria|popescu/i)
    expect(printed.stdout).toMatch(/fjord +command +tester +[0-9a-f]{12} +2 +2 +0 → 1 +done\n$/)
  })

  it('tells when the file was written, and the source that the user names', async () => {
    const settings = await databaseSettings()
    const file = join(makeTemporaryFolder(), 'center.ndjson')
    writeFileSync(file, CENTER)
    expect((await sojourn(['import', '--source', 'front-desk', file], settings)).code).toBe(0)
    expect(await json(['imports', 'list'], settings)).toMatchObject([
      { source: 'front-desk', fileTime: new Date(Math.floor(statSync(file).mtimeMs)).toISOString() },
    ])
  })

  it('tells of one that changes nothing that the revision stays', async () => {
    const summary = JSON.parse((await run(['import', '--json', '-'], CENTER)).stdout)
    expect((await lines())[0]).toMatchObject({
      id: summary.id,
      outcome: 'done',
      files: [{ sha256: sha256(CENTER) }],
      counts: { center: { unchanged: 1 }, session: { unchanged: 1 } },
      changes: 0,
      revisionBefore: 1,
      revisionAfter: 1,
    })
  })

  it('tells of one that was refused how many problems it had, and of one that could not be read', async () => {
    const wrong = `${CENTER}{"kind":"session","centerId":"fjord","id":"s","name":5,"startDate":"x"}\n`
    expect((await run(['import', '-'], wrong)).code).toBe(1)
    expect((await lines())[0]).toMatchObject({
      center: 'fjord',
      outcome: 'refused',
      lines: 3,
      rejected: 1,
      problems: 3,
      counts: {},
      changes: 0,
      revisionBefore: 1,
      revisionAfter: 1,
    })
    const file = join(makeTemporaryFolder(), 'cut.ndjson.gz')
    writeFileSync(file, gzipSync(CENTER).subarray(0, -9))
    expect((await run(['import', '--center', 'fjord', file])).code).toBe(1)
    expect((await lines())[0]).toMatchObject({ center: 'fjord', outcome: 'failed', changes: 0 })
  })

  it('has a line of no center for what concerns none that exists', async () => {
    await run(['import', '-'], '{"kind":"customer","centerId":"nowhere","id":"k"}\nno JSON\n')
    expect((await lines())[0]).toMatchObject({ center: null, outcome: 'refused', lines: 2, rejected: 2 })
  })

  it('has a line for each center, and takes --center and --limit', async () => {
    const both = CENTER + CENTER.replaceAll('fjord', 'alp')
    const { id } = JSON.parse((await run(['import', '--json', '-'], both)).stdout)
    const ofBoth = (await lines()).filter((line) => line.id === id)
    expect(ofBoth.map((line) => [line.center, line.changes])).toEqual([
      ['alp', 2],
      ['fjord', 0],
    ])
    expect((await lines('--center', 'alp')).map((line) => line.center)).toEqual(['alp'])
    expect(await lines('--limit', '1')).toHaveLength(1)
    expect((await run(['imports', 'list', '--limit', 'x'])).code).toBe(2)
  })
})

describe('the log', () => {
  const origin = { way: 'command', by: { user: 'tester' }, files: () => [] } as const

  it('tells the rejected lines of an import of the valid ones, and of a removed center', async () => {
    const database = await openTestDatabase()
    const list = () => database.query(sql`select * from imports order by ended_at desc, center_id limit 1`)
    await importAll(database, [center(), session('s'), session('bad', { startDate: 'x' })], {
      origin,
      skipInvalid: true,
    })
    expect(await list()).toMatchObject([{ outcome: 'done', lines: 3, rejected: 1, changed: 2 }])
    await importAll(
      database,
      [
        { kind: 'session', centerId: 'c', id: 's', deleted: true },
        { kind: 'center', id: 'c', deleted: true },
      ],
      { origin },
    )
    expect(await list()).toMatchObject([{ center_id: 'c', outcome: 'done', changed: 2 }])
  })

  it('is pruned by age', async () => {
    const database = await openTestDatabase()
    await importAll(database, [center()], { origin })
    await importAll(database, [center()], { origin })
    await database.query(sql`
      update imports set ended_at = ended_at - interval '31 days'
      where center_id = 'c' and changed = 1`)
    await pruneImports(database, 30)
    expect(await database.query(sql`select changed from imports where center_id = 'c'`)).toEqual([
      { changed: 0 },
    ])
  })

  it('sums up what comes after ten thousand centers', async () => {
    const { CountsByCenter } = await import('../../src/core/intake/counts.ts')
    const counts = new CountsByCenter()
    for (let at = 0; at < 10_002; at += 1) counts.of(`c-${at}`).add('center', 'created')
    expect(counts.all.size).toBe(10_001)
    expect(counts.all.get('')?.changes).toBe(2)
  })
})
