/** What the console keeps of the service's answers, and when it asks again. */
import { describe, expect, it } from 'vitest'
import type { Moved } from '../../console/src/base/outdated-answers.ts'
import { createResource } from '../../console/src/base/reading.ts'
import { createStore, type Read } from '../../console/src/base/store.ts'
import { handClock, settled } from './hand-clock.ts'

const PORTIONS: Read<unknown> = (sojourn, signal) =>
  sojourn.meals.portions({ startDate: '2025-01-12', endDate: '2025-01-13' }, { signal })
const SESSIONS: Read<unknown> = async (sojourn, signal) =>
  (await sojourn.sessions.list({ startDate: '2025-01-01', endDate: '2025-12-31' }, { signal })).data

interface Sent {
  readonly path: string
  readonly etag: string | null
  readonly cache: RequestInit['cache']
}

/** A service that answers with a number that a test changes, or not at all. */
function startStore(hasStream = true) {
  const clock = handClock()
  const sent: Sent[] = []
  const service = {
    version: 1,
    fail: undefined as 'offline' | 401 | 403 | 429 | 503 | undefined,
  }
  const errors = { 401: 'UNAUTHORIZED', 403: 'FORBIDDEN', 429: 'RATE_LIMITED', 503: 'UNAVAILABLE' }
  const store = createStore({
    url: 'https://sojourn.example/',
    key: 'sjn_key_x',
    locale: 'en',
    clock,
    async send(input, init = {}) {
      const headers = new Headers(init.headers)
      const { pathname } = new URL(String(input))
      sent.push({ path: pathname, etag: headers.get('if-none-match'), cache: init.cache })
      const { fail, version } = service
      if (fail === 'offline') throw new TypeError('Failed to fetch')
      if (fail !== undefined) {
        const error = { code: errors[fail], message: '', requestId: 'r' }
        return Response.json(
          { error },
          { status: fail, headers: fail === 429 ? { 'retry-after': '30' } : {} },
        )
      }
      const etag = `"${version}"`
      if (headers.get('if-none-match') === etag) return new Response(null, { status: 304 })
      return Response.json({ version, data: [version], total: 1 }, { headers: { etag } })
    },
  })
  if (hasStream) store.opened(false)
  const open = (read: Read<unknown>, options = {}) => createResource(store, read, options)
  return { clock, sent, service, store, open }
}

const change = (part: Partial<Moved> = {}): Moved => ({
  kind: 'meals',
  operation: 'changed',
  days: [{ from: '2025-01-13', to: '2025-01-20' }],
  ...part,
})
const shown = (reader: ReturnType<typeof createResource>) => JSON.stringify(reader.state.value.value)

describe('what was read', () => {
  it('is shown again without a request, while the changes are followed and none touches it', async () => {
    const { clock, sent, store, open } = startStore()
    const first = open(PORTIONS)
    await settled()
    first.close()
    await clock.move(5000)
    store.changed([change({ days: [{ from: '2025-02-01', to: '2025-02-03' }] }), change({ kind: 'orders' })])
    const again = open(PORTIONS)
    await settled()
    expect(sent).toEqual([{ path: '/v1/meals/portions', etag: null, cache: 'no-store' }])
    expect(again.state.value).toMatchObject({
      value: { version: 1 },
      asOf: 5000,
      problem: undefined,
      isReading: false,
    })
  })

  it.each<[string, Moved]>([
    ['a change of its days', change()],
    ['a change of a guest who is there on its days', change({ kind: 'guests' })],
    ['a change of a session', change({ kind: 'sessions', days: [] })],
    ['too many changes to name', change({ operation: 'readAgain', days: [] })],
  ])('is asked for with its ETag after %s', async (_, moved) => {
    const { sent, service, store, open } = startStore()
    const reader = open(PORTIONS)
    await settled()
    store.changed([moved])
    await settled()
    expect(sent.map(({ etag }) => etag)).toEqual([null, '"1"'])
    service.version = 2
    store.changed([moved])
    await settled()
    expect(shown(reader)).toContain('"version":2')
  })

  it('is shown while it is asked for, of what may be outdated', async () => {
    const { clock, store, open } = startStore()
    open(PORTIONS).close()
    await settled()
    await clock.move(5000)
    store.changed([change()])
    const reader = open(PORTIONS)
    await settled()
    expect(shown(reader)).toContain('"version":1')
    expect(reader.state.value.asOf).toBe(5000)
  })

  it('is asked for once where two pages show it, and not twice before the stream is open', async () => {
    const { sent, store, open } = startStore(false)
    store.expectStream()
    open(PORTIONS)
    open(PORTIONS)
    await settled()
    expect(sent).toEqual([])
    store.opened(false)
    await settled()
    expect(sent.length).toBe(1)
  })

  it('does not wait for a stream that does not open', async () => {
    const { clock, sent, store, open } = startStore(false)
    store.expectStream()
    open(PORTIONS)
    await settled()
    await clock.move(800)
    expect(sent.length).toBe(1)
  })

  it('is asked for again where changes may have been missed, and not where the stream goes on', async () => {
    const { clock, sent, store, open } = startStore()
    open(PORTIONS)
    await settled()
    store.lost('none')
    await clock.move(60_000)
    store.opened(true)
    await settled()
    expect(sent.length).toBe(1)
    store.opened(false)
    await settled()
    expect(sent.length).toBe(2)
  })

  it('has the time of the last sign of life, and of no later one', async () => {
    const { clock, store, open } = startStore()
    const reader = open(PORTIONS)
    await settled()
    await clock.move(15_000)
    store.changed([])
    expect(reader.state.value.asOf).toBe(15_000)
    store.lost('minute')
    await clock.move(15_000)
    expect(reader.state.value.asOf).toBe(15_000)
  })

  it('that came while something changed is asked for once more', async () => {
    const clock = handClock()
    const answers: (() => void)[] = []
    const store = createStore({
      url: 'https://sojourn.example/',
      key: 'k',
      locale: 'en',
      clock,
      send: () => new Promise((resolve) => answers.push(() => resolve(Response.json({ n: answers.length })))),
    })
    store.opened(false)
    createResource(store, PORTIONS)
    await settled()
    store.changed([change()])
    answers[0]?.()
    await settled()
    expect(answers.length).toBe(2)
  })
})

