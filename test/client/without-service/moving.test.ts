/** A list that moves while it is read: every guest once, or an error that says why. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Answers, faulty, guestsOf, listed, pageOf } from './faulty-service.ts'

const QUERY = { sessionId: 's', project: ['id', 'name'], length: 10 } as const
type Guests = ReturnType<typeof guestsOf>

const digestOf = (guests: Guests) =>
  createHash('sha256')
    .update(guests.map(({ id }) => `${id}\n`).join(''))
    .digest('hex')

/** @param move what the desk does before a request is answered; undefined: nothing */
function center(first: Guests, move: (guests: Guests, count: number) => Guests | undefined): Answers {
  let guests = first
  let version = 1
  return (asked, count) => {
    const moved = move(guests, count)
    if (moved !== undefined) {
      guests = moved
      version += 1
    }
    const cursor = `cursor-${version}`
    const snapshot = asked.url.searchParams.get('snapshot')
    if (snapshot !== 'true' && snapshot !== cursor) {
      return Response.json(
        { error: { code: 'CONFLICT', message: 'It has moved.', requestId: 'r' } },
        { status: 409, headers: { 'snapshot-cursor': cursor } },
      )
    }
    const answer = pageOf(guests, asked)
    answer.headers.set('snapshot-cursor', cursor)
    if (Number(asked.url.searchParams.get('start')) * 10 >= guests.length) {
      answer.headers.set('snapshot-count', String(guests.length))
      answer.headers.set('snapshot-digest', digestOf(guests))
    }
    return answer
  }
}

const sorted = (guests: readonly { readonly id: string }[]) => guests.map(({ id }) => id).sort()

describe('a list that moves', () => {
  it('that does not change is read in one go, at the cursor of its first page', async () => {
    const { sojourn, asked } = faulty(center(guestsOf(25), () => undefined))
    expect(await listed(sojourn.guests.all(QUERY))).toEqual(guestsOf(25))
    expect(asked.map(({ url }) => url.searchParams.get('snapshot'))).toEqual(['true', 'cursor-1', 'cursor-1'])
  })

  it('once, is begun again where it is now, and gives nobody twice', async () => {
    // The first guest leaves: everybody moves up, and g-11 would be missed.
    const { sojourn, asked } = faulty(
      center(guestsOf(25), (guests, count) => (count === 2 ? guests.slice(1) : undefined)),
    )
    const guests = await listed(sojourn.guests.all(QUERY))
    expect(sorted(guests)).toEqual(sorted(guestsOf(25)))
    expect(asked.map(({ url }) => url.searchParams.get('snapshot'))).toEqual([
      'true',
      'cursor-1',
      'cursor-2',
      'cursor-2',
      'cursor-2',
    ])
  })

  it('while it grows before what was read, gives the new guest as well', async () => {
    const { sojourn } = faulty(
      center(guestsOf(25), (guests, count) => (count === 3 ? [...guestsOf(1, 100), ...guests] : undefined)),
    )
    expect(sorted(await listed(sojourn.guests.all(QUERY)))).toEqual(
      sorted([...guestsOf(25), ...guestsOf(1, 100)]),
    )
  })

  it('repeatedly, it is an error that says so after the given number of attempts', async () => {
    const { sojourn, asked } = faulty(
      center(guestsOf(25), (guests, count) => (count % 2 === 0 ? [...guests] : undefined)),
    )
    const given: { id: string }[] = []
    const reading = (async () => {
      for await (const guest of sojourn.guests.all(QUERY, { begins: 3 })) given.push(guest)
    })()
    await expect(reading).rejects.toMatchObject({
      code: 'MOVED',
      message: expect.stringContaining('3 times'),
    })
    expect(new Set(sorted(given)).size).toBe(given.length)
    expect(asked).toHaveLength(6)
  })

  it('and a page that something in between cached, is an error', async () => {
    const old = guestsOf(10, 50)
    const answers = center(guestsOf(25), () => undefined)
    const { sojourn } = faulty(async (asked, count) => {
      const answer = await answers(asked, count)
      return count === 2 ? Response.json({ data: old, total: 25 }, { headers: answer.headers }) : answer
    })
    await expect(listed(sojourn.guests.all(QUERY))).rejects.toMatchObject({
      code: 'BAD_ANSWER',
      message: expect.stringContaining('digest'),
    })
  })

  it('of a service that knows no snapshots, is seen by its numbers', async () => {
    let guests = guestsOf(25)
    const { sojourn } = faulty((asked, count) => {
      if (count === 3) guests = guests.slice(0, 24)
      if (!asked.url.searchParams.has('snapshot')) return pageOf(guests, asked)
      const details = [{ parameter: 'snapshot', message: 'x' }]
      const error = { code: 'INVALID_PARAMETER', message: 'x', requestId: 'r', details }
      return Response.json({ error }, { status: 400 })
    })
    expect(sorted(await listed(sojourn.guests.all(QUERY)))).toEqual(sorted(guestsOf(24)))
  })
})
