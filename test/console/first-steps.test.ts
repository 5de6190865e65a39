/** An installation without keys says how its first administrator begins, and no other says anything about its keys. */
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { FIRST_COMMANDS } from '../../console/src/frame/first-commands.ts'
import type { Queryable } from '../../src/core/database/database.ts'
import { createIsEmpty } from '../../src/parts/console/first-steps.ts'
import { startTestApi } from '../support/api.ts'
import { openTestDatabase } from '../support/database.ts'
import { sojourn } from '../support/run-sojourn.ts'

const EMPTY = '<meta name="sojourn-empty" content="true">'

it('the page says that nobody has a key, until somebody has one', async () => {
  const api = await startTestApi()
  // Every test has a key; this one begins without.
  await api.database.query(sql`delete from api_keys`)
  const page = async () => (await api.app.inject({ url: '/console' })).body
  expect(await page()).toContain(EMPTY)
  await api.createKey({ scopes: ['guests'] })
  // Within the second for which an answer is stored, the page may still say it.
  await expect.poll(page, { timeout: 30_000 }).not.toContain(EMPTY)
  expect(await page()).toContain('<meta name="sojourn-empty" content="false">')
})

it('the commands that it names create a center, and a key that signs in to the administration', async () => {
  const database = await openTestDatabase()
  const [center, key] = FIRST_COMMANDS
  const [, lines = '', first = ''] = /^echo '(.*)' \| sojourn (.*)$/.exec(center) ?? []
  const run = (words: string, stdin = '') => sojourn(words.split(' '), {}, { database, stdin })
  expect(await run(first, lines)).toMatchObject({ code: 0 })
  const created = await run(`${key.replace(/^sojourn /, '')} --json`)
  expect(created.code, created.stderr).toBe(0)
  const { apiKey } = JSON.parse(created.stdout)
  const api = await startTestApi({ database })
  const answer = await api.app.inject({
    url: '/v1/administration/keys',
    headers: { authorization: `Bearer ${apiKey}` },
  })
  expect([answer.statusCode, answer.json().data]).toEqual([
    200,
    [expect.objectContaining({ name: 'Administration', scopes: ['sources', 'administration'] })],
  ])
})

describe('whether it is empty', () => {
  const asked = (answers: (boolean | Error)[]) => {
    let count = 0
    const query = async () => {
      count += 1
      const answer = answers.shift()
      if (answer instanceof Error || answer === undefined) throw answer ?? new Error('asked too often')
      return [{ hasKeys: answer }]
    }
    return { database: { query } as unknown as Queryable, count: () => count }
  }

  it('is asked once a second at most, and never again once there is a key', async () => {
    const { database, count } = asked([false, true])
    let now = 5000
    const isEmpty = createIsEmpty(database, () => now)
    expect(await Promise.all([isEmpty(), isEmpty(), isEmpty()])).toEqual([true, true, true])
    now += 999
    expect([await isEmpty(), count()]).toEqual([true, 1])
    now += 1
    expect([await isEmpty(), count()]).toEqual([false, 2])
    now += 60_000
    expect([await isEmpty(), count()]).toEqual([false, 2])
  })

  it('is not said while the database does not answer', async () => {
    const { database } = asked([new Error('away'), false])
    let now = 0
    const isEmpty = createIsEmpty(database, () => now)
    expect(await isEmpty()).toBe(false)
    now = 1000
    expect(await isEmpty()).toBe(true)
  })
})