describe('what goes wrong', () => {
  it('without a connection leaves what was read, with its time, also on another page', async () => {
    const { clock, service, store, open } = startStore()
    const portions = open(PORTIONS)
    await settled()
    await clock.move(5000)
    service.fail = 'offline'
    store.lost('none')
    store.fail({ kind: 'offline', since: clock.now(), message: '', code: '', againAt: clock.now() + 3000 })
    expect(portions.state.value).toMatchObject({ asOf: 0, problem: { kind: 'offline', since: 5000 } })
    portions.close()
    await clock.move(60_000)
    const [again, never] = [open(PORTIONS), open(SESSIONS)]
    await settled()
    expect(again.state.value).toMatchObject({ value: { version: 1 }, asOf: 0, problem: { since: 5000 } })
    // Not opened before: there is nothing, and no time of it.
    expect(never.state.value).toMatchObject({ value: undefined, problem: { kind: 'offline', since: 5000 } })
    service.fail = undefined
    await clock.move(10_000)
    expect([again, never].map(({ state }) => state.value.problem)).toEqual([undefined, undefined])
    expect(store.trouble.value).toBeUndefined()
  })

  it('with a limit sends nothing until it is over, whatever page is opened', async () => {
    const { clock, sent, service, open } = startStore(false)
    open(PORTIONS)
    await settled()
    service.fail = 429
    const sessions = open(SESSIONS)
    await settled()
    const before = sent.length
    const again = open(PORTIONS)
    await settled()
    expect(sent.length).toBe(before)
    expect(again.state.value).toMatchObject({
      value: { version: 1 },
      problem: { kind: 'limited', againAt: 31_000 },
    })
    expect(sessions.state.value.value).toBeUndefined()
    service.fail = undefined
    await clock.move(31_000)
    expect(again.state.value.problem).toBeUndefined()
    expect(sessions.state.value.value).toEqual([1])
  })

  it.each([401, 403] as const)('with a key that may not any more forgets everything: %i', async (status) => {
    const { sent, service, store, open } = startStore()
    const [portions, wall] = [open(PORTIONS), open(PORTIONS, { isPermanent: true })]
    await settled()
    service.fail = status
    const sessions = open(SESSIONS)
    await settled()
    expect(await store.recall(PORTIONS)).toBeUndefined()
    expect(sessions.state.value.value).toBeUndefined()
    if (status === 401) {
      expect(portions.state.value).toMatchObject({ value: undefined, problem: { kind: 'ended' } })
      expect(wall.state.value).toMatchObject({ value: { version: 1 }, problem: { kind: 'ended' } })
      const before = sent.length
      open(SESSIONS)
      await settled()
      expect(sent.length).toBe(before)
    }
  })

  it('is forgotten with everything when somebody signs out, also what is still on its way', async () => {
    const { clock, store } = startStore()
    const asking = store.ask(PORTIONS, new AbortController().signal).catch(() => undefined)
    store.close()
    await clock.move(0)
    await asking
    expect(await store.recall(PORTIONS)).toBeUndefined()
  })
})

describe('without a stream', () => {
  it('each page asks again when it is informed that a minute is over', async () => {
    const { sent, service, store, open } = startStore(false)
    const reader = open(PORTIONS)
    await settled()
    store.lost('minute')
    service.version = 2
    store.refresh()
    await settled()
    expect(sent.length).toBe(2)
    expect(shown(reader)).toContain('"version":2')
  })
})

describe('a sheet', () => {
  it('is stored by each request for it, so it does not come from memory, and the newest one is asked for then', async () => {
    const { sent, store } = startStore()
    const ask = (read: Read<unknown>) => store.ask(read, new AbortController().signal)
    const newest: Read<unknown> = (sojourn) => sojourn.meals.sheet('2025-01-12', { sheet: 'newest' })
    await ask(newest)
    await ask((sojourn) => sojourn.meals.sheet('2025-01-12'))
    await ask((sojourn) => sojourn.meals.sheet('2025-01-12'))
    await ask(newest)
    expect(sent.length).toBe(4)
  })
})
