/** People are notified once when a source has a problem, and once when it is over, whatever fails meanwhile. */
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../../src/core/database/database.ts'
import type { Mail, SendMail } from '../../../src/parts/mail/send-mail.ts'
import { NOTICES_A_DAY } from '../../../src/parts/notices/notice-words.ts'
import { guests, HOUR, startSourcesWorld } from '../../routes/sources/deliver.ts'
import type { TestMailServer } from '../../support/mail-server.ts'
import { MINUTE, mailServer, mailTo, startInstance, startWebhook } from './notices-world.ts'

/** 04:04 in Bucharest. */
const DUE = Date.parse('2026-11-22T02:04:00.000Z')
const DAY = 24 * HOUR

/** A nightly source that has delivered, and an instance that has settled. */
async function startWorld(settings: { addresses?: readonly string[] } = {}) {
  const world = await startSourcesWorld()
  const now = () => world.now
  const server = await mailServer()
  const start = (more: { sendMail?: SendMail; database?: Database; log?: (text: string) => void } = {}) =>
    startInstance({ database: world.database, now, sendMail: mailTo(server), ...settings, ...more })
  const set = ['sources', 'set', '--center', 'spa', 'night', '--kinds', 'bookings', '--schedule']
  expect((await world.run([...set, 'every night by 04:00'])).code).toBe(0)
  expect((await world.deliver('night', guests(30))).code).toBe(0)
  const notices = start()
  world.now += 4 * MINUTE
  await notices.look()
  return { world, now, server, start, notices, set }
}

const INVALID = `${JSON.stringify({ kind: 'booking', centerId: 'spa', id: 'x' })}\n`

const subjects = ({ received }: TestMailServer) =>
  received.map(({ source }) => /^Subject: (.*)$/m.exec(source)?.[1])
const messageIds = ({ received }: TestMailServer) =>
  received.map(({ source }) => /^Message-ID: (.*)$/m.exec(source)?.[1])

const LATE = 'Izvorul Alb (spa): night: data is late'
const OVER = 'Izvorul Alb (spa): night: in order again'

describe('a problem of a source', () => {
  it('is sent once when it begins and once when it is over, with names, kinds and times only', async () => {
    const { world, server, notices } = await startWorld()
    world.now = DUE - 1000
    await notices.look()
    expect(subjects(server)).toEqual([])
    for (const minute of [0, 1, 2, 60, 600]) {
      world.now = DUE + minute * MINUTE
      await notices.look()
      expect(subjects(server)).toEqual([LATE])
    }
    expect((await world.deliver('night', guests(31))).code).toBe(0)
    for (const minute of [1, 2, 60]) {
      world.now += minute * MINUTE
      await notices.look()
      expect(subjects(server)).toEqual([LATE, OVER])
    }
    const [late, over] = server.received.map(({ text }) => text)
    expect(late).toContain('has had a problem since 2026-11-22')
    expect(late).toContain('Nothing that counts has arrived in time.')
    expect(late).toContain('Last received: bookings 2026-11-21 10:0')
    expect(over).toContain('What was wrong: missing.')
    for (const { source } of server.received) expect(source).not.toMatch(/Ana|Pop|g0/)
    const ids = messageIds(server)
    expect(new Set(ids).size).toBe(2)
    expect(ids[0]).toMatch(/^<[\w-]+\.begin@center\.example>/)
  })

  it('that has several causes is one problem', async () => {
    const { world, server, notices } = await startWorld()
    world.now = DUE - HOUR
    expect((await world.run(['import', '--source', 'night', '-'], INVALID)).code).not.toBe(0)
    await notices.look()
    expect(subjects(server)).toEqual(['Izvorul Alb (spa): night: a delivery has a problem'])
    world.now = DUE
    await notices.look()
    expect(server.received).toHaveLength(1)
    expect((await world.deliver('night', guests(30))).code).toBe(0)
    await notices.look()
    expect(server.received[1]?.text).toMatch(/What was wrong: \w+, missing\./)
  })

  it('is over when nothing is expected any more, also if the source is removed', async () => {
    const { world, server, notices } = await startWorld()
    world.now = DUE
    await notices.look()
    expect((await world.run(['sources', 'remove', '--center', 'spa', 'night'])).code).toBe(0)
    await notices.look()
    await notices.look()
    expect(subjects(server)).toEqual([LATE, 'Izvorul Alb (spa): night: no longer expected'])
  })

  it.each([
    [NOTICES_A_DAY - 1, [LATE, OVER], true],
    [NOTICES_A_DAY, [], false],
  ])('that is the next after %i of a day: %j are sent', async (earlier, sent, saysSo) => {
    const { world, server, notices } = await startWorld()
    const webhook = await startWebhook(world.database, () => world.now)
    world.now = DUE
    await world.database.transaction((tx) =>
      tx.query(sql`
        insert into source_problems (center_id, id, source, kind, causes, began_at, noticed_at, ended_at, muted)
        select 'spa', gen_random_uuid(), 'night', 'broken', '{refused}', clock_timestamp(), clock_timestamp(),
          clock_timestamp(), false
        from generate_series(1, ${earlier}::int)`),
    )
    await notices.look()
    await world.deliver('night', guests(30))
    await notices.look()
    expect(subjects(server)).toEqual(sent)
    expect(server.received.some(({ text }) => text.includes('Further ones of this day are not sent'))).toBe(
      saysSo,
    )
    const types = (await webhook.messages())
      .map(({ type }) => type)
      .filter((type) => type.startsWith('source'))
    expect(types).toHaveLength(sent.length)
  })
})

