/**
 * Acceptance: fourteen ways to break a nightly and an hourly feed, each a center of one database, in simulated time. What the
 * senders deliver is written as the import writes it; what people see comes from the service: the header, `GET /sources`, the
 * model of the pages, e-mail through a mail server, and a webhook through a receiver.
 */
import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Delivery } from '../../../src/core/records/sources/delivery.ts'
import { isLateAt, receivedOf } from '../../../src/documents/data-age.ts'
import type { Notices } from '../../../src/parts/notices/start-notices.ts'
import { addWebhook } from '../../../src/parts/webhooks/manage-webhooks.ts'
import { createSend } from '../../../src/parts/webhooks/send.ts'
import { createSender } from '../../../src/parts/webhooks/sender.ts'
import { createAddressRule } from '../../../src/parts/webhooks/target.ts'
import {
  at,
  DAY,
  FAULTS,
  type Fault,
  type Feed,
  HOUR,
  HOURLY,
  MINUTE,
  makeWorld,
  NIGHTLY,
  type World,
  ZONE,
} from '../../records/sources/simulated-feeds.ts'
import { startTestApi, type TestApi, type TestKey } from '../../support/api.ts'
import { clockedDatabase } from '../../support/clocked-database.ts'
import { afterwards, openTestDatabase } from '../../support/database.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { mailServer, mailTo, startInstance } from './notices-world.ts'

const KEY = randomBytes(32).toString('base64')
const HERE = createAddressRule(['127.0.0.1'])

export interface FeedCenter {
  readonly id: string
  readonly feed: Feed
  /** undefined: its days are quiet */
  readonly fault: Fault | undefined
  readonly world: World
  readonly schedule: string
}

export interface Seen {
  /** epoch ms of the first look at which it was seen; undefined: never */
  header?: number
  sources?: number
  page?: number
  mails: { readonly at: number; readonly isOver: boolean }[]
  hooks: { readonly at: number; readonly type: string }[]
  /** at the last look, after the problem is over */
  isLateAtEnd?: boolean
}

export interface Simulated {
  readonly centers: readonly FeedCenter[]
  readonly seen: ReadonlyMap<string, Seen>
  readonly looks: number
}

export interface SimulationOptions {
  readonly first: string
  readonly days: number
  /**
   * How often people look from two hours before the faults until a day after them. Undefined: only when a fault begins, when it
   * must be seen, half an hour later, and a minute after its end.
   */
  readonly stepMs: number | undefined
  /** the same at other times */
  readonly quietMs: number
}

/** One center for each feed and fault, and for each feed one whose days are quiet, one of them without weekends. */
export function centersOf({ first, days }: SimulationOptions): FeedCenter[] {
  const faultyDay = days - 3
  return [NIGHTLY, HOURLY].flatMap((feed) => [
    ...FAULTS.map((fault, index) => ({
      id: `${feed.name}-${index}`,
      feed,
      fault: fault === 'a restarted service' ? undefined : fault,
      world: makeWorld(feed, fault, first, faultyDay, days),
      schedule: feed.schedule,
    })),
    {
      id: `${feed.name}-quiet`,
      feed,
      fault: undefined,
      world: onWorkdays(makeWorld(feed, undefined, first, -1, days)),
      schedule: `${feed.schedule} on mon–fri except 2026-12-25, 2027-01-01`,
    },
  ])
}

const HOLIDAYS = new Set(['2026-12-25', '2027-01-01'])

function onWorkdays(world: World): World {
  const isExpected = ({ at: moment }: Delivery) => {
    const date = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(ZONE).toPlainDate()
    return date.dayOfWeek <= 5 && !HOLIDAYS.has(date.toString())
  }
  return { ...world, deliveries: world.deliveries.filter(isExpected) }
}

/** Plays the days, and notes when what was seen. */
export async function simulate(options: SimulationOptions): Promise<Simulated> {
  const centers = centersOf(options)
  const start = at(options.first, '12:00')
  const play = await startPlay(centers, start)
  const moments = centers
    .flatMap(({ world }) => [world.from, world.seenBy, world.seenBy + HOUR / 2, world.correctedAt + MINUTE])
    .toSorted((a, b) => a - b)
  const faultFrom = Math.min(...centers.map(({ world }) => world.from))
  const end = start + (options.days - 1) * DAY
  let looks = 0
  while (play.now < end) {
    const isNear = play.now > faultFrom - 2 * HOUR && play.now < faultFrom + 40 * HOUR
    const next = play.now + (isNear ? (options.stepMs ?? options.quietMs) : options.quietMs)
    const moment = options.stepMs === undefined ? moments.find((one) => one > play.now) : undefined
    await play.advance(Math.min(end, next, moment ?? end))
    looks += 1
  }
  await play.atEnd()
  return { centers, seen: play.seen, looks }
}

