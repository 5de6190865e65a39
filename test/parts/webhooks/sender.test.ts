/** What webhooks are owed reaches them: at least once, in the order of the commits, whatever the receivers do. */
import { randomBytes } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../../src/core/database/database.ts'
import {
  addWebhook,
  changeState,
  removeWebhook,
  replayWebhook,
  rotateWebhook,
  showWebhook,
  testWebhook,
  type WebhookWithSecret,
} from '../../../src/parts/webhooks/manage-webhooks.ts'
import { createSend, type Send } from '../../../src/parts/webhooks/send.ts'
import type { WebhookId } from '../../../src/parts/webhooks/send-messages.ts'
import { createSender, type WebhookSender } from '../../../src/parts/webhooks/sender.ts'
import { createAddressRule } from '../../../src/parts/webhooks/target.ts'
import { selectDue, selectNextWebhooks } from '../../../src/parts/webhooks/webhooks-sql.ts'
import { clockedDatabase } from '../../support/clocked-database.ts'
import { afterwards, emptyDatabase, openTestDatabase } from '../../support/database.ts'
import { blocksOf, pageText } from '../../support/doc-examples.ts'
import { seededRandom } from '../../support/random-center.ts'
import { insertRow } from '../../support/rows.ts'
import { type Received, startReceiver, verified } from './receiver.ts'

const KEY = randomBytes(32).toString('base64')
const HERE = createAddressRule(['127.0.0.1'])
const HOUR_MS = 3_600_000

const database = await openTestDatabase()
let now: number

beforeEach(async () => {
  await emptyDatabase(database)
  // In front of the database’s own clock, whose moments stand in the commits.
  now = Date.now() + HOUR_MS
  for (const center of ['c1', 'c2']) {
    await insertRow(database, 'centers', { center_id: center })
    await insertRow(database, 'customers', { center_id: center, id: 'ana' })
    for (const id of ['a', 'b']) await insertRow(database, 'bookings', { center_id: center, id })
  }
})

interface SenderOf {
  readonly sender: WebhookSender
  /** looks, and waits until all are sent */
  send(): Promise<void>
  readonly logged: string[]
}

/** An instance that sends; the test says when it looks. */
function startSender(
  options: { database?: Database; send?: Send; key?: string; holder?: string } = {},
): SenderOf {
  const logged: string[] = []
  const log = (_: unknown, text: string) => void logged.push(text)
  const sender = createSender({
    database: clockedDatabase(options.database ?? database, () => now),
    key: options.key ?? KEY,
    send: options.send ?? createSend({ allows: HERE }),
    clock: () => now,
    chance: () => 0.5,
    holder: options.holder ?? 'one',
    log: { error: log, warn: log } as never,
    every: () => () => {},
  })
  afterwards(() => sender.close())
  const send = async () => {
    await sender.look()
    await sender.settled()
  }
  return { sender, send, logged }
}

const add = (url: string, fields: { centerId?: string; scopes?: string[]; kinds?: string[] } = {}) =>
  addWebhook(
    database,
    { centerId: 'c1', name: 'Lab', url, scopes: ['guests', 'sessions', 'orders'], ...fields },
    { random: randomBytes, key: KEY, allows: HERE, hasAllowed: true },
  )

/** What the receptionist does: a note to one guest, in a commit of its own. */
const touch = (id = 'a', center = 'c1') =>
  database.query(sql`
    update bookings set doctor_name = coalesce(doctor_name, '') || 'x' where center_id = ${center} and id = ${id}`)

interface Message {
  readonly type: string
  readonly timestamp: string
  readonly data: {
    readonly cursor: string
    readonly changes: readonly { id: string; kind: string; operation: string; groups: string[]; at: string }[]
  }
}

const reported = ({ secret }: WebhookWithSecret, received: readonly Received[]) =>
  received.map((one) => verified(secret, one) as Message)
const idsOf = (received: readonly Received[]) => received.map(({ headers }) => headers['webhook-id'])
const reportedIds = (messages: readonly Message[]) =>
  messages.flatMap(({ data }) => data.changes.map(({ id }) => id))
const stateOf = async ({ id }: WebhookWithSecret) => (await showWebhook(database, id)).state

