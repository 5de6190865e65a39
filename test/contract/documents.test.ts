/**
 * What a standard asks the documentation to say is there: for each requirement of ASVS 5.0.0 that is met by a page, the
 * sentences that meet it. The numbers in them are those of the code.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DEFAULT_QUOTAS } from '../../src/core/access/keys/quotas.ts'
import { SCOPES } from '../../src/core/access/keys/scopes.ts'
import { PROJECTABLE_NAMES } from '../../src/core/api/guests/projection.ts'
import { readConfig } from '../../src/core/config/config.ts'
import { OPERATIONS } from '../../src/parts.ts'
import { register } from '../../tools/asvs/register.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8').replaceAll(/\s+/g, ' ')
const { failedCredentialsPerMinute, connectionsMax } = readConfig({})

/** By requirement: the page, and what it says. */
const SAID: Readonly<Record<string, readonly (readonly [page: string, sentence: string | RegExp])[]>> = {
  '2.1.1': [
    [
      'docs/contract.md',
      'A query parameter that is unknown, empty, or repeated although it takes one value is a 400.',
    ],
    ['docs/api-design.md', 'YYYY-MM-DD'],
    ['docs/records.md', '## Rules'],
  ],
  '2.1.2': [
    ['docs/contract.md', 'A start after its end is a 400.'],
    ['docs/contract.md', 'or `sessionIds`; anything less is a 400.'],
    ['docs/records.md', '## Rules'],
  ],
  '2.1.3': [
    [
      'docs/limits.md',
      `A key may make ${DEFAULT_QUOTAS.perMinute} requests a minute and ${DEFAULT_QUOTAS.perHour} an hour.`,
    ],
    ['docs/limits.md', `An instance accepts ${connectionsMax} connections at a time`],
    ['docs/limits.md', 'A center may have one heavy read at a time'],
  ],
  '5.1.1': [
    ['docs/sending-changes.md', /too large|at most|MB/],
    ['docs/records.md', '## The format'],
    ['docs/spreadsheets.md', /password/],
  ],
  '6.1.1': [
    [
      'docs/limits.md',
      `An address may send invalid credentials ${failedCredentialsPerMinute} times a minute`,
    ],
    ['docs/limits.md', 'Valid keys from the same address continue to work'],
  ],
  '6.1.3': [
    ['docs/keys.md', '| `appId`, `publicKey`, `secretKey` | the headers'],
    ['docs/keys.md', '`Authorization: Basic`'],
    ['docs/keys.md', '`--intake` creates a key for a booking system'],
    ['docs/security.md', 'Secrets have 190 random bits'],
    ['docs/links.md', /URL/],
  ],
  '7.1.1': [
    ['docs/console.md', '`CONSOLE_IDLE_MINUTES`'],
    ['docs/settings.md', '| `KEY_DAYS_MAX` |'],
  ],
  '7.1.2': [
    ['docs/console.md', 'The number of tabs and browsers with one key is not limited'],
    ['docs/limits.md', 'an application may have one [stream of changes]'],
  ],
  '8.1.1': [
    ['docs/keys.md', '## What a key may read'],
    ['docs/keys.md', /A key has one or more scopes/],
    ...SCOPES.map((scope) => ['docs/keys.md', `| \`${scope}\` |`] as const),
  ],
  '8.1.2': [
    ...PROJECTABLE_NAMES.filter((name) => !name.includes('meta')).map(
      (name) => ['docs/fields.md', `\`${name}\``] as const,
    ),
  ],
  '8.1.3': [
    ['docs/security.md', '## What a decision depends on'],
    ['docs/security.md', "on the address (the key's list), on the channel"],
  ],
  '8.1.4': [
    ['docs/security.md', 'Nothing depends on a device, a place or habits, and no risk is estimated.'],
  ],
  '13.1.1': [
    ['docs/security.md', '**Where they meet the service.** HTTP on one port'],
    ['docs/security.md', 'PostgreSQL, and Redis if limits are shared'],
    ['docs/security.md', /webhooks/i],
  ],
  '13.1.2': [
    ['docs/deployment.md', '`DATABASE_POOL_SIZE`'],
    ['docs/limits.md', 'A read gets a 503 with `Retry-After` if it is not started within 5 s'],
    ['docs/limits.md', 'If the store cannot be reached, each instance counts by itself'],
  ],
  '13.1.3': [
    ['docs/limits.md', 'A stream ends after ten minutes'],
    ['docs/limits.md', 'none waits longer than half a second'],
    ['docs/webhooks.md', /three days/],
  ],
  '14.1.2': [
    ['docs/keys.md', '| `guests.medical` | intake forms, medical letter and notes, measurements |'],
    ['docs/security.md', '**Article 9 (health data).**'],
  ],
  '15.1.3': [
    [
      'docs/limits.md',
      'A read of more than 11 months of guests or orders, or 11 weeks of the report, is heavy.',
    ],
    ['docs/limits.md', 'Reads that are not answered from the cache are queued for the database.'],
  ],
  '16.1.1': [
    ['docs/audit.md', '## What it stores'],
    ['docs/audit.md', '## Refused requests'],
    ['docs/audit.md', '## How long it is stored'],
    ['docs/deployment.md', '## Monitoring'],
  ],
}

describe('the documentation', () => {
  it.each(Object.entries(SAID))('says what requirement %s asks it to say', (_, said) => {
    for (const [page, sentence] of said) {
      const text = textOf(page)
      const isSaid = typeof sentence === 'string' ? text.includes(sentence) : sentence.test(text)
      expect([page, sentence, isSaid]).toEqual([page, sentence, true])
    }
  })

  it('has each operation of the interface', () => {
    const text = textOf('docs/api-design.md')
    expect(
      OPERATIONS.filter(({ paths }) => !text.includes(`/v1${paths[0]}`)).map(({ name }) => name),
    ).toEqual([])
  })

  it('has a row for each requirement that the register calls met by a page alone', () => {
    const byPage = register().filter(({ testFile }) => testFile === 'test/contract/documents.test.ts')
    expect(byPage.length).toBeGreaterThan(10)
    for (const { number } of byPage) expect(SAID[number]?.length, number).toBeGreaterThan(0)
  })
})
