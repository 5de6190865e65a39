/**
 * While the database is away, the last good copies of reports whose time has come are sent, with their age in large type.
 * Only an instance that the database has said to be the one does so (`prepared_by`), and it writes down what it has sent,
 * so that the run is not sent again when the database is back.
 */
import type { Copies, Copy } from './copies.ts'
import { deliver, type Ways } from './destinations/deliver.ts'
import { copyText, render } from './render.ts'
import { readDestination } from './report.ts'
import { deliveryOf, fileMemory, noteSent, RUN_MS_MAX } from './run-report.ts'
import { nextTime } from './schedule.ts'

export interface CopySending {
  readonly copies: Copies
  readonly ways: Ways
  /** epoch ms */
  readonly clock: () => number
  readonly onOutcome: (outcome: 'sent' | 'waiting' | 'failed') => void
}

/** Between two attempts at a destination. */
const RETRY_MS = 120_000

/** @returns a function that looks once, and ends when nothing more can be sent now */
export function createCopySending({ copies, ways, clock, onOutcome }: CopySending) {
  /** when a destination is tried again, by report, time and destination */
  const later = new Map<string, number>()

  const sendOne = async (copy: Copy, slot: number, signal: AbortSignal) => {
    const { report, document } = copy
    if (document === undefined) return
    const target = { center_id: report.center_id, report_id: report.id, scheduled_at: slot }
    const sent = () => copies.sentOf(report.id, slot)?.destinations ?? []
    const keyOf = (destination: string) => `${report.id} ${slot} ${destination}`
    const due = report.destinations.filter(
      (one) =>
        // A webhook's secret is in the database.
        !one.startsWith('webhook:') && !sent().includes(one) && (later.get(keyOf(one)) ?? 0) <= clock(),
    )
    if (due.length === 0) return
    const text = copyText(document, clock())
    const delivery = deliveryOf(report, slot, document, await render(document, report.format, text), text)
    for (const destination of due) {
      if (signal.aborted) return
      const where = readDestination(destination, report.format)
      const memory = fileMemory(copies, target, destination, delivery)
      const outcome = await deliver(
        ways,
        { center: report.center_id, destination: where, delivery, memory },
        signal,
      )
      onOutcome(outcome.state)
      if (outcome.state === 'sent') noteSent(copies, target, destination, delivery)
      else later.set(keyOf(destination), clock() + RETRY_MS)
    }
  }

  return async (signal: AbortSignal): Promise<void> => {
    for (const copy of copies.all()) {
      const slot = dueSlot(copy, clock())
      if (slot !== undefined) await sendOne(copy, slot, signal)
    }
    if (later.size > 10_000) later.clear()
  }
}

/** The newest time that has come and is not handled; undefined if there is none of the last day. */
function dueSlot({ report, handled }: Copy, now: number): number | undefined {
  let slot = report.next_at
  if (slot > now) return undefined
  for (let next = slot; next <= now; next = nextTime(report, report.timezone, next)) slot = next
  return slot > handled && now - slot <= RUN_MS_MAX ? slot : undefined
}
