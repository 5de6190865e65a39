/** `changes.follow` and `changes.stream` against a service whose stream fails on purpose: every change once, in order. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ChangePage } from '../../../client/src/index.ts'
import { type Answers, type Asked, faulty, gone, refusal } from './faulty-service.ts'

/** Cursors are the numbers of the changes. */
const change = (at: number) => ({ kind: 'guests', id: `g-${at}`, operation: 'changed' })
const event = (at: number) => `id: ${at}\ndata: ${JSON.stringify(change(at))}\n\n`
const moved = (at: number) => `id: ${at}\n\n`
const isStream = ({ url }: Asked) => url.pathname.endsWith('/stream')

/** What the list answers when there are so many changes. */
function listTo(newest: number, { url }: Asked): Response {
  const after = Number(url.searchParams.get('after') ?? newest)
  const data = Array.from({ length: Math.max(0, newest - after) }, (_, at) => change(after + at + 1))
  return Response.json({ data, cursor: String(Math.max(newest, after)), more: false })
}

/** A stream of these pieces, then its end, or a break, or nothing more. */
function streamOf(pieces: readonly string[], then: 'ends' | 'breaks' | 'is silent' = 'ends'): Response {
  const encoder = new TextEncoder()
  const left = [...pieces]
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = left.shift()
      if (piece !== undefined) controller.enqueue(encoder.encode(piece))
      else if (then === 'ends') controller.close()
      else if (then === 'breaks') controller.error(new TypeError('terminated'))
      else await new Promise(() => {})
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
}

/** The changes that a follower is given until the one with the last number, and how it asked. */
async function followed(answers: Answers, last: number, options: object = {}) {
  const { sojourn, asked, waits } = faulty(answers)
  const ids: (string | null)[] = []
  for await (const { data, cursor } of sojourn.changes.follow({ from: '0', ...options })) {
    ids.push(...data.map(({ id }) => id))
    if (Number(cursor) >= last) break
  }
  const questions = asked.map(
    (one) => `${isStream(one) ? 'stream' : 'list'} ${one.url.searchParams.get('after')}`,
  )
  return { ids, questions, waits }
}

const upTo = (last: number) => Array.from({ length: last }, (_, at) => `g-${at + 1}`)

afterEach(() => {
  vi.useRealTimers()
})

