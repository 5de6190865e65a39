/** From the start of the process to its first answer, on a database that is there. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { SOJOURN } from '../../test/support/command.ts'
import { type Bench, BenchFailed, type Figure, type Measurement } from '../support/bench.ts'
import { bearer, open } from '../support/client.ts'
import { makeKey, openBookings } from '../support/database.ts'
import { makeFolder, smallRecords } from '../support/folder-data.ts'
import { figure } from '../support/rounds.ts'
import { type ServiceOptions, serviceEnv } from '../support/service.ts'

const PATH = '/v1/guests?sessionId=3'

export const start: Measurement = {
  name: 'start',
  title: 'process start to first answer, on PostgreSQL and on the database of a folder',

  async run(bench: Bench): Promise<Figure[]> {
    const data = await openBookings(bench, 100_000)
    const apiKey = await makeKey(data.database, '1')
    const folder = await makeFolder(bench, await smallRecords(bench))
    const postgres: number[] = []
    const inFolder: number[] = []
    for (let round = 0; round < bench.rounds; round += 1) {
      postgres.push(await startOnce({ databaseUrl: data.url }, apiKey))
      inFolder.push(await startOnce({ dataDir: folder.dataDir }, folder.apiKey))
    }
    return [
      { ...figure('first answer, PostgreSQL', postgres), unit: 's', target: { atMost: 1 } },
      { ...figure('first answer, folder', inFolder), unit: 's', target: { atMost: 3 } },
    ]
  },
}

/** @returns seconds */
async function startOnce(options: ServiceOptions, apiKey: string): Promise<number> {
  const begun = performance.now()
  const child = spawn(process.execPath, [...SOJOURN, 'serve'], {
    env: { ...process.env, ...serviceEnv(options) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const response = await open((await addressOf(child)) + PATH, bearer(apiKey))
    response.resume()
    await once(response, 'end')
    if (response.statusCode !== 200) throw new BenchFailed(`the first answer was a ${response.statusCode}`)
    return (performance.now() - begun) / 1000
  } finally {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  let said = ''
  for await (const text of stdout ?? []) {
    said += text
    const found = /listens on (http:\S+)/.exec(said)?.[1]
    if (found !== undefined) return found
  }
  throw new BenchFailed('the service ended as it started')
}
