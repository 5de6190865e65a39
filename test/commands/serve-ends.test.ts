/** How `sojourn serve` ends: by signals, under npm and under what sends a signal to all at once. */
import { spawn } from 'node:child_process'
import { Agent, get } from 'node:http'
import { createConnection } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { SOJOURN } from '../support/command.ts'
import { proxyTo } from '../support/tcp-proxy.ts'
import { databaseSettings, type Env, sojourn, startServe, startSojourn } from './sojourn.ts'

let env: Env
beforeAll(async () => {
  env = await databaseSettings()
})

describe('the end of the service', () => {
  // Longer than any test: what waited for the grace period would not end.
  const LONG = { SHUTDOWN_GRACE_MS: '600000' }

  test('by a signal is clean and soon, idle connections or not, and what it had is free', async () => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      // On the data of the one before.
      const { address, child, ended } = await startServe({ ...env, ...LONG })
      const agent = new Agent({ keepAlive: true })
      onTestFinished(() => agent.destroy())
      await new Promise((resolve) =>
        get(`${address}/health/live`, { agent }, (answer) => answer.resume().on('end', resolve)),
      )
      child.kill(signal)
      expect(await ended, signal).toMatchObject({ code: 0, signal: null, stderr: '' })
    }
    expect(await sojourn(['status'], env)).toMatchObject({ code: 0 })
  }, 300_000)

  test('cuts what is under way after the grace', async () => {
    const { address, child, ended } = await startServe({ ...env, SHUTDOWN_GRACE_MS: '300' })
    await holdOpen(address)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0 })
  })

  test('by a second signal cuts what is under way at once', async () => {
    const { address, child, ended } = await startServe({ ...env, ...LONG })
    await holdOpen(address)
    child.kill('SIGINT')
    // It has taken the first one when it no longer listens.
    await untilRefused(address)
    child.kill('SIGINT')
    // Where not everything was written in time, the process ends all the same, with 130.
    expect([0, 130]).toContain((await ended).code)
  })

  test('with a database that cannot be closed says so, and is not clean', async () => {
    const proxy = await proxyTo(env.DATABASE_URL ?? '')
    onTestFinished(() => proxy.close())
    const { child, ended } = await startServe({ ...env, DATABASE_URL: proxy.url })
    proxy.goSilent()
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({
      code: 1,
      signal: null,
      stderr: expect.stringContaining('in which the database was not closed'),
    })
  })

  test('begins with a drain: it is not ready, and each answer is the last of its connection', async () => {
    const { address, child, ended } = await startServe({ ...env, DRAIN_SECONDS: '600' })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const ask = (path: string) =>
      new Promise<{ status: number | undefined; connection: string | undefined; retry: string | undefined }>(
        (resolve, reject) => {
          get(`${address}${path}`, { agent }, (answer) => {
            const { connection, 'retry-after': retry } = answer.headers
            answer.resume().on('end', () => resolve({ status: answer.statusCode, connection, retry }))
          }).on('error', reject)
        },
      )
    expect(await ask('/health/ready')).toMatchObject({ status: 200, connection: 'keep-alive' })
    child.kill('SIGTERM')
    await expect.poll(() => ask('/health/ready')).toEqual({ status: 503, connection: 'close', retry: '2' })
    expect(await ask('/health/live')).toMatchObject({ status: 200, connection: 'close' })
    expect(await ask('/v1/guests')).toMatchObject({ status: 401, connection: 'close' })
    child.kill('SIGTERM')
    const end = await ended
    expect([0, 143]).toContain(end.code)
    expect(end.stderr).toBe('')
  })

  test('before it listens comes at once', async () => {
    const service = startSojourn(['serve'], { ...env, PORT: '0' })
    await wait(50)
    service.child.kill('SIGINT')
    expect((await service.ended).code).not.toBe(0)
  })

  test('under npm comes with the end of its shell, which tells it nothing', async () => {
    const script = `${[process.execPath, ...SOJOURN].map((word) => `"${word}"`).join(' ')} serve; exit $?`
    const shell = spawn('sh', ['-c', script], { env: { ...env, PORT: '0', npm_lifecycle_event: 'start' } })
    let output = ''
    shell.stdout.on('data', (bytes) => {
      output += String(bytes)
    })
    const ended = new Promise((resolve) => shell.stdout.on('close', resolve))
    onTestFinished(() => void shell.kill('SIGKILL'))
    await expect.poll(() => output, { timeout: 60_000 }).toMatch(/listens on/)
    shell.kill('SIGTERM')
    // Its end of the pipe closes as the service ends.
    await ended
    await untilRefused(/http:\S+/.exec(output)?.[0] ?? '')
  })
})

