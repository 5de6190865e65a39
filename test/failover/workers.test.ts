/** A service of several processes on one port. */
import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { demoRecords } from '../../src/commands/demo/demo-records.ts'
import { openSite } from '../acceptance/site.ts'
import { runSuite } from '../acceptance/suite.ts'
import { databaseSettings, startServe, startSojourn } from '../commands/sojourn.ts'
import { freePort } from '../support/free-port.ts'
import { servedPostgres } from '../support/served-postgres.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { guest, type TestRecord } from '../support/world.ts'

// Each test starts three processes.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const GUESTS = '/v1/guests?startDate=2025-01-01&endDate=2025-01-31'

async function startWorkers(options: Parameters<typeof servedPostgres>[0] = {}, env = {}) {
  const { url, api } = await servedPostgres({ records: guest('b1'), ...options })
  const operationsPort = await freePort()
  const service = await startServe({
    DATABASE_URL: url,
    DATA_DIR: makeTemporaryFolder(),
    OPERATIONS_PORT: String(operationsPort),
    WORKERS: '2',
    ...env,
  })
  await service.until(/2 processes share the port/)
  const metrics = async () => (await ask(`http://127.0.0.1:${operationsPort}/metrics`)).body
  const metric = async (line: string) => Number((await metrics()).split(`\n${line} `)[1]?.split('\n')[0])
  return { service, api, metric }
}

/** On a connection of its own, so that the system chooses the process anew. */
async function ask(url: string, headers = {}) {
  const agent = new Agent({ keepAlive: false })
  onTestFinished(() => agent.destroy())
  return await new Promise<{ status: number; body: string }>((resolve, reject) => {
    get(url, { agent, headers }, async (answer) => {
      resolve({ status: answer.statusCode ?? 0, body: await text(answer) })
    }).on('error', reject)
  })
}

const statusesOf = async (count: number, url: string, headers = {}) => {
  const answers = await Promise.all(Array.from({ length: count }, () => ask(url, headers)))
  return Object.groupBy(answers, ({ status }) => String(status))
}

/** The processes that another one started and that have not ended. */
const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number)

const isAlive = (pid: number) => {
  try {
    // One that nobody has waited for is still in the list.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

const until = async (isSo: () => boolean | Promise<boolean>) => {
  for (let tries = 0; !(await isSo()); tries += 1) {
    if (tries > 2400) throw new Error('it never became so')
    await wait(50)
  }
}

test('a limit is exact over all processes, and the metrics are those of all', async () => {
  const { service, api, metric } = await startWorkers()
  const key = await api.createKey({ perMinute: 50, perHour: 1000 })
  const statuses = await statusesOf(80, `${service.address}${GUESTS}`, key.headers)
  expect([statuses['200']?.length, statuses['429']?.length]).toEqual([50, 30])
  // The metrics are up to a second old, and those of a process that is busy are left out.
  await until(async () => (await metric('sojourn_rate_limited_total')) === 30)
  await until(async () => (await metric('sojourn_processes')) === 2)
  expect(await metric('sojourn_process_restarts_total')).toBe(0)
})

test('wrong credentials are counted over all processes', async () => {
  const { service } = await startWorkers({}, { RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE: '12' })
  const wrong = { authorization: `Bearer sjn_key_${'a'.repeat(60)}` }
  const statuses = await statusesOf(30, `${service.address}${GUESTS}`, wrong)
  expect([statuses['401']?.length, statuses['429']?.length]).toEqual([12, 18])
})

test('a process that is killed is started again, and the others answer meanwhile', async () => {
  const { service, api, metric } = await startWorkers()
  const [first = 0, second = 0] = childrenOf(service.pid)
  process.kill(second, 'SIGKILL')
  await service.until(/Process 2 ended \(SIGKILL\); another one is started\./)
  const { 200: meanwhile } = await statusesOf(20, `${service.address}${GUESTS}`, api.key.headers)
  expect(meanwhile).toHaveLength(20)
  await until(() => childrenOf(service.pid).length === 2)
  expect(childrenOf(service.pid)).toContain(first)
  await until(async () => (await metric('sojourn_processes')) === 2)
  expect(await metric('sojourn_process_restarts_total')).toBe(1)
})

test('a signal ends the processes one after the other, and the service with them', async () => {
  const { service, api } = await startWorkers({}, { DRAIN_SECONDS: '8' })
  const [first = 0, second = 0] = childrenOf(service.pid)
  const endings: number[] = []
  const watched = Promise.all(
    [first, second].map((pid) => until(() => !isAlive(pid)).then(() => endings.push(pid))),
  )
  service.child.kill('SIGTERM')
  await until(() => !isAlive(first))
  // The second one has the port for itself now, and answers while it drains.
  expect((await ask(`${service.address}${GUESTS}`, api.key.headers)).status).toBe(200)
  expect(await service.ended).toMatchObject({ code: 0, stderr: '' })
  await watched
  expect(endings).toEqual([first, second])
})

test('a second signal ends all at once', async () => {
  const { service } = await startWorkers({}, { DRAIN_SECONDS: '600' })
  const children = childrenOf(service.pid)
  service.child.kill('SIGTERM')
  // Two signals that come at once are one.
  await until(async () => (await ask(`${service.address}/health/ready`)).status === 503)
  service.child.kill('SIGTERM')
  await service.ended
  await until(() => !children.some(isAlive))
})

test('the processes end with the one that started them, however it ends', async () => {
  const { service } = await startWorkers()
  const children = childrenOf(service.pid)
  expect(children).toHaveLength(2)
  service.child.kill('SIGKILL')
  await until(() => !children.some(isAlive))
})

test('what keeps a process from starting is reported once, and ends the service', async () => {
  const service = startSojourn(['serve'], {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    DATA_DIR: makeTemporaryFolder(),
    PORT: '0',
    WORKERS: '3',
  })
  const { code, stderr } = await service.ended
  expect(code).toBe(1)
  expect(stderr.match(/cannot be reached|Cannot reach|refused/gi)).toHaveLength(1)
})

test('the acceptance suite passes on two processes', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const records = [...demoRecords({ today })] as unknown as TestRecord[]
  const { service, api } = await startWorkers({ records })
  const { headers, apiKey } = api.key
  const outcomes = await runSuite(
    await openSite(`${service.address}/v1/`, { three: headers, apiKey }, () => {}),
    { group: () => {}, behaviour: () => {} },
  )
  expect(outcomes.filter(({ result }) => result === 'failed')).toEqual([])
  expect(outcomes.filter(({ result }) => result === 'shown').length).toBeGreaterThan(60)
})

test('an unmigrated database is migrated once, before the processes start', async () => {
  const env = await databaseSettings()
  const service = await startServe({ ...env, WORKERS: '2' }, ['serve', '--migrate'])
  await service.until(/2 processes share the port/)
  expect((await ask(`${service.address}/health/ready`)).status).toBe(200)
})
