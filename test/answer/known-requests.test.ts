/** What is known of requests that were answered, so that asking again parses nothing. */
import { expect, test } from 'vitest'
import type { Basis } from '../../src/core/answer/cache-keys.ts'
import { createKnownRequests, type KnownRequest } from '../../src/core/answer/known-requests.ts'
import { generationNamed } from '../../src/core/database/generation.ts'
import { centerId } from '../../src/core/records/centers/center.ts'

const basis: Basis = {
  center: centerId('spa'),
  generation: generationNamed('a'),
  revision: 1,
  profileRevision: 1,
  operation: 'listGuests',
  facts: { language: 'en' },
}
const known = (text?: string): KnownRequest => ({
  cacheKey: 'name',
  requiredScopes: [],
  recorded: '',
  link: { etag: 'tag', text },
})

test('a request is known by its text and whatever its answer depends on', () => {
  const requests = createKnownRequests()
  const first = known()
  requests.set(basis, '/v1/guests?a', first)
  expect(requests.get(basis, '/v1/guests?a')).toBe(first)
  // Commits change what the answer is, not what the request means.
  expect(requests.get({ ...basis, revision: 2 }, '/v1/guests?a')).toBe(first)
  for (const other of [
    { ...basis, center: centerId('lodge') },
    { ...basis, profileRevision: 2 },
    { ...basis, facts: { language: 'ro' } as const },
  ]) {
    expect(requests.get(other, '/v1/guests?a')).toBeUndefined()
  }
  expect(requests.get(basis, '/v1/guests?b')).toBeUndefined()
})

test('a long text is not cached', () => {
  const requests = createKnownRequests()
  requests.set(basis, 'x'.repeat(2000), known())
  requests.set(basis, 'x'.repeat(2001), known())
  expect(requests.get(basis, 'x'.repeat(2000))).toBeDefined()
  expect(requests.get(basis, 'x'.repeat(2001))).toBeUndefined()
})

test('what is cached is bounded in bytes, with those of links, whatever the number', () => {
  const requests = createKnownRequests()
  const link = 'l'.repeat(10_000)
  for (let n = 0; n < 1000; n += 1) requests.set(basis, `${n}`, known(link))
  const stored = Array.from({ length: 1000 }, (_, n) => requests.get(basis, `${n}`)).filter(Boolean)
  expect(stored.length).toBeGreaterThan(450)
  expect(stored.length).toBeLessThan(500)
  expect(requests.get(basis, '999')).toBeDefined()
})

test('what a short request holds in addition to its texts is counted', () => {
  const requests = createKnownRequests()
  for (let n = 0; n < 20_000; n += 1) requests.set(basis, `/v1/guests?sessionId=${n}`, known())
  const stored = Array.from({ length: 20_000 }, (_, n) => requests.get(basis, `/v1/guests?sessionId=${n}`))
  expect(stored.filter(Boolean).length).toBeLessThan(15_000)
})
