/** Each alert of deploy/alerts.yml fires in its fault, and none in the ordinary state. */
import { beforeAll, describe, expect, it, test } from 'vitest'
import type { Sample } from '../support/promql.ts'
import { fires, hasPromtool, SCRAPE_SECONDS, type Scrapes } from '../support/promtool.ts'
import { type FaultyService, startFaultyService } from './faulty-service.ts'
import { METRICS, RULES } from './rules.ts'

if (!hasPromtool) {
  process.stderr.write('\nWARNING: NO ALERT WAS TRIED: promtool is not installed.\n\n')
}
const ifPromtool = test.runIf(hasPromtool)

/** More than the longest wait of an alert, 30 minutes, and what it looks back. */
const ORDINARY_SCRAPES = (36 * 60) / SCRAPE_SECONDS
/** An alert that is tried in a fault looks back and waits for at most 15 minutes. */
const FAULT_SCRAPES = (16 * 60) / SCRAPE_SECONDS

type Act = (service: FaultyService, at: number) => unknown

/** Scrapes of a service in which something happens before each. */
async function record(service: FaultyService, act: Act, scrapes: number): Promise<Scrapes> {
  const recorded: (readonly Sample[])[] = []
  for (let at = 0; at < scrapes; at += 1) {
    await act(service, at)
    recorded.push(await service.scrape())
  }
  return recorded
}

const ordinary: Act = async (service, at) => {
  await service.read(1)
  await service.probe()
  if (at % 20 === 0) await service.deliver()
}

/** Faults of a service that is asked meanwhile. Every fault has begun at the second scrape. */
const REAL: Readonly<Record<string, Act>> = {
  SojournDown: async (service, at) => {
    if (at === 1) await service.api.app.close()
  },
  SojournNotReady: async (service, at) => {
    service.faults.pingFails = at > 0
    if (at % 2 === 0) await service.probe()
  },
  SojournErrors: async (service, at) => {
    service.faults.readsFail = at > 0 && at % 5 === 0
    await service.read(4)
  },
  SojournSlow: async (service, at) => {
    // As few as show in each window of five minutes.
    service.faults.readMs = at > 0 && at % 12 === 0 ? 1200 : 0
    await service.read(1)
  },
  SojournMemoryShort: async (service, at) => {
    service.faults.memoryShare = 0.95
    if (at === 0) await expect.poll(async () => (await service.read(1))[0]).toBe(503)
  },
  SojournPoolWaits: (service, at) => {
    service.faults.poolWaits = [{ pool: 'reads', waits: 40 * at, seconds: 20 * at }]
  },
  SojournKeyReadsSlow: async (service, at) => {
    // All but the first wait for the second read.
    if (at % 5 === 0) await service.read(80)
  },
  SojournReplicaBehind: (service, at) => {
    service.faults.replicaLagSeconds = 15 * at
  },
  SojournReplicasUnused: (service) => {
    service.faults.replicasUsable = 0
  },
  SojournLimitStoreAway: (service) => service.read(1),
  SojournTrailNotWritten: async (service, at) => {
    service.faults.writesFail = at > 0
    await service.read(1)
    if (at > 0 && at % 6 === 0) await another(service, 'sojourn_audit_failures_total')
  },
  SojournTrailRefuses: async (service, at) => {
    service.faults.writesFail = at > 0
    await service.read(1)
    if (at === 1) await expect.poll(async () => (await service.read(1))[0]).toBe(503)
  },
  SojournDeliveriesFail: async (service, at) => {
    service.faults.writesFail = at > 0
    if (at % 10 === 0) await service.deliver()
  },
}

/** Waits until a counter has grown. */
async function another(service: FaultyService, metric: string): Promise<void> {
  const read = async () => (await service.scrape()).find(({ name }) => name === metric)?.value ?? 0
  const before = await read()
  await expect.poll(read).toBeGreaterThan(before)
}

/**
 * Faults that would take hours, a full disk, or a mail server that is away: the series are those of the service, with
 * these values. `at` is the number of the scrape.
 */
