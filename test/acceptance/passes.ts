/** The acceptance suite against a service that a test has started. */
import { expect } from 'vitest'
import type { TestKey } from '../support/api.ts'
import { openSite } from './site.ts'
import { runSuite } from './suite.ts'

/** @param address `http://HOST:PORT` @param key reads everything of a center with the demo's records */
export async function expectToPass(address: string, key: TestKey): Promise<void> {
  const { headers, apiKey } = key
  const site = await openSite(`${address}/v1/`, { three: headers, apiKey }, () => {})
  const outcomes = await runSuite(site, { group: () => {}, behaviour: () => {} })
  expect(outcomes.filter(({ result }) => result === 'failed')).toEqual([])
  expect(outcomes.filter(({ result }) => result === 'shown').length).toBeGreaterThan(60)
}
