/** The acceptance suite itself: shown on a full center, on an empty one, and seen to fail on a wrong one. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { demoRecords } from '../../src/parts/demo/demo-records.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { listen } from '../support/socket.ts'
import type { TestRecord } from '../support/world.ts'
import type { BehaviourGroup } from './behaviour.ts'
import { errors } from './behaviours/errors.ts'
import { guestBehaviours } from './behaviours/guests.ts'
import { sessions } from './behaviours/sessions.ts'
import { openSite, type Site } from './site.ts'
import { type Outcome, runSuite, SUITE } from './suite.ts'

const silent = { group: () => {}, behaviour: () => {} }

async function siteOf(api: TestApi): Promise<Site> {
  const { headers, apiKey } = api.key
  return openSite(`http://127.0.0.1:${await listen(api.app)}/v1/`, { three: headers, apiKey }, () => {})
}
const failures = (outcomes: readonly Outcome[]) => outcomes.filter(({ result }) => result === 'failed')

describe('the acceptance suite', () => {
  it('shows every behaviour on the demo center', async () => {
    // The generator speaks of records as the import does.
    const records = [...demoRecords({ today: '2026-05-14' })] as unknown as TestRecord[]
    const api = await startTestApi({ records, now: '2026-05-14T09:00:00Z' })
    const outcomes = await runSuite(await siteOf(api), silent)
    // Keys of tests have no limits to tell of.
    expect(outcomes.filter(({ result }) => result !== 'shown').map(({ name }) => name)).toEqual([
      'Answers tell what is left of the key’s limits.',
    ])
  })

  it('fails nothing on an empty center, and says what could not be shown', async () => {
    const outcomes = await runSuite(await siteOf(await startTestApi()), silent)
    expect(failures(outcomes)).toEqual([])
    expect(outcomes.filter(({ result }) => result === 'shown').length).toBeGreaterThan(25)
    for (const { result, reason } of outcomes) expect(reason === undefined).toBe(result === 'shown')
  })

  it('fails where a deployment drops a filter, a parameter or a page', async () => {
    const records = [...demoRecords({ today: '2026-05-14' })] as unknown as TestRecord[]
    const api = await startTestApi({ records, now: '2026-05-14T09:00:00Z' })
    const site = await siteOf(api)
    const failuresWithout = async (pattern: RegExp, group: BehaviourGroup) => {
      const deaf: Site = { ...site, get: (path, headers) => site.get(path.replace(pattern, ''), headers) }
      return failures(await runSuite(deaf, silent, [group])).length
    }
    expect(await failuresWithout(/&role=(patient|companion|guest)(?=&|$)/, guestBehaviours)).toBeGreaterThan(
      0,
    )
    expect(await failuresWithout(/&colour=red/, errors)).toBeGreaterThan(0)
    expect(await failuresWithout(/&start=\d+/, sessions)).toBeGreaterThan(0)
  })
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