describe('a webhook', () => {
  it('receives what changes after it was added, signed, thin and in the order of the commits', async () => {
    const receiver = await startReceiver()
    const webhook = await add(receiver.url)
    const { send } = startSender()
    await send()
    expect(receiver.received).toEqual([])
    for (const id of ['b', 'a', 'b']) await touch(id)
    await database.query(sql`delete from bookings where id = 'a' and center_id = 'c1'`)
    // The published library takes messages of these five minutes.
    now = Date.now()
    await send()
    const [message, ...others] = reported(webhook, receiver.received)
    expect(others).toEqual([])
    expect(message).toEqual({
      type: 'changes',
      timestamp: message?.data.changes.at(-1)?.at,
      data: {
        cursor: expect.any(String),
        changes: expect.arrayContaining([
          { kind: 'guests', id: 'b', operation: 'changed', groups: ['guests'], at: expect.any(String) },
        ]),
      },
    })
    expect(reportedIds([message!]).slice(0, 3)).toEqual(['b', 'a', 'b'])
    // As its page shows it.
    const example = blocksOf(pageText('docs/webhooks.md')).find(({ language }) => language === 'json')
    const printed = JSON.parse(example?.text ?? '') as Message
    expect(Object.keys(printed)).toEqual(Object.keys(message!))
    expect(Object.keys(printed.data)).toEqual(Object.keys(message!.data))
    expect(Object.keys(printed.data.changes[0]!)).toEqual(Object.keys(message!.data.changes[0]!))
    expect(printed.data.cursor).toHaveLength(message!.data.cursor.length)
    expect(message?.data.changes.find(({ operation }) => operation === 'deleted')).toMatchObject({ id: 'a' })
    await send()
    expect(receiver.received).toHaveLength(1)
  })

  it('receives its own kinds and groups alone, and nothing of another center', async () => {
    const [receiver, other] = [await startReceiver(), await startReceiver()]
    await add(receiver.url, { scopes: ['guests', 'guests.financial'] })
    await add(other.url, { scopes: ['sessions'] })
    now = Date.now()
    const { send } = startSender()
    await touch('a', 'c2')
    await insertRow(database, 'sessions', { id: 's1' })
    await database.query(sql`update bookings set medical = '{"x":1}' where center_id = 'c1' and id = 'a'`)
    await database.query(sql`
      update bookings set medical = '{"x":2}', financial = '{"total":2}' where center_id = 'c1' and id = 'b'`)
    await send()
    const bodies = (received: readonly Received[]) => received.map(({ text }) => JSON.parse(text) as Message)
    expect(bodies(receiver.received).flatMap(({ data }) => data.changes)).toMatchObject([
      { id: 'b', groups: ['guests.financial'] },
    ])
    expect(reportedIds(bodies(other.received))).toEqual(['s1'])
    expect(receiver.received[0]?.text).not.toMatch(/Ana|Pop|medical|2025-03/)
  })

  it('receives the kinds that it names alone, and its scopes must permit them', async () => {
    const receiver = await startReceiver()
    const webhook = await add(receiver.url, { kinds: ['sessions'] })
    expect(webhook.kinds).toEqual(['sessions'])
    await touch('a')
    await insertRow(database, 'sessions', { id: 's1' })
    await startSender().send()
    expect(reportedIds(receiver.received.map(({ text }) => JSON.parse(text) as Message))).toEqual(['s1'])
    await expect(add(receiver.url, { kinds: ['session'] })).rejects.toThrow('Did you mean sessions?')
    await expect(add(receiver.url, { kinds: [] })).rejects.toThrow('at least one kind')
    await expect(add(receiver.url, { scopes: ['guests'], kinds: ['orders'] })).rejects.toThrow(
      'The kind orders needs the scope orders.',
    )
  })

  it('is sent in messages of at most a hundred changes, none missed and none twice', async () => {
    const receiver = await startReceiver()
    await add(receiver.url)
    await database.query(sql`
      insert into bookings (center_id, id, customer_id, role, status, start_date, end_date)
      select 'c1', 'many-' || n, 'ana', 'patient', 'confirmed', '2025-03-01T12:00Z', '2025-03-10T12:00Z'
      from generate_series(1, 250) n`)
    await touch('a')
    now = Date.now()
    await startSender().send()
    const messages = receiver.received.map(({ text }) => JSON.parse(text) as Message)
    expect(messages.map(({ data }) => data.changes.length)).toEqual([100, 100, 53])
    const ids = reportedIds(messages).filter((id) => id.startsWith('many-'))
    expect([ids.length, new Set(ids).size]).toEqual([250, 250])
    expect(reportedIds(messages).at(-1)).toBe('a')
  })

  it('is asked to read again if what it missed is not known any more', async () => {
    const receiver = await startReceiver()
    await add(receiver.url)
    await touch()
    await database.query(sql`delete from change_commits where center_id = 'c1'
      and revision < (select revision from center_revisions where center_id = 'c1')`)
    await touch()
    await database.query(sql`delete from change_commits where center_id = 'c1'
      and revision < (select revision from center_revisions where center_id = 'c1')`)
    const { send } = startSender()
    receiver.answer = (_, response) => void response.writeHead(503).end()
    await send()
    now += 6000
    receiver.answer = (_, response) => void response.writeHead(200).end()
    await send()
    const messages = receiver.received.map(({ text }) => JSON.parse(text) as Message)
    expect(messages.map(({ type }) => type)).toEqual(['readAgain', 'readAgain'])
    expect(new Set(idsOf(receiver.received)).size).toBe(1)
    await touch('b')
    await send()
    expect(reportedIds([JSON.parse(receiver.received.at(-1)?.text ?? '') as Message])).toEqual(['b'])
  })
})

