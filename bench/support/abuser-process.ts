/**
 * Abuses the service in every way, in a separate process: `abuser-process.ts JSON`. The first message starts the abuse. The next one ends it, and is answered with the numbers of answers by
 * status.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { PROJECTABLE_NAMES } from '../../src/core/api/guests/projection.ts'
import { bearer, open } from './client.ts'
import { largeMapping, largeWorkbook, longCells, mappingOfFormats, wrongMapping } from './hostile-files.ts'
import type { Abuse, AbuserWith, Answers } from './other-center.ts'

// Written by `abuserOf`.
const given: AbuserWith = JSON.parse(process.argv[2] ?? '')
const { url, abuser: apiKey, token, intakeUrl, intake: intakeKey, kinds } = given
const { hostname, port } = new URL(url)
const key = bearer(apiKey)

/** A key's default limit of a hundred requests a minute. */
const KEY_EVERY_MS = 600
const STREAMS = 2
const UNREAD_CONNECTIONS = 100
const UNREAD_REQUESTS = 50
const REPORTS_AT_ONCE = 90
/** In ms: longer than an idle connection may stay open, so that sending does not keep it alive. */
const KNOCK_MS = 7000

const head = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`
const day = (n: number) => `${String(1 + (n % 12)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}`
const report = (n: number) =>
  `/v1/guests/meal-skipping-report?startDate=2017-${day(n)}&endDate=2027-${day(n)}`
const projected = (n: number) =>
  PROJECTABLE_NAMES.filter((name, at) => !name.includes('meta') && (n * 7919 + at * 31) % 5 < 2)

const ABUSES: Readonly<Record<Abuse, (abuse: Abusing) => Promise<unknown>>> = {
  streams: ({ unread }) => unread(STREAMS, head('/v1/orders?startDate=1950-01-01&endDate=2049-12-31')),
  'slow readers': ({ unread }) =>
    unread(UNREAD_CONNECTIONS, 'GET /docs HTTP/1.1\r\nHost: bench\r\n\r\n'.repeat(UNREAD_REQUESTS)),
  projections: ({ ask, every }) =>
    every(KEY_EVERY_MS, (n) => ask(`/v1/guests?sessionId=${n % 50}&length=100&project=${projected(n)}`, key)),
  'wide reports': ({ ask, every }) => every(KEY_EVERY_MS, (n) => ask(report(n), key)),
  'reports at once': ({ ask }) =>
    Promise.all(Array.from({ length: REPORTS_AT_ONCE }, (_, n) => ask(report(n), key))),
  'wrong credentials': ({ ask, every }) =>
    every(20, () => ask('/v1/guests?sessionId=1', bearer('sjn_wrong'))),
  metrics: ({ ask, every }) => every(5, () => ask('/metrics', bearer(token))),
  files: ({ ask, every, unread }) =>
    Promise.all([
      unread(1, head(`${EVERYBODY}&format=xlsx`)),
      every(KEY_EVERY_MS, (n) => ask(`${EVERYBODY}&format=${n % 2 === 0 ? 'csv' : 'xlsx'}`, key)),
    ]),
  // All guests have nearly the same name.
  searches: ({ ask, every }) =>
    every(KEY_EVERY_MS, (n) => {
      const name = `Popescu Stefan ${'ana '.repeat(n % 40)}${n}`
      return ask(n % 2 === 0 ? `${MATCH}&name=${name}` : `${EVERYBODY}&q=S P ${n % 10}&sort=lastName`, key)
    }),
  // Words that nearly everybody has, that many have in a phone number, and of one letter each.
  'search words': ({ ask, every }) =>
    every(KEY_EVERY_MS, (n) => ask(`/v1/search?length=50&q=${WORDS[n % WORDS.length]}`, key)),
  links: ({ ask, every }) => every(20, (n) => ask(`/links/sjl_${String(n).padStart(60, 'x')}`, {})),
  deliveries: ({ deliver, every }) => every(KEY_EVERY_MS, (n) => deliver(BODIES[n % BODIES.length] ?? '')),
  workbooks: async ({ again, upload }) => {
    const workbook = largeWorkbook()
    return again(() => upload('list.xlsx', workbook))
  },
  'long cells': ({ again, upload, change }) =>
    again(async () => {
      await upload('list.csv', longCells(1))
      await change({ body: mappingOfFormats })
    }),
  'rows of long cells': async ({ again, upload, change }) => {
    const file = longCells(30)
    return again(async () => {
      await upload('list.csv', file)
      await change({ body: mappingOfFormats })
    })
  },
  mappings: async ({ again, upload, change }) => {
    await upload('list.csv', 'Number;Name;Phone;Food\n1;Radu;2;vegan\n')
    let n = 0
    return again(() => change({ body: n++ % 2 === 0 ? wrongMapping : largeMapping('Food') }))
  },
  'long patterns': ({ ask, every }) =>
    every(KEY_EVERY_MS, (n) => {
      const pattern = encodeURIComponent(`${PATTERNS[n % PATTERNS.length]} ${n}`.slice(0, 100))
      return ask(n % 2 === 0 ? `${EVERYBODY}&q=${pattern}` : `/v1/search?length=50&q=${pattern}`, key)
    }),
  contradictions: ({ ask, every }) =>
    every(KEY_EVERY_MS, (n) => ask(`/v1/contradictions?length=100&start=${1 + (n % 50)}`, key)),
  erasures: ({ act, every }) =>
    every(KEY_EVERY_MS, () =>
      act('erase-person', given.rights, {
        customer: given.named,
        retentionYears: 0,
        keepOrders: false,
        confirm: null,
      }),
    ),
  'report runs': async ({ act, every }) => {
    const made = await act('create-key', given.administration, NEW_KEY)
    const { report } = await act('add-report', given.administration, {
      ...{
        key: made.appId,
        name: 'Everybody',
        kind: 'query',
        format: 'xlsx',
        times: ['06:00'],
        days: 'daily',
      },
      ...{ destinations: ['folder:bench'], language: null, query: EVERYBODY.slice(3) },
    })
    return every(KEY_EVERY_MS, () => act('run-report', given.administration, { report }))
  },
  'new keys': ({ act, every }) => every(KEY_EVERY_MS, () => act('create-key', given.administration, NEW_KEY)),
}

const EVERYBODY = '/v1/guests?startDate=1950-01-01&endDate=2049-12-31'
const PATTERNS = [
  'a b c d e f g h i j k l m n o p q r s t u v w x y z '.repeat(4),
  'abc% def_ ghi* '.repeat(7),
  'ana '.repeat(48),
]
const NEW_KEY = {
  ...{ name: 'Wall', scopes: ['guests', 'sessions'], diets: false, responsible: null, reviewOn: null },
  ...{ expiresOn: null, allowedAddresses: [] },
}
const WORDS = [
  'ana',
  'p s a',
  'popescu+stefan',
  '0722',
  '1234',
  '101',
  'room',
  'Юлия+Попеску',
  'a+b+c+d+e+f+g+h',
]
const MATCH = '/v1/guests/match?startDate=1950-01-01&endDate=2049-12-31&length=50'

const customers = Array.from(
  { length: 20_000 },
  (_, n) => `{"kind":"customer","id":"tried-${n}","firstName":"Ana ${n}","lastName":"Popescu"}\n`,
)
/** More lines than are accepted, lines that are all invalid, and records of which only the last is invalid. */
const BODIES = kinds.includes('deliveries')
  ? [
      gzipSync(Buffer.alloc(500 * 1024 * 1024, ' ')),
      gzipSync('x\n'.repeat(50_000_000)),
      gzipSync(`${customers.join('')}{"kind":"customer","id":"last"}\n`),
      gzipSync(`{"kind":"customer","id":${'['.repeat(400_000)}${']'.repeat(400_000)}}\n`.repeat(100)),
    ]
  : []

interface Abusing {
  /** Acts again as soon as it has acted. */
  again(act: () => Promise<unknown>): Promise<void>
  /** Sends a file to the import page, and waits until it was read. */
  upload(name: string, file: Buffer | string): Promise<void>
  /** Changes the mapping of the file, and waits until it was checked. */
  change(body: object): Promise<void>
  act(name: string, apiKey: string, body: object): Promise<Record<string, unknown>>
  deliver(body: Buffer | string): Promise<void>
  ask(path: string, headers: Readonly<Record<string, string>>): Promise<void>
  /** Acts at this interval, however long the answers take. */
  every(ms: number, act: (n: number) => unknown): Promise<void>
  /** Keeps this many connections that never read their answers; one that is closed is replaced. */
  unread(count: number, text: string): Promise<void>
}

function begin(kind: Abuse, answers: Answers, signal: AbortSignal): Promise<unknown> {
  const sockets = new Set<Socket>()
  signal.addEventListener('abort', () => {
    for (const socket of sockets) socket.destroy()
  })
  const every: Abusing['every'] = async (ms, act) => {
    for (let n = 0; !signal.aborted; n += 1) {
      void act(n)
      await wait(ms, undefined, { signal }).catch(() => {})
    }
  }
  const counted = (status: number | string) => {
    const name = `${kind} ${status}`
    answers[name] = (answers[name] ?? 0) + 1
  }
  const send = async (to: string, own: string, body?: Buffer | string) => {
    const headers = {
      ...bearer(own),
      'idempotency-key': randomUUID(),
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    }
    const method = body === undefined ? 'GET' : 'POST'
    const answer = await fetch(to, {
      method,
      headers,
      signal,
      ...(body !== undefined && { body: new Uint8Array(Buffer.from(body)) }),
    })
    return { status: answer.status, body: JSON.parse((await answer.text()) || '{}') }
  }
  /** Counts the first answer, and waits until the file is settled. */
  const ofFile = async (path: string, body: Buffer | string) => {
    const answer = await send(`${intakeUrl}/file${path}`, intakeKey, body)
    counted(answer.status)
    let { body: file } = answer
    while (['reading', 'checking'].includes(file.phase))
      ({ body: file } = await send(`${intakeUrl}/file?after=${file.version}`, intakeKey))
    if (answer.status === 429 || answer.status === 503)
      await wait(1000, undefined, { signal }).catch(() => {})
  }
  return ABUSES[kind]({
    every,
    async again(act) {
      while (!signal.aborted) {
        await act().catch(async () => {
          if (!signal.aborted) counted('cut off')
          await wait(100)
        })
      }
    },
    upload: (name, file) => ofFile(`?name=${name}`, Buffer.from(file)),
    change: (body) => ofFile('/mapping', JSON.stringify(body)),
    async act(name, own, body) {
      const answer = await send(`${url}/v1/actions/${name}`, own, JSON.stringify(body)).catch(() => undefined)
      if (answer !== undefined || !signal.aborted) counted(answer?.status ?? 'cut off')
      if (answer?.status === 400) console.error(name, JSON.stringify(answer.body))
      return answer?.body ?? {}
    },
    async ask(path, headers) {
      const status = await open(`${url}${path}`, headers)
        .then(async (answer) => {
          if (answer.statusCode === 400) console.error(path.slice(0, 80), (await answer.toArray()).join(''))
          else await once(answer.resume(), 'close')
          return answer.statusCode
        })
        .catch(() => 'cut off')
      const name = `${kind} ${status}`
      answers[name] = (answers[name] ?? 0) + 1
    },
    async deliver(body) {
      const headers = { ...bearer(intakeKey), 'content-encoding': 'gzip' }
      const status = await fetch(intakeUrl, { method: 'POST', headers, body, signal }).then(
        async (answer) => {
          await answer.arrayBuffer()
          return answer.status
        },
        () => 'cut off',
      )
      const name = `${kind} ${status}`
      answers[name] = (answers[name] ?? 0) + 1
    },
    unread: (count, text) =>
      every(1000, () => {
        for (let open = sockets.size; open < count; open += 1) {
          const socket = connect(Number(port), hostname)
          sockets.add(socket)
          socket.pause().on('error', () => {})
          socket.write(text)
          // A client that reads nothing notices only by sending that its connection was closed.
          const knocking = setInterval(() => socket.write('\r\n'), KNOCK_MS)
          socket.once('close', () => {
            clearInterval(knocking)
            sockets.delete(socket)
          })
        }
      }),
  })
}

/** What was under way when the abuse ended fails. */
const unless = (ended: AbortSignal) => (error: unknown) => {
  if (!ended.aborted) throw error
}

let ending: AbortController | undefined
let answers: Answers = {}
process.on('message', () => {
  if (ending === undefined) {
    ending = new AbortController()
    answers = {}
    for (const kind of kinds) void begin(kind, answers, ending.signal).catch(unless(ending.signal))
    process.send?.({})
  } else {
    ending.abort()
    ending = undefined
    process.send?.(answers)
  }
})
