/** What the files of an embedded folder hold, byte by byte, after somebody was erased from it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { openDatabase } from '../../src/database/open.ts'
import { json, newFolder, sojourn } from '../commands/sojourn.ts'
import { NEEDLES, PERSON, person } from './person.ts'

/** The database keeps a day as a number. */
const TEXTS = NEEDLES.filter((needle) => !/^\d{4}-/.test(needle))

/** Texts that stand in a file of the folder, with the file. */
function foundIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return files.flatMap(({ parentPath, name }) => {
    const bytes = readFileSync(join(parentPath, name))
    return TEXTS.filter((needle) => bytes.includes(needle)).map((needle) => `${needle} in ${name}`)
  })
}

it('no file of the embedded folder has a byte of the person any more', async () => {
  const folder = newFolder()
  const env = { DATA_DIR: folder }
  const records = person()
    .map((record) => JSON.stringify(record))
    .join('\n')
  await json(['import', '-'], env, records)
  // Statistics quote values, and are made by themselves once a table has a thousand rows.
  const database = await openDatabase(readConfig(env), { purpose: 'command' })
  await database.runScript('analyze customers, bookings, orders')
  await database.close()
  // A guard of the search.
  expect(new Set(foundIn(folder).map((hit) => hit.split(' in ')[0]))).toEqual(new Set(TEXTS))
  const erase = ['guest', 'erase', '--customer', PERSON, '--retention', '0']
  expect(await json([...erase, '--yes'], env)).toMatchObject({ bookings: 2, scrubbed: true })
  expect(foundIn(folder)).toEqual([])
  const again = await sojourn([...erase, '--yes'], env)
  expect(again.stderr).toContain(`There is no customer "${PERSON}".`)
  // Nor after the booking system has sent the person once more.
  expect(await json(['import', '-'], env, records)).toMatchObject({
    applied: true,
    erased: expect.any(Number),
  })
  expect(foundIn(folder)).toEqual([])
})
