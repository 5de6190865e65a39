/** A report on its way to one destination. */
import type { Rendered } from '../documents/document.ts'

export interface ReportDelivery {
  /** the same in every attempt: letters, digits and hyphens */
  readonly id: string
  readonly rendered: Rendered
  /** without its extension; the same in every attempt */
  readonly fileName: string
  readonly title: string
  /** what the document says of its age, and that it is a copy; lines */
  readonly remarks: readonly string[]
  /** epoch ms */
  readonly scheduledAt: number
  readonly asOf: number
  readonly isCopy: boolean
  readonly report: { readonly id: string; readonly name: string; readonly kind: string }
}

/**
 * `sent`: the destination has it, now or since an earlier attempt. `waiting`: to be tried again. `failed`: it will not take
 * it. The problem has no personal data.
 */
export type Outcome =
  | { readonly state: 'sent' }
  | { readonly state: 'waiting' | 'failed'; readonly problem: string }

export const SENT: Outcome = { state: 'sent' }
export const wait = (problem: string): Outcome => ({ state: 'waiting', problem })
export const fail = (problem: string): Outcome => ({ state: 'failed', problem })
