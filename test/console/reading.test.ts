/** How a page keeps right: it reads, reads again when something changed, and says what it knows when it cannot. */
import { describe, expect, it } from 'vitest'
import { type ErrorCode, SojournError } from '../../client/src/index.ts'
import { createReader } from '../../console/src/base/reading.ts'
import { createRows } from '../../console/src/guests/rows.ts'
import { handClock, settled } from './hand-clock.ts'

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
  const readThenFail = (isPermanent: boolean) => {
    const clock = handClock()
    const failures: ErrorCode[] = []
    const read = async () => {
      const code = failures.shift()
      if (code !== undefined) throw new SojournError(code, '')
      return 'Ana'
    }
    return { clock, failures, reader: createReader(read, { clock, isPermanent }) }
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

  it('is reported as ended also if the service then refuses clients that try invalid keys too often', async () => {
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
    const list = Array.from({ length: 250 }, (_, at) => ({ id: String(at) }))
    const asked: string[] = []
    const take = async (what: string) => {
      asked.push(what)
      const failure = failures.shift()
      if (failure !== undefined) throw failure
    }
    const source = {
      clock,
      memory: { get: () => undefined, set: () => {} },
      recall: async () => undefined,
      first: async () => {
        await take('first')
        const value = { data: list.slice(0, 100), total: 250, others: 3 }
        return { value, askedAt: clock.now(), asOf: () => clock.now(), isCurrent: () => true }
      },
      whole: async () => take('whole').then(() => list),
    }
    const rows = createRows(source)
    await settled()
    expect([rows.state.value.rows.length, rows.state.value.others]).toEqual([250, 3])
    failures.push(new SojournError('UNAUTHORIZED', ''))
    rows.refresh()
    await settled()
    expect(rows.state.value).toMatchObject({ problem: { kind: 'ended' }, rows: [], total: undefined })
    expect(rows.state.value.others).toBeUndefined()
    await clock.move(600_000)
    expect(asked).toEqual(['first', 'whole', 'first'])
    rows.refresh()
    await settled()
    expect(asked).toEqual(['first', 'whole', 'first', 'first', 'whole'])
    expect(rows.state.value.rows.length).toBe(250)
    rows.close()
  })
})
