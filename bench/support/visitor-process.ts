/**
 * The other center's client, in a process of its own so that nothing else delays it: `visitor-process.ts URL API_KEY`.
 * Each message asks for a visit, and is answered with what was seen.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { bearer, openClient } from './client.ts'
import { OTHER_SESSIONS, PER_SECOND, type Visit, type Visited } from './other-center.ts'

const [url = '', apiKey = ''] = process.argv.slice(2)

/** Another network than the abuser's, which has half of the connections for itself. */
const ADDRESS = '127.0.0.2'

/** A page at a time, at a steady rate whatever the answers take, each one a read of the database. */
async function visit({ seconds }: Visit): Promise<Visited> {
  const client = openClient(ADDRESS)
  const times: number[] = []
  let refused = 0
  const asked = Array.from({ length: seconds * PER_SECOND }, async (_, n) => {
    await wait((n * 1000) / PER_SECOND)
    const begun = performance.now()
    const path = `/v1/guests?sessionId=${n % OTHER_SESSIONS}&length=20&start=${1 + (n % 2)}`
    const isAnswered = await client.get(`${url}${path}`, bearer(apiKey)).then(
      ({ status }) => status === 200,
      // Its connection was cut.
      () => false,
    )
    times.push(performance.now() - begun)
    if (!isAnswered) refused += 1
  })
  await Promise.all(asked)
  client.close()
  return { times, refused }
}

process.on('message', async (message: Visit) => {
  process.send?.(await visit(message))
})
