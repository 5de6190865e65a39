/** The name of an answer, and who has it already. */
import { hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_QUOTAS } from '../../src/core/access/keys/quotas.ts'
import {
  answerKey,
  type Basis,
  contentTag,
  longTag,
  readKey,
  requestKey,
} from '../../src/core/answer/cache-keys.ts'
import { matchesTag } from '../../src/core/answer/send.ts'
import { generationNamed } from '../../src/core/database/generation.ts'
import { centerId } from '../../src/core/records/centers/center.ts'
import type { KeyFacts } from '../../src/core/request/operation.ts'

const BASIS: Basis = {
  center: centerId('spa'),
  generation: generationNamed('a'),
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
  customFields: [],
  expiresAt: null,
} as const
const sha256 = (content: string) => hash('sha256', content, 'base64url')
const TAG = contentTag(BASIS, '[]', sha256('[]'))
/** Base64url has hyphens and underscores in it. */
const HYPHENATED = 'Ab-cd_EF-gh0123456789012345'

describe('the name of an answer', () => {
  it('is the same for the same answer, and another for whatever else the answer depends on', () => {
    const { facts } = BASIS
    const name = answerKey(BASIS, '[]')
    const keyed = (key: Partial<KeyFacts>) =>
      answerKey({ ...BASIS, facts: { ...facts, key: { ...KEY, ...key } } }, '[]')
    const others = [
      answerKey(BASIS, '[1]'),
      answerKey({ ...BASIS, center: centerId('lodge') }, '[]'),
      answerKey({ ...BASIS, generation: generationNamed('b') }, '[]'),
      answerKey({ ...BASIS, profileRevision: 2 }, '[]'),
      answerKey({ ...BASIS, operation: 'listOrders' }, '[]'),
      answerKey({ ...BASIS, facts: {} }, '[]'),
      answerKey({ ...BASIS, facts: { today: '2025-01-01' } }, '[]'),
      answerKey({ ...BASIS, facts: { language: 'en' } }, '[]'),
      answerKey({ ...BASIS, facts: { ...facts, today: '2025-01-02' } }, '[]'),
      answerKey({ ...BASIS, facts: { ...facts, language: 'ro' } }, '[]'),
      keyed({}),
      keyed({ publicKey: 'sjn_pk_2' }),
      keyed({ appId: 'sjn_app_2' }),
      keyed({ name: 'books' }),
      keyed({ scopes: ['meals', 'orders'] }),
      keyed({ quotas: { perMinute: 1, perHour: 1000 } }),
      keyed({ allowedAddresses: ['10.0.0.0/8'] }),
      keyed({ expiresAt: 0 }),
    ]
    expect(answerKey({ ...BASIS, facts: { ...facts } }, '[]')).toBe(name)
    // An answer outlives the commits that do not touch it.
    expect(answerKey({ ...BASIS, revision: 2 }, '[]')).toBe(name)
    expect(new Set([name, ...others]).size).toBe(others.length + 1)
  })

  it('is another for a reading at a later revision, and for a long answer that shows one', () => {
    const name = answerKey(BASIS, '[]')
    expect(readKey(name, { ...BASIS, revision: 2 })).not.toBe(readKey(name, BASIS))
    expect(longTag(name, 2)).not.toBe(longTag(name, 1))
    expect(longTag(name, 1)).not.toBe(longTag(answerKey(BASIS, '[1]'), 1))
  })

  it('of the request as it was sent is another where the profile or the server has changed', () => {
    expect(requestKey({ ...BASIS, revision: 2 }, '/guests')).toBe(requestKey(BASIS, '/guests'))
    for (const other of [{ profileRevision: 2 }, { generation: generationNamed('b') }])
      expect(requestKey({ ...BASIS, ...other }, '/guests')).not.toBe(requestKey(BASIS, '/guests'))
  })
})

describe('a tag', () => {
  it('is of what was asked for and of the content, whatever the revision and the day', () => {
    const of = (basis: Partial<Basis>, form = '[]', content = '[]') =>
      contentTag({ ...BASIS, ...basis }, form, sha256(content))
    expect(of({})).toBe(TAG)
    expect(of({ generation: generationNamed('b') })).toBe(TAG)
    expect(of({ revision: 2, profileRevision: 2, facts: { today: '2025-01-02', language: 'en' } })).toBe(TAG)
    const others = [
      of({}, '[1]'),
      of({}, '[]', '[ ]'),
      of({ center: centerId('lodge') }),
      of({ operation: 'listOrders' }),
      of({ facts: { language: 'ro' } }),
      of({ facts: { language: 'en', key: KEY } }),
    ]
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
      fc.property(fc.string(), fc.constantFrom('', '-br', '-zstd', '-gzip'), (content, suffix) => {
        const tag = contentTag(BASIS, '[]', sha256(content))
        return (
          matchesTag(`"${tag}${suffix}"`, tag) &&
          !matchesTag(`"${tag}${suffix}"`, contentTag(BASIS, '[]', sha256(`${content}!`)))
        )
      }),
    )
  })
})