async function startPlay(centers: readonly FeedCenter[], start: number) {
  const raw = await openTestDatabase()
  const state = { now: start }
  const now = () => state.now
  const database = clockedDatabase(raw, now)
  const api = await startTestApi({ database: raw, clock: now })
  const server = await mailServer()
  const receiver = await startReceiver()
  const keys = new Map<string, TestKey>()
  const seen = new Map<string, Seen>()
  for (const { id, schedule, feed, fault } of centers) {
    await api.load([{ kind: 'center', id, name: id, timezone: ZONE, currency: 'EUR' }])
    keys.set(id, await api.createKey({ center: id, scopes: ['guests', 'sources'] }))
    seen.set(id, { mails: [], hooks: [] })
    const sender = fault === 'a revoked key' ? await api.createKey({ center: id, intake: true }) : undefined
    await raw.transaction(async (tx) => {
      await tx.query(sql`
        insert into sources (center_id, name, kinds, schedule, scheduled_at, app_id)
        values (${id}, 'feed', '{bookings}', ${schedule}, ${new Date(start - DAY).toISOString()}::timestamptz,
          ${sender?.appId ?? null})`)
      await tx.query(
        sql`insert into notice_addresses (center_id, addresses) values (${id}, ${[`${id}@center.example`]})`,
      )
    })
    await addWebhook(
      database,
      { centerId: id, name: feed.name, url: `${receiver.url}/${id}`, scopes: ['sources'] },
      { random: randomBytes, key: KEY, allows: HERE, hasAllowed: true },
    )
  }
  let notices: Notices = startInstance({ database, now, sendMail: mailTo(server), addresses: [] })
  const sender = createSender({
    database,
    key: KEY,
    send: createSend({ allows: HERE }),
    clock: now,
    chance: () => 0.5,
    holder: 'one',
    log: { error() {}, warn() {} } as never,
    every: () => () => {},
  })
  afterwards(() => sender.close())
  const written = new Map(centers.map(({ id }) => [id, 0]))
  let mails = 0
  let hooks = 0
  let isRestarted = false

  const note = () => {
    for (const { to, text } of server.received.slice(mails)) {
      const id = to[0]?.split('@')[0] ?? ''
      seen.get(id)?.mails.push({ at: state.now, isOver: text.includes('It lasted from') })
    }
    mails = server.received.length
    for (const { path, text } of receiver.received.slice(hooks)) {
      seen.get(path.split('/').at(-1) ?? '')?.hooks.push({ at: state.now, type: JSON.parse(text).type })
    }
    hooks = receiver.received.length
  }

  return {
    seen,
    get now() {
      return state.now
    },
    async advance(to: number) {
      state.now = to
      await raw.transaction(async (tx) => {
        for (const center of centers)
          written.set(center.id, await write(tx, center, written.get(center.id) ?? 0, to))
      })
      await writeKeys(api, centers, to)
      const restart = centers.find(({ id }) => id === 'nightly-12')
      if (!isRestarted && restart !== undefined && to >= restart.world.from) {
        // The service itself starts again.
        isRestarted = true
        await notices.close()
        notices = startInstance({ database, now, sendMail: mailTo(server), addresses: [] })
      }
      await notices.look()
      await sender.look()
      await sender.settled()
      note()
      for (const { id, world } of centers) {
        const one = seen.get(id)
        if (one === undefined || to < world.from || one.header !== undefined) continue
        const asker = api.as(keys.get(id))
        const { body, headers } = await asker.get('/v1/sources')
        const [source] = body.data
        if (Array.isArray(source?.problems) && source.problems.length > 0) one.sources ??= to
        const answer = await asker.get('/v1/guests?startDate=2026-01-01')
        const header = String(answer.headers['data-received'] ?? headers['data-received'] ?? '')
        if (!/bookings=[^,]*;late/.test(header)) continue
        one.header = to
        const received = receivedOf(header, 'bookings')
        if (received !== undefined && isLateAt(received, to)) one.page = to
      }
    },
    async atEnd() {
      for (const { id } of centers) {
        const { body } = await api.as(keys.get(id)).get('/v1/sources')
        const one = seen.get(id)
        if (one !== undefined) one.isLateAtEnd = body.data[0]?.late === true
      }
    },
  }
}

