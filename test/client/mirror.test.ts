/** A copy in each kind of store, of a center that a desk changes, by programs that end at any moment. */
import { join } from 'node:path'
import sql, { type Sql } from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Kind, type MirrorStore, memoryStore, Sojourn } from '../../client/src/index.ts'
import { fileStore } from '../../client/src/stores/file.ts'
import { sqliteStore } from '../../client/src/stores/sqlite.ts'
import { PROJECTED, readAll, write } from '../changes/model.ts'
import { startTestApi, type TestApi, type TestKey } from '../support/api.ts'
import { randomCenter, seededRandom } from '../support/random-center.ts'
import { SEED } from '../support/seed.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { guest, order, session } from '../support/world.ts'

/** More of them by command: ROUNDS=200 npm test -- test/client/mirror */
const ROUNDS = Number(process.env.ROUNDS ?? 2)
const COMMITS = 6

class Killed extends Error {}

/** Of three writes, its program ends before the first and right after the second. */
function mortal(store: MirrorStore): MirrorStore {
  return {
    ...store,
    async write(batch) {
      writes += 1
      if (writes % 3 === 1) throw new Killed()
      await store.write(batch)
      if (writes % 3 === 2) throw new Killed()
    },
  }
}
let writes = 0

const random = seededRandom(SEED)
let api: TestApi
let client: (key: TestKey) => Sojourn
beforeAll(async () => {
  api = await startTestApi({ records: randomCenter(random), now: '2025-02-10T09:00:00Z' })
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' })
  client = (key) => new Sojourn({ url, key: key.apiKey })
})

const IDS = { guests: 'id', sessions: '_id', orders: 'uuid' } as const

/** What is in a store, as the lists of the model have it. */
async function copyIn(store: MirrorStore) {
  const read = async (kind: Kind) => {
    const records = await Array.fromAsync(store.all(kind))
    return new Map(records.map((record) => [String(Reflect.get(record, IDS[kind])), record]))
  }
  return { guests: await read('guests'), sessions: await read('sessions'), orders: await read('orders') }
}

it(
  `every store has what the service shows, through restarts (SEED=${SEED})`,
  async () => {
    const folder = makeTemporaryFolder()
    const memory = memoryStore()
    const database = sqliteStore(join(folder, 'copy.sqlite'))
    const opens = [() => memory, () => fileStore(join(folder, 'copy.json')), () => database]
    let restarts = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let commit = 0; commit < COMMITS; commit += 1) await write(api, random)
      const read = await readAll((url) => api.get(url))
      const shown = {
        guests: new Map(Object.entries(read.guests)),
        sessions: new Map(Object.entries(read.sessions)),
        orders: new Map(Object.entries(read.orders)),
      }
      for (const open of opens) {
        for (let isRight = false; !isRight; ) {
          const store = mortal(await open())
          try {
            await client(api.key).mirror(store, { project: PROJECTED }).update()
            isRight = true
          } catch (error) {
            if (!(error instanceof Killed)) throw error
            restarts += 1
          }
        }
        expect(await copyIn(await open()), `round ${round}`).toEqual(shown)
      }
    }
    database.close()
    // Else nothing was tried.
    expect(restarts).toBeGreaterThan(2)
  },
  60_000 + ROUNDS * 10_000,
)

describe('a mirror', () => {
  const STAY = { startDate: '2025-03-01T14:00', endDate: '2025-03-08T10:00' }
  const RECORDS = [
    session('s1', STAY.startDate, STAY.endDate),
    session('s2', STAY.startDate, STAY.endDate),
    ...guest('b1', { sessionIds: ['s1'], ...STAY }),
    ...guest('b2', { sessionIds: ['s2'], ...STAY }),
    order('o1', {}),
  ]

  /** A center of its own in a store, up to date. */
  async function start(options: { project?: readonly 'doctorName'[]; sessionId?: string } = {}) {
    const center = await api.newCenter(RECORDS)
    const store = memoryStore()
    const mirror = client(center.key).mirror(store, options)
    await mirror.update()
    const guests = async () => [...(await copyIn(store)).guests.keys()].sort()
    const set = (assignments: Sql, ids: readonly string[]) =>
      api.database.query(
        sql`update bookings set ${assignments} where center_id = ${center.id} and id = any(${ids})`,
      )
    return { ...center, store, mirror, guests, set }
  }

  it('is reported by follow from the first write on', async () => {
    const { key, set } = await start()
    const mirror = client(key).mirror(memoryStore(), { project: ['doctorName'] })
    const following = mirror.follow({ wait: 1 })
    expect((await following.next()).value.put).toHaveLength(5)
    await set(sql`doctor_name = 'D'`, ['b1'])
    expect((await following.next()).value.put).toMatchObject([{ id: 'b1', record: { doctorName: 'D' } }])
    expect((await mirror.guests.get('b1'))?.doctorName).toBe('D')
    await following.return(undefined as never)
  })

  it('asks nothing twice: where nothing changed, nothing is written', async () => {
    const { mirror } = await start()
    expect(await mirror.update()).toBeUndefined()
  })

  it('of a session loses a guest who leaves it, and has that session alone', async () => {
    const { set, mirror, guests, store } = await start({ sessionId: 's1' })
    expect(await guests()).toEqual(['b1'])
    expect([...(await copyIn(store)).sessions.keys()]).toEqual(['s1'])
    await set(sql`session_ids = ${['s2']}`, ['b1'])
    await mirror.update()
    expect(await guests()).toEqual([])
    await set(sql`session_ids = ${['s1']}`, ['b1', 'b2'])
    await mirror.update()
    expect(await guests()).toEqual(['b1', 'b2'])
  })

  it('begins anew where the service does not know any more what came since', async () => {
    const { id, set, mirror, guests } = await start()
    await api.database.query(sql`delete from bookings where center_id = ${id} and id = 'b1'`)
    await set(sql`doctor_name = 'D'`, ['b2'])
    await api.database.query(sql`
      delete from change_commits
      where center_id = ${id}
        and revision < (select max(revision) from change_commits where center_id = ${id})`)
    const write = await mirror.update()
    expect(write?.cleared).toEqual(['guests', 'sessions', 'orders'])
    expect(await guests()).toEqual(['b2'])
  })

  it('begins anew where other fields are asked for', async () => {
    const { key, store } = await start()
    const mirror = client(key).mirror(store, { project: ['doctorName'] })
    expect((await mirror.update())?.cleared).toHaveLength(3)
    expect(Object.keys((await mirror.guests.get('b1')) ?? {}).sort()).toEqual(['doctorName', 'id', 'ids'])
  })

  it('has what its key may read', async () => {
    const { id } = await start()
    const store = memoryStore()
    await client(await api.createKey({ center: id, scopes: ['sessions'] }))
      .mirror(store)
      .update()
    const { guests, sessions, orders } = await copyIn(store)
    expect([guests.size, sessions.size, orders.size]).toEqual([0, 2, 0])
  })
})