describe('an instance', () => {
  it('that has just started waits three minutes before it judges', async () => {
    const { world, server, start } = await startWorld()
    world.now = DUE + HOUR
    const restarted = start()
    world.now += 2 * MINUTE
    await restarted.look()
    expect(subjects(server)).toEqual([])
    world.now += MINUTE
    await restarted.look()
    expect(subjects(server)).toEqual([LATE])
  })

  it('sends nothing twice after a restart', async () => {
    const { world, server, notices, start } = await startWorld()
    world.now = DUE
    await notices.look()
    await notices.close()
    for (let restart = 0; restart < 3; restart += 1) {
      const again = start()
      world.now += 10 * MINUTE
      await again.look()
      await again.close()
    }
    expect(subjects(server)).toEqual([LATE])
  })

  it('one of several sends', async () => {
    const { world, server, notices, start } = await startWorld()
    const others = [start(), start(), start()]
    world.now = DUE
    await Promise.all([notices, ...others].map((one) => one.look()))
    await world.deliver('night', guests(30))
    world.now += 5 * MINUTE
    await Promise.all([notices, ...others].map((one) => one.look()))
    expect(subjects(server).sort()).toEqual([LATE, OVER].sort())
  })

  it('that dies while it sends is replaced when its lease ends, with the same Message-ID', async () => {
    const { world, server, start, notices } = await startWorld()
    await notices.close()
    const sent: Mail[] = []
    const never = Promise.withResolvers<never>()
    const dying = start({
      sendMail: (mail) => {
        sent.push(mail)
        return never.promise
      },
    })
    world.now = DUE
    void dying.look()
    await expect.poll(() => sent.length).toBe(1)
    const other = start()
    world.now += MINUTE
    await other.look()
    expect(subjects(server)).toEqual([])
    world.now += 3 * MINUTE
    await other.look()
    expect(subjects(server)).toEqual([LATE])
    expect(messageIds(server)[0]).toContain(sent[0]?.messageId)
    never.reject(new Error('the process has ended'))
  })
})

