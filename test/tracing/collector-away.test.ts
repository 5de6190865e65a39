/** A collector that is slow, silent, unwilling or gone: the service answers as before, and its memory is bounded. */
import { describe, expect, it, vi } from 'vitest'
import type { Tracing } from '../../src/core/monitoring/tracing.ts'
import { startTestApi } from '../support/api.ts'
import { openTestDatabase } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { session } from '../support/world.ts'
import { type Collector, startCollector, traceWith } from './collector.ts'

const QUEUE = 256
const BATCH = 64
const SMALL = {
  OTEL_BSP_MAX_QUEUE_SIZE: String(QUEUE),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: String(BATCH),
  OTEL_BSP_SCHEDULE_DELAY: '50',
}
const URL = '/v1/sessions?startDate=2025-01-01&endDate=2025-01-31'

async function startTraced(tracing: Tracing) {
  const database = await openTestDatabase()
  return startTestApi({ database, records: [session('s1', '2025-01-06', '2025-01-12')], app: { tracing } })
}

/** How it answers. */
const STATES: Readonly<Record<string, Collector['answer']>> = {
  silent() {},
  unwilling: (_, response) => void response.writeHead(503).end(),
  slow: (_, response) => void setTimeout(() => response.writeHead(200).end(), 300),
}

describe.each(Object.entries(STATES))('a collector that is %s', (state, answer) => {
  it('gets a bounded part of the spans, delays no answer, and is reported once', async () => {
    const collector = await startCollector()
    const said: string[] = []
    const tracing = traceWith({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...SMALL }, (text) =>
      said.push(text),
    )
    collector.answer = answer
    const api = await startTraced(tracing)
    const requests = 1500
    for (let at = 0; at < requests; at += 50) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => api.get(URL)))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    }
    const sent = collector.bodies.length
    await tracing.close()
    // One batch at a time while it runs, and at the end what is in the queue: the rest was dropped. One batch may be on its way, and
    // the last one need not be full.
    const distinct = new Set(collector.spans().map(({ spanId }) => spanId)).size
    expect(distinct).toBeGreaterThan(0)
    expect(distinct).toBeLessThanOrEqual((sent + QUEUE / BATCH + 2) * BATCH)
    if (state === 'silent') expect(distinct).toBeLessThan(requests)
    if (state !== 'slow') {
      await vi.waitFor(() => expect(said).toEqual(['traces cannot be sent for now']), { timeout: 60_000 })
    }
  })
})

it('one that is gone and comes back gets spans again', async () => {
  const port = await freePort()
  const said: string[] = []
  const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, ...SMALL }
  const tracing = traceWith(variables, (text) => said.push(text))
  const api = await startTraced(tracing)
  await expect
    .poll(async () => {
      expect((await api.get(URL)).status).toBe(200)
      return said
    })
    .toEqual(['traces cannot be sent for now'])
  const collector = await startCollector(port)
  await expect
    .poll(async () => {
      expect((await api.get(URL)).status).toBe(200)
      return said
    })
    .toEqual(['traces cannot be sent for now', 'traces are sent again'])
  expect(collector.spans().length).toBeGreaterThan(0)
  expect(said.join()).not.toContain(String(port))
  await tracing.close()
})