const GIVEN: Readonly<Record<string, (sample: Sample, at: number) => number>> = {
  SojournReadsRefused: ({ name, value }, at) => (name === 'sojourn_turns_refused_total' ? at : value),
  SojournEventLoopBusy: ({ name, value }, at) =>
    name === 'sojourn_event_loop_busy_seconds_total' ? at * SCRAPE_SECONDS * 0.95 : value,
  SojournDiskLow: ({ name, value }) => (name === 'sojourn_disk_free_bytes' ? 900e6 : value),
  SojournDailyWorkFails: ({ name, value }, at) =>
    name === 'sojourn_daily_work_failures_total' ? Math.min(at, 1) : value,
  SojournTrailIncomplete: ({ name, value }, at) =>
    name === 'sojourn_audit_lost_total' ? Math.min(at, 1) : value,
  SojournTrailClock: ({ name, value }) => (name === 'sojourn_audit_clock_implausible' ? 1 : value),
  SojournSourceProblem: ({ name, value }) => (name === 'sojourn_source_problems_open' ? 1 : value),
  SojournWebhooksFailing: ({ name, value }) => (name === 'sojourn_webhooks_failing' ? 1 : value),
  SojournWebhooksStopped: ({ name, value }) => (name === 'sojourn_webhooks_stopped' ? 1 : value),
  SojournWebhooksBehind: ({ name, value }, at) =>
    name === 'sojourn_webhooks_lag_seconds' ? at * SCRAPE_SECONDS : value,
  SojournReportsNotSent: ({ name, value }) => (name === 'sojourn_reports_missed' ? 1 : value),
  SojournNoticesNotSent: ({ name, value }, at) =>
    name === 'sojourn_notices_waiting_seconds' ? at * SCRAPE_SECONDS : value,
  SojournUsageNotStored: ({ name, value }, at) => (name === 'sojourn_usage_failures_total' ? at : value),
  SojournHeartbeatFails: ({ name, labels, value }, at) =>
    name === 'sojourn_heartbeats_total' && labels.outcome === 'failed' ? at : value,
}

/** The state in which nothing is to fire, also where the store of limits is there. */
const calm = (samples: readonly Sample[]) =>
  samples.map((sample) => (sample.name === 'sojourn_limit_store_away' ? { ...sample, value: 0 } : sample))

let recorded: Scrapes

beforeAll(async () => {
  recorded = (await record(await startFaultyService(), ordinary, ORDINARY_SCRAPES)).map(calm)
})

ifPromtool('no alert fires or is pending in the ordinary state', () => {
  expect(fires(recorded, METRICS, undefined)).toEqual({ status: 0, said: expect.stringContaining('SUCCESS') })
})

describe('an alert', () => {
  it('has a fault of a service, or values, in which it is tried here', () => {
    expect([...Object.keys(REAL), ...Object.keys(GIVEN)].sort()).toEqual(
      RULES.map(({ alert }) => alert).sort(),
    )
  })

  ifPromtool.each(Object.keys(REAL))('%s fires in its fault', async (alert) => {
    const service = await startFaultyService(alert === 'SojournTrailRefuses' ? 0 : undefined)
    const scrapes = await record(service, REAL[alert]!, FAULT_SCRAPES)
    expect(fires(scrapes, METRICS, alert)).toEqual({ status: 0, said: expect.stringContaining('SUCCESS') })
  })

  ifPromtool.each(Object.keys(GIVEN))('%s fires with the values of its fault', (alert) => {
    const valueIn = GIVEN[alert]!
    const scrapes = recorded.map((samples, at) =>
      samples.map((sample) => ({ ...sample, value: valueIn(sample, at) })),
    )
    expect(fires(scrapes, METRICS, alert)).toEqual({ status: 0, said: expect.stringContaining('SUCCESS') })
    // It is these values that it fires for.
    expect(fires(recorded, METRICS, alert).status).not.toBe(0)
  })
})
