/** No request that began after a key was revoked is answered with data, by any instance. */
import { SOJOURN } from '../../test/support/command.ts'
import { type Bench, BenchFailed, type Figure, type Measurement } from '../support/bench.ts'
import { bearer, openClient } from '../support/client.ts'
import { makeNamedKey, openBookings } from '../support/database.ts'
import { runProgram } from '../support/processes.ts'
import { pick } from '../support/random.ts'
import { serviceEnv, startService } from '../support/service.ts'

const KEYS = 20
const READERS = 32
/** reads go on for so long after the key is revoked */
const AFTERWARDS_MS = 500

export const revocation: Measurement = {
  name: 'revocation',
  title: 'two instances read at full speed; after keys revoke nothing is answered any more',

  async run(bench: Bench): Promise<Figure[]> {
    const data = await openBookings(bench, 100_000)
    const services = [
      await startService(bench, { databaseUrl: data.url }),
      await startService(bench, { databaseUrl: data.url }),
    ]
    const client = openClient()
    bench.afterwards(() => client.close())
    let before = 0
    let after = 0
    let late = 0
    for (let round = 0; round < KEYS; round += 1) {
      const { apiKey, publicKey } = await makeNamedKey(data.database, '1')
      let revokedAt = Number.POSITIVE_INFINITY
      const end = new AbortController()
      const readers = Array.from({ length: READERS }, async () => {
        while (!end.signal.aborted) {
          const begun = performance.now()
          const { status } = await client.get(
            `${pick(services).url}/v1/guests?sessionId=${Math.floor(Math.random() * 20)}`,
            bearer(apiKey),
          )
          const isAfter = begun > revokedAt
          if (isAfter) after += 1
          else before += 1
          if (isAfter && status === 200) late += 1
          else if (status !== 200 && status !== 401 && status !== 429) {
            throw new BenchFailed(`a read was answered ${status}`)
          }
        }
      })
      await new Promise((resolve) => setTimeout(resolve, 300))
      await runProgram(
        process.execPath,
        [...SOJOURN, 'keys', 'revoke', publicKey],
        serviceEnv({ databaseUrl: data.url }),
      )
      revokedAt = performance.now()
      await new Promise((resolve) => setTimeout(resolve, AFTERWARDS_MS))
      end.abort()
      await Promise.all(readers)
    }
    return [
      { what: 'keys revoked under load', value: KEYS },
      { what: 'reads that began before', value: before },
      { what: 'reads that began after', value: after, target: { atLeast: 1000 } },
      { what: 'of those answered with data', value: late, target: { atMost: 0 } },
    ]
  },
}
