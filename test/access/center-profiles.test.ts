import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { createCenterProfiles } from '../../src/core/access/center-profiles.ts'
import { type Database, DatabaseUnavailable } from '../../src/core/database/database.ts'
import { generationNamed } from '../../src/core/database/generation.ts'
import { openTestDatabase } from '../support/database.ts'
import { GENERATION, keyState } from './key-state.ts'

async function start() {
  const database = await openTestDatabase()
  for (const id of ['spa', 'lodge']) {
    await database.query(
      sql`insert into centers (center_id, name, timezone, currency) values (${id}, ${id}, 'UTC', 'EUR')`,
    )
  }
  const state = { reads: 0, away: false, generation: GENERATION }
  const watched: Database = {
    ...database,
    generation: () => state.generation,
    query: (statement) => {
      state.reads += 1
      return state.away ? Promise.reject(new DatabaseUnavailable('gone')) : database.query(statement)
    },
  }
  const profiles = createCenterProfiles(watched)
  const get = (profileRevision: number, center = 'spa') =>
    profiles.get(keyState({ center, profileRevision, generation: state.generation }))
  return { database, state, get }
}

test('a profile is read once for all who ask meanwhile, and then is there without a wait', async () => {
  const { state, get } = await start()
  const both = await Promise.all([get(1), get(1)])
  expect(both).toMatchObject([{ name: 'spa' }, { name: 'spa' }])
  expect(get(1)).not.toBeInstanceOf(Promise)
  expect(get(1)).toBe(both[0])
  expect(state.reads).toBe(1)
})

test('each center has its own', async () => {
  const { get } = await start()
  expect(await get(1)).toMatchObject({ id: 'spa', name: 'spa' })
  expect(await get(1, 'lodge')).toMatchObject({ id: 'lodge', name: 'lodge' })
  expect(get(1)).toMatchObject({ id: 'spa' })
})

test('it is read again when it has changed, and a key state from before the change has the new one', async () => {
  const { database, state, get } = await start()
  await get(1)
  await database.query(sql`update centers set name = 'Spa by the sea' where center_id = 'spa'`)
  expect(await get(2)).toMatchObject({ name: 'Spa by the sea' })
  expect(get(1)).toMatchObject({ name: 'Spa by the sea' })
  expect(state.reads).toBe(2)
})

test('those of 20,000 centers are cached; of more, those that were read last', async () => {
  const profiles = createCenterProfiles({ query: async () => [] as never[], generation: () => GENERATION })
  const get = (number: number) => profiles.get(keyState({ center: `center-${number}`, profileRevision: 1 }))
  const all = Array.from({ length: 20_000 }, (_, number) => get(number))
  await Promise.all(all)
  expect(get(0)).not.toBeInstanceOf(Promise)
  await get(20_000)
  // The first one has just been read, so the second one has gone.
  expect(get(0)).not.toBeInstanceOf(Promise)
  expect(get(19_999)).not.toBeInstanceOf(Promise)
  expect(get(1)).toBeInstanceOf(Promise)
})

test('a read that fails is tried again by the next request', async () => {
  const { state, get } = await start()
  state.away = true
  await expect(get(1)).rejects.toThrow('gone')
  state.away = false
  expect(await get(1)).toMatchObject({ name: 'spa' })
})

test('a read that fails late takes nothing of a newer one', async () => {
  const { state, get } = await start()
  state.away = true
  const old = get(1)
  state.away = false
  const newer = get(2)
  await expect(old).rejects.toThrow('gone')
  await newer
  expect(get(2)).toMatchObject({ name: 'spa' })
  expect(state.reads).toBe(2)
})

test('after a failover the profile is read again, although its revision is an earlier one', async () => {
  const { database, state, get } = await start()
  await get(5)
  await database.query(sql`update centers set name = 'As it was' where center_id = 'spa'`)
  state.generation = generationNamed('promoted')
  expect(await get(3)).toMatchObject({ name: 'As it was' })
  expect(state.reads).toBe(2)
})

test('a read that another server may have answered is refused, and not cached', async () => {
  const { state, get } = await start()
  const reading = get(1)
  state.generation = generationNamed('promoted')
  await expect(reading).rejects.toThrow('another database server')
  expect(await get(1)).toMatchObject({ name: 'spa' })
  expect(state.reads).toBe(2)
})
