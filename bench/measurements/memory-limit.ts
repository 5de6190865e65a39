/**
 * Whether the service lives, and what it answers, where the system gives its process only so much memory, while eight
 * clients of one center read the largest answers there are. As root on Linux, in a control group of its own.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { PROJECTABLE_NAMES } from '../../src/core/api/guests/projection.ts'
import { SOJOURN } from '../../test/support/command.ts'
import type { Bench, Figure, Measurement } from '../support/bench.ts'
import { bearer, openClient } from '../support/client.ts'
import { ControlGroup } from '../support/control-group.ts'
import { newDatabase } from '../support/database.ts'
import { fillWith, makeFolder, smallRecords } from '../support/folder-data.ts'
import { startProgram } from '../support/processes.ts'
import { type ServiceOptions, serviceEnv } from '../support/service.ts'

/** In MB: what docs/deployment.md promises, and less than that. */
const LIMITS = {
  PostgreSQL: { promised: 256, less: [128, 192] },
  folder: { promised: 384, less: [256, 320] },
} as const
const CLIENTS = 8
const RECORDS = 40_000

export const memoryLimit: Measurement = {
  name: 'memory-limit',
  title: 'whether the service lives, and what it answers, in a process of so much memory',

  async run(bench) {
    const records = await smallRecords(bench, RECORDS)
    const figures: Figure[] = []
    if (bench.engine !== 'folder') {
      const { database, url: databaseUrl } = await newDatabase(bench)
      const apiKey = await fillWith(database, records)
      for (const mb of limitsOf('PostgreSQL')) {
        figures.push(...(await within(bench, 'PostgreSQL', mb, { databaseUrl }, apiKey)))
      }
    }
    if (bench.engine !== 'postgres') {
      const { dataDir, apiKey } = await makeFolder(bench, records)
      for (const mb of limitsOf('folder')) {
        figures.push(...(await within(bench, 'folder', mb, { dataDir }, apiKey)))
      }
    }
    return figures
  },
}

const limitsOf = (where: keyof typeof LIMITS) => [...LIMITS[where].less, LIMITS[where].promised]

async function within(
  bench: Bench,
  where: keyof typeof LIMITS,
  mb: number,
  options: ServiceOptions,
  apiKey: string,
): Promise<Figure[]> {
  const group = new ControlGroup(mb)
  bench.afterwards(() => group.remove())
  // The shell enters the group before it becomes the service, so that everything it takes is counted.
  const program = `echo $$ > ${group.processes} && exec "$0" "$@"`
  const { child, stop } = startProgram(
    bench,
    'sh',
    ['-c', program, process.execPath, ...SOJOURN, 'serve'],
    serviceEnv({ ...options, env: { LOG_LEVEL: 'fatal' } }),
  )
  let said = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const isThere = () => child.exitCode === null && child.signalCode === null
  while (isThere() && !/listens on/.test(said)) await wait(50)
  const url = /http:\S+/.exec(said)?.[0]
  const statuses = url === undefined ? {} : await readMuch(url, apiKey, bench.roundSeconds * 4, isThere)
  const lives = isThere()
  const mostMb = group.mostMb()
  await stop()
  group.remove()
  bench.log(
    `${where} in ${mb} MB: ${JSON.stringify(statuses)}, ended by ${child.signalCode ?? child.exitCode}`,
  )
  return [
    {
      what: `${where} in ${mb} MB: lives`,
      value: Number(lives),
      ...(mb === LIMITS[where].promised ? { target: { atLeast: 1 } } : {}),
    },
    { what: '… memory at most, with the system’s cache of its files', value: mostMb, unit: 'MB' },
  ]
}

/** @returns how often each status was answered */
async function readMuch(
  url: string,
  apiKey: string,
  seconds: number,
  isThere: () => boolean,
): Promise<Record<string, number>> {
  const fields = PROJECTABLE_NAMES.filter((name) => !name.includes('meta')).join(',')
  const paths = [
    (n: number) => `/v1/guests?sessionId=${n % 300}&length=100&project=${fields}`,
    (n: number) => `/v1/guests/meal-skipping-report?startDate=20${10 + (n % 10)}-01-01&endDate=2030-01-01`,
    (n: number) => `/v1/orders?startDate=20${10 + (n % 10)}-01-01&endDate=2030-01-01`,
    () => '/docs',
  ]
  const statuses: Record<string, number> = {}
  const until = performance.now() + seconds * 1000
  const client = openClient()
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, own) => {
      for (let n = own; performance.now() < until && isThere(); n += CLIENTS + 1) {
        const path = paths[n % paths.length]?.(n) ?? ''
        const status = await client.get(`${url}${path}`, bearer(apiKey)).then(
          (answer) => String(answer.status),
          () => 'cut off',
        )
        statuses[status] = (statuses[status] ?? 0) + 1
      }
    }),
  )
  client.close()
  return statuses
}
