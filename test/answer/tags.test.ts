/** The name of an answer, and who has it already. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerTag, type Basis } from '../../src/answer/names.ts'
import { matchesTag } from '../../src/answer/tags.ts'
import { DEFAULT_QUOTAS } from '../../src/keys/quotas.ts'
import type { KeyFacts } from '../../src/request/operation.ts'

const BASIS: Basis = {
  center: 'spa',
  revision: 1,
  profileRevision: 1,
  operation: 'listGuests',
  facts: { today: '2025-01-01', language: 'en' },
}
const KEY = {
  publicKey: 'sjn_pk_1',
  appId: 'sjn_app_1',
  name: 'kitchen',
  scopes: ['meals'],
  quotas: DEFAULT_QUOTAS,
  allowedAddresses: [],
  expiresAt: null,
} as const
const TAG = answerTag(BASIS, '[]', 1)
/** Base64url has hyphens and underscores in it. */
const HYPHENATED = 'Ab-cd_EF-gh0123456789012345'

describe('a tag', () => {
  it('is the same for the same answer, and another for whatever else the answer depends on', () => {
    const { facts } = BASIS
    const keyed = (key: Partial<KeyFacts>) =>
      answerTag({ ...BASIS, facts: { ...facts, key: { ...KEY, ...key } } }, '[]', 1)
    const others = [
      answerTag(BASIS, '[]', 2),
      answerTag(BASIS, '[1]', 1),
      answerTag({ ...BASIS, center: 'lodge' }, '[]', 1),
      answerTag({ ...BASIS, profileRevision: 2 }, '[]', 1),
      answerTag({ ...BASIS, operation: 'listOrders' }, '[]', 1),
      answerTag({ ...BASIS, facts: {} }, '[]', 1),
      answerTag({ ...BASIS, facts: { today: '2025-01-01' } }, '[]', 1),
      answerTag({ ...BASIS, facts: { language: 'en' } }, '[]', 1),
      answerTag({ ...BASIS, facts: { ...facts, today: '2025-01-02' } }, '[]', 1),
      answerTag({ ...BASIS, facts: { ...facts, language: 'ro' } }, '[]', 1),
      keyed({}),
      keyed({ publicKey: 'sjn_pk_2' }),
      keyed({ appId: 'sjn_app_2' }),
      keyed({ name: 'books' }),
      keyed({ scopes: ['meals', 'orders'] }),
      keyed({ quotas: { perMinute: 1, perHour: 1000 } }),
      keyed({ allowedAddresses: ['10.0.0.0/8'] }),
      keyed({ expiresAt: 0 }),
    ]
    expect(answerTag({ ...BASIS, facts: { ...facts } }, '[]', 1)).toBe(TAG)
    // The basis' own revision is that of the request; a tag names the one that the answer shows.
    expect(answerTag({ ...BASIS, revision: 2 }, '[]', 1)).toBe(TAG)
    expect(new Set([TAG, ...others]).size).toBe(others.length + 1)
  })

  it('has only characters that an ETag may have', () => {
    expect(TAG).toMatch(/^[\w-]{27}$/)
  })
})

describe('If-None-Match', () => {
  it.each([TAG, HYPHENATED])('names the answer %s alone, in a list, weakly, in any encoding', (tag) => {
    for (const header of [
      `"${tag}"`,
      ` "${tag}" `,
      `W/"${tag}"`,
      tag,
      `"${tag}-br"`,
      `W/"${tag}-zstd"`,
      `"${tag}-gzip"`,
      `"other", "${tag}"`,
      `"other","${tag}-gzip","third"`,
      `"with, comma", "${tag}"`,
      '*',
      ' * ',
    ]) {
      expect(matchesTag(header, tag), header).toBe(true)
    }
  })

  it.each([TAG, HYPHENATED])('does not name the answer %s by something like it', (tag) => {
    for (const header of [
      undefined,
      '',
      '""',
      '"other"',
      `"${tag}x"`,
      `"x${tag}"`,
      `"${tag}-"`,
      `"${tag}-deflate"`,
      `"${tag}-br-gzip"`,
      `"${tag.slice(1)}"`,
      `"${tag.toLowerCase()}"`,
      '"*"',
    ]) {
      expect(matchesTag(header, tag), header).toBe(false)
    }
  })

  it('names every tag that is ever made', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.integer({ min: 0 }),
        fc.constantFrom('', '-br', '-zstd', '-gzip'),
        (form, revision, suffix) => {
          const tag = answerTag(BASIS, form, revision)
          return (
            matchesTag(`"${tag}${suffix}"`, tag) &&
            !matchesTag(`"${tag}${suffix}"`, answerTag(BASIS, '[]', revision + 1))
          )
        },
      ),
    )
  })
})
