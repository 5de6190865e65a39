import { expect, it } from 'vitest'
import { startTestApi } from '../support/api.ts'
import { spa } from '../support/world.ts'

it('what was limited and recorded is counted for the metrics', async () => {
  const api = await startTestApi({ records: [spa()] })
  const key = await api.createKey({ perMinute: 2, perHour: null })
  const other = await api.createKey()
  const url = '/v1/guests?sessionId=s1'
  for (let request = 0; request < 5; request++) await api.as(key).get(url)
  for (let guess = 0; guess < 34; guess++) {
    await api.as(undefined).get(url, { ...key.headers, 'x-api-secret-key': other.secretKey })
  }
  const { text } = await api.as(undefined).get('/metrics')
  const metrics = new Map(text.split('\n').map((line) => line.split(' ') as [string, string]))
  expect(metrics.get('sojourn_rate_limited_total')).toBe('3')
  expect(metrics.get('sojourn_wrong_credentials_limited_total')).toBe('4')
  expect(metrics.get('sojourn_audit_refused_total')).toBe('0')
  expect(metrics.get('sojourn_audit_failures_total')).toBe('0')
  expect(
    Number(metrics.get('sojourn_audit_written_total')) + Number(metrics.get('sojourn_audit_waiting')),
  ).toBe(2)
  expect(metrics.has('sojourn_limit_store_away')).toBe(false)
})

it('waits for a connection are counted by pool, and reads of keys with the requests that shared them', async () => {
  const api = await startTestApi({ records: [spa()], app: { metricsEveryMs: 0, answerCacheMb: 0 } })
  const url = '/v1/guests?sessionId=s1'
  await Promise.all(Array.from({ length: 20 }, () => api.get(url)))
  const { text } = await api.as(undefined).get('/metrics')
  const numbers = (name: string) =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .map((line) => [line.slice(name.length, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))])
  const pools = ['reads', 'streams', 'writes', 'reserved'].map((pool) => `{pool="${pool}"}`)
  for (const name of ['sojourn_pool_waits_total', 'sojourn_pool_wait_seconds_total']) {
    expect(text).toContain(`# TYPE ${name} counter`)
    expect(numbers(name).map(([label]) => label)).toEqual(pools)
  }
  // The first statement of a pool waits until its connection is open.
  expect(Object.fromEntries(numbers('sojourn_pool_waits_total'))['{pool="reads"}']).toBeGreaterThan(0)
  const [[, batches] = []] = numbers('sojourn_revision_batches_total')
  const [[, requests] = []] = numbers('sojourn_revision_batch_requests_total')
  expect(batches).toBeGreaterThan(0)
  expect(Number(requests)).toBeGreaterThanOrEqual(Number(batches))
  const [[, busy] = []] = numbers('sojourn_event_loop_busy_seconds_total')
  expect(busy).toBeGreaterThan(0)
  expect(text).toMatch(/^nodejs_eventloop_lag_max_seconds /m)
})
