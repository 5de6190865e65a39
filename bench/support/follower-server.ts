/**
 * A client that follows a center's changes and may be killed at any moment: `node follower-server.ts FILE KEY`. FILE
 * contains its cursor together with its copy. It receives the service's URLs, follows continuously, and reports on
 * request whether its copy equals the lists.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Ask, catchUp, type Followed, readAll, startFollowing } from '../../test/changes/model.ts'
import { bearer, openClient } from './client.ts'
import { pick } from './random.ts'

/** Where to send requests; `fresh` caches no answers. With `compare`, the copy is compared. */
export interface FollowerOrder {
  readonly urls: readonly string[]
  readonly fresh: string
  readonly compare: boolean
}

export interface FollowerReport {
  readonly entries: number
  readonly difference: string | undefined
}

const TRIES = 2000

const [file = '', apiKey = ''] = process.argv.slice(2)
const client = openClient()
let order: FollowerOrder = { urls: [], fresh: '', compare: false }
let isNew = false
process.on('message', (given: FollowerOrder) => {
  order = given
  isNew = true
})
process.on('disconnect', () => process.exit())

/** Retries on the same or another instance if one is being killed. */
const askAt =
  (urls: () => readonly string[]): Ask =>
  async (path) => {
    for (let tries = 0; ; tries += 1) {
      try {
        const { status, body } = await client.get(`${pick(urls())}${path}`, bearer(apiKey))
        if (status === 200) {
          const parsed = JSON.parse(body)
          return { body: parsed, list: Array.isArray(parsed) ? parsed : [] }
        }
        // On a busy machine, even a page may take longer than the service allows.
        const isLate = status === 503 || (status === 400 && body.includes('can be read in time'))
        if (!isLate) throw new Error(`${path} was answered ${status}: ${body}`)
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException
        if (tries > TRIES || !['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code)) throw error
      }
      await wait(50)
    }
  }
const ask = askAt(() => order.urls)

while (!isNew) await wait(10)
let followed: Followed = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : await startFollowing(ask)
for (;;) {
  const { compare, fresh } = order
  const isOrdered = isNew
  isNew = false
  followed = await catchUp(ask, followed)
  writeFileSync(`${file}.new`, JSON.stringify(followed))
  renameSync(`${file}.new`, file)
  if (isOrdered && compare) process.send?.(await report(fresh))
  if (!isNew) await wait(300)
}

async function report(fresh: string): Promise<FollowerReport> {
  const { entries, copy } = followed
  for (const [name, url] of [
    ['cached', undefined],
    ['read anew', fresh],
  ] as const) {
    const shown = await readAll(url === undefined ? ask : askAt(() => [url]))
    for (const kind of ['guests', 'sessions', 'orders'] as const) {
      for (const id of new Set([...Object.keys(copy[kind]), ...Object.keys(shown[kind])])) {
        const [has, should] = [copy[kind][id], shown[kind][id]]
        if (isDeepStrictEqual(has, should)) continue
        const difference = `${kind} ${id}: it has ${JSON.stringify(has)}, the list (${name}) shows ${JSON.stringify(should)}`
        return { entries, difference }
      }
    }
  }
  return { entries, difference: undefined }
}