/** Writes what was delivered until a moment, and what the watcher reports. @returns the number of deliveries written */
async function write(
  tx: { query: TestApi['database']['query'] },
  { id, world, fault }: FeedCenter,
  from: number,
  until: number,
): Promise<number> {
  let index = from
  for (; index < world.deliveries.length; index += 1) {
    const one = world.deliveries[index]
    if (one === undefined || one.at > until) break
    await tx.query(sql`
      insert into imports (center_id, ended_at, id, way, files, duration_ms, outcome, lines, rejected, problems, counts,
        changed, revision_before, revision_after, source, file_time)
      values (${id}, ${new Date(one.at).toISOString()}::timestamptz, ${one.id}, ${one.way},
        ${JSON.stringify(one.files)}::jsonb, 1, ${one.outcome}, ${one.lines}, ${one.rejected}, 0,
        ${JSON.stringify(one.counts)}::jsonb, 0, 0, 0, 'feed',
        ${one.fileTime === null ? null : new Date(one.fileTime).toISOString()}::timestamptz)`)
  }
  const folder = world.folder(until)
  if (folder === null || fault === 'a revoked key') return index
  const moment = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
  await tx.query(sql`
    insert into source_folders (center_id, source, reported_at, state, unfinished_since, empty_since, waiting_since,
      is_disk_full)
    values (${id}, 'feed', ${moment(folder.at)}::timestamptz, ${folder.state},
      ${moment(folder.unfinishedSince)}::timestamptz, ${moment(folder.emptySince)}::timestamptz,
      ${moment(folder.waitingSince)}::timestamptz, ${folder.isDiskFull})
    on conflict (center_id, source) do update set reported_at = excluded.reported_at, state = excluded.state,
      unfinished_since = excluded.unfinished_since, empty_since = excluded.empty_since,
      waiting_since = excluded.waiting_since, is_disk_full = excluded.is_disk_full`)
  return index
}

async function writeKeys(api: TestApi, centers: readonly FeedCenter[], now: number): Promise<void> {
  for (const { id, world, fault } of centers) {
    if (fault !== 'a revoked key') continue
    const isActive = world.keys(now)?.isActive ?? true
    await api.database.transaction((tx) =>
      tx.query(sql`
        update api_keys set revoked_at = ${isActive ? null : new Date(world.from).toISOString()}::timestamptz
        where center_id = ${id} and intake`),
    )
  }
}

/** What is wrong with what was seen, in sentences; nothing if all is as it must be. */
export function mistakesOf({ centers, seen }: Simulated, stepMs: number): string[] {
  return centers.flatMap(({ id, fault, feed, world }) => {
    const one = seen.get(id)
    if (one === undefined) return [`${id}: nothing is known`]
    const name = `${feed.name}, ${fault ?? 'quiet'} (${id})`
    const counts = `${one.mails.length} mails, ${one.hooks.length} webhooks`
    if (fault === undefined) {
      return one.mails.length + one.hooks.length === 0 && one.header === undefined
        ? []
        : [`${name}: false alarm: ${counts}`]
    }
    const mistakes: string[] = []
    const limit = world.seenBy + stepMs
    const [begin, over] = one.mails
    for (const [where, moment] of [
      ['header', one.header],
      ['/sources', one.sources],
      ['page', one.page],
      ['e-mail', begin?.at],
      ['webhook', one.hooks[0]?.at],
    ] as const) {
      if (moment === undefined || moment < world.from || moment >= limit) {
        mistakes.push(
          `${name}: ${where} ${moment === undefined ? 'never' : `${Math.round((moment - world.seenBy) / MINUTE)} min after the limit`}`,
        )
      }
    }
    if (one.mails.length !== 2 || begin?.isOver || !over?.isOver) mistakes.push(`${name}: ${counts}`)
    if (one.hooks.map(({ type }) => type).join() !== 'source.late,source.recovered') {
      mistakes.push(`${name}: ${one.hooks.map(({ type }) => type).join()}`)
    }
    const recovered = over?.at ?? Number.POSITIVE_INFINITY
    if (recovered < world.correctedAt || recovered > world.correctedAt + stepMs)
      mistakes.push(`${name}: its end was seen late`)
    if (one.isLateAtEnd) mistakes.push(`${name}: late at the end`)
    return mistakes
  })
}
