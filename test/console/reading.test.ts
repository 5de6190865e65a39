/** How a page keeps right: it reads, reads again when something changed, and says what it knows when it cannot. */
import { describe, expect, it } from 'vitest'
import { type ChangePage, type ErrorCode, SojournError } from '../../client/src/index.ts'
import { follow } from '../../console/src/base/follow.ts'
import { type Clock, createReader, type Reader } from '../../console/src/base/reading.ts'
import { createRows } from '../../console/src/guests/rows.ts'

/** A clock that a test moves. */
function handClock(): Clock & { move(ms: number): Promise<void> } {
  let now = 0
  let waiting: { at: number; act: () => void }[] = []
  return {
    now: () => now,
    after(ms, act) {
      const one = { at: now + ms, act }
      waiting.push(one)
      return () => {
        waiting = waiting.filter((other) => other !== one)
      }
    },
    async move(ms) {
      now += ms
      const due = waiting.filter(({ at }) => at <= now)
      waiting = waiting.filter(({ at }) => at > now)
      for (const { act } of due) act()
      await settled()
    },
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('a reader', () => {
  it('keeps what it knew while a problem lasts, tells since when, and goes on by itself', async () => {
    const clock = handClock()
    const answers = [1, new SojournError('CONNECTION', ''), new SojournError('CONNECTION', ''), 2]
    const reader = createReader(
      async () => {
        const answer = answers.shift()
        if (typeof answer === 'number') return answer
        throw answer
      },
      { clock },
    )
    await settled()
    expect(reader.state.value).toEqual({ value: 1, asOf: 0, problem: undefined, isReading: false })
    await clock.move(5000)
    reader.refresh()
    await settled()
    expect(reader.state.value).toMatchObject({ value: 1, asOf: 0, problem: { kind: 'offline', since: 5000 } })
    await clock.move(10_000)
    expect(reader.state.value).toMatchObject({ value: 1, problem: { kind: 'offline', since: 5000 } })
    await clock.move(10_000)
    expect(reader.state.value).toEqual({ value: 2, asOf: 25_000, problem: undefined, isReading: false })
  })

  it('reads once more where something changed while it read', async () => {
    const open: ((value: string) => void)[] = []
    const reader = createReader(() => new Promise<string>((resolve) => open.push(resolve)), {
      clock: handClock(),
    })
    reader.refresh()
    reader.refresh()
    open[0]?.('before')
    await settled()
    expect(open.length).toBe(2)
    open[1]?.('after')
    await settled()
    expect([reader.state.value.value, open.length]).toEqual(['after', 2])
  })

  it('does not go on with a key that has ended, nor after it is closed', async () => {
    const clock = handClock()
    let asked = 0
    const reader = createReader(
      async () => {
        asked += 1
        throw new SojournError('UNAUTHORIZED', '')
      },
      { clock },
    )
    await settled()
    await clock.move(600_000)
    expect([asked, reader.state.value.problem?.kind]).toEqual([1, 'ended'])
    reader.close()
    expect(asked).toBe(1)
  })
})

describe('what a key read before it ended', () => {
  const readThenFail = (isKept: boolean) => {
    const clock = handClock()
    const failures: ErrorCode[] = []
    const read = async () => {
      const code = failures.shift()
      if (code !== undefined) throw new SojournError(code, '')
      return 'Ana'
    }
    return { clock, failures, reader: createReader(read, { clock, isKept }) }
  }

  it.each([
    ['UNAUTHORIZED', undefined],
    ['FORBIDDEN', undefined],
    ['RATE_LIMITED', 'Ana'],
    ['CONNECTION', 'Ana'],
  ] as const)('is forgotten where it may not read it any more: %s', async (code, value) => {
    const { failures, reader } = readThenFail(false)
    await settled()
    failures.push(code)
    reader.refresh()
    await settled()
    expect(reader.state.value.value).toBe(value)
    // And shown again where it may again.
    reader.refresh()
    await settled()
    expect(reader.state.value).toMatchObject({ value: 'Ana', problem: undefined })
  })

  it('stays on a wall, which names nobody', async () => {
    const { failures, reader } = readThenFail(true)
    await settled()
    failures.push('UNAUTHORIZED')
    reader.refresh()
    await settled()
    expect(reader.state.value).toMatchObject({ value: 'Ana', problem: { kind: 'ended' } })
  })

  it('is told as ended also where the service then refuses who tries invalid keys too often', async () => {
    const { failures, reader } = readThenFail(false)
    await settled()
    failures.push('UNAUTHORIZED', 'RATE_LIMITED')
    reader.refresh()
    await settled()
    reader.refresh()
    await settled()
    expect(reader.state.value).toMatchObject({ problem: { kind: 'ended' }, isReading: false })
  })

  it('is forgotten with all rows of a table, and read again from the first', async () => {
    const clock = handClock()
    const failures: Error[] = []
    const asked: number[] = []
    const rows = createRows(
      async (start) => {
        asked.push(start)
        const failure = failures.shift()
        if (failure !== undefined) throw failure
        return { data: [{ name: 'Ana' }, { name: 'Ion' }], total: 4 }
      },
      2,
      clock,
    )
    await settled()
    rows.look(0, 3)
    await settled()
    expect(rows.state.value.row(2)).toEqual({ name: 'Ana' })
    failures.push(new SojournError('UNAUTHORIZED', ''))
    rows.refresh()
    await settled()
    expect(rows.state.value.problem?.kind).toBe('ended')
    expect([0, 1, 2, 3].map((index) => rows.state.value.row(index))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(rows.state.value.total).toBeUndefined()
    await clock.move(600_000)
    expect(asked).toEqual([1, 2, 1, 2])
    rows.refresh()
    await settled()
    expect(rows.state.value.row(0)).toEqual({ name: 'Ana' })
    rows.close()
  })
})

describe('a page that follows', () => {
  const page = (cursor: string, changes = 0): ChangePage => ({
    cursor,
    more: false,
    data: Array.from({ length: changes }, () => ({
      kind: 'guests' as const,
      id: 'b',
      operation: 'changed' as const,
      groups: [],
      sessionIds: [],
      days: [],
      at: '',
    })),
  })

  function followed(answers: (ChangePage | Error)[], kinds: ('guests' | 'sessions')[] = ['guests']) {
    const clock = handClock()
    const said: string[] = []
    const asked: unknown[] = []
    const reader: Pick<Reader<unknown>, 'refresh' | 'confirm' | 'interrupt'> = {
      refresh: () => said.push('refresh'),
      confirm: () => said.push('confirm'),
      interrupt: ({ kind }) => said.push(kind),
    }
    const changes = {
      async list(query: unknown) {
        asked.push(query)
        const answer = answers.shift()
        if (answer === undefined) return new Promise<never>(() => {})
        if (answer instanceof Error) throw answer
        return answer
      },
    }
    const end = follow({
      // The part that it uses.
      sojourn: { changes } as never,
      kinds,
      readers: [reader as Reader<unknown>],
      clock,
    })
    return { clock, said, asked, end }
  }

  it('reads again after a change, and only then', async () => {
    const { said, asked, end } = followed([page('1'), page('1'), page('2', 1), page('3')])
    await settled()
    expect(said).toEqual(['confirm', 'refresh', 'confirm', 'refresh', 'confirm'])
    expect(asked.slice(0, 2)).toEqual([{ kinds: ['guests'] }, { kinds: ['guests'], after: '1', wait: 30 }])
    end()
  })

  it.each(['UNAUTHORIZED', 'FORBIDDEN'] as const)(
    'asks once a minute where the key may not any more, and then reads all: %s',
    async (code) => {
      const { clock, said, asked, end } = followed([
        page('1'),
        new SojournError(code, ''),
        page('7'),
        page('8'),
      ])
      await settled()
      const before = asked.length
      for (let second = 0; second < 55; second += 5) await clock.move(5000)
      expect(asked.length).toBe(before)
      await clock.move(5000)
      expect(asked.slice(before)).toEqual([
        { kinds: ['guests'] },
        { kinds: ['guests'], after: '7', wait: 30 },
        expect.anything(),
      ])
      expect(said.slice(-3)).toEqual(['confirm', 'refresh', 'confirm'])
      end()
    },
  )

  it('tells of a lost connection, and asks again where it was', async () => {
    const { clock, said, asked, end } = followed([
      page('1'),
      new SojournError('CONNECTION', ''),
      page('2', 1),
    ])
    await settled()
    expect(said.at(-1)).toBe('offline')
    await clock.move(10_000)
    expect(said.at(-1)).toBe('refresh')
    expect(asked[2]).toMatchObject({ after: '1' })
    end()
  })

  it('begins again where the cursor is too old', async () => {
    const { said, asked, end } = followed([page('1'), new SojournError('GONE', ''), page('9')])
    await settled()
    expect(asked[2]).toEqual({ kinds: ['guests'] })
    expect(said.at(-1)).toBe('refresh')
    end()
  })

  it('reads each minute with a key that may not follow, or where too many follow', async () => {
    const alone = followed([], [])
    await settled()
    await alone.clock.move(60_000)
    expect([alone.said, alone.asked]).toEqual([['refresh'], []])
    alone.end()

    const third = followed([page('1'), new SojournError('RATE_LIMITED', '', { retryAfterSeconds: 1 })])
    await settled()
    await third.clock.move(60_000)
    expect(third.said.at(-1)).toBe('refresh')
    third.end()
  })
})
