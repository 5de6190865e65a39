/** When each kind of records was last received, from the states of a center's sources (ruling 46). Pure. */
import type { SourceKind } from './delivery.ts'
import type { SourceState } from './evaluate-source.ts'

export interface Received {
  /** epoch ms; undefined if nothing was received that counts */
  readonly at: number | undefined
  /** seconds between two deliveries; undefined without a schedule */
  readonly every: number | undefined
  /** when the data is late if nothing arrives; undefined without a schedule */
  readonly dueAt: number | undefined
}

/**
 * @param committedAt for kinds that no source delivers: the last commit that touched them (a program that writes with
 * SQL); epoch ms
 * @returns nothing for a kind of which nothing is known
 */
export function receivedOf(
  states: readonly SourceState[],
  kind: SourceKind,
  committedAt: number | undefined,
): Received | undefined {
  const own = states.filter(({ kinds }) => kinds.includes(kind))
  const scheduled = own.filter(({ expected }) => expected.includes(kind))
  if (scheduled.length > 0) {
    // Several sources that deliver the same kind: the data is as old as the oldest of them.
    const times = scheduled.map(({ receivedAt }) => receivedAt.get(kind))
    const dues = scheduled.flatMap(({ dueAt }) => dueAt ?? [])
    return {
      at: times.some((at) => at === undefined) ? undefined : Math.min(...times.map((at) => at ?? 0)),
      every: Math.min(...scheduled.map(({ every }) => every ?? Number.POSITIVE_INFINITY)),
      dueAt: dues.length === 0 ? undefined : Math.min(...dues),
    }
  }
  const times = own.flatMap(({ receivedAt }) => receivedAt.get(kind) ?? [])
  if (times.length > 0) return { at: Math.max(...times), every: undefined, dueAt: undefined }
  return committedAt === undefined ? undefined : { at: committedAt, every: undefined, dueAt: undefined }
}
