/**
 * Clients that do not take what they asked for. Node holds what a client does not read without any bound, and no
 * time-out of its server covers it.
 */
import type { Socket } from 'node:net'

export interface ProgressBounds {
  /** a client that has bytes waiting for so long and takes fewer than `bytesMin` of them is closed */
  readonly withinMs: number
  readonly bytesMin: number
  /** bytes waiting for all clients together; beyond it those with the most waiting are closed */
  readonly waitingBytesMax: number
}

/** 1.6 kB a second: the slowest mobile network is faster. */
export const DEFAULT_PROGRESS: ProgressBounds = {
  withinMs: 10_000,
  bytesMin: 16_384,
  waitingBytesMax: 64 * 1024 * 1024,
}

/** A socket, as far as it is looked at here. */
export interface Client extends Pick<Socket, 'bytesWritten' | 'writableLength'> {
  destroy(): unknown
}

interface Progress {
  /** bytes of writes that are done, and bytes that the system has not taken yet of the one under way */
  done: number
  queued: number
  taken: number
  /** of the window in which `taken` is counted */
  since: number
}

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

  /** Closes who took too little. @param now milliseconds of a clock that never goes back */
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

/** A long answer may be one write, so what the system has taken of it so far counts as well. */
function note(client: Client, progress: Progress): void {
  const done = client.bytesWritten - client.writableLength
  const queued = queuedBytes(client)
  progress.taken += done > progress.done ? done - progress.done : Math.max(0, progress.queued - queued)
  progress.done = done
  progress.queued = queued
}

/** Node's own time-outs of sockets look at this too; there is no public name for it. */
function queuedBytes(client: Client & { readonly _handle?: unknown }): number {
  const { _handle: handle } = client
  if (typeof handle !== 'object' || handle === null || !('writeQueueSize' in handle)) return 0
  return typeof handle.writeQueueSize === 'number' ? handle.writeQueueSize : 0
}
