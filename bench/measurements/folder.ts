/** The database of a folder against PostgreSQL, with the same records. */
import type { Bench, Figure, Measurement } from '../support/bench.ts'
import { newDatabase } from '../support/database.ts'
import { fillWith, makeFolder, smallRecords } from '../support/folder-data.ts'
import { shuffled } from '../support/random.ts'
import { alternately, cpuOf, rateOf, ratioOf, type Sample } from '../support/rounds.ts'
import { type Service, startService } from '../support/service.ts'
import { type Request, runLoad } from '../support/wrk.ts'

const CONNECTIONS = 64
const pathOf = (session: number) => `/v1/guests?sessionId=${session}`

export const folder: Measurement = {
  name: 'folder',
  title: 'repeated and first reads on the database of a folder against PostgreSQL',

  async run(bench: Bench): Promise<Figure[]> {
    const records = await smallRecords(bench)
    const folder = await makeFolder(bench, records)
    const server = await newDatabase(bench)
    const serverKey = await fillWith(server.database, records)

    const compare = async (answerCacheMb: number, paths: readonly string[]) => {
      const sides = [
        { apiKey: folder.apiKey, options: { dataDir: folder.dataDir, answerCacheMb } },
        { apiKey: serverKey, options: { databaseUrl: server.url, answerCacheMb } },
      ] as const
      const [ours, floor] = await Promise.all(
        sides.map(async ({ apiKey, options }) => ({
          service: await startService(bench, options),
          requests: paths.map((path) => ({ path, apiKey })),
        })),
      )
      if (ours === undefined || floor === undefined) throw new Error('there are two sides')
      await ask(ours, 3)
      await ask(floor, 3)
      const compared = await alternately(
        bench.rounds,
        () => ask(ours, bench.roundSeconds),
        () => ask(floor, bench.roundSeconds),
      )
      await ours.service.stop()
      await floor.service.stop()
      return compared
    }
    const repeated = await compare(64, [pathOf(3)])
    const first = await compare(0, shuffled(records.sessions).map(pathOf))
    return [
      ratioOf('repeated reads, folder : PostgreSQL', repeated, { atLeast: 0.8 }),
      rateOf('repeated reads, folder', repeated.ours),
      rateOf('repeated reads, PostgreSQL', repeated.floor),
      cpuOf('CPU a repeated read, folder', repeated.ours),
      { ...rateOf('first reads, folder', first.ours), target: { atLeast: 500 } },
      rateOf('first reads, PostgreSQL', first.floor),
    ]
  },
}

interface Side {
  readonly service: Service
  readonly requests: readonly Request[]
}

async function ask({ service, requests }: Side, seconds: number): Promise<Sample> {
  const before = service.cpuMicros()
  const result = await runLoad({ url: service.url, requests, connections: CONNECTIONS, seconds })
  return { ...result, cpuMicros: (service.cpuMicros() - before) / result.requests }
}