describe('while the mail server refuses', () => {
  it('notices wait, and are sent in order and once when it accepts them again', async () => {
    const { world, server, notices } = await startWorld()
    server.statusOfMessage = () => 451
    world.now = DUE
    for (let minutes = 0; minutes < 300; minutes += 5) {
      world.now += 5 * MINUTE
      await notices.look()
    }
    // After 1, 2, 5, 10, 30 minutes and then each hour.
    expect(server.connections).toBeLessThan(12)
    expect(server.connections).toBeGreaterThan(6)
    await world.deliver('night', guests(30))
    await notices.look()
    expect(notices.numbers).toMatchObject({ open: 0, waiting: 2 })
    const { stdout: out } = await world.run(['status'])
    expect(out).toMatch(/e-mail +2 messages not accepted by the mail server since .* \(EMESSAGE 451\)/)
    server.statusOfMessage = () => 250
    world.now += HOUR
    await notices.look()
    expect(subjects(server)).toEqual([LATE, OVER])
    expect(server.received[0]?.text).toContain('has had a problem since 2026-11-22 04:04')
  })

  it('one address, the others get the message once', async () => {
    const { world, server, notices } = await startWorld({
      addresses: ['a@center.example', 'b@center.example'],
    })
    server.statusOf = (address) => (address.startsWith('a') ? 450 : 250)
    world.now = DUE
    for (let hour = 0; hour < 5; hour += 1) {
      world.now += HOUR
      await notices.look()
    }
    expect(server.received.map(({ to }) => to)).toEqual([['b@center.example']])
    server.statusOf = () => 250
    world.now += HOUR
    await notices.look()
    expect(server.received.map(({ to }) => to)).toEqual([['b@center.example'], ['a@center.example']])
  })

  it('for a week, the notice is given up', async () => {
    const { world, server, notices } = await startWorld()
    server.statusOfMessage = () => 554
    world.now = DUE
    for (let day = 0; day < 9; day += 1) {
      await notices.look()
      world.now += DAY
    }
    expect(notices.numbers).toMatchObject({ open: 1, waiting: 0 })
  })
})

describe('the addresses', () => {
  it('of a center and of the installation get messages, those of another center do not', async () => {
    const { world, server, notices } = await startWorld()
    await world.api.load([{ kind: 'center', id: 'lodge', name: 'Lodge', timezone: 'UTC', currency: 'EUR' }])
    const notify = ['sources', 'notify', '--center']
    expect((await world.run([...notify, 'spa', '--to', 'office@spa.example,it@center.example'])).stdout).toBe(
      'Problems are sent to office@spa.example, it@center.example.\nNo e-mail is sent, because SMTP_URL is not set; "sojourn status" shows open problems.\n',
    )
    expect((await world.run([...notify, 'lodge', '--to', 'office@lodge.example'])).code).toBe(0)
    world.now = DUE
    await notices.look()
    expect(server.received.map(({ to }) => to)).toEqual([['office@spa.example', 'it@center.example']])
    expect((await world.run([...notify, 'spa', '--to', 'none'])).stdout).toContain('has no addresses')
    const trail = await world.run(['audit', 'list', '--center', 'spa', '--json'])
    expect(trail.stdout).toContain('setNoticeAddresses')
    expect(trail.stdout).not.toContain('office@spa.example')
  })

  it.each(['office', 'Office <office@spa.example>', 'a@spa.example;b@spa.example'])(
    '%s is refused',
    async (to) => {
      const { world } = await startWorld()
      const { code, stderr: err } = await world.run(['sources', 'notify', '--center', 'spa', '--to', to])
      expect(code).not.toBe(0)
      expect(err).toContain('is not an e-mail address, such as office@example.org')
    },
  )

  it('that are set while a problem is open get its message', async () => {
    const { world, server, notices } = await startWorld({ addresses: [] })
    world.now = DUE
    await notices.look()
    expect(subjects(server)).toEqual([])
    await world.run(['sources', 'notify', '--center', 'spa', '--to', 'office@spa.example'])
    await notices.look()
    await notices.look()
    expect(subjects(server)).toEqual([LATE])
  })

  it('are of no use without a mail server, and the status shows the problem', async () => {
    const { world, start, notices } = await startWorld()
    await notices.close()
    const without = start({ sendMail: undefined as never })
    world.now = DUE
    await without.look()
    expect(without.numbers).toMatchObject({ waiting: 0 })
    const { stdout: out } = await world.run(['status'])
    expect(out).toMatch(/spa night +late: Nothing that counts has arrived in time/)
    expect(out).toMatch(/e-mail +nobody is notified, because SMTP_URL is not set/)
  })
})

