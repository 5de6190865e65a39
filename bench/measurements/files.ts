/** The whole of a list as a file: records a second next to reading the pages, and the memory that it takes. */
import type { Bench, Figure, Measurement } from '../support/bench.ts'
import { BenchFailed } from '../support/bench.ts'
import { bearer, open, openClient } from '../support/client.ts'
import { makeKey, openBookings } from '../support/database.ts'
import { type Service, startService } from '../support/service.ts'

/** Of one center, a tenth. */
const BOOKINGS = 320_000
const PAGE_LENGTH = 100
const FIELDS = 'id,name,phone,dob,startDate,endDate,status,role,programId,financial.total'
const RANGE = `startDate=2000-01-01&endDate=2099-12-31&project=${FIELDS}`
const FORMATS = ['ndjson', 'csv', 'xlsx'] as const

export const files: Measurement = {
  name: 'files',
  title: 'a list as a file, next to reading all its pages; and the memory that it takes',

  async run(bench: Bench): Promise<Figure[]> {
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
