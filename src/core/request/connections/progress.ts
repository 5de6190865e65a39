/**
 * Closes clients that do not read their answers. Node buffers unread data without a bound, and none of its server's
 * time-outs cover this.
 */
import type { Socket } from 'node:net'

export interface ProgressBounds {
  /** a client is closed if it has unread bytes for this long and reads fewer than `bytesMin` of them in that time */
  readonly withinMs: number
  readonly bytesMin: number
  /** unread bytes of all clients together; above it, the clients with the most are closed */
  readonly waitingBytesMax: number
}

/** 1.6 kB a second, which the slowest mobile networks exceed. */
export const DEFAULT_PROGRESS: ProgressBounds = {
  withinMs: 10_000,
  bytesMin: 16_384,
  waitingBytesMax: 64 * 1024 * 1024,
}

/** The parts of a socket that are used here. */
export interface Client extends Pick<Socket, 'bytesWritten' | 'writableLength'> {
  destroy(): unknown
}

interface Progress {
  /** bytes of completed writes, and bytes of the current one that the operating system has not taken yet */
  done: number
  queued: number
  taken: number
  /** start of the period in which `taken` is counted */
  since: number
}

/** Measures how much each client reads. */
export class ProgressWatch<Watched extends Client> {
  readonly #bounds: ProgressBounds
  readonly #clients = new Map<Watched, Progress>()

  constructor(bounds: ProgressBounds) {
    this.#bounds = bounds
  }

  add(client: Watched, now: number): void {
    this.#clients.set(client, { done: 0, queued: 0, taken: 0, since: now })
  }

  remove(client: Watched): void {
    this.#clients.delete(client)
  }

  /** Closes clients that read too little. @param now milliseconds of a monotonic clock */
  check(now: number): void {
    let waiting = 0
    for (const [client, progress] of this.#clients) {
      note(client, progress)
      if (client.writableLength === 0 || progress.taken >= this.#bounds.bytesMin) {
        progress.since = now
        progress.taken = 0
      } else if (now - progress.since >= this.#bounds.withinMs) {
        client.destroy()
        continue
      }
      waiting += client.writableLength
    }
    if (waiting > this.#bounds.waitingBytesMax) this.#closeLargest(waiting)
  }

  #closeLargest(waiting: number): void {
    const largest = [...this.#clients.keys()].sort((a, b) => b.writableLength - a.writableLength)
    let left = waiting
    for (const client of largest) {
      if (left <= this.#bounds.waitingBytesMax) return
      left -= client.writableLength
      client.destroy()
    }
  }
}

/** A long answer may be a single write, so the part of it that the operating system has taken counts as well. */
function note(client: Client, progress: Progress): void {
  const done = client.bytesWritten - client.writableLength
  const queued = queuedBytes(client)
  progress.taken += done > progress.done ? done - progress.done : Math.max(0, progress.queued - queued)
  progress.done = done
  progress.queued = queued
}

/** Node's own socket time-outs use this value too; there is no public name for it. */
function queuedBytes(client: Client & { readonly _handle?: unknown }): number {
  const { _handle: handle } = client
  if (typeof handle !== 'object' || handle === null || !('writeQueueSize' in handle)) return 0
  return typeof handle.writeQueueSize === 'number' ? handle.writeQueueSize : 0
}
