/** A desk that commits at random, and requests whose cached answers are compared with the same ones read anew. */
import { setTimeout as wait } from 'node:timers/promises'
import sql, { raw } from 'sql-template-tag'
import type { Queryable } from '../../src/core/database/database.ts'
import { type Random, randomCommit, randomRequest, runCommit } from '../support/random-center.ts'

/** A service that is asked. */
export type Read = (
  url: string,
  headers: Record<string, string>,
) => Promise<{ readonly status: number; readonly etag: string | undefined; readonly text: string }>

export interface Comparing {
  readonly random: Random
  readonly commit: (work: (tx: Queryable) => Promise<void>) => Promise<void>
  /** one that keeps answers */
  readonly cached: Read
  /** one that keeps none */
  readonly fresh: Read
  /** how many different requests are asked again and again */
  readonly requests: number
  /** how many of them are compared after each commit */
  readonly sample: number
  readonly comparisons: number
  /** called after each commit */
  readonly onCommit?: (compared: number) => void
}

export interface Compared {
  readonly comparisons: number
  readonly commits: number
  /** of the first answer that was retained wrongly; undefined where none was */
  readonly difference: string | undefined
}

export async function compareCached(options: Comparing): Promise<Compared> {
  const { random, cached, fresh } = options
  const asked = Array.from({ length: options.requests }, () => randomRequest(random))
  let comparisons = 0
  let commits = 0
  for (; comparisons < options.comparisons; commits += 1) {
    for (let n = 0; n < options.sample; n += 1) {
      const { url, locale } = options.sample < asked.length ? random.pick(asked) : asked[n % asked.length]!
      const headers = { 'x-locale': locale }
      const [ours, theirs] = [await answered(cached, url, headers), await answered(fresh, url, headers)]
      comparisons += 1
      const difference = differenceOf(ours, theirs)
      if (difference === undefined) continue
      return {
        comparisons,
        commits,
        difference: `after ${commits} commits, ${url} in ${locale}: ${difference}`,
      }
    }
    const statements = randomCommit(random)
    await options.commit((tx) => runCommit(tx, statements))
    options.onCommit?.(comparisons)
  }
  return { comparisons, commits, difference: undefined }
}

type Answered = Awaited<ReturnType<Read>>

const TRIES = 300

const isLate = ({ status, text }: Answered) =>
  status === 503 || (status === 400 && text.includes('can be read in time'))

/** A machine that is busy with something else may take longer than the service waits: then it is asked again. */
async function answered(read: Read, ...request: Parameters<Read>): Promise<Answered> {
  let answer = await read(...request)
  for (let tries = 1; isLate(answer) && tries < TRIES; tries += 1) {
    await wait(100)
    answer = await read(...request)
  }
  return answer
}

function differenceOf(cached: Answered, fresh: Answered): string | undefined {
  if (fresh.status >= 500) return `read anew it is ${fresh.status}: ${fresh.text}`
  if (cached.status === fresh.status && cached.etag === fresh.etag && cached.text === fresh.text)
    return undefined
  return `cached ${cached.status} ${cached.etag} ${cached.text}\nfresh ${fresh.status} ${fresh.etag} ${fresh.text}`
}

/** Breaks what notes changes on purpose: from now on a change of this column is not noted. @param column `bookings.status` */
export async function forgetColumn(database: Queryable, column: string): Promise<void> {
  const [table = ''] = column.split('.')
  const [row] = await database.query<{ made: string }>(
    sql`select pg_get_functiondef(oid) as made from pg_proc where proname = ${`changed_${table}`}`,
  )
  const made = row?.made ?? ''
  if (!made.includes(`then '${column}' end`)) throw new Error(`no change of ${column} is noted`)
  await database.query(raw(made.replace(`then '${column}' end`, 'then null end')))
}
