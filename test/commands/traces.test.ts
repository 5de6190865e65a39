/** `sojourn serve` with and without a collector of OpenTelemetry. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { databaseSettings, type Env, startServe, startSojourn } from './sojourn.ts'

/**
 * Prints how many modules a process has loaded of the SDK, and of what uses it, when it ends. The API of OpenTelemetry is
 * also loaded by the library of metrics.
 */
const WATCH = `
  import { registerHooks } from 'node:module'
  import { isMainThread } from 'node:worker_threads'
  const loaded = []
  registerHooks({
    load(url, context, next) {
      loaded.push(url)
      return next(url, context)
    },
  })
  if (isMainThread) process.on('exit', () => {
    const own = loaded.filter((url) => /@opentelemetry\\/(?!api\\/)|\\/(src|dist)\\/tracing\\//.test(url))
    process.stderr.write(JSON.stringify({ modules: loaded.length, own: own.length }))
  })
`
const watched = (env: Env): Env => ({
  ...env,
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(WATCH)}`,
})

/** A collector that takes connections and never answers. */
async function silentCollector() {
  let requests = 0
  const server = createServer((request) => {
    requests += 1
    request.resume()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests: () => requests }
}

test('a service without a collector loads no module of tracing', async () => {
  const { address, child, ended } = await startServe(watched(await databaseSettings()))
  expect((await fetch(`${address}/v1/guests`)).status).toBe(401)
  child.kill('SIGTERM')
  const { code, stderr } = await ended
  const { modules, own } = JSON.parse(stderr)
  expect({ code, own }).toEqual({ code: 0, own: 0 })
  expect(modules).toBeGreaterThan(300)
})

test('a service whose collector is silent answers, and ends by itself', async () => {
  const collector = await silentCollector()
  const { address, child, ended } = await startServe({
    ...watched(await databaseSettings()),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '100',
  })
  for (let times = 0; times < 20; times += 1) {
    expect((await fetch(`${address}/v1/guests`)).status).toBe(401)
  }
  await expect.poll(collector.requests).toBeGreaterThan(0)
  child.kill('SIGTERM')
  const { code, stderr } = await ended
  // A service that does not end by itself in time is ended with another code.
  expect(code).toBe(0)
  const own = /"own":(\d+)/.exec(stderr)?.[1]
  expect(Number(own)).toBeGreaterThan(10)
})

test('a variable that cannot be read is named, and the service does not start', async () => {
  const env = await databaseSettings()
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }
  const serve = (more: Env) => startSojourn(['serve'], { PORT: '0', ...env, ...endpoint, ...more }).ended
  const sampler = await serve({ OTEL_TRACES_SAMPLER: 'sometimes' })
  expect(sampler.stderr).toContain('OTEL_TRACES_SAMPLER must be one of always_on, ')
  const address = await serve({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })
  expect(address.stderr).toContain('OTEL_EXPORTER_OTLP_ENDPOINT')
  expect([sampler.code, address.code]).toEqual([1, 1])
})