describe('a webhook', () => {
  it('with the scope sources gets source.late and source.recovered, signed and once', async () => {
    const { world, now, notices } = await startWorld()
    const webhook = await startWebhook(world.database, now)
    const other = await startWebhook(world.database, now, { scopes: ['orders'] })
    world.now = DUE
    for (let look = 0; look < 3; look += 1) await notices.look()
    await world.deliver('night', guests(30))
    world.now += MINUTE
    for (let look = 0; look < 3; look += 1) await notices.look()
    const messages = (await webhook.messages()).filter(({ type }) => type.startsWith('source'))
    expect(messages).toMatchObject([
      {
        type: 'source.late',
        timestamp: '2026-11-22T02:04:00.000Z',
        data: {
          source: 'night',
          kinds: ['bookings'],
          causes: ['missing'],
          late: true,
          since: '2026-11-22T02:04:00.000Z',
          dueAt: '2026-11-22T02:04:00.000Z',
        },
      },
      {
        type: 'source.recovered',
        data: { source: 'night', causes: ['missing'], since: '2026-11-22T02:04:00.000Z' },
      },
    ])
    for (const { text } of messages) expect(text).not.toMatch(/Ana|Pop|g0/)
    expect((await other.messages()).filter(({ type }) => type.startsWith('source'))).toEqual([])
  })

  it('that refuses gets it later, with the same identifier and body', async () => {
    const { world, now, notices } = await startWorld()
    const webhook = await startWebhook(world.database, now)
    webhook.answerWith(503)
    world.now = DUE
    await notices.look()
    await webhook.messages()
    world.now += 10_000
    webhook.answerWith(204)
    const messages = await webhook.messages()
    expect(messages).toHaveLength(2)
    expect(new Set(messages.map(({ id, text }) => `${id} ${text}`)).size).toBe(1)
    world.now += HOUR
    expect(await webhook.messages()).toHaveLength(2)
  })

  it('gets source.warning for what does not keep data from arriving', async () => {
    const { world, now, notices, server } = await startWorld()
    const webhook = await startWebhook(world.database, now)
    const lines = guests(30)
      .map((record) => `${JSON.stringify(record)}\n`)
      .join('')
    await world.run(['import', '--source', 'night', '--skip-invalid', '-'], `${lines}${INVALID}`)
    await notices.look()
    expect(await webhook.messages()).toMatchObject([
      { type: 'source.warning', data: { causes: ['rejectedLines'], late: false } },
    ])
    expect(subjects(server)).toEqual(['Izvorul Alb (spa): night: lines were rejected'])
  })
})

describe('the dead man’s switch', () => {
  it('is called each minute while sources are judged and notices are accepted', async () => {
    const world = await startSourcesWorld()
    const server = await mailServer()
    let beats = 0
    let isDown = false
    const database: Database = {
      ...world.database,
      query: (statement) => (isDown ? Promise.reject(new Error('down')) : world.database.query(statement)),
    }
    const notices = startInstance({
      database,
      now: () => world.now,
      sendMail: mailTo(server),
      beat: async () => {
        beats += 1
        return 'called'
      },
    })
    const pass = async (minutes: number) => {
      const before = beats
      for (let third = 0; third < minutes * 3; third += 1) {
        world.now += MINUTE / 3
        await notices.look()
      }
      return beats - before
    }
    // From the start on: it has nothing to report yet.
    expect(await pass(10)).toBe(10)
    isDown = true
    expect(await pass(10)).toBe(0)
    isDown = false
    expect(await pass(2)).toBe(2)
    await world.run([
      'sources',
      'set',
      '--center',
      'spa',
      'night',
      '--kinds',
      'bookings',
      '--schedule',
      'every 5 minutes',
    ])
    server.statusOfMessage = () => 451
    // Nine minutes until it is late, and a quarter of an hour in which the notice may wait.
    expect(await pass(20)).toBe(20)
    expect(await pass(10)).toBeLessThan(6)
    expect(await pass(10)).toBe(0)
    server.statusOfMessage = () => 250
    await pass(61)
    expect(await pass(5)).toBe(5)
    expect(notices.numbers.beats.get('called')).toBe(beats)
  })
})

describe('problems', () => {
  it('of a center are gone with the center', async () => {
    const { world, notices } = await startWorld()
    world.now = DUE
    await notices.look()
    await world.database.transaction((tx) => tx.query(sql`delete from centers where center_id = 'spa'`))
    const [row] = await world.database.query(sql`select count(*)::int as count from source_problems`)
    expect(row).toEqual({ count: 0 })
  })
})
