import { type AddressInfo, connect } from 'node:net'
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createClient, type RedisClientType } from '@redis/client'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { DEFAULT_QUOTAS, type Quotas } from '../../../src/core/access/keys/quotas.ts'
import type { LimitUse } from '../../../src/core/access/limits.ts'
import { createRedisLimits, type RedisLimitStore } from '../../../src/core/access/limits-redis.ts'
import { openLimitStore } from '../../../src/core/access/limits-store.ts'
import { newAuthority } from '../../support/certificates.ts'
import { type RedisServer, redisProgram, startRedis } from '../redis-server.ts'

describe.skipIf(redisProgram === undefined)('counters in Redis', () => {
  let server: RedisServer
  let admin: RedisClientType

  beforeAll(async () => {
    server = await startRedis()
    admin = createClient({ url: server.url, socket: { reconnectStrategy: 20 } })
    admin.on('error', () => {})
    await admin.connect()
  })
  afterAll(async () => {
    admin.destroy()
    await server.stop()
  })

  /** An instance of the service, as the store sees it. */
  async function instance() {
    const events: boolean[] = []
    const time = { now: Date.now() }
    const store = createRedisLimits({
      url: server.url,
      clock: () => time.now,
      onChange: ({ away }) => events.push(away),
    })
    onTestFinished(() => store.close())
    await shared(store, time)
    return { store, events, time }
  }

  /** Until its requests are counted in the store; each probe is an application of its own. */
  async function shared(store: RedisLimitStore, time: { now: number }) {
    await vi.waitFor(
      async () => {
        time.now += 1000
        const { insured } = store.outages
        await store.take(`probe-${Math.random()}`, DEFAULT_QUOTAS)
        expect(store.outages.insured).toBe(insured)
        expect(store.outages.away).toBe(0)
      },
      { timeout: 60_000, interval: 20 },
    )
  }

  const take = (store: RedisLimitStore, app: string, count: number, quotas: Quotas = DEFAULT_QUOTAS) =>
    Promise.all(Array.from({ length: count }, () => store.take(app, quotas)))

  const allowed = (uses: readonly LimitUse[]) => uses.filter((limitUse) => limitUse.allowed).length

  it('ruling 38: let exactly 100 through on two instances that are asked at the same time', async () => {
    const [one, two] = [await instance(), await instance()]
    const rounds = await Promise.all(
      Array.from({ length: 20 }, (_, round) => take((round % 2 === 0 ? one : two).store, 'parallel', 10)),
    )
    expect(allowed(rounds.flat())).toBe(100)
    expect(one.store.outages.insured + two.store.outages.insured).toBeLessThan(50)
  })

  it('ruling 38: let exactly 1000 an hour through, when the minutes allow them', async () => {
    const [one, two] = [await instance(), await instance()]
    const quotas = { perMinute: 0, perHour: 1000 }
    const rounds = await Promise.all(
      Array.from({ length: 30 }, (_, round) =>
        take((round % 2 === 0 ? one : two).store, 'hourly', 50, quotas),
      ),
    )
    expect(allowed(rounds.flat())).toBe(1000)
  })

  it('let go of the store when they are closed', async () => {
    const connections = async (): Promise<string[]> =>
      String(await admin.sendCommand(['CLIENT', 'LIST'])).match(/(?<=^id=)\d+/gm) ?? []
    const before = await connections()
    const { store } = await instance()
    const own = (await connections()).filter((id) => !before.includes(id))
    expect(own).not.toEqual([])
    await store.close()
    const left = async () => (await connections()).filter((id) => own.includes(id))
    await vi.waitFor(async () => expect(await left()).toEqual([]), { timeout: 60_000, interval: 20 })
  })

  it('let go of the store when they are closed while they connect', async () => {
    const options = { url: server.url, clock: Date.now, onChange: () => {} }
    await createRedisLimits(options).close()
    // The store accepts connections in their order.
    await instance()
    const named = async () =>
      String(await admin.sendCommand(['CLIENT', 'LIST'])).match(/ name=sojourn-limits /g)
    await vi.waitFor(async () => expect(await named()).toHaveLength(1), { timeout: 60_000, interval: 20 })
  })

  it('count with a user who may do no more than the doctor asks for', async () => {
    const allowed = ['eval', 'evalsha', 'get', 'set', 'del', 'incrby', 'pttl'].map((name) => `+${name}`)
    await admin.sendCommand(['ACL', 'SETUSER', 'limits', 'on', '>p@ss:word', '~sojourn:*', ...allowed])
    const url = server.url.replace('//', '//limits:p%40ss%3Aword@')
    const time = { now: Date.now() }
    const store = createRedisLimits({ url, clock: () => time.now, onChange: () => {} })
    onTestFinished(() => store.close())
    await shared(store, time)
    await take(store, 'restricted', 150)
    expect(await admin.mGet(['sojourn:{restricted}:m', 'sojourn:{restricted}:h'])).toEqual(['100', '100'])
  })

  it('are shared over TLS only if the certificate is accepted', async () => {
    const authority = newAuthority('the authority of the center')
    const { certificate, key } = authority.issue(['localhost'])
    const terminator = createServer({ cert: certificate, key }, (socket) => {
      const inner = connect(Number(new URL(server.url).port), '127.0.0.1')
      for (const one of [socket, inner]) one.on('error', () => {})
      socket.pipe(inner).pipe(socket)
    })
    await new Promise<void>((resolve) => terminator.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void terminator.close())
    const url = `rediss://localhost:${(terminator.address() as AddressInfo).port}`
    const time = { now: Date.now() }
    const open = (onChange: (code: unknown) => void) => {
      const store = createRedisLimits({
        url,
        clock: () => time.now,
        onChange: ({ error }) => onChange((error as NodeJS.ErrnoException | undefined)?.code),
      })
      onTestFinished(() => store.close())
      return store
    }
    const codes: unknown[] = []
    const refused = open((code) => codes.push(code))
    await vi.waitFor(() => expect(codes).toEqual(['UNABLE_TO_VERIFY_LEAF_SIGNATURE']), { timeout: 60_000 })
    expect(refused.take('tls', DEFAULT_QUOTAS)).not.toBeInstanceOf(Promise)
    await refused.close()

    const before = getCACertificates('default')
    setDefaultCACertificates([...before, authority.certificate])
    onTestFinished(() => setDefaultCACertificates(before))
    const store = open(() => {})
    await shared(store, time)
    await take(store, 'tls', 150)
    expect(await admin.get('sojourn:{tls}:m')).toBe('100')
  })

  it('tell each of the requests that travelled together its own limitUse', async () => {
    const { store } = await instance()
    const uses = await take(store, 'reported', 102)
    expect(uses.map((limitUse) => limitUse.minuteUsed)).toEqual([
      ...Array.from({ length: 100 }, (_, index) => index + 1),
      100,
      100,
    ])
    expect(uses[0]?.minuteEndsInMs).toBe(60_000)
    expect(uses[0]?.hourEndsInMs).toBe(3_600_000)
  })

  it('begin again when the window ends, in the very millisecond', async () => {
    const { store } = await instance()
    expect(allowed(await take(store, 'edge', 101))).toBe(100)
    await admin.pExpire('sojourn:{edge}:m', 30)
    const [refused] = await take(store, 'edge', 1)
    expect(refused?.allowed).toBe(false)
    const end = Date.now() + (refused?.minuteEndsInMs ?? 0)
    await vi.waitFor(() => expect(Date.now()).toBeGreaterThanOrEqual(end), { interval: 1, timeout: 60_000 })
    const uses = await take(store, 'edge', 101)
    expect(allowed(uses)).toBe(100)
    expect(uses[0]).toMatchObject({ hourUsed: 101 })
  })

  it('take nothing from one window for a request that the other one refuses', async () => {
    const { store } = await instance()
    await take(store, 'both', 500)
    expect(await admin.mGet(['sojourn:{both}:m', 'sojourn:{both}:h'])).toEqual(['100', '100'])
  })

  it('count for two keys of one application with different limits', async () => {
    const { store } = await instance()
    const mixed = await Promise.all([
      ...(await take(store, 'mixed', 10, { perMinute: 20, perHour: 0 })),
      ...(await take(store, 'mixed', 30, { perMinute: 30, perHour: 0 })),
    ])
    expect(allowed(mixed)).toBe(30)
  })

  it('ruling 38: go on in each instance while the store is away, and are shared again when it is back', async () => {
    const { store, events, time } = await instance()
    await server.stop()
    await vi.waitFor(() => expect(events).toEqual([true]), { timeout: 60_000 })
    expect(allowed(await take(store, 'away', 150))).toBe(100)
    expect(store.outages).toMatchObject({ away: 1, outages: 1 })
    expect(store.outages.insured).toBeGreaterThanOrEqual(150)

    await server.start()
    await shared(store, time)
    expect(events).toEqual([true, false])
    expect(allowed(await take(store, 'back', 150))).toBe(100)
    expect(await admin.get('sojourn:{back}:m')).toBe('100')
  })

  it('notice at once that the store has closed the connection, and that it is there', async () => {
    const { events } = await instance()
    await admin.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'])
    await vi.waitFor(() => expect(events[0]).toBe(true), { timeout: 60_000 })
  })

  it('keep no request waiting for a store that has stopped answering', async () => {
    const { store, events, time } = await instance()
    server.freeze()
    onTestFinished(() => server.thaw())
    // The server answers nothing until this test ends.
    expect(allowed(await take(store, 'frozen', 150))).toBe(100)
    expect(events).toEqual([true])
    // Until it is tried again, nothing waits at all; that is a second later, to the millisecond.
    expect(store.take('frozen', DEFAULT_QUOTAS)).not.toBeInstanceOf(Promise)
    time.now += 999
    expect(store.take('frozen', DEFAULT_QUOTAS)).not.toBeInstanceOf(Promise)
    time.now += 1
    expect(store.take('frozen', DEFAULT_QUOTAS)).toBeInstanceOf(Promise)
    server.thaw()
    await shared(store, time)
    expect(events).toEqual([true, false])
  })

  it.each([
    ['before', 0],
    ['after', 1],
  ])(
    'are not taken for away when this process was busy %s the requests went out',
    async (when, immediates) => {
      const { store, events } = await instance()
      const application = `busy-${when}`
      // After what has been read, so that timers come before what is read next.
      await new Promise(setImmediate)
      const asked = take(store, application, 150)
      await new Promise(process.nextTick)
      for (let at = 0; at < immediates; at += 1) await new Promise(setImmediate)
      // Nothing of this process runs for longer than a store may take.
      const end = performance.now() + 800
      while (performance.now() < end);
      expect(allowed(await asked)).toBe(100)
      expect(await admin.get(`sojourn:{${application}}:m`)).toBe('100')
      expect(events).toEqual([])
    },
  )

  it('tell a store that hangs from one that is gone', async () => {
    const logged: string[] = []
    const codes: unknown[] = []
    const error = (fields: object, sentence: string) => {
      codes.push(fields)
      logged.push(sentence)
    }
    const log = { error, info: () => {} }
    const store = await openLimitStore(server.url, { clock: Date.now, log: log as never })
    onTestFinished(() => store.close())
    await vi.waitFor(
      async () => {
        await store.take('hangs', { perMinute: 100, perHour: 100 })
        expect(await admin.get('sojourn:{hangs}:m')).not.toBeNull()
      },
      { timeout: 60_000 },
    )
    await admin.sendCommand(['CLIENT', 'PAUSE', '1500', 'ALL'])
    await store.take('hangs', { perMinute: 100, perHour: 100 })
    expect(logged).toEqual(['limit store connected but not answering; each instance counts for itself'])
    const other = await openLimitStore('redis://127.0.0.1:1', { clock: Date.now, log: log as never })
    onTestFinished(() => other.close())
    await vi.waitFor(() => expect(logged).toHaveLength(2), { timeout: 60_000 })
    expect(logged[1]).toBe('limit store unreachable; each instance counts for itself')
    expect(codes).toEqual([{ code: 'StoreHangs' }, { code: 'ECONNREFUSED' }])
  })

  it('start in an instance whose store is not there yet', async () => {
    await server.stop()
    const events: boolean[] = []
    const store = createRedisLimits({
      url: server.url,
      clock: Date.now,
      onChange: ({ away }) => events.push(away),
    })
    onTestFinished(() => store.close())
    expect(allowed(await take(store, 'early', 150))).toBe(100)
    await vi.waitFor(() => expect(events).toEqual([true]), { timeout: 60_000 })
    await server.start()
  })
})