describe('a failover that loses commits', () => {
  /** What the promoted server has of the center: nothing after this moment. @returns makes it so */
  const rememberState = async () => {
    const [before] = await database.query<{ revision: number; cursor: string }>(sql`
      select r.revision, w.cursor from center_revisions r join webhooks w using (center_id)
      where center_id = 'c1'`)
    const { revision, cursor } = before!
    return async () => {
      for (const table of ['changes', 'center_touches']) {
        await database.query(sql`delete from ${raw(table)} where center_id = 'c1' and transaction_id in (
          select transaction_id from change_commits where center_id = 'c1' and revision > ${revision})`)
      }
      await database.query(sql`delete from change_commits where center_id = 'c1' and revision > ${revision}`)
      await database.query(sql`update center_revisions set revision = ${revision} where center_id = 'c1'`)
      await database.query(
        sql`update webhooks set cursor = ${cursor}, revision = ${revision} where center_id = 'c1'`,
      )
    }
  }

  it('sends what was committed instead of them as another message', async () => {
    const receiver = await startReceiver()
    await add(receiver.url)
    const { send } = startSender()
    await touch('b')
    await send()
    const lose = await rememberState()
    await touch('a')
    await send()
    await lose()
    // As many changes after the same cursor, with the same revision.
    await touch('b')
    await send()
    const messages = receiver.received.map(({ text }) => JSON.parse(text) as Message)
    expect(reportedIds(messages)).toEqual(['b', 'a', 'b'])
    expect(new Set(idsOf(receiver.received)).size).toBe(3)
  })

  it('sends what was not lost as the same message', async () => {
    const receiver = await startReceiver()
    await add(receiver.url)
    const { send } = startSender()
    await touch('b')
    await send()
    const [before] = await database.query<{ cursor: string; revision: number }>(
      sql`select cursor, revision from webhooks where center_id = 'c1'`,
    )
    await touch('a')
    await send()
    // Only the note that it was accepted is lost.
    await database.query(sql`
      update webhooks set cursor = ${before!.cursor}, revision = ${before!.revision} where center_id = 'c1'`)
    await send()
    const [, sent, again] = receiver.received
    expect(again?.text).toBe(sent?.text)
    expect(again?.headers['webhook-id']).toBe(sent?.headers['webhook-id'])
  })
})

