/**
 * Two instances behind HAProxy are restarted one after the other while clients read 100 times a second: no request is lost.
 * `RESTARTS=10` repeats it as often, with 1,000 requests for each.
 */
import { once } from 'node:events'
import { Agent, createServer, get } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type SojournProcess, startSojourn } from '../commands/sojourn.ts'
import { freePort } from '../support/free-port.ts'
import { hasHaproxy, startHaproxy } from '../support/haproxy.ts'
import { servedPostgres } from '../support/served-postgres.ts'
import { guest } from '../support/world.ts'

const GUESTS = '/v1/guests?startDate=2025-01-01&endDate=2025-01-31'
const RESTARTS = Number(process.env.RESTARTS ?? 3)
const REQUESTS = RESTARTS * 1000
const EVERY_MS = 10

if (!hasHaproxy) {
  process.stderr.write('\nWARNING: THE TESTS OF RESTARTS DID NOT RUN: haproxy is not installed.\n\n')
}

type Outcome = 'answered' | 'refused' | { readonly lost: string }

test.runIf(hasHaproxy)(
  'restarts under 100 requests a second lose none of them',
  async () => {
    const { url, api } = await servedPostgres({ records: guest('b1') })
    const ports = [await freePort(), await freePort()]
    const start = async (port: number): Promise<SojournProcess> => {
      const env = { DATABASE_URL: url, PORT: String(port), DRAIN_SECONDS: '5', LOG_LEVEL: 'silent' }
      const started = startSojourn(['serve'], env)
      await started.until(/listens on/)
      return started
    }
    const instances = await Promise.all(ports.map(start))
    const proxy = await startHaproxy(ports)
    const agent = new Agent({ keepAlive: true, maxSockets: 64 })
    onTestFinished(() => agent.destroy())
    await Promise.all(ports.map((_, at) => proxy.untilUp(at)))

    let restarts = 0
    const restart = async () => {
      for (; restarts < RESTARTS; restarts += 1) {
        const at = restarts % ports.length
        instances[at]!.child.kill('SIGTERM')
        expect(await instances[at]!.ended).toMatchObject({ code: 0, stderr: '' })
        instances[at] = await start(ports[at]!)
        // The proxy uses it before the other one stops.
        await proxy.untilUp(at)
      }
    }
    const restarting = restart()
    const asked: Promise<Outcome>[] = []
    const begun = performance.now()
    while (asked.length < REQUESTS || restarts < RESTARTS) {
      await Promise.race([wait(EVERY_MS), restarting.then(() => wait(EVERY_MS))])
      // As many as are due, so that a machine that is busy for a moment sends them afterwards.
      const due = (performance.now() - begun) / EVERY_MS
      while (asked.length < due) asked.push(ask(`${proxy.url}${GUESTS}`, agent, api.key.headers))
    }
    await restarting
    const outcomes = await Promise.all(asked)
    const lost = outcomes.filter((outcome) => typeof outcome === 'object')
    const count = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length
    process.stdout.write(
      `${restarts} restarts: ${count('answered')} answered, ${count('refused')} refused, ${lost.length} lost\n`,
    )
    expect(lost, proxy.troubles.join('\n')).toEqual([])
    // Nothing else was the answer to all of them.
    expect(count('answered')).toBeGreaterThan(count('refused'))
  },
  900_000,
)

test.runIf(hasHaproxy)('the proxy refuses in our format while no instance answers', async () => {
  const proxy = await startHaproxy([await freePort()])
  const agent = new Agent()
  onTestFinished(() => agent.destroy())
  expect(await ask(`${proxy.url}${GUESTS}`, agent, {})).toBe('refused')
})

test.runIf(hasHaproxy)(
  'the proxy refuses in our format where an instance ends with a request and none takes it',
  async () => {
    let asked = 0
    const instance = createServer((request, response) => {
      if (request.url === '/health/ready') return void response.end()
      asked += 1
      if (asked === 1) return void response.end('{"total":1}')
      instance.close()
      instance.closeAllConnections()
    })
    onTestFinished(() => void instance.close())
    const port = await freePort()
    await once(instance.listen(port, '127.0.0.1'), 'listening')
    const proxy = await startHaproxy([port])
    await proxy.untilUp(0)
    // One connection of the client, which HAProxy would close without an answer.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    expect(await ask(`${proxy.url}${GUESTS}`, agent, {})).toBe('answered')
    expect(await ask(`${proxy.url}${GUESTS}`, agent, {})).toBe('refused')
    expect(asked).toBe(2)
  },
)

function ask(url: string, agent: Agent, headers: Readonly<Record<string, string>>): Promise<Outcome> {
  return new Promise((resolve) => {
    get(url, { agent, headers }, async (answer) => {
      const body = await text(answer).catch(String)
      if (answer.statusCode === 200 && body.includes('"total":1')) resolve('answered')
      else if (isRefusal(answer.statusCode, answer.headers, body)) resolve('refused')
      else resolve({ lost: `${answer.statusCode} ${body}` })
    }).on('error', (error) => resolve({ lost: String(error) }))
  })
}

/** Whether it is a 503 in the format of every error, with the time to wait. */
function isRefusal(
  status: number | undefined,
  headers: Readonly<Record<string, unknown>>,
  body: string,
): boolean {
  if (status !== 503 || headers['content-type'] !== 'application/json; charset=utf-8') return false
  if (!/^[1-9]\d*$/.test(String(headers['retry-after']))) return false
  try {
    const { error } = JSON.parse(body)
    return (
      error.code === 'UNAVAILABLE' &&
      error.message.length > 0 &&
      error.requestId === headers['x-request-id'] &&
      error.docs === '/docs/guide/errors#unavailable'
    )
  } catch {
    return false
  }
}
