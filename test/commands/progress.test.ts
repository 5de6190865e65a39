/** What a terminal shows while a command works. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { progressOn } from '../../src/core/command-line/progress.ts'

/** A terminal of one line, which understands what is written to it. */
function terminal(columns: number) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const lines: string[] = []
  const write = (text: string) => {
    // To the first column, and the rest of the line is erased.
    expect([text.at(0), text.slice(-3)]).toEqual(['\r', '\x1b[K'])
    return lines.push(text.slice(1, -3)) > 0
  }
  return { lines, progress: progressOn({ columns, write } as Parameters<typeof progressOn>[0]) }
}

test('what is done is a number, or a bar if the total is known, and is gone at the end', () => {
  const { lines, progress } = terminal(100)
  progress.show({ phase: 'reading', done: 1 })
  for (const next of [
    { phase: 'reading', done: 74_670 },
    { phase: 'checking', done: 0, total: 74_670 },
    { phase: 'checking', done: 30_000, total: 74_670 },
    { phase: 'writing', done: 74_670, total: 74_670 },
    { phase: 'writing', done: 0, total: 0 },
  ] as const) {
    vi.advanceTimersByTime(200)
    progress.show(next)
  }
  progress.stop()
  expect(lines).toEqual([
    'Reading: 1 record',
    'Reading: 74,670 records',
    `Checking [${'-'.repeat(40)}] 0/74670 records`,
    `Checking [${'='.repeat(16)}${'-'.repeat(24)}] 30000/74670 records`,
    `Writing [${'='.repeat(40)}] 74670/74670 records`,
    `Writing [${'='.repeat(40)}] 0/0 records`,
    '',
  ])
})

test('five times a second is drawn what is newest, also if nothing follows it', () => {
  const { lines, progress } = terminal(100)
  for (let done = 1; done <= 1000; done += 1) {
    progress.show({ phase: 'exporting', done })
    vi.advanceTimersByTime(1)
  }
  expect(lines).toEqual([1, 201, 401, 601, 801].map((at) => expect.stringContaining(` ${at} record`)))
  vi.advanceTimersByTime(200)
  expect(lines.at(-1)).toBe('Exporting: 1,000 records')
  expect(vi.getTimerCount()).toBe(0)
})

test('a narrow terminal gets what fits on one line', () => {
  const { lines, progress } = terminal(20)
  progress.show({ phase: 'checking', done: 5, total: 10 })
  expect(lines).toEqual(['Checking [=========='])
})

test('nothing is drawn after the end, and nothing at all if nothing was shown', () => {
  const { lines, progress } = terminal(100)
  progress.stop()
  expect(lines).toEqual([])
  progress.show({ phase: 'reading', done: 1 })
  progress.show({ phase: 'reading', done: 2 })
  progress.stop()
  progress.stop()
  vi.advanceTimersByTime(1000)
  expect(lines).toEqual(['Reading: 1 record', ''])
})
