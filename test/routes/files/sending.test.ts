/** A file on its way: of one moment, noticed where it is cut, counted, recorded, and no more of them than there may be. */
import { createHash } from 'node:crypto'
import { get as httpGet, type IncomingMessage } from 'node:http'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Sojourn } from '../../../client/src/index.ts'
import { buildApp } from '../../../src/app.ts'
import type { Database } from '../../../src/core/database/database.ts'
import { readsInTrail } from '../../audit/reads.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { listen } from '../../support/socket.ts'
import { guest, SPA, type TestRecord } from '../../support/world.ts'

const GUESTS = 450
const URL =
  '/v1/guests?startDate=2025-01-01&endDate=2025-01-31&project=id,lastName&format=csv&values=raw&bom=false'
const idOf = (n: number) => `g${String(n).padStart(4, '0')}`

let api: TestApi
beforeAll(async () => {
  const records: TestRecord[] = Array.from({ length: GUESTS }, (_, n) => guest(idOf(n))).flat()
  api = await startTestApi({ records })
})

/** @param change of the database that the service asks */
async function serve(change: (database: Database) => Partial<Database> = () => ({})) {
  const app = await buildApp({
    database: { ...api.database, ...change(api.database) },
    logLevel: 'silent',
    usageFlushMs: 3_600_000,
  })
  onTestFinished(() => app.close())
  const port = await listen(app)
  const ask = (url: string, headers = {}) =>
    new Promise<IncomingMessage>((resolve, reject) =>
      httpGet({ port, path: url, headers: { ...api.key.bearer, ...headers } }, resolve).once('error', reject),
    )
  return { app, ask, url: `http://127.0.0.1:${port}` }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of answer) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

/** Chunks after the first one come when `go` is called. */
function held(database: Database) {
  const gate = Promise.withResolvers<void>()
  const stream: Database['stream'] = async function* (...given) {
    let isFirst = true
    for await (const rows of database.stream(...given)) {
      if (!isFirst) await gate.promise
      isFirst = false
      yield rows
    }
  }
  return { stream, go: () => gate.resolve() }
}

describe('a file', () => {
  it('shows one snapshot, whatever is committed while it is sent', async () => {
    let go = () => {}
    const service = await serve((database) => {
      const holding = held(database)
      go = holding.go
      return { stream: holding.stream }
    })
    const answer = await service.ask(URL)
    await api.load([
      { kind: 'customer', centerId: SPA, id: `c-${idOf(GUESTS - 1)}`, lastName: 'Later' },
      { kind: 'booking', centerId: SPA, id: idOf(GUESTS - 2), deleted: true },
      ...guest('g9999'),
    ])
    go()
    const lines = (await textOf(answer)).trimEnd().split('\r\n')
    expect(lines).toEqual(['lastName,id', ...Array.from({ length: GUESTS }, (_, n) => `Pop,${idOf(n)}`)])
    const cursor = String(answer.headers['snapshot-cursor'])
    const { body } = await api.get(`/v1/changes?kinds=guests&after=${cursor}`)
    expect(body.data.map(({ id }) => id).sort()).toEqual([idOf(GUESTS - 2), idOf(GUESTS - 1), 'g9999'])
    await api.load([
      { kind: 'customer', centerId: SPA, id: `c-${idOf(GUESTS - 1)}`, lastName: 'Pop' },
      { kind: 'booking', centerId: SPA, id: 'g9999', deleted: true },
      ...guest(idOf(GUESTS - 2)),
    ])
  })

  it('that is committed to between its count and its rows is counted again', async () => {
    let commits = 0
    const service = await serve((database) => ({
      stream: async function* (...given) {
        if (commits === 0) await api.load(guest('g9998'))
        commits += 1
        yield* database.stream(...given)
      },
    }))
    const answer = await service.ask(URL)
    const lines = (await textOf(answer)).trimEnd().split('\r\n')
    expect([answer.headers['snapshot-count'], lines.length]).toEqual([String(GUESTS + 1), GUESTS + 2])
    expect(commits).toBe(2)
    await api.load([{ kind: 'booking', centerId: SPA, id: 'g9998', deleted: true }])
  })

  it('has the digest of its bytes in a trailer', async () => {
    const service = await serve()
    const answer = await service.ask(URL)
    const text = await textOf(answer)
    const digest = createHash('sha256').update(text).digest('base64')
    expect(answer.trailers['content-digest']).toBe(`sha-256=:${digest}:`)
  })

  it('whose rows break off ends with a broken connection, releases its slot, and the client says that it is cut', async () => {
    const service = await serve((database) => ({
      stream: async function* (...given) {
        let isFirst = true
        for await (const rows of database.stream(...given)) {
          if (!isFirst) throw new Error('the cable was pulled')
          isFirst = false
          yield rows
        }
      },
    }))
    // More than a key may have at a time.
    for (let time = 0; time < 3; time += 1) {
      const answer = await service.ask(URL)
      expect(answer.statusCode).toBe(200)
      await expect(textOf(answer)).rejects.toThrow('aborted')
      await isFree(service)
    }
    const sojourn = new Sojourn({ url: service.url, key: api.key.apiKey })
    const file = await sojourn.guests.file({ startDate: '2025-01-01', endDate: '2025-01-31' })
    await expect(new Response(file.body).text()).rejects.toThrow()
  })

  it('takes a slot while it is sent; a key has two at a time', async () => {
    let go = () => {}
    const service = await serve((database) => {
      const holding = held(database)
      go = holding.go
      return { stream: holding.stream }
    })
    const [first, second] = [await service.ask(URL), await service.ask(URL)]
    const third = await service.ask(URL)
    expect(third.statusCode).toBe(429)
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(0)
    third.resume()
    go()
    expect((await textOf(first)).length).toBe((await textOf(second)).length)
    await isFree(service)
    expect((await service.ask(URL)).resume().statusCode).toBe(200)
  })

  it('whose client goes away releases its slot', async () => {
    let go = () => {}
    const service = await serve((database) => {
      const holding = held(database)
      go = holding.go
      return { stream: holding.stream }
    })
    const answer = await service.ask(URL)
    expect(await open(service)).toBe(1)
    answer.destroy()
    go()
    await isFree(service)
  })
})

