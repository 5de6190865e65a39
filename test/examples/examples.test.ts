/** `examples/` in four languages, run against the demo center: they write the same, and what the service says. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Mirror, memoryStore, Sojourn } from '../../client/src/index.ts'
import { DEMO_CENTER_ID, demoRecords } from '../../src/parts/demo/demo-records.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { afterwards } from '../support/database.ts'
import { blocksOf, pageText } from '../support/doc-examples.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { kitchenWeek, ordersMonth, sessionGuests, todaysGuests } from './with-the-client.ts'

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples')
const TODAY = '2026-05-14'
const SESSION = 'session-08'
const TASKS = ['todays-guests', 'kitchen-week', 'orders-month', 'session-guests', 'copy'] as const

interface Language {
  readonly name: string
  readonly program: string
  readonly file: string
}

const LANGUAGES: readonly Language[] = [
  { name: 'bash', program: 'bash', file: 'sojourn.sh' },
  { name: 'TypeScript', program: process.execPath, file: 'sojourn.ts' },
  { name: 'Python', program: 'python3', file: 'sojourn.py' },
  { name: 'PHP', program: 'php', file: 'sojourn.php' },
]

/** What one language wrote: the first time, and after the center changed. */
interface Written {
  readonly outputs: Readonly<Record<string, string>>
  readonly copy: unknown
  readonly copyAfterwards: unknown
  readonly statuses: readonly string[]
}

let api: TestApi
let service: string
/** of a commit that was pruned */
let goneCursor: string
let written: ReadonlyMap<string, Written>
let changedGuests: unknown
/** what the TypeScript client gives for the same tasks, before the center changed */
let byClient: Readonly<Record<string, string>>
let mirror: Mirror<{ readonly id: string }>
const copies: { first?: unknown; afterwards?: unknown } = {}

/**
 * The service as a bad day has it: each request is refused once before it is answered. Notes the statuses.
 * @param to the service
 */
