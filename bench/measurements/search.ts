/** How long a search takes in a center with many bookings, by what is searched for, against a page of guests. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../src/core/database/database.ts'
import { type Bench, BenchFailed, type Figure, type Measurement } from '../support/bench.ts'
import { makeKey, openBookings } from '../support/database.ts'
import { openFolder } from '../support/folder-data.ts'
import { fillOneCenter } from '../support/make-data.ts'
import { type DataSize, findable, sessionsOf } from '../support/make-data-sql.ts'
import { pick, randomBelow } from '../support/random.ts'
import { figure, median } from '../support/rounds.ts'
import { type Service, startService } from '../support/service.ts'

const CENTER = 1
/** Of the only center of the database of a folder. */
const FOLDER_BOOKINGS = 75_000
/** A key may search 60 times a minute and 600 times an hour. */
const KEYS = 40
const REQUESTS = 40
const WARMING = 15

const PAGE = 'a page of guests'

/** Words by the number of a booking. */
const WORDS = {
  'a name': (booking) => findable(booking, 40).name,
  'a part of a name': (booking) => findable(booking, 40).name.slice(0, -1),
  'half a phone number': (booking) => findable(booking, 40).phone.slice(-5),
  'an e-mail address': (booking) => findable(booking, 40).email,
  'a booking number': (booking) => findable(booking, 40).bookingId,
  'an order number': (booking) => String(Math.floor(booking / 2)).padStart(3, '0'),
  'a room': (booking) => `room ${booking % 10}`,
  'a frequent name': (booking) => ['ioana', 'popescu', 'andrei', 'Țurcanu'][booking % 4] ?? '',
  'two frequent names': (booking) => ['ioana hansen', 'olav popescu'][booking % 2] ?? '',
  'three letters of thousands': (booking) => ['ioa', 'pop', 'ber', 'and'][booking % 4] ?? '',
  'digits of thousands of numbers': (booking) => ['0000', '4070', '7000'][booking % 3] ?? '',
  'what nobody is called': (booking) => `Xylander ${booking}`,
} as const satisfies Readonly<Record<string, (booking: number) => string>>

type Kind = keyof typeof WORDS | typeof PAGE

const KINDS = [PAGE, ...Object.keys(WORDS)] as readonly Kind[]

export const search: Measurement = {
  name: 'search',
  title: 'a search by what is searched for, against a page of guests, on both databases (--bookings)',

  async run(bench: Bench): Promise<Figure[]> {
    const figures: Figure[] = []
    if (bench.engine !== 'folder') {
      const { url, size, database } = await openBookings(bench, bench.bookings)
      const keys = await makeKeys(database)
      const service = await startService(bench, { databaseUrl: url, answerCacheMb: 0 })
      figures.push(...(await measure(bench, 'PostgreSQL', service, size, keys)))
      await service.stop()
    }
    if (bench.engine !== 'postgres') {
      const dataDir = mkdtempSync(join(tmpdir(), 'sojourn-bench-'))
      bench.afterwards(() => rmSync(dataDir, { recursive: true }))
      const database = await openFolder(dataDir)
      const size = await fillOneCenter(database, FOLDER_BOOKINGS, bench.log)
      const keys = await makeKeys(database)
      await database.close()
      const service = await startService(bench, { dataDir, answerCacheMb: 0 })
      figures.push(...(await measure(bench, 'folder', service, size, keys)))
      await service.stop()
    }
    return figures
  },
}

async function makeKeys(database: Database): Promise<readonly string[]> {
  const keys: string[] = []
  while (keys.length < KEYS) keys.push(await makeKey(database, String(CENTER)))
  return keys
}

async function measure(
  bench: Bench,
  where: string,
  { url, residentMb }: Service,
  size: DataSize,
  keys: readonly string[],
): Promise<Figure[]> {
  const sessions = sessionsOf(size, CENTER)
  let next = 0
  const ask = async (kind: Kind): Promise<number> => {
    const path =
      kind === PAGE
        ? `/v1/guests?sessionId=${randomBelow(sessions)}`
        : `/v1/search?length=20&q=${encodeURIComponent(WORDS[kind](randomBelow(sessions * size.guestsPerSession)))}`
    next += 1
    const began = performance.now()
    const answer = await fetch(url + path, {
      headers: { authorization: `Bearer ${keys[next % keys.length]}` },
    })
    const text = await answer.text()
    if (answer.status !== 200) throw new BenchFailed(`${path} was answered ${answer.status}: ${text}`)
    return performance.now() - began
  }
  await mustFind(url, pick(keys))
  const times = new Map<Kind, number[][]>(KINDS.map((kind) => [kind, []]))
  for (const kind of KINDS) for (let n = 0; n < WARMING; n += 1) await ask(kind)
  // All kinds alternately, so that other work on the machine affects them alike.
  for (let round = 0; round < bench.rounds; round += 1) {
    for (const kind of KINDS) {
      const own: number[] = []
      for (let n = 0; n < REQUESTS; n += 1) own.push(await ask(kind))
      times.get(kind)?.push(own)
    }
  }
  const pages = times.get(PAGE)?.map(median) ?? []
  return [
    ...KINDS.flatMap((kind): Figure[] => {
      const rounds = times.get(kind) ?? []
      const all = rounds.flat().sort((a, b) => a - b)
      const p50 = { ...figure(`${where}: ${kind}, p50`, rounds.map(median)), unit: 'ms' }
      const p99 = {
        what: `${where}: ${kind}, p99`,
        value: all[Math.floor(all.length * 0.99)] ?? 0,
        unit: 'ms',
      }
      if (kind === PAGE) return [p50, p99]
      return [
        { ...p50, target: { atMost: 50 } },
        p99,
        figure(
          `${where}: ${kind} : ${PAGE}`,
          rounds.map((own, round) => median(own) / (pages[round] ?? Number.NaN)),
        ),
      ]
    }),
    { what: `${where}: resident at most`, value: residentMb().peak, unit: 'MB' },
  ]
}

/** Each kind of words finds the booking that they are made from. */
async function mustFind(url: string, apiKey: string): Promise<void> {
  const booking = 1234
  for (const [kind, words] of Object.entries(WORDS)) {
    const answer = await fetch(`${url}/v1/search?length=50&q=${encodeURIComponent(words(booking))}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    })
    const { guests, orders } = (await answer.json()) as Record<'guests' | 'orders', { total: number }>
    const found = guests.total + orders.total
    if (found > 0 === (kind === 'what nobody is called')) throw new BenchFailed(`${kind}: ${found} are found`)
  }
}
