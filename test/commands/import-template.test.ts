/** What to fill in: every field of every kind, and an example that is imported as it is. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/core/database/database.ts'
import { KIND_NAMES } from '../../src/core/intake/kinds/kind.ts'
import { KINDS } from '../../src/core/intake/kinds.ts'
import { recordSchema } from '../../src/core/intake/lines/csv-columns.ts'
import { TEMPLATE_EXAMPLES } from '../../src/core/intake/lines/template-examples.ts'
import { fieldPaths } from '../../src/core/intake/rejects/problems.ts'
import { emptyDatabase, openTestDatabase } from '../support/database.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { sojourn } from './sojourn.ts'

const kinds = KIND_NAMES.filter((kind) => KINDS[kind].only === undefined)
const template = async (kind: string, ...args: string[]) => {
  const ran = await sojourn(['import', '--template', kind, ...args], {})
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  return ran.stdout
}
const headerOf = (csv: string) => csv.split('\r\n')[0]?.split(',') ?? []

describe.each(kinds)('of a %s', (kind) => {
  const ofAll = ['kind', 'centerId', 'version', 'deleted', 'bookingNumber']
  const paths = fieldPaths(recordSchema(kind)).filter((path) => !ofAll.includes(path))
  const leaves = paths.filter((path) => !paths.some((other) => other.startsWith(`${path}.`)))

  test('the header names every field', async () => {
    const header = headerOf(await template(kind, '--csv'))
    for (const leaf of leaves)
      expect(header.some((name) => name === leaf || name.startsWith(`${leaf}.`))).toBe(true)
    expect(
      header.filter((name) => !leaves.some((leaf) => name === leaf || name.startsWith(`${leaf}.`))),
    ).toEqual([])
  })
  test('the line of JSON does too, with nothing in it', async () => {
    const line = JSON.parse(await template(kind))
    const named = (value: object, at: string): string[] =>
      Object.entries(value).flatMap(([name, child]) =>
        child === null ? [`${at}${name}`] : named(child, `${at}${name}.`),
      )
    const { kind: own, ...fields } = line
    expect(own).toBe(kind)
    expect(named(fields, '')).toEqual(headerOf(await template(kind, '--csv')))
  })
  test('every field of the example has a value', () => {
    const given = TEMPLATE_EXAMPLES[kind as keyof typeof TEMPLATE_EXAMPLES].flatMap(keysOf)
    for (const leaf of leaves)
      expect(given.some((name) => name === leaf || name.startsWith(`${leaf}.`))).toBe(true)
  })
})

const keysOf = (value: object): string[] =>
  Object.entries(value).flatMap(([name, child]) =>
    child !== null && typeof child === 'object' && !Array.isArray(child)
      ? [name, ...keysOf(child).map((key) => `${name}.${key}`)]
      : [name],
  )

describe('the examples', () => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase()
    await emptyDatabase(database)
  })

  test('of all kinds are a center: as lines of JSON, and the same as tables', async () => {
    const folder = makeTemporaryFolder()
    const paths: string[] = []
    let lines = ''
    for (const kind of kinds) {
      lines += await template(kind, '--example')
      const path = join(folder, `${kind}s.csv`)
      writeFileSync(path, await template(kind, '--example', '--csv'))
      paths.push(path)
    }
    const own = ['--center', 'resort', '--json']
    const first = await sojourn(['import', ...own, '-'], {}, { database, stdin: lines })
    expect(first).toMatchObject({ code: 0, stderr: '' })
    const count = Object.values(TEMPLATE_EXAMPLES).flat().length
    expect(JSON.parse(first.stdout)).toMatchObject({ applied: true, lines: count, rejected: 0 })
    const again = await sojourn(['import', ...own, ...paths], {}, { database })
    expect(again).toMatchObject({ code: 0, stderr: '' })
    const { kinds: counts } = JSON.parse(again.stdout)
    for (const kind of kinds) {
      const unchanged = TEMPLATE_EXAMPLES[kind as keyof typeof TEMPLATE_EXAMPLES].length
      expect([kind, counts[kind]]).toEqual([
        kind,
        { created: 0, changed: 0, unchanged, removed: 0, older: 0 },
      ])
    }
  })
})

test.each([
  [['--template', 'bookin'], 'Did you mean booking?'],
  [['--template', 'key'], 'expected one of center, metaField'],
  [['--template', 'booking', 'a.csv'], '--template takes no files.'],
  [['--csv', 'a.csv'], '--csv goes with --template.'],
  [['--example'], '--example goes with --template.'],
])('%j is one clear sentence', async (args, sentence) => {
  const ran = await sojourn(['import', ...args], {})
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toContain(sentence)
})
