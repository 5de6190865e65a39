/** Mappings that are stored with a center: nobody else's, and used in place of a file. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/core/database/database.ts'
import { MAPPINGS_MAX, saveMapping } from '../../src/core/intake/stored-mappings.ts'
import { emptyDatabase, openTestDatabase } from '../support/database.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { sojourn } from './sojourn.ts'

let database: Database
let folder: string
const MAPPING = '# guests\nrecords: {customer: {id: Nr, firstName: First, lastName: Last}}\n'
const STORED = 'records:\n  customer:\n    id: Nr\n    firstName: First\n    lastName: Last\n'
const path = (name: string) => join(folder, name)
const run = (...args: string[]) => sojourn(args, {}, { database })
const center = (id: string) =>
  JSON.stringify({ kind: 'center', id, name: id, timezone: 'UTC', currency: 'EUR' })

beforeAll(async () => {
  folder = makeTemporaryFolder()
  writeFileSync(path('m.yaml'), MAPPING)
  writeFileSync(path('bad.yaml'), 'records:\n  customer: {id: Nr, fistName: A}\n')
  writeFileSync(path('g.csv'), 'Nr;First;Last\nk;Ana;Pop\n')
  database = await openTestDatabase()
  await emptyDatabase(database)
  const stdin = `${center('lake')}\n${center('hill')}\n`
  expect(await sojourn(['import', '-'], {}, { database, stdin })).toMatchObject({ code: 0 })
})

describe('a mapping', () => {
  test('is saved, listed, shown, used by an import, replaced and removed', async () => {
    expect(await run('mappings', 'save', '--center', 'lake', 'guests', path('m.yaml'))).toMatchObject({
      code: 0,
      stdout: 'Saved guests. To use it: sojourn import --center lake --map guests FILE\n',
    })
    expect((await run('mappings', 'list')).stdout).toMatch(
      /^center +name +saved \(UTC\) +by\nlake +guests +20/,
    )
    expect((await run('mappings', 'show', '--center', 'lake', 'guests')).stdout).toBe(STORED)
    const imported = await run('import', '--json', '--center', 'lake', '--map', 'guests', path('g.csv'))
    expect(JSON.parse(imported.stdout)).toMatchObject({ applied: true, kinds: { customer: { created: 1 } } })

    writeFileSync(path('n.yaml'), MAPPING.replace('First', 'Last'))
    await run('mappings', 'save', '--center', 'lake', 'guests', path('n.yaml'))
    expect((await run('mappings', 'show', '--center', 'lake', 'guests')).stdout).toContain('firstName: Last')

    expect((await run('mappings', 'remove', '--center', 'lake', 'guests')).stdout).toBe('Removed guests.\n')
    expect((await run('mappings', 'list', '--json')).stdout).toBe('[]\n')
    const acts = await database.query(sql`
      select operation from audit_entries where operation like '%Mapping' order by seq`)
    expect(acts).toEqual(['saveMapping', 'saveMapping', 'removeMapping'].map((operation) => ({ operation })))
  })
  test('is seen and used by its own center alone, under a name that another may have too', async () => {
    await run('mappings', 'save', '--center', 'lake', 'own', path('m.yaml'))
    for (const args of [
      ['import', '--center', 'hill', '--map', 'own', path('g.csv')],
      ['mappings', 'show', '--center', 'hill', 'own'],
      ['mappings', 'remove', '--center', 'hill', 'own'],
    ]) {
      expect(await run(...args)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: 'hill keeps no mapping "own"; it keeps none. A file is named with its ending: own.yaml.\n',
      })
    }
    writeFileSync(path('o.yaml'), MAPPING.replace('First', 'Second'))
    await run('mappings', 'save', '--center', 'hill', 'own', path('o.yaml'))
    expect((await run('mappings', 'show', '--center', 'lake', 'own')).stdout).toBe(STORED)
    expect(JSON.parse((await run('mappings', 'list', '--center', 'hill', '--json')).stdout)).toMatchObject([
      { center: 'hill', name: 'own' },
    ])
  })
  test('goes with its center', async () => {
    await sojourn(['import', '-'], {}, { database, stdin: `${center('gone')}\n` })
    await run('mappings', 'save', '--center', 'gone', 'guests', path('m.yaml'))
    const stdin = '{"kind":"center","id":"gone","deleted":true}\n'
    expect(await sojourn(['import', '-'], {}, { database, stdin })).toMatchObject({ code: 0 })
    expect(await database.query(sql`select name from mappings where center_id = 'gone'`)).toEqual([])
  })
  test('is one of a hundred at most', async () => {
    await database.query(sql`
      insert into mappings (center_id, name, body, saved_by)
      select 'hill', 'm' || n, '', 'me' from generate_series(2, ${MAPPINGS_MAX}) n`)
    const save = (name: string) =>
      saveMapping(database, { centerId: 'hill', name, body: MAPPING, user: 'me' })
    await expect(save('more')).rejects.toThrow('hill has 100 mappings, which is the most it may have')
    await save('own')
  })
})

test.each([
  [['save', '--center', 'lake', 'a.b', 'm.yaml'], 2, 'The name is "a.b"; expected 1 to 64 letters'],
  [['save', '--center', 'a b', 'm', 'm.yaml'], 2, '--center is "a b"'],
  [
    ['save', '--center', 'lake', 'm', 'bad.yaml'],
    1,
    'm:2:22: "fistName" is not a field of this kind of record',
  ],
  [['save', '--center', 'nowhere', 'm', 'm.yaml'], 1, 'There is no center "nowhere"'],
  [['save', '--center', 'lake', 'm', 'none.yaml'], 1, 'there is no such file'],
  [['show', '--center', 'lake', 'none'], 1, 'lake keeps no mapping "none"; it keeps own.'],
])('mappings %j is one clear sentence', async (args, code, sentence) => {
  const ran = await run('mappings', ...args.map((arg) => (arg.endsWith('.yaml') ? path(arg) : arg)))
  expect(ran).toMatchObject({ code, stdout: '' })
  expect(ran.stderr).toContain(sentence)
})
test('--map with a name needs its center', async () => {
  const ran = await run('import', '--map', 'guests', path('g.csv'))
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toContain('name the center with --center, or a file with its ending')
})
