/** The whole of a list as a file: records a second next to reading the pages, and the memory that it takes; CPU next to another version (`--against`). */
import type { Bench, Figure, Measurement } from '../support/bench.ts'
import { BenchFailed } from '../support/bench.ts'
import { bearer, open, openClient } from '../support/client.ts'
import { keysCreate } from '../support/commands.ts'
import { makeBookingsOf, makeKey, openBookings } from '../support/database.ts'
import { figure } from '../support/rounds.ts'
import { type Service, sojournSays, startService } from '../support/service.ts'

/** Of one center, a tenth. */
const BOOKINGS = 320_000
const PAGE_LENGTH = 100
const FIELDS = 'id,name,phone,dob,startDate,endDate,status,role,programId,financial.total'
const RANGE = `startDate=2000-01-01&endDate=2099-12-31&project=${FIELDS}`
const SCOPES = 'guests,guests.personal,guests.medical,guests.financial,meals,sessions,orders'
const FORMATS = ['ndjson', 'csv', 'xlsx'] as const

export const files: Measurement = {
  name: 'files',
  title: 'a list as a file, next to reading all its pages; and the memory that it takes',

  async run(bench: Bench): Promise<Figure[]> {
    if (bench.against !== undefined) return nextToAnother(bench, bench.against)
    const data = await openBookings(bench, BOOKINGS)
    const apiKey = await makeKey(data.database, '1')
    const service = await startService(bench, { databaseUrl: data.url, answerCacheMb: 0 })
    const asked = bearer(apiKey)
    const { records } = await readFile(service, 'ndjson', asked)
    const pages = await timed(() => readPages(service, asked, records))
    const figures: Figure[] = [
      { what: `guests in the list`, value: records, unit: '' },
      { what: 'all pages of 100', value: records / pages, unit: 'guests/s' },
    ]
    for (const format of FORMATS) {
      service.forgetPeak()
      const before = service.residentMb().now
      const seconds = await timed(() => readFile(service, format, asked))
      const { peak } = service.residentMb()
      figures.push(
        { what: `as ${format}`, value: records / seconds, unit: 'guests/s' },
        { what: `${format} against the pages`, value: pages / seconds, unit: '×' },
        { what: `${format}, most resident above what was before it`, value: peak - before, unit: 'MB' },
      )
    }
    return figures
  },
}

/** Files of each version in a round, after one of each format that is not measured. */
const FILES_OF_A_ROUND = 5

/**
 * The CPU of the service for a guest of a file, next to another version: both are up at the same time, each on a database of
 * its own, and write files alternately. The time that files take says less, because the cores are shared.
 */
async function nextToAnother(bench: Bench, against: string): Promise<Figure[]> {
  const versions = [await prepare(bench, undefined), await prepare(bench, against)] as const
  const micros = new Map<string, number[]>()
  const note = (what: string, value: number) => micros.set(what, [...(micros.get(what) ?? []), value])
  for (let round = 0; round < bench.rounds; round += 1) {
    const services = [await startService(bench, versions[0]), await startService(bench, versions[1])] as const
    for (const format of FORMATS) {
      const spent: [number, number] = [0, 0]
      for (let file = 0; file <= FILES_OF_A_ROUND; file += 1) {
        for (const version of [0, 1] as const) {
          const service = services[version]
          const before = service.cpuMicros()
          const { records } = await readFile(service, format, bearer(versions[version].apiKey))
          if (file > 0) spent[version] += (service.cpuMicros() - before) / records / FILES_OF_A_ROUND
        }
      }
      note(`${format}, CPU of the service for a guest`, spent[0])
      note(`${format}, the other version`, spent[1])
      note(`${format}, of the other version`, spent[0] / spent[1])
      bench.log(`${format}: ${spent.map((one) => one.toFixed(2)).join(' and ')} µs`)
    }
    for (const service of services) await service.stop()
  }
  return [...micros].map(([what, values]) => ({
    ...figure(what, values),
    ...(what.endsWith(', of the other version') ? {} : { unit: 'µs' }),
  }))
}

async function prepare(bench: Bench, checkout: string | undefined) {
  const data = await (checkout === undefined
    ? openBookings(bench, BOOKINGS)
    : makeBookingsOf(bench, checkout, BOOKINGS))
  const options = { databaseUrl: data.url, answerCacheMb: 0, checkout }
  const created = await sojournSays(keysCreate('1', 'bench', ['--scopes', SCOPES]), options)
  // The command prints what it created.
  const { apiKey } = JSON.parse(created) as { readonly apiKey: string }
  return { ...options, apiKey }
}

const timed = async (work: () => Promise<unknown>) => {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
}

async function readFile(service: Service, format: string, headers: Readonly<Record<string, string>>) {
  const response = await open(`${service.url}/v1/guests?${RANGE}&format=${format}`, headers)
  if (response.statusCode !== 200) throw new BenchFailed(`${format} was answered with ${response.statusCode}`)
  for await (const _ of response);
  if (!response.complete) throw new BenchFailed(`${format} was cut`)
  return { records: Number(response.headers['snapshot-count']) }
}

async function readPages(service: Service, headers: Readonly<Record<string, string>>, records: number) {
  const client = openClient()
  for (let page = 1; page <= Math.ceil(records / PAGE_LENGTH); page += 1) {
    const { status } = await client.get(
      `${service.url}/v1/guests?${RANGE}&length=${PAGE_LENGTH}&start=${page}`,
      headers,
    )
    if (status !== 200) throw new BenchFailed(`page ${page} was answered with ${status}`)
  }
  client.close()
}