/** A slot is given back once the database has what the stream held. */
const isFree = (service: Parameters<typeof open>[0]) =>
  vi.waitFor(async () => expect(await open(service)).toBe(0), { timeout: 60_000, interval: 50 })

const open = async ({ app }: { readonly app: Awaited<ReturnType<typeof buildApp>> }) => {
  const { body } = await app.inject('/metrics')
  return Number(/^sojourn_long_lists_open (\d+)$/m.exec(body)?.[1])
}

describe('the audit trail', () => {
  it('names every record of a file with sensitive fields, and of one without', async () => {
    const url = '/v1/guests?startDate=2025-01-01&endDate=2025-01-31&format=ndjson&project=firstName,pin'
    await api.get(url)
    await vi.waitFor(
      async () => {
        const reads = await readsInTrail(api.database, { center: SPA })
        const read = reads.find(({ filters }) => filters?.format === 'ndjson')
        expect(read).toMatchObject({
          operation: 'listGuests',
          scopes: ['guests', 'guests.personal'],
          records: GUESTS,
          recordIds: Array.from({ length: GUESTS }, (_, n) => idOf(n)),
        })
      },
      { timeout: 60_000, interval: 50 },
    )
  })
})

describe('the client', () => {
  it('reads a file, and notices one that a proxy has cut at a line', async () => {
    const { url } = await serve()
    const query = { startDate: '2025-01-01', endDate: '2025-01-31', project: ['lastName', 'id'] } as const
    for (const format of ['csv', 'ndjson', 'xlsx'] as const) {
      const file = await new Sojourn({ url, key: api.key.apiKey }).guests.file({ ...query, format })
      expect([file.count, file.digest.length]).toEqual([GUESTS, 64])
      const bytes = await new Response(file.body).arrayBuffer()
      expect(bytes.byteLength).toBeGreaterThan(4000)
      if (format === 'xlsx') continue
      const cut = new Sojourn({
        url,
        key: api.key.apiKey,
        fetch: async (...given: Parameters<typeof fetch>) => {
          const response = await fetch(...given)
          const lines = (await response.text()).split('\n').slice(0, -2)
          return new Response(`${lines.join('\n')}\n`, response)
        },
      })
      const short = await cut.guests.file({ ...query, format })
      await expect(new Response(short.body).text()).rejects.toThrow('cut off before its end')
    }
  })
})

it('a file of more guests than the trail can name is refused where it shows more than the stay', async () => {
  const service = await serve((database) => ({
    queryArrays: async (statement, kind) => {
      const rows = await database.queryArrays(statement, kind)
      return statement.text.includes('sha256(') ? [[100_001, rows[0]?.[1]]] : rows
    },
  }))
  const answer = await service.ask(URL.replace('lastName', 'pin'))
  expect(answer.statusCode).toBe(400)
  expect(await textOf(answer)).toContain('audit trail names each of them (100000)')
})
