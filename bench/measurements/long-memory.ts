/** Resident memory on PostgreSQL while everything that a center may ask for goes on, for as long as `--rounds` and `--seconds` say. */
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { PROJECTABLE_NAMES } from '../../src/core/api/guests/projection.ts'
import { freePort } from '../../test/support/free-port.ts'
import { type Bench, BenchFailed, type Figure, type Measurement } from '../support/bench.ts'
import { bearer, open } from '../support/client.ts'
import { keysCreate } from '../support/commands.ts'
import { bareDatabase } from '../support/database.ts'
import { smallRecords } from '../support/folder-data.ts'
import { CENTER } from '../support/records.ts'
import { sojournSays, startService } from '../support/service.ts'

const RECORDS = 40_000
const CLIENTS = 8
const RESIDENT_MB_MAX = 200
const SCOPES = 'guests,guests.personal,guests.medical,guests.financial,meals,sessions,orders'
const EVERYBODY = 'startDate=1950-01-01&endDate=2049-12-31'
const WIDE = PROJECTABLE_NAMES.filter((name) => !name.includes('meta')).join()

/** By what it is called in the log; `n` counts on. */
const PATHS: Readonly<Record<string, (n: number) => string>> = {
  'wide page': (n) => `/v1/guests?sessionId=${n % 100}&length=${1 + (n % 100)}&project=${WIDE}`,
  'long report': (n) =>
    `/v1/guests/meal-skipping-report?startDate=2017-01-01&endDate=2027-01-${1 + (n % 28)}`,
  'orders of a year': (n) => `/v1/orders?startDate=2025-01-0${1 + (n % 9)}&endDate=2025-12-31`,
  'all orders': () => `/v1/orders?${EVERYBODY}`,
  'a file of XLSX': () => `/v1/guests?${EVERYBODY}&format=xlsx`,
  'a file of CSV': () => `/v1/guests?${EVERYBODY}&format=csv`,
  'a search': (n) => `/v1/guests/match?${EVERYBODY}&name=Popescu%20Ana%20${n}`,
  portions: (n) => `/v1/meals/portions?sessionId=${n % 100}`,
  'a link': () => '',
}

export const longMemory: Measurement = {
  name: 'long-memory',
  title: 'resident memory while wide pages, long reports, lists, files, searches, links and deliveries go on',

  async run(bench: Bench): Promise<Figure[]> {
    const { file } = await smallRecords(bench, RECORDS)
    const { url: databaseUrl } = await bareDatabase(bench)
    const options = { databaseUrl }
    await sojournSays(['migrate'], options)
    await sojournSays(['import', file], options)
    const made = async (words: readonly string[]) => JSON.parse(await sojournSays(words, options))
    const { apiKey, appId } = await made(keysCreate(CENTER, 'bench', ['--scopes', SCOPES]))
    const { apiKey: intakeKey } = await made(keysCreate(CENTER, 'intake', ['--intake']))
    const saved = `/guests?${EVERYBODY}&project=firstName,lastName,status`
    const unlimited = ['--per-hour', '100000', '--per-minute', '100000', '--json']
    const link = new URL(
      (await made(['links', 'create', '--key', appId, '--name', 'bench', ...unlimited, saved])).url,
    )
    const intakePort = await freePort()
    const service = await startService(bench, { ...options, env: { INTAKE_PORT: String(intakePort) } })

    const answers: Record<string, number> = {}
    const note = (name: string) => {
      answers[name] = (answers[name] ?? 0) + 1
    }
    const kinds = Object.entries(PATHS)
    let isOver = false
    let asked = 0
    const client = async () => {
      while (!isOver) {
        const n = asked++
        const [name, pathOf] = kinds[n % kinds.length] ?? ['', () => '']
        const path = name === 'a link' ? `${link.pathname}?start=${1 + (n % 50)}` : pathOf(n)
        await open(service.url + path, name === 'a link' ? {} : bearer(apiKey)).then(
          async (answer) => {
            // A machine that pauses for ten seconds lets the service end what nobody takes.
            const cut = await once(answer.resume(), 'close').then(
              () => '',
              () => ', cut off',
            )
            note(`${name} ${answer.statusCode}${cut}`)
          },
          () => note(`${name}, no answer`),
        )
      }
    }
    const deliver = async () => {
      const headers = { ...bearer(intakeKey), 'content-encoding': 'gzip' }
      for (let n = 0; !isOver; n += 1) {
        const customer = { kind: 'customer', firstName: `Ana ${n}`, lastName: 'Popescu' }
        const lines = Array.from({ length: 5000 }, (_, at) =>
          JSON.stringify({ ...customer, id: `new-${at}` }),
        )
        const body = gzipSync(lines.join('\n'))
        const answer = await fetch(`http://127.0.0.1:${intakePort}/intake`, { method: 'POST', headers, body })
        await answer.arrayBuffer()
        note(`a delivery ${answer.status}`)
        await wait(5000)
      }
    }
    const idle = service.residentMb().now
    const samples: number[] = []
    const all = Promise.all([...Array.from({ length: CLIENTS }, client), deliver()])
    for (let at = 0; at < bench.rounds * bench.roundSeconds; at += 1) {
      await Promise.race([wait(1000), all])
      samples.push(service.residentMb().now)
    }
    isOver = true
    await all
    bench.log(JSON.stringify(answers))
    if (Object.keys(answers).some((name) => / 5(?!03)\d\d$/.test(name)))
      throw new BenchFailed('an answer was a 5xx')
    const tenth = Math.max(1, Math.floor(samples.length / 10))
    const mean = (part: readonly number[]) => part.reduce((sum, mb) => sum + mb, 0) / part.length
    return [
      { what: 'resident as it starts', value: idle, unit: 'MB' },
      { what: 'in the second tenth of the time', value: mean(samples.slice(tenth, 2 * tenth)), unit: 'MB' },
      { what: 'in the last tenth', value: mean(samples.slice(-tenth)), unit: 'MB' },
      {
        what: 'resident at most',
        value: service.residentMb().peak,
        unit: 'MB',
        target: { atMost: RESIDENT_MB_MAX },
      },
    ]
  },
}
