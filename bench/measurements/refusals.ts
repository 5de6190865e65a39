/**
 * Guessing is hopeless and tells nothing: ten thousand wrong credentials from one address, while another key
 * reads on; and how long a refusal takes, for a key that is unknown, revoked, or right but for its secret.
 */
import { randomBytes } from 'node:crypto'
import { revokeKey } from '../../src/core/access/keys/revoke-key.ts'
import { createToken } from '../../src/core/access/keys/token.ts'
import { type Bench, BenchFailed, type Figure, type Measurement } from '../support/bench.ts'
import { bearer, type Client, openClient } from '../support/client.ts'
import { makeNamedKey, openBookings } from '../support/database.ts'
import { median } from '../support/rounds.ts'
import { startService } from '../support/service.ts'

const GUESSES = 10_000
const GUESSES_AT_A_TIME = 50
const PAIRS = 2000
/** of a kind, alternately, before any is counted: the code is compiled then */
const WARM_UP = 300

const PATH = '/v1/guests?sessionId=3'

export const refusals: Measurement = {
  name: 'refusals',
  title: 'wrong credentials: none succeeds, others notice nothing, and no refusal takes longer than another',

  async run(bench: Bench): Promise<Figure[]> {
    const data = await openBookings(bench, 100_000)
    const client = openClient()
    bench.afterwards(() => client.close())
    const key = await makeNamedKey(data.database, '1')
    const unknown = createToken(randomBytes)
    const revoked = await makeNamedKey(data.database, '1')
    await revokeKey(data.database, revoked.publicKey, { now: Date.now() })

    const guarded = await startService(bench, { databaseUrl: data.url })
    const guessed = await guess(client, guarded.url, key.apiKey)

    // A limit far off, so that every refusal is the 401 that is to be timed.
    const patient = await startService(bench, {
      databaseUrl: data.url,
      env: { RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE: '100000' },
    })
    const kinds = {
      unknown: three(key.appId, unknown.publicKey, unknown.secretKey),
      revoked: three(revoked.appId, revoked.publicKey, revoked.secretKey),
      wrong: three(key.appId, key.publicKey, unknown.secretKey),
    }
    const times = await timeRefusals(client, patient.url, kinds)
    const slowest = Math.max(...Object.values(times))
    const fastest = Math.min(...Object.values(times))
    return [
      { what: 'wrong credentials sent', value: GUESSES },
      { what: 'of those let in', value: guessed.letIn, target: { atMost: 0 } },
      { what: 'of those answered 429', value: guessed.limited, target: { atLeast: GUESSES - 1000 } },
      { what: 'reads of another key meanwhile', value: guessed.othersReads, target: { atLeast: 100 } },
      { what: 'of those not answered', value: guessed.othersRefused, target: { atMost: 0 } },
      { what: 'refusal of an unknown key, median', value: times.unknown, unit: 'µs' },
      { what: 'refusal of a revoked key, median', value: times.revoked, unit: 'µs' },
      { what: 'refusal of a wrong secret, median', value: times.wrong, unit: 'µs' },
      { what: 'slowest : fastest of them', value: slowest / fastest, target: { atMost: 1.05 } },
    ]
  },
}

async function guess(client: Client, url: string, apiKey: string) {
  const counts = { letIn: 0, limited: 0, othersReads: 0, othersRefused: 0 }
  let left = GUESSES
  const guessers = Array.from({ length: GUESSES_AT_A_TIME }, async () => {
    while (left > 0) {
      left -= 1
      const { status } = await client.get(url + PATH, bearer(createToken(randomBytes).apiKey))
      if (status === 200) counts.letIn += 1
      else if (status === 429) counts.limited += 1
      else if (status !== 401) throw new BenchFailed(`wrong credentials were answered ${status}`)
    }
  })
  const guessing = Promise.all(guessers)
  let isOver = false
  guessing.finally(() => {
    isOver = true
  })
  while (!isOver) {
    const { status } = await client.get(url + PATH, bearer(apiKey))
    counts.othersReads += 1
    if (status !== 200) counts.othersRefused += 1
  }
  await guessing
  return counts
}

/** Medians in microseconds, one request at a time, the kinds alternately. */
async function timeRefusals<Kind extends string>(
  client: Client,
  url: string,
  kinds: Readonly<Record<Kind, Readonly<Record<string, string>>>>,
): Promise<Record<Kind, number>> {
  const names = Object.keys(kinds) as Kind[]
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Kind, number[]>
  for (let round = -WARM_UP; round < PAIRS; round += 1) {
    // Each kind comes first, second and third equally often.
    for (let place = 0; place < names.length; place += 1) {
      const name = names[(((round + place) % names.length) + names.length) % names.length] as Kind
      const begun = performance.now()
      const { status } = await client.get(url + PATH, kinds[name])
      const took = (performance.now() - begun) * 1000
      if (status !== 401) throw new BenchFailed(`a refusal was answered ${status}`)
      if (round >= 0) times[name].push(took)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name])])) as Record<Kind, number>
}

const three = (appId: string, publicKey: string, secretKey: string) => ({
  'x-api-app-id': appId,
  'x-api-public-key': publicKey,
  'x-api-secret-key': secretKey,
})