describe('a receiver that fails', () => {
  it('gets the same message again, later and later, and then what came meanwhile', async () => {
    const receiver = await startReceiver()
    const webhook = await add(receiver.url)
    await touch('a')
    receiver.answer = (_, response) => void response.writeHead(500).end()
    const { send } = startSender()
    await send()
    await touch('b')
    await send()
    expect(receiver.received).toHaveLength(1)
    now += 5000
    await send()
    now += 29_000
    await send()
    expect(receiver.received).toHaveLength(2)
    receiver.answer = (_, response) => void response.writeHead(204).end()
    now += 1000
    await send()
    const [first, second, third, fourth] = receiver.received
    expect([second?.text, third?.text]).toEqual([first?.text, first?.text])
    expect(new Set(idsOf([first!, second!, third!])).size).toBe(1)
    expect(third?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp'])
    expect(reportedIds([JSON.parse(first?.text ?? '') as Message])).toEqual(['a'])
    expect(reportedIds([JSON.parse(fourth?.text ?? '') as Message])).toEqual(['b'])
    expect(fourth?.headers['webhook-id']).not.toBe(first?.headers['webhook-id'])
    const { deliveries, attempts, failingSince } = await showWebhook(database, webhook.id)
    expect(deliveries.map(({ outcome, attempt, status }) => [outcome, attempt, status])).toEqual([
      ['delivered', 1, 204],
      ['delivered', 3, 204],
      ['refused', 2, 500],
      ['refused', 1, 500],
    ])
    expect([attempts, failingSince]).toEqual([0, null])
  })

  it('is not asked again before it wants to be', async () => {
    const receiver = await startReceiver()
    await add(receiver.url)
    await touch()
    receiver.answer = (_, response) => void response.writeHead(429, { 'retry-after': '3600' }).end()
    const { send } = startSender()
    await send()
    now += HOUR_MS - 1000
    await send()
    expect(receiver.received).toHaveLength(1)
    now += 1000
    await send()
    expect(receiver.received).toHaveLength(2)
  })

  it('is stopped after three days with an alert, and goes on from there when it is resumed', async () => {
    const receiver = await startReceiver()
    const webhook = await add(receiver.url)
    await touch('a')
    receiver.answer = (_, response) => void response.writeHead(500).end()
    const { send, sender, logged } = startSender()
    for (let hours = 0; hours <= 80; hours++) {
      await send()
      now += HOUR_MS
    }
    expect(await stateOf(webhook)).toBe('failed')
    expect(logged).toEqual(['a webhook is stopped: its receiver accepted nothing for three days'])
    const attempts = receiver.received.length
    expect(attempts).toBeGreaterThan(10)
    expect(sender.numbers.attempts.get('refused')).toBe(attempts)
    expect(sender.numbers.summary).toMatchObject({ active: 0, stopped: 1 })
    await touch('b')
    receiver.answer = (_, response) => void response.writeHead(200).end()
    await send()
    expect(receiver.received).toHaveLength(attempts)
    await changeState(database, webhook.id, 'active')
    await send()
    const after = receiver.received.slice(attempts).map(({ text }) => JSON.parse(text) as Message)
    expect(reportedIds(after)).toEqual(['a', 'b'])
  })

  it('is left alone at once when it says 410', async () => {
    const receiver = await startReceiver()
    const webhook = await add(receiver.url)
    await touch()
    receiver.answer = (_, response) => void response.writeHead(410).end()
    await startSender().send()
    expect(await stateOf(webhook)).toBe('gone')
  })

  it('delays no other one, of its center or of another', async () => {
    const [hanging, good, far] = [await startReceiver(), await startReceiver(), await startReceiver()]
    const hung: (() => void)[] = []
    hanging.answer = (_, response) => void hung.push(() => response.writeHead(200).end())
    for (let count = 0; count < 5; count++) await add(hanging.url)
    const { id } = await add(good.url)
    // Of several that had none, any comes first.
    await database.query(sql`update webhooks set turn_at = clock_timestamp() where id = ${id}`)
    await add(far.url, { centerId: 'c2' })
    await touch('a', 'c1')
    await touch('a', 'c2')
    const { sender } = startSender()
    await sender.look()
    // Of one center four at a time.
    await Promise.all([hanging.arrived(4), far.arrived(1)])
    expect(hanging.received).toHaveLength(4)
    await touch('b', 'c2')
    while (far.received.length < 2) await sender.look()
    expect(good.received).toHaveLength(0)
    for (const answer of hung.splice(0)) answer()
    await sender.settled()
    await sender.look()
    await good.arrived(1)
    await hanging.arrived(5)
    for (const answer of hung) answer()
    await sender.settled()
  })
})

describe('several instances', () => {
  it('send each message once between them', async () => {
    const receiver = await startReceiver()
    await add(receiver.url)
    const instances = ['one', 'two', 'three'].map((holder) => startSender({ holder }))
    for (let round = 0; round < 5; round++) {
      await touch()
      await Promise.all(instances.map(({ send }) => send()))
    }
    await Promise.all(instances.map(({ send }) => send()))
    const ids = idsOf(receiver.received)
    expect(new Set(ids).size).toBe(ids.length)
    expect(reportedIds(receiver.received.map(({ text }) => JSON.parse(text) as Message))).toHaveLength(5)
  })

  it('take over from one that dies while it sends, with the same message', async () => {
    const receiver = await startReceiver()
    await add(receiver.url)
    await touch()
    let sent = 0
    // It has sent, and never hears of it.
    const dying = startSender({
      holder: 'dying',
      send: (message, signal) => {
        sent += 1
        void createSend({ allows: HERE })(message)
        return new Promise((resolve) => {
          signal?.addEventListener('abort', () => resolve({ outcome: 'unreachable', status: undefined }))
        })
      },
    })
    await dying.sender.look()
    await receiver.arrived(1)
    expect(sent).toBe(1)
    const other = startSender({ holder: 'other' })
    await other.send()
    expect(receiver.received).toHaveLength(1)
    now += 60_001
    await other.send()
    expect(receiver.received).toHaveLength(2)
    expect(new Set(idsOf(receiver.received)).size).toBe(1)
    expect(receiver.received[0]?.text).toBe(receiver.received[1]?.text)
  })

  it('go on after the database was away', async () => {
    const receiver = await startReceiver()
    await add(receiver.url)
    await touch()
    let away = true
    const broken: Database = {
      ...database,
      query: (statement) => (away ? Promise.reject(new Error('away')) : database.query(statement)),
    }
    const { send, logged } = startSender({ database: broken })
    await send()
    await send()
    expect(logged).toEqual(['webhooks cannot be sent for now'])
    away = false
    await send()
    expect(receiver.received).toHaveLength(1)
  })
})

describe('what is done to a webhook', () => {
  it('paused it gets nothing, resumed everything since', async () => {
    const receiver = await startReceiver()
    const webhook = await add(receiver.url)
    const { send } = startSender()
    await changeState(database, webhook.id, 'paused')
    await touch('a')
    await send()
    expect(receiver.received).toHaveLength(0)
    await changeState(database, webhook.id, 'active')
    await send()
    expect(receiver.received).toHaveLength(1)
  })

  it('replayed from a cursor it gets what came after it once more', async () => {
    const receiver = await startReceiver()
    const webhook = await add(receiver.url)
    const { send } = startSender()
    await touch('a')
    await send()
    const { cursor } = (JSON.parse(receiver.received[0]?.text ?? '') as Message).data
    await touch('b')
    await send()
    await replayWebhook(database, webhook.id, cursor)
    await send()
    expect(reportedIds(receiver.received.map(({ text }) => JSON.parse(text) as Message))).toEqual([
      'a',
      'b',
      'b',
    ])
    await expect(replayWebhook(database, webhook.id, 'nonsense')).rejects.toThrow(
      'not a cursor of this center',
    )
    const other = await add(receiver.url, { centerId: 'c2' })
    await expect(replayWebhook(database, webhook.id, other.cursor)).rejects.toThrow('not a cursor')
  })

  it('removed or paused while it is sent, nothing of that is undone or sent again', async () => {
    const receiver = await startReceiver()
    const [removed, paused] = [await add(receiver.url), await add(receiver.url)]
    const hung: (() => void)[] = []
    receiver.answer = (_, response) => void hung.push(() => response.writeHead(200).end())
    await touch()
    const { sender } = startSender()
    await sender.look()
    await receiver.arrived(2)
    await removeWebhook(database, removed.id)
    await changeState(database, paused.id, 'paused')
    for (const answer of hung) answer()
    await sender.settled()
    expect(await stateOf(paused)).toBe('paused')
    await expect(showWebhook(database, removed.id)).rejects.toThrow('There is no webhook')
  })

  it('tested it gets a signed message at once, whatever its state', async () => {
    const receiver = await startReceiver()
    const webhook = await add(receiver.url)
    await changeState(database, webhook.id, 'paused')
    const options = { key: KEY, send: createSend({ allows: HERE }), now: Date.now(), random: randomBytes }
    expect(await testWebhook(database, webhook.id, options)).toEqual({ outcome: 'delivered', status: 204 })
    expect(reported(webhook, receiver.received)).toMatchObject([{ type: 'test', data: {} }])
    const otherKey = { ...options, key: randomBytes(32).toString('base64') }
    await expect(testWebhook(database, webhook.id, otherKey)).rejects.toThrow(
      'derived from another WEBHOOKS_KEY',
    )
  })

  it('rotated its messages carry both signatures until the overlap is over, then the new one alone', async () => {
    const receiver = await startReceiver()
    const before = await add(receiver.url)
    const { send } = startSender()
    const making = { random: randomBytes, key: KEY, overlapMs: 2 * HOUR_MS }
    // The published library takes messages of these five minutes.
    const began = Date.now()
    now = began
    const after = await rotateWebhook(database, before.id, making)
    expect(after.secret).not.toBe(before.secret)
    await touch()
    await send()
    for (const webhook of [before, after]) expect(reported(webhook, receiver.received)).toHaveLength(1)
    await rotateWebhook(database, before.id, { ...making, overlapMs: 0 })
    await touch()
    await send()
    const last = receiver.received.slice(1)
    expect(last).toHaveLength(1)
    for (const webhook of [before, after])
      expect(() => reported(webhook, last)).toThrow('No matching signature')
    expect(last[0]?.headers['webhook-signature']).toMatch(/^v1,[^ ]+$/)
    const third = await rotateWebhook(database, before.id, making)
    now += 2 * HOUR_MS + 60_000
    await touch()
    await send()
    expect(receiver.received.at(-1)?.headers['webhook-signature']).toMatch(/^v1,[^ ]+$/)
    expect((await showWebhook(database, third.id)).earlierSecretUntil).toBe(third.earlierSecretUntil)
  })

  it('rotated with another WEBHOOKS_KEY it goes on with that one', async () => {
    const receiver = await startReceiver()
    const webhook = await add(receiver.url)
    const key = randomBytes(32).toString('base64')
    const rotated = await rotateWebhook(database, webhook.id, {
      random: randomBytes,
      key,
      overlapMs: HOUR_MS,
    })
    await touch()
    now = Date.now()
    await startSender({ key }).send()
    expect(reported(rotated, receiver.received)).toHaveLength(1)
    expect(receiver.received[0]?.headers['webhook-signature']).toMatch(/^v1,[^ ]+$/)
  })

  it('with another WEBHOOKS_KEY nothing is sent, and the log says why', async () => {
    const receiver = await startReceiver()
    await add(receiver.url)
    await touch()
    const { send, logged } = startSender({ key: randomBytes(32).toString('base64') })
    await send()
    expect(receiver.received).toHaveLength(0)
    expect(logged).toEqual([expect.stringContaining('another WEBHOOKS_KEY')])
  })

  it('that has sent everything costs nothing until its center changes, and is then found without a look at all of them', async () => {
    const receiver = await startReceiver()
    await add(receiver.url)
    const { send } = startSender()
    const due = async () => (await database.query(selectDue(10, []))).length
    expect(await due()).toBe(1)
    await send()
    expect(await due()).toBe(0)
    await touch('a')
    expect(await due()).toBe(1)
    await send()
    expect([receiver.received.length, await due()]).toEqual([1, 0])
    // A center that changed long before the newest commit is not looked at, except when all are.
    await database.query(sql`
      update center_revisions set revision = revision + 1, advanced_at = advanced_at - interval '1 hour'
      where center_id = 'c1'`)
    await database.query(sql`
      insert into center_revisions (center_id, revision, profile_revision) values ('c2', 1, 0)
      on conflict (center_id) do update set advanced_at = clock_timestamp()`)
    expect(await due()).toBe(0)
    const others = await database.query<WebhookId>(selectNextWebhooks({ center_id: '', id: '' }, 10))
    expect(await database.query(selectDue(10, others))).toHaveLength(1)
  })

  it('a center without API access receives nothing until it has it again', async () => {
    const receiver = await startReceiver()
    await add(receiver.url)
    const { send } = startSender()
    await database.query(sql`update centers set api_access = false where center_id = 'c1'`)
    await touch()
    await send()
    expect(receiver.received).toHaveLength(0)
    await database.query(sql`update centers set api_access = true where center_id = 'c1'`)
    await send()
    expect(receiver.received).toHaveLength(1)
  })

  it('a center has ten at most, and each needs a key of the service, a name, a kind and a place', async () => {
    const { url } = await startReceiver()
    for (let count = 0; count < 10; count++) await add(url)
    await expect(add(url)).rejects.toThrow('at most 10 webhooks')
    await add(url, { centerId: 'c2' })
    await expect(add(url, { centerId: 'c2', scopes: ['guests.medical'] })).rejects.toThrow(
      'at least one scope',
    )
    await expect(add(url, { centerId: 'c3' })).rejects.toThrow('There is no center "c3"')
    const input = { centerId: 'c2', name: 'Lab', url, scopes: ['guests'] }
    const making = { random: randomBytes, key: undefined, allows: HERE, hasAllowed: true }
    await expect(addWebhook(database, input, making)).rejects.toThrow('WEBHOOKS_KEY')
  })

  it('keeps its last hundred attempts, and no secret', async () => {
    const receiver = await startReceiver()
    const webhook = await add(receiver.url)
    const { send } = startSender()
    for (let count = 0; count < 103; count++) {
      await touch()
      await send()
    }
    const [row] = await database.query<{ count: number }>(sql`
      select count(*)::int as count from webhook_deliveries where webhook_id = ${webhook.id}`)
    expect(row?.count).toBe(100)
    const stored = JSON.stringify(await database.query(sql`select * from webhooks`))
    const secret = Buffer.from(webhook.secret.slice('whsec_'.length), 'base64')
    expect(stored).not.toContain(webhook.secret.slice(6, 20))
    expect(stored).not.toContain(JSON.stringify([...secret.subarray(0, 16)]).slice(1, -1))
  })
})

describe('whatever receivers and instances do', () => {
  it.each([1, 2, 3])('every change arrives at least once and in order (seed %i)', async (seed) => {
    const { below, pick } = seededRandom(seed)
    const webhook = await add('http://127.0.0.1:9/')
    /** what the receiver got, in its order: of each message the first time */
    const arrived = new Map<string, readonly string[]>()
    const bodies = new Map<string, string>()
    let calm = false
    const send: Send = async ({ headers, body }, signal) => {
      const id = headers['webhook-id'] ?? ''
      const fate = calm ? 'takes' : pick(['takes', 'takes', 'refuses', 'takes and breaks', 'never answers'])
      // Whatever becomes of it, the message is the same each time.
      expect(bodies.get(id) ?? body).toBe(body)
      bodies.set(id, body)
      const { changes } = (JSON.parse(body) as Message).data
      if (fate.startsWith('takes') && !arrived.has(id)) {
        arrived.set(
          id,
          changes.map((change) => `${change.id} ${change.at}`),
        )
      }
      if (fate === 'takes') return { outcome: 'delivered', status: 200 }
      if (fate === 'refuses') return { outcome: 'refused', status: 500 }
      if (fate === 'takes and breaks') return { outcome: 'unreachable', status: undefined }
      return new Promise((resolve) => {
        signal?.addEventListener('abort', () => resolve({ outcome: 'unreachable', status: undefined }))
      })
    }
    let instances = ['one', 'two'].map((holder) => startSender({ holder, send }))
    const lookAll = () => Promise.all(instances.map(({ sender }) => sender.look()))
    for (let round = 0; round < 40; round++) {
      for (let count = below(4); count > 0; count--) await touch(pick(['a', 'b']))
      await lookAll()
      now += below(40_000)
      // One dies with all that it was sending, and another one starts.
      if (below(5) === 0) instances = [...instances.slice(1), startSender({ holder: `next ${round}`, send })]
    }
    calm = true
    instances = [startSender({ holder: 'last', send })]
    while (!(await isReported(webhook))) {
      await instances[0]?.send()
      now += HOUR_MS
    }
    const notes = await database.query<{ text: string }>(sql`
      select c.id || ' ' || to_char(m.committed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as text
      from change_commits m
      join changes c on c.center_id = m.center_id and c.transaction_id = m.transaction_id
      where m.center_id = 'c1' and m.committed_at > ${webhook.createdAt}
      order by m.revision, c.kind, c.id`)
    expect([...arrived.values()].flat()).toEqual(notes.map(({ text }) => text))
    expect(notes.length).toBeGreaterThan(30)
  })
})

/** Whether everything was reported. */
async function isReported({ id }: WebhookWithSecret): Promise<boolean> {
  const [row] = await database.query<{ reported: boolean }>(sql`
    select w.revision = r.revision and w.pending_notes is null as reported
    from webhooks w join center_revisions r on r.center_id = w.center_id where w.id = ${id}`)
  return row?.reported ?? false
}