async function startBadDay(to: string): Promise<{ origin: string; statuses: string[] }> {
  const statuses: string[] = []
  const asked = new Set<string>()
  const server = createServer(async ({ url = '', headers }, response) => {
    const isFirst = !asked.has(url)
    asked.add(url)
    if (isFirst) {
      response.writeHead(asked.size % 2 === 0 ? 429 : 503, { 'retry-after': '0' }).end('{}')
      return
    }
    const { host: _, connection: __, 'accept-encoding': ___, ...sent } = headers
    const answer = await fetch(to + url, {
      headers: Object.entries(sent).map(([name, value]) => [name, String(value)]),
    })
    statuses.push(`${answer.status} ${url.split('?')[0]}`)
    const etag = answer.headers.get('etag')
    response.writeHead(answer.status, {
      ...(etag === null ? {} : { etag }),
      'content-type': 'application/json',
    })
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterwards(async () => {
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return { origin: `http://127.0.0.1:${address.port}`, statuses }
}

async function run({ program, file }: Language, words: readonly string[], origin: string): Promise<string> {
  const env = { PATH: process.env.PATH, SOJOURN_URL: origin, SOJOURN_KEY: api.key.apiKey }
  const { stdout } = await promisify(execFile)(program, [resolve(EXAMPLES, file), ...words], { env })
  return stdout
}

/** The guests of the client's copy, brought up to date. */
async function mirrored(): Promise<unknown> {
  await mirror.update()
  const guests: Record<string, unknown> = {}
  for await (const guest of mirror.guests.all()) guests[guest.id] = guest
  return guests
}

const guestsIn = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8')).guests

beforeAll(async () => {
  // Short pages, so that every list has several.
  const records = [...demoRecords({ today: TODAY })].map((record) =>
    record.kind === 'center' ? { ...record, maximumPageLength: 7 } : record,
  )
  api = await startTestApi({ records })
  service = await api.app.listen({ port: 0, host: '127.0.0.1' })
  const started = []
  for (const language of LANGUAGES) {
    const folder = makeTemporaryFolder()
    const { origin, statuses } = await startBadDay(service)
    const [kitchen, copy] = [join(folder, 'kitchen.json'), join(folder, 'copy.json')]
    const outputs = {
      'todays-guests': await run(language, ['todays-guests', TODAY], origin),
      'kitchen-week': await run(language, ['kitchen-week', kitchen, TODAY], origin),
      'kitchen-week again': await run(language, ['kitchen-week', kitchen, TODAY], origin),
      'orders-month': await run(language, ['orders-month', TODAY.slice(0, 7)], origin),
      'session-guests': await run(language, ['session-guests', SESSION], origin),
      copy: await run(language, ['copy', SESSION, copy], origin),
    }
    started.push({ language, origin, statuses, copy, outputs, first: guestsIn(copy) })
  }
  const { origin } = await startBadDay(service)
  const sojourn = new Sojourn({ url: origin, key: api.key.apiKey })
  const project = ['id', 'name', 'startDate', 'endDate', 'status'] as const
  mirror = sojourn.mirror(memoryStore(), { kinds: ['guests'], sessionId: SESSION, project })
  byClient = {
    'todays-guests': await todaysGuests(sojourn, TODAY),
    'kitchen-week': await kitchenWeek(sojourn, TODAY),
    'orders-month': await ordersMonth(sojourn, '2026-05-01', '2026-05-31'),
    'session-guests': await sessionGuests(sojourn, SESSION),
  }
  copies.first = await mirrored()

  goneCursor = String((await api.get('/v1/changes')).body.cursor)
  const [one, two] = (await api.get(`/v1/guests?sessionId=${SESSION}&project=id&length=2`)).body.data
  await api.database.query(
    sql`delete from bookings where center_id = ${DEMO_CENTER_ID} and id = ${String(one?.id)}`,
  )
  await api.database.query(
    sql`update bookings set status = 'departed' where center_id = ${DEMO_CENTER_ID} and id = ${String(two?.id)}`,
  )
  const results = new Map<string, Written>()
  for (const { language, origin, statuses, copy, outputs, first } of started) {
    const again = await run(language, ['copy', SESSION, copy], origin)
    results.set(language.name, {
      outputs: { ...outputs, 'copy again': again },
      copy: first,
      copyAfterwards: guestsIn(copy),
      statuses,
    })
  }
  written = results
  copies.afterwards = await mirrored()
  await api.database.query(sql`
    delete from change_commits where center_id = ${DEMO_CENTER_ID}
      and revision < (select revision from center_revisions where center_id = ${DEMO_CENTER_ID})`)
  // One more commit, or the service would answer what it has.
  await api.database.query(
    sql`update sessions set text = 'changed' where center_id = ${DEMO_CENTER_ID} and id = ${SESSION}`,
  )

  const pages = []
  for (let start = 1; start <= 6; start++) {
    const url = `/v1/guests?sessionId=${SESSION}&project=id,name,startDate,endDate,status&start=${start}`
    pages.push(...(await api.get(url)).body.data)
  }
  changedGuests = Object.fromEntries(pages.map((guest) => [guest.id, guest]))
}, 300_000)

it('the program of docs/quick-start.md writes what is printed below it', async () => {
  const blocks = blocksOf(pageText('docs/quick-start.md'))
  const textOf = (language: string) => blocks.find((block) => block.language === language)?.text ?? ''
  const { origin } = await startBadDay(service)
  const file = join(makeTemporaryFolder(), 'program.py')
  writeFileSync(file, textOf('python'))
  expect(await run({ name: 'Python', program: 'python3', file }, [], origin)).toBe(textOf('text'))
})

describe('the TypeScript client', () => {
  it.each(['todays-guests', 'kitchen-week', 'orders-month', 'session-guests'])(
    '%s gives what the examples write',
    (task) => {
      expect(byClient[task]).not.toBe('')
      expect(byClient[task]).toBe(written.get('bash')?.outputs[task])
    },
  )

  it('keeps the copy that the examples keep', () => {
    expect(copies.first).toEqual(written.get('bash')?.copy)
    expect(copies.afterwards).toEqual(changedGuests)
  })
})

describe.each(LANGUAGES)('the example in $name', (language) => {
  const { name } = language
  const own = () => {
    const found = written.get(name)
    if (found === undefined) throw new Error(`${name} did not run.`)
    return found
  }

  it.each([...TASKS, 'kitchen-week again', 'copy again'])('%s writes what the others write', (task) => {
    const all = [...written.values()].map(({ outputs }) => outputs[task])
    expect(own().outputs[task]).not.toBe('')
    expect(all).toEqual(all.map(() => own().outputs[task]))
  })

  it('reads every page, and waits and asks again where it is refused', async () => {
    const { total } = (await api.get(`/v1/guests?sessionId=${SESSION}&length=1`)).body
    // One was deleted since.
    expect(own().outputs['session-guests']?.trim().split('\n')).toHaveLength(total + 1)
    expect(own().outputs.copy).toBe(`${total + 1} guests\n`)
    expect(own().statuses.length).toBeGreaterThan(20)
  })

  it('gets a 304 for kitchen numbers that have not changed', () => {
    const reports = own().statuses.filter((status) => status.endsWith('/v1/guests/meal-skipping-report'))
    expect(reports.map((status) => status.slice(0, 3))).toEqual(['200', '304'])
  })

  it('keeps a copy as the center is now, without reading everything again', () => {
    expect(own().copyAfterwards).toEqual(changedGuests)
    expect(own().copyAfterwards).not.toEqual(own().copy)
    const afterwards = own().statuses.slice(own().statuses.lastIndexOf('200 /v1/changes'))
    expect(afterwards).toEqual(['200 /v1/changes', '200 /v1/guests'])
  })

  it('ends with the message of the service where it is refused for good', async () => {
    const { origin } = await startBadDay(service)
    await expect(run(language, ['todays-guests', '2026-02-30'], origin)).rejects.toMatchObject({
      stderr: expect.stringContaining('INVALID_PARAMETER: "2026-02-30" is not a date.'),
    })
  })

  it('starts again where its cursor is known no more', async () => {
    const { origin, statuses } = await startBadDay(service)
    const file = join(makeTemporaryFolder(), 'copy.json')
    await run(language, ['copy', SESSION, file], origin)
    const stored = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify({ cursor: goneCursor, guests: {} }))
    await run(language, ['copy', SESSION, file], origin)
    expect(statuses).toContain('410 /v1/changes')
    expect(guestsIn(file)).toEqual(stored.guests)
  })

  it('asks for the center’s own today unless another day is given', async () => {
    const { origin, statuses } = await startBadDay(service)
    await run(language, ['todays-guests'], origin)
    expect(statuses.slice(0, 2)).toEqual(['200 /v1/me', '200 /v1/guests'])
  })
})