/** A program that a signal ends as one that does not serve yet. */
const startingProgram = `
    const { endAtOnceOnSignals } = await import('${new URL('../../src/core/command-line/ending.ts', import.meta.url).href}')
    const ending = endAtOnceOnSignals()`

/** A program that ends as the service does, with the code in `then` once the first signal came. */
const endingProgram = (then: string) => `${startingProgram}
    const signaled = ending.awaitSignal()
    const alive = setInterval(() => {}, 1000)
    console.log('ready')
    await signaled
    ending.onSecondSignal(() => console.log('hurried'))
    ${then}`

test('a signal to npm and the service at once, as systemd sends it, is one signal', async () => {
  // Longer than it takes to notice that npm's shell has gone.
  const program = endingProgram(`setTimeout(() => {
      console.log('ended')
      clearInterval(alive)
    }, 1000)`)
  const script = `"${process.execPath}" --input-type=module -e '${program.replaceAll("'", '"')}'; exit $?`
  const group = spawn('sh', ['-c', script], { env: { npm_lifecycle_event: 'start' }, detached: true })
  let output = ''
  group.stdout.on('data', (bytes) => {
    output += String(bytes)
  })
  onTestFinished(() => void group.kill('SIGKILL'))
  await expect.poll(() => output, { timeout: 60_000 }).toBe('ready\n')
  process.kill(-(group.pid ?? 0), 'SIGTERM')
  await expect.poll(() => output, { timeout: 60_000 }).toMatch(/ended/)
  expect(output).toBe('ready\nended\n')
}, 300_000)

test('a third signal ends at once, and does not say that nothing was served', async () => {
  const child = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    endingProgram("console.log('signaled')"),
  ])
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes) => {
      output += String(bytes)
    })
  }
  const ended = new Promise((resolve) => child.on('close', resolve))
  for (const seen of ['ready\n', 'ready\nsignaled\n', 'ready\nsignaled\nhurried\n']) {
    await expect.poll(() => output, { timeout: 60_000 }).toBe(seen)
    child.kill('SIGTERM')
  }
  expect(await ended).toBe(143)
  expect(output).toBe('ready\nsignaled\nhurried\n')
}, 300_000)

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)(
  '%s before it serves is reported in the exit code %i',
  async (signal, code) => {
    const program = `${startingProgram}
    setInterval(() => {}, 1000)
    console.log('ready')`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program])
    onTestFinished(() => void child.kill('SIGKILL'))
    let said = ''
    child.stderr.on('data', (bytes) => {
      said += String(bytes)
    })
    const ended = new Promise((resolve) => child.on('close', resolve))
    await new Promise((resolve) => child.stdout.once('data', resolve))
    child.kill(signal)
    expect(await ended).toBe(code)
    expect(said).toBe('Ended before it served anything.\n')
  },
  120_000,
)

/** A request that never ends. */
async function holdOpen(address: string): Promise<void> {
  const { hostname, port } = new URL(address)
  const socket = createConnection({ host: hostname, port: Number(port) })
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await new Promise((resolve) => socket.on('connect', resolve))
  await new Promise((resolve) => socket.write('GET /v1/guests HTTP/1.1\r\nHost: x\r\nX-Slow: ', resolve))
  // The service has it once it has answered a later one.
  await fetch(`${address}/health/live`)
}

async function untilRefused(address: string): Promise<void> {
  const end = performance.now() + 10_000
  while (performance.now() < end) {
    try {
      await fetch(`${address}/health/live`)
    } catch {
      return
    }
    await wait(10)
  }
  throw new Error('it went on listening')
}
