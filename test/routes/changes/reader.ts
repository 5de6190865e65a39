/** Somebody who reads a list to its end, by nothing but `next` of the `Link` header. */
import { hash } from 'node:crypto'
import { expect } from 'vitest'
import type { Asker, TestAnswer } from '../../support/api.ts'

/** Where the link of this relation leads. */
export const linkOf = ({ headers }: Pick<TestAnswer, 'headers'>, relation: string): string | undefined =>
  new RegExp(`<([^>]*)>; rel="${relation}"`).exec(String(headers.link))?.[1]

/** What a client makes of the identifiers that it has read. */
export const digestOf = (ids: readonly string[]): string =>
  hash('sha256', ids.map((id) => `${id}\n`).join(''), 'hex')

/** The identifiers that an answer shows; guests are asked for theirs with `project=id`. */
export const idsOf = (answer: TestAnswer): string[] =>
  (answer.list.length > 0 ? answer.list : answer.body.data).map(({ uuid, _id, id }) =>
    String(uuid ?? _id ?? id),
  )

export interface Reading {
  readonly ids: readonly string[]
  /** the answer that ended it: the last page, or the first that was no 200 */
  readonly last: TestAnswer
  readonly pages: number
}

/** @param between is called before every page but the first */
export async function allPages(
  asker: Asker,
  first: string,
  between: () => Promise<unknown> = async () => {},
): Promise<Reading> {
  const ids: string[] = []
  let pages = 0
  for (let url: string | undefined = first; ; ) {
    const answer: TestAnswer = await asker.get(url)
    if (answer.status !== 200) return { ids, last: answer, pages }
    pages += 1
    ids.push(...idsOf(answer))
    const next = linkOf(answer, 'next')
    if (next === undefined) return { ids, last: answer, pages }
    expect(answer.headers).not.toHaveProperty('snapshot-digest')
    url = next
    await between()
  }
}
