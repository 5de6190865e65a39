/** The name of an answer, and who has it already. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AnswerKey, answerTag, matchesTag } from '../../src/answer/freshness.ts'

const KEY: AnswerKey = {
  center: 'spa',
  profileRevision: 1,
  today: '2025-01-01',
  language: 'en',
  operation: 'listGuests',
  normalForm: '[]',
}
const TAG = answerTag(KEY, 1)
/** Base64url has hyphens and underscores in it. */
const HYPHENATED = 'Ab-cd_EF-gh0123456789012345'

describe('a tag', () => {
  it('is the same for the same answer, and another for another center, profile, day, language, request and revision', () => {
    const others = [
      answerTag(KEY, 2),
      answerTag({ ...KEY, center: 'lodge' }, 1),
      answerTag({ ...KEY, profileRevision: 2 }, 1),
      answerTag({ ...KEY, today: '2025-01-02' }, 1),
      answerTag({ ...KEY, language: 'ro' }, 1),
      answerTag({ ...KEY, operation: 'listOrders' }, 1),
      answerTag({ ...KEY, normalForm: '[1]' }, 1),
    ]
    expect(answerTag({ ...KEY }, 1)).toBe(TAG)
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
          const tag = answerTag({ ...KEY, normalForm: form }, revision)
          return (
            matchesTag(`"${tag}${suffix}"`, tag) &&
            !matchesTag(`"${tag}${suffix}"`, answerTag(KEY, revision + 1))
          )
        },
      ),
    )
  })
})
