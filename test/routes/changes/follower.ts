/** Somebody who follows the changes of a center with nothing but the cursor of the answer before. */
import { expect } from 'vitest'
import type { Asker, TestAnswer } from '../../support/api.ts'

export interface Entry {
  readonly kind: string
  readonly id: string | null
  readonly operation: string
  readonly groups: readonly string[]
  readonly sessionIds: readonly string[]
  readonly days: readonly { readonly from: string; readonly to: string }[]
  readonly at: string
}

export const entriesOf = (answer: TestAnswer): readonly Entry[] => {
  expect(answer.status, answer.text).toBe(200)
  // Judged by the test's expectations.
  return answer.body.data as unknown as readonly Entry[]
}

export const cursorOf = (answer: TestAnswer): string => String(answer.body.cursor)

/** `changed guests b1`, one for each entry */
export const said = (entries: readonly Entry[]): string[] =>
  entries.map(({ operation, kind, id }) => `${operation} ${kind} ${id}`)

export interface Follower {
  /** what came since the last call, all of it */
  next(): Promise<readonly Entry[]>
  cursor(): string
}

/** Begins at this moment. @param query next to the cursor */
export async function follow(asker: Asker, query: Readonly<Record<string, string>> = {}): Promise<Follower> {
  let cursor = cursorOf(await asker.get(`/v1/changes?${new URLSearchParams(query)}`))
  return {
    cursor: () => cursor,
    async next() {
      const entries: Entry[] = []
      for (let more = true; more; ) {
        const answer = await asker.get(`/v1/changes?${new URLSearchParams({ ...query, after: cursor })}`)
        entries.push(...entriesOf(answer))
        cursor = cursorOf(answer)
        more = answer.body.more === true
      }
      return entries
    },
  }
}