describe('following', () => {
  it('catches up with the list, and goes on with a stream from there', async () => {
    const { ids, questions } = await followed(
      (asked) =>
        isStream(asked)
          ? streamOf(['retry: 3000\n\n', event(3), moved(4), event(5) + event(6)])
          : listTo(2, asked),
      6,
    )
    expect(ids).toEqual(['g-1', 'g-2', 'g-3', 'g-5', 'g-6'])
    expect(questions).toEqual(['list 0', 'stream 2'])
  })

  it('gives each change once, wherever the stream is cut', async () => {
    const whole = `retry: 3000\n\n${event(1)}${event(2)}${moved(2)}${event(3)}`
    for (let at = 1; at < whole.length; at += 7) {
      const { ids } = await followed(
        (asked) => (isStream(asked) ? streamOf([whole.slice(0, at), whole.slice(at)]) : listTo(0, asked)),
        3,
      )
      expect(ids, `cut at ${at}`).toEqual(upTo(3))
    }
  })

  it.each(['ends', 'breaks'] as const)('goes on from the newest cursor where the stream %s', async (how) => {
    let newest = 0
    const { ids, questions, waits } = await followed((asked) => {
      if (!isStream(asked)) return listTo(newest, asked)
      const after = Number(asked.url.searchParams.get('after'))
      // One more happens while nobody listens; half an event is none.
      newest = after + 2
      return streamOf([event(after + 1), event(after + 2).slice(0, 9)], how)
    }, 5)
    expect(ids).toEqual(upTo(5))
    expect(questions).toEqual(['list 0', 'stream 0', 'list 1', 'stream 2', 'list 3', 'stream 4'])
    expect(waits).toEqual([5000, 5000])
  })

  it.each<[string, () => Response]>([
    ['a proxy answers JSON', () => Response.json({})],
    ['the path is not there', () => refusal(404, 'NOT_FOUND')],
    ['all places are taken', () => refusal(503, 'UNAVAILABLE')],
    ['the connection fails', gone],
    [
      'another one takes over',
      () => streamOf([`event: end\ndata: ${JSON.stringify(error('RATE_LIMITED'))}\n\n`]),
    ],
  ])('asks with requests that wait where %s', async (_, answer) => {
    let newest = 0
    const { ids, questions } = await followed((asked) => {
      if (isStream(asked)) return answer()
      if (asked.url.searchParams.has('wait')) newest += 1
      return listTo(newest, asked)
    }, 2)
    expect(ids).toEqual(upTo(2))
    expect(questions.filter((one) => one.startsWith('stream'))).toHaveLength(1)
  })

  it('gives a silent stream up, and asks with requests that wait', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let newest = 0
    const following = followed((asked) => {
      if (isStream(asked)) return streamOf(['retry: 3000\n\n'], 'is silent')
      if (asked.url.searchParams.has('wait')) newest += 1
      return listTo(newest, asked)
    }, 1)
    await vi.advanceTimersByTimeAsync(46_000)
    expect((await following).ids).toEqual(['g-1'])
  })

  it('opens no stream if it is asked not to', async () => {
    let newest = 0
    const { questions } = await followed(
      (asked) => {
        if (asked.url.searchParams.has('wait')) newest += 1
        return listTo(newest, asked)
      },
      1,
      { stream: false },
    )
    expect(questions).toEqual(['list 0', 'list 0'])
  })

  it('ends with what the list says where the key or the cursor is refused', async () => {
    for (const [status, code] of [
      [401, 'UNAUTHORIZED'],
      [410, 'GONE'],
    ] as const) {
      let ended = false
      const answers: Answers = (asked) => {
        if (!isStream(asked)) return ended ? refusal(status, code) : listTo(0, asked)
        ended = true
        return streamOf([`event: end\ndata: ${JSON.stringify(error(code))}\n\n`])
      }
      await expect(followed(answers, 1)).rejects.toMatchObject({ code, status })
    }
  })

  it('ends with the reason of its signal', async () => {
    const { sojourn } = faulty((asked) =>
      isStream(asked) ? streamOf([event(1)], 'is silent') : listTo(0, asked),
    )
    const ends = new AbortController()
    const following = (async () => {
      for await (const { cursor } of sojourn.changes.follow({ from: '0', signal: ends.signal })) {
        if (cursor === '1') ends.abort(new Error('enough'))
      }
    })()
    await expect(following).rejects.toThrow('enough')
  })
})

describe('a stream', () => {
  it('is closed by the reader that stops reading it', async () => {
    const { sojourn, asked } = faulty(() => streamOf([event(1)], 'is silent'))
    const pages: ChangePage[] = []
    for await (const page of sojourn.changes.stream({ from: '0', kinds: ['guests'] })) {
      pages.push(page)
      break
    }
    expect(pages).toEqual([{ data: [change(1)], cursor: '1', more: false }])
    expect(asked[0]?.url.search).toBe('?kinds=guests&after=0')
    expect(asked[0]?.headers.get('accept')).toBe('text/event-stream')
    expect(asked[0]?.signal?.aborted).toBe(true)
  })

  it('ends with the error that the service ends it with', async () => {
    const last = `event: end\ndata: ${JSON.stringify(error('UNAVAILABLE'))}\n\n`
    const { sojourn } = faulty(() => streamOf([event(1) + last]))
    const given: string[] = []
    const reading = (async () => {
      for await (const { cursor } of sojourn.changes.stream({ from: '0' })) given.push(cursor)
    })()
    await expect(reading).rejects.toMatchObject({ code: 'UNAVAILABLE', requestId: 'r-1' })
    expect(given).toEqual(['1'])
  })

  it('asks for the key again where it was rotated', async () => {
    const keys = ['old', 'new']
    const { sojourn, asked } = faulty(
      ({ headers }) =>
        headers.get('authorization') === 'Bearer new' ? streamOf([]) : refusal(401, 'UNAUTHORIZED'),
      { key: () => keys.shift() ?? 'new' },
    )
    for await (const page of sojourn.changes.stream()) expect(page).toBeUndefined()
    expect(asked).toHaveLength(2)
  })
})

function error(code: string) {
  return {
    error: { code, message: `${code} it is.`, requestId: 'r-1', docs: 'https://sojourn.example/docs' },
  }
}
