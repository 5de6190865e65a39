/** What the processes of one service tell each other, as JSON through Node's channel of a forked process. */
import type { CountedRequest } from '../../access/shared-counters.ts'

/** From a process that serves to the one that started it. */
export type FromWorker =
  /** it listens; `text` says where, for the user */
  | { readonly kind: 'listening'; readonly text: string }
  | { readonly kind: 'count'; readonly id: number; readonly requests: readonly CountedRequest[] }
  | { readonly kind: 'failed'; readonly id: number; readonly address: string | undefined }
  /** asks for the metrics of all processes */
  | { readonly kind: 'allMetrics'; readonly id: number }
  /** answers `metrics` */
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }

/** From the process that started the others. */
export type ToWorker =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  /** asks for the metrics of the process, as JSON */
  | { readonly kind: 'metrics'; readonly id: number }
  /** ends as after a first signal */
  | { readonly kind: 'stop' }
  /** ends as after a second signal */
  | { readonly kind: 'hurry' }

/** Set for a process that serves: its number, counted from 1, and how many there are. */
export const WORKER_VARIABLE = 'SOJOURN_WORKER'

/** Questions that wait for their answers. */
export class Questions {
  readonly #waiting = new Map<number, (value: unknown) => void>()
  #last = 0

  /** @param send sends the question with this identifier */
  ask<T>(send: (id: number) => void): Promise<T> {
    this.#last += 1
    const id = this.#last
    return new Promise((resolve) => {
      // Both sides are this program, in one version: the answer has the type of the question.
      this.#waiting.set(id, (value) => resolve(value as T))
      send(id)
    })
  }

  answer(id: number, value: unknown): void {
    this.#waiting.get(id)?.(value)
    this.#waiting.delete(id)
  }
}
