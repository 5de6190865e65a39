/** Whatever is killed, and whenever: what was acknowledged is there, the next start works, and no server is left. */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { usePrivateServer } from '../../../src/core/database/private/private-server.ts'
import { isServing, readPidFile, signal } from '../../../src/core/database/private/server-process.ts'
import { CENTER, newFolder, sojourn, startSojourn } from '../../commands/sojourn.ts'
import { type Random, seededRandom } from '../../support/random-center.ts'
import { SEED } from '../../support/seed.ts'

vi.setConfig({ testTimeout: 600_000 })

/** The processes of a server: the first one, and those that it has started. */
function processesOf(folder: string): number[] {
  const first = readPidFile(folder)?.pid ?? 0
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        // After the name of the program: the state, and the process that started it.
        const [, parent] = readFileSync(`/proc/${name}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
        return parent === String(first)
      } catch {
        return false
      }
    })
    .map(Number)
  return [first, ...children]
}

const KILLS = {
  'the server': (pids: readonly number[]) => pids.slice(0, 1),
  'one of its processes': (pids: readonly number[], random: Random) => [
    pids[1 + random.below(pids.length - 1)] ?? 0,
  ],
  'all of its processes at once': (pids: readonly number[]) => pids,
} as const

test.each(Object.keys(KILLS) as (keyof typeof KILLS)[])(
  `after %s was killed, every acknowledged write is there (SEED=${SEED})`,
  async (what) => {
    const random = seededRandom(SEED)
    const folder = newFolder()
    let acknowledged = 0
    for (let round = 0; round < 6; round += 1) {
      const server = await usePrivateServer(folder)
      const client = new pg.Client({ ...server.connection })
      client.on('error', () => {})
      await client.connect()
      await client.query('create table if not exists written (n integer primary key)')
      const { rows } = await client.query('select count(*)::integer as n, max(n) as last from written')
      // A write that was not acknowledged may be there, too.
      expect(rows[0].n).toBeGreaterThanOrEqual(acknowledged)
      let next = Number(rows[0].last ?? 0)
      acknowledged = rows[0].n
      let isOver = false
      const writing = (async () => {
        try {
          while (!isOver) {
            next += 1
            await client.query('insert into written values ($1)', [next])
            acknowledged += 1
          }
        } catch {
          // The server is gone.
        }
      })()
      await pause(20 + random.below(200))
      for (const pid of KILLS[what](processesOf(folder), random)) signal(pid, 'SIGKILL')
      await pause(50)
      isOver = true
      await writing
      await client.end().catch(() => {})
      await server.close()
    }
    const last = await usePrivateServer(folder)
    const client = new pg.Client({ ...last.connection })
    await client.connect()
    const { rows } = await client.query('select count(*)::integer as n from written')
    expect(rows[0].n).toBeGreaterThanOrEqual(acknowledged)
    expect(acknowledged).toBeGreaterThan(20)
    await client.end()
    await last.close()
    await expect.poll(() => isServing(folder)).toBe(false)
  },
)

test('an import that is killed at any moment is in completely or not at all', async () => {
  const random = seededRandom(SEED)
  const folder = newFolder()
  const env = { DATA_DIR: folder }
  expect(await sojourn(['import', '-'], env, { stdin: CENTER })).toMatchObject({ code: 0 })
  for (let round = 0; round < 5; round += 1) {
    const records = Array.from({ length: 3000 }, (_, at) =>
      JSON.stringify({
        ...{ kind: 'customer', centerId: 'fjord', id: `r${round}-${at}` },
        ...{ firstName: 'A', lastName: 'B' },
      }),
    )
    const run = startSojourn(['import', '-'], env, { stdin: 'pipe' })
    run.child.stdin?.on('error', () => {})
    run.child.stdin?.end(`${records.join('\n')}\n`)
    await pause(200 + random.below(3000))
    run.child.kill('SIGKILL')
    await run.ended
    const { stdout } = await sojourn(['export'], env)
    const count = stdout.split('\n').filter((line) => line.includes(`"r${round}-`)).length
    expect([0, 3000]).toContain(count)
  }
  await expect.poll(() => isServing(folder)).toBe(false)
})
