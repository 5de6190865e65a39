/** Actions of the client: one key for all attempts of a call, and another one for each call. */
import { expect, it } from 'vitest'
import { Sojourn, SojournError } from '../../../client/src/index.ts'

const ANSWER = { day: '2025-01-16', sheet: 2, confirmedAt: '2025-01-16T06:14:02.117Z' }

function clientOf(...answers: (() => Response)[]) {
  const sent: Request[] = []
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    sent.push(new Request(input, init))
    const answer = answers[Math.min(sent.length, answers.length) - 1]
    if (answer === undefined) throw new Error('no answer is left')
    return answer()
  }
  const sojourn = new Sojourn({ url: 'http://spa.example', key: 'k', fetch, sleep: async () => {} })
  return { sojourn, sent }
}

const done = () => Response.json(ANSWER)
const refused = (status: number, code: string) => () =>
  Response.json(
    { error: { code, message: '', requestId: 'r', docs: '' } },
    { status, headers: { 'retry-after': '1' } },
  )

it('sends JSON with a key that stays the same while it retries', async () => {
  const { sojourn, sent } = clientOf(refused(503, 'UNAVAILABLE'), refused(429, 'RATE_LIMITED'), done)
  expect(await sojourn.act('confirm-sheet', { day: '2025-01-16', sheet: 2 })).toEqual(ANSWER)
  expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual(
    Array.from({ length: 3 }, () => 'POST http://spa.example/v1/actions/confirm-sheet'),
  )
  expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
  for (const request of sent) {
    expect(request.headers.get('content-type')).toBe('application/json')
    expect(request.headers.get('authorization')).toBe('Bearer k')
    expect(await request.json()).toEqual({ day: '2025-01-16', sheet: 2 })
  }
})

it('has a new key for each call, or the one that it is given', async () => {
  const { sojourn, sent } = clientOf(done)
  for (const options of [{}, {}, { idempotencyKey: 'mine' }])
    await sojourn.act('confirm-sheet', { day: '2025-01-16', sheet: 2 }, options)
  const keys = sent.map(({ headers }) => headers.get('idempotency-key'))
  expect(new Set(keys).size).toBe(3)
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(keys[2]).toBe('mine')
})

it('is no success where the action was refused, and is not sent again', async () => {
  const { sojourn, sent } = clientOf(refused(422, 'IDEMPOTENCY_KEY_REUSED'))
  const failed = await sojourn.act('store-sheet', { day: '2025-01-16' }).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(SojournError)
  expect(failed).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED', status: 422 })
  expect(sent).toHaveLength(1)
})

it('takes no other action and no other body', () => {
  const { sojourn } = clientOf(done)
  // @ts-expect-error there is no such action
  void sojourn.act('confirm-shet', { day: '2025-01-16' }).catch(() => {})
  // @ts-expect-error the number of the sheet is missing
  void sojourn.act('confirm-sheet', { day: '2025-01-16' }).catch(() => {})
  expect(sojourn.act).toBeTypeOf('function')
})
