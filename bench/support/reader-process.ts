/**
 * The other center's client, in a separate process so that nothing else delays it: `reader-process.ts URL API_KEY`.
 * Each message starts a span of reads and is answered with its result.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { bearer, openClient } from './client.ts'
import { OTHER_SESSIONS, PER_SECOND, type Reads, type Span } from './other-center.ts'

const [url = '', apiKey = ''] = process.argv.slice(2)

/** Another network than the abuser's, so half of the connections are left for it. */
const ADDRESS = '127.0.0.2'

/** Reads one page at a time at a steady rate, however long the answers take. Each one reads from the database. */
async function readFor({ seconds }: Span): Promise<Reads> {
  const client = openClient(ADDRESS)
  const times: number[] = []
  let refused = 0
  const asked = Array.from({ length: seconds * PER_SECOND }, async (_, n) => {
    await wait((n * 1000) / PER_SECOND)
    const begun = performance.now()
    const path = `/v1/guests?sessionId=${n % OTHER_SESSIONS}&length=20&start=${1 + (n % 2)}`
    const isAnswered = await client.get(`${url}${path}`, bearer(apiKey)).then(
      ({ status }) => status === 200,
      // The connection was closed.
      () => false,
    )
    times.push(performance.now() - begun)
    if (!isAnswered) refused += 1
  })
  await Promise.all(asked)
  client.close()
  return { times, refused }
}

process.on('message', async (message: Span) => {
  process.send?.(await readFor(message))
})
