/** The client against a service that fails on purpose: the right answer, or an error that says why. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { Sojourn, SojournError } from '../../../client/src/index.ts'
import { type Answers, faulty, gone, guestsOf, listed, pageOf, refusal } from './faulty-service.ts'

const QUERY = { sessionId: 's', project: ['id', 'name'], length: 10 } as const
const FIRST = { sessionId: 's' } as const

const failing =
  (times: number, failure: () => Response, rest: Answers): Answers =>
  (asked, count) =>
    count <= times ? failure() : rest(asked, count)

describe('a service that asks to wait', () => {
  it.each([
    [503, 'UNAVAILABLE'],
    [429, 'RATE_LIMITED'],
  ])('%i: waits as long as it says and up to a second more, then goes on', async (status, code) => {
    const guests = guestsOf(25)
    const answers: Answers = (asked, count) =>
      [2, 3, 6].includes(count) ? refusal(status, code, { 'retry-after': '7' }) : pageOf(guests, asked)
    const { sojourn, waits, asked } = faulty(answers)
    expect(await listed(sojourn.guests.all(QUERY))).toEqual(guests)
    expect(waits).toEqual([7500, 7500])
    expect(asked).toHaveLength(5)
  })

  it('gives up after the given number of attempts, with what the service said', async () => {
    const { sojourn, asked, waits } = faulty(() => refusal(503, 'UNAVAILABLE', { 'retry-after': '1' }), {
      attempts: 3,
    })
    await expect(sojourn.guests.list(FIRST)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      status: 503,
      requestId: 'r-1',
      retryAfterSeconds: 1,
      docs: 'https://sojourn.example/docs',
      message: 'UNAVAILABLE it is.',
    })
    expect([asked.length, waits.length]).toEqual([3, 2])
  })

  it('does not wait longer than it may, but says how long it would have to', async () => {
    const { sojourn, asked } = faulty(() => refusal(429, 'RATE_LIMITED', { 'retry-after': '1800' }))
    await expect(sojourn.me()).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1800 })
    expect(asked).toHaveLength(1)
  })

  it('waits twice as long each time where it is not said how long', async () => {
    const { sojourn, waits } = faulty(
      failing(
        3,
        () => refusal(503, 'UNAVAILABLE'),
        () => Response.json({}),
      ),
    )
    await sojourn.me()
    expect(waits).toEqual([1500, 2500, 4500])
  })

  it('takes a date for what it is', async () => {
    const at = new Date(Date.now() + 20_000).toUTCString()
    const { sojourn, waits } = faulty(
      failing(
        1,
        () => refusal(503, 'UNAVAILABLE', { 'retry-after': at }),
        () => Response.json({}),
      ),
    )
    await sojourn.me()
    expect(waits[0]).toBeGreaterThan(15_000)
    expect(waits[0]).toBeLessThan(25_000)
  })
})

describe('what is not tried again', () => {
  it.each([
    [400, 'INVALID_PARAMETER'],
    [401, 'UNAUTHORIZED'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [410, 'GONE'],
    [500, 'INTERNAL'],
  ])('%i', async (status, code) => {
    const { sojourn, asked } = faulty(() => refusal(status, code, { 'retry-after': '1' }))
    await expect(sojourn.guests.list(FIRST)).rejects.toMatchObject({ name: 'SojournError', code, status })
    expect(asked).toHaveLength(1)
  })

  it('a connection that fails, with the reason', async () => {
    const { sojourn, asked } = faulty(gone)
    await expect(sojourn.me()).rejects.toMatchObject({
      code: 'CONNECTION',
      message: 'The connection failed: read ECONNRESET.',
      cause: expect.any(TypeError),
    })
    expect(asked).toHaveLength(1)
  })

  it.each([
    ["a proxy's page", () => new Response('<h1>Bad gateway</h1>', { status: 502 }), /answer 502/],
    [
      'a redirect',
      () => new Response(null, { status: 308, headers: { location: 'https://x.example' } }),
      /redirects/,
    ],
    ['JSON that is cut', () => new Response('{"data":[{"na'), /cut off/],
  ])('%s', async (_, answer, message) => {
    const { sojourn, asked } = faulty(answer)
    await expect(sojourn.guests.list(FIRST)).rejects.toMatchObject({
      code: 'BAD_ANSWER',
      message: expect.stringMatching(message),
    })
    expect(asked).toHaveLength(1)
  })
})

describe('over a real connection', () => {
  const closing: (() => void)[] = []
  afterEach(() => {
    for (const close of closing.splice(0)) close()
  })

  async function serve(answer: Parameters<typeof createServer>[1]): Promise<string> {
    const server = createServer(answer).listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing.push(() => server.close().closeAllConnections())
    const address = server.address()
    return typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : ''
  }

  it('an answer that breaks off in the middle is an error, and what was given before remains', async () => {
    const guests = guestsOf(25)
    let count = 0
    const url = await serve((request, response) => {
      count += 1
      const start = Number(new URL(request.url ?? '', 'http://x').searchParams.get('start'))
      const text = JSON.stringify({ data: guests.slice((start - 1) * 10, start * 10), total: 25 })
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length })
      if (count < 3) response.end(text)
      else response.write(text.slice(0, 40), () => response.destroy())
    })
    const given: unknown[] = []
    const reading = (async () => {
      for await (const guest of new Sojourn({ url, key: 'k' }).guests.all(QUERY)) given.push(guest)
    })()
    await expect(reading).rejects.toMatchObject({ code: 'CONNECTION' })
    expect(given).toEqual(guests.slice(0, 20))
  })

  it('a service that says nothing is an error when the time is over', async () => {
    const url = await serve(() => {})
    await expect(new Sojourn({ url, key: 'k', timeoutMs: 30 }).me()).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: 'No complete answer within 30 ms.',
    })
  })
})

describe('a key that is rotated', () => {
  const accepts =
    (keys: readonly string[]): Answers =>
    (asked, count) =>
      asked.headers.get('authorization') === `Bearer ${keys[Math.min(count - 1, keys.length - 1)]}`
        ? pageOf(guestsOf(25), asked)
        : refusal(401, 'UNAUTHORIZED')

  it('is asked for before each request, so the iteration continues with the new one', async () => {
    const keys = ['old', 'old', 'new']
    let at = 0
    const { sojourn } = faulty(accepts(['old', 'old', 'new']), { key: () => keys[at++] ?? '' })
    expect(await listed(sojourn.guests.all(QUERY))).toEqual(guestsOf(25))
  })

  it('is asked for once more where it has just ended', async () => {
    const keys = ['old', 'old', 'new', 'new']
    let at = 0
    const { sojourn, asked } = faulty(accepts(['old', 'new']), { key: async () => keys[at++] ?? 'new' })
    expect(await listed(sojourn.guests.all(QUERY))).toEqual(guestsOf(25))
    expect(asked).toHaveLength(4)
  })

  it('that stays the same is an error that says why, after the guests that came before', async () => {
    const { sojourn, asked } = faulty(accepts(['sjn_key_1', 'another']))
    const given: unknown[] = []
    const reading = (async () => {
      for await (const guest of sojourn.guests.all(QUERY)) given.push(guest)
    })()
    await expect(reading).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(given).toHaveLength(10)
    expect(asked).toHaveLength(2)
  })
})

describe('an abort signal', () => {
  const reason = new Error('enough')

  it('that is aborted before sends nothing', async () => {
    const { sojourn, asked } = faulty(() => Response.json({}))
    await expect(sojourn.me({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(asked).toHaveLength(0)
  })

  it('ends a request', async () => {
    const controller = new AbortController()
    const { sojourn } = faulty(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason))
          controller.abort(reason)
        }),
    )
    await expect(sojourn.me({ signal: controller.signal })).rejects.toBe(reason)
  })

  it('ends the wait for another attempt', async () => {
    const controller = new AbortController()
    const { sojourn } = faulty(
      () => {
        queueMicrotask(() => controller.abort(reason))
        return refusal(503, 'UNAVAILABLE', { 'retry-after': '50' })
      },
      // The client's own timer: it must end at once.
      { sleep: (await import('../../../client/src/waiting.ts')).sleep },
    )
    await expect(sojourn.me({ signal: controller.signal })).rejects.toBe(reason)
  })

  it('ends an iteration between two pages', async () => {
    const controller = new AbortController()
    const { sojourn } = faulty((asked) => pageOf(guestsOf(25), asked))
    const reading = (async () => {
      for await (const _ of sojourn.guests.all(QUERY, { signal: controller.signal })) controller.abort(reason)
    })()
    await expect(reading).rejects.toBe(reason)
  })
})

describe('cached answers', () => {
  const tagged: Answers = ({ headers, url }) =>
    headers.get('if-none-match') === '"v1"'
      ? new Response(null, { status: 304 })
      : Response.json(
          { data: [{ name: url.searchParams.get('sessionId'), ids: {} }], total: 1 },
          { headers: { etag: '"v1"' } },
        )

  it('are given again after a 304, as objects of their own', async () => {
    const { sojourn, asked } = faulty(tagged)
    const first = await sojourn.guests.list(FIRST)
    first.data.length = 0
    expect(await sojourn.guests.list(FIRST)).toEqual({ data: [{ name: 's', ids: {} }], total: 1 })
    expect(asked.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, '"v1"'])
  })

  it('are those of the same question alone', async () => {
    const { sojourn } = faulty(tagged)
    await sojourn.guests.list({ sessionId: 'a' })
    expect((await sojourn.guests.list({ sessionId: 'b' })).data[0]).toMatchObject({
      name: 'b',
    })
  })

  it('are no more than was allowed, and the one that was used longest ago goes first', async () => {
    const { sojourn, asked } = faulty(tagged, { keptCharacters: 4 * 45 })
    const ask = (sessionId: string) => sojourn.guests.list({ sessionId })
    for (const name of ['a', 'b', 'c', 'd', 'a', 'e', 'f', 'a', 'b']) await ask(name)
    const stored = asked.map(({ headers }) => headers.has('if-none-match'))
    expect(stored).toEqual([false, false, false, false, true, false, false, true, false])
  })

  it('are none where none are wanted', async () => {
    const { sojourn, asked } = faulty(tagged, { keptCharacters: 0 })
    await sojourn.guests.list(FIRST)
    await sojourn.guests.list(FIRST)
    expect(asked[1]?.headers.has('if-none-match')).toBe(false)
  })
})

it('everything that is thrown is one class, which says what and which request', async () => {
  const { sojourn } = faulty(() => refusal(403, 'FORBIDDEN'))
  const error = await sojourn.me().catch((reason) => reason)
  expect(error).toBeInstanceOf(SojournError)
  expect(error).toBeInstanceOf(Error)
  expect(error).toMatchObject({ code: 'FORBIDDEN', details: [], requestId: 'r-1' })
})

it('a center whose pages are shorter is read in its own pages', async () => {
  const guests = guestsOf(120)
  const { sojourn, asked } = faulty((one) =>
    one.url.searchParams.has('length')
      ? Response.json(
          {
            error: {
              code: 'INVALID_PARAMETER',
              message: 'x',
              requestId: 'r',
              details: [{ parameter: 'length', message: 'x' }],
            },
          },
          { status: 400 },
        )
      : pageOf(guests, one),
  )
  expect(await listed(sojourn.guests.all({ sessionId: 's', project: ['id', 'name'] }))).toEqual(guests)
  expect(asked).toHaveLength(4)
})
