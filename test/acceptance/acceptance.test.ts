/** The acceptance suite itself: shown on a full center, on an empty one, and seen to fail on a wrong one. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { demoRecords } from '../../src/intake/demo/demo-records.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { listen } from '../support/socket.ts'
import type { TestRecord } from '../support/world.ts'
import { openSite } from './site.ts'
import { type Outcome, runSuite, SUITE } from './suite.ts'

async function run(api: TestApi, change?: (path: string) => string): Promise<readonly Outcome[]> {
  const { headers, apiKey } = api.key
  const site = openSite(`http://127.0.0.1:${await listen(api.app)}/v1/`, { three: headers, apiKey }, () => {})
  const asked =
    change === undefined ? site : { ...site, get: (path: string, more = {}) => site.get(change(path), more) }
  return runSuite(asked, { group: () => {}, behaviour: () => {} })
}
const failures = (outcomes: readonly Outcome[]) => outcomes.filter(({ result }) => result === 'failed')

describe('the acceptance suite', () => {
  it('shows every behaviour on the demo center', async () => {
    // The generator speaks of records as the import does.
    const records = [...demoRecords({ today: '2026-05-14' })] as unknown as TestRecord[]
    const outcomes = await run(await startTestApi({ records, now: '2026-05-14T09:00:00Z' }))
    // Keys of tests have no limits to tell of.
    expect(outcomes.filter(({ result }) => result !== 'shown').map(({ name }) => name)).toEqual([
      'Answers tell what is left of the key’s limits.',
    ])
  }, 120_000)

  it('fails nothing on an empty center, and says what could not be shown', async () => {
    const outcomes = await run(await startTestApi())
    expect(failures(outcomes)).toEqual([])
    expect(outcomes.filter(({ result }) => result === 'shown').length).toBeGreaterThan(25)
    for (const { result, reason } of outcomes) expect(reason === undefined).toBe(result === 'shown')
  })

  it('fails where a deployment drops a filter, a parameter or a page', async () => {
    const records = [...demoRecords({ today: '2026-05-14' })] as unknown as TestRecord[]
    const api = await startTestApi({ records, now: '2026-05-14T09:00:00Z' })
    const drop = (pattern: RegExp) => run(api, (path) => path.replace(pattern, ''))
    expect(failures(await drop(/&role=(patient|companion|guest)(?=&|$)/)).length).toBeGreaterThan(0)
    expect(failures(await drop(/&colour=red/)).length).toBeGreaterThan(0)
    expect(failures(await drop(/&start=\d+/)).length).toBeGreaterThan(2)
  }, 120_000)
})

describe('docs/acceptance.md', () => {
  it('lists every behaviour under its title, in order, and no other', () => {
    const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'acceptance.md'), 'utf8')
    const listed = [...page.matchAll(/^(?:## (.+)|- (.+))$/gm)].map(([, title, name]) => title ?? name)
    const from = listed.indexOf(SUITE[0]?.title)
    expect(listed.slice(from)).toEqual(
      SUITE.flatMap(({ title, behaviours }) => [title, ...behaviours.map(({ name }) => name)]),
    )
  })
})
