import { createHash, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createAppId,
  createLinkToken,
  createToken,
  hashSecret,
  parseApiKey,
  parseAppId,
  parseLinkToken,
  parsePublicKey,
  parseSecretKey,
} from '../../../src/core/access/keys/token.ts'

describe('a new key', () => {
  const token = createToken(randomBytes)

  test('has the documented forms', () => {
    expect(createAppId(randomBytes)).toMatch(/^sjn_app_[0-9A-Za-z]{16}$/)
    expect(token.publicKey).toMatch(/^sjn_pk_[0-9A-Za-z]{28}$/)
    expect(token.secretKey).toMatch(/^sjn_sk_[0-9A-Za-z]{38}$/)
    expect(token.apiKey).toMatch(/^sjn_key_[0-9A-Za-z]{60}$/)
  })

  test('is read back from either scheme as the same key', () => {
    const secret = parseSecretKey(token.secretKey)
    expect(secret).toHaveLength(32)
    expect(parsePublicKey(token.publicKey)).toBe(token.publicKey)
    expect(parseApiKey(token.apiKey)).toEqual({ publicKey: token.publicKey, secret })
  })

  test('keeps the SHA-256 of its secret only', () => {
    const secret = parseSecretKey(token.secretKey) ?? ''
    expect(hashSecret(secret)).toEqual(createHash('sha256').update(secret).digest())
    expect(token.secretHash).toEqual(hashSecret(secret))
  })

  test('has a secret of 190 bits, of which each follows from the bytes that it was given and from nothing else', () => {
    const given: number[] = []
    const counting = (count: number) => {
      const bytes = randomBytes(count)
      given.push(...bytes)
      return bytes
    }
    const made = createToken(counting)
    // Each character takes six bits of a byte of its own.
    expect(given.length).toBeGreaterThanOrEqual(22 + 32)
    const again = (bytes: readonly number[]) => {
      const left = [...bytes]
      return createToken((count) => Uint8Array.from(left.splice(0, count)))
    }
    expect(again(given)).toEqual(made)
    const secret = parseSecretKey(made.secretKey) ?? ''
    expect(secret.length * Math.log2(62)).toBeGreaterThan(190)
    const link = createLinkToken(randomBytes).token
    expect(parseLinkToken(link)?.secret).toHaveLength(32)
    expect(new Set(Array.from({ length: 500 }, () => createToken(randomBytes).secretKey)).size).toBe(500)
  })

  test('follows from the random bytes alone, and every character is as likely as the others', () => {
    let state = 1
    const known = (count: number) =>
      Uint8Array.from({ length: count }, () => {
        state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
        return state >>> 16
      })
    const text = Array.from({ length: 2000 }, () => createAppId(known).slice('sjn_app_'.length)).join('')
    const counts = Object.values(Object.groupBy(text, (character) => character)).map(
      (all) => all?.length ?? 0,
    )
    expect(counts).toHaveLength(62)
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(0.25 * Math.max(...counts))
  })
})

describe('a typing error is refused without the database', () => {
  const forms = [
    ['publicKey', parsePublicKey],
    ['secretKey', parseSecretKey],
    ['apiKey', parseApiKey],
  ] as const

  test.each(forms)('any one character of a %s changed', (form, parse) => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(...'09azAZ_- .'), (place, character) => {
        const text = createToken(randomBytes)[form]
        const at = place % text.length
        fc.pre(text[at] !== character)
        expect(parse(text.slice(0, at) + character + text.slice(at + 1))).toBeUndefined()
      }),
    )
  })

  test.each(forms)('two neighbours of a %s swapped', (form, parse) => {
    fc.assert(
      fc.property(fc.nat(), (place) => {
        const text = createToken(randomBytes)[form]
        const at = place % (text.length - 1)
        fc.pre(text[at] !== text[at + 1])
        const swapped = text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2)
        expect(parse(swapped)).toBeUndefined()
      }),
    )
  })

  test.each(forms)('a %s with more, less or nothing', (form, parse) => {
    const text = createToken(randomBytes)[form]
    for (const wrong of ['', `${text}x`, `${text}\n`, ` ${text}`, text.slice(0, -1), text.toUpperCase()]) {
      expect(parse(wrong), JSON.stringify(wrong)).toBeUndefined()
    }
  })

  test('an application identifier with more, less or other characters', () => {
    const appId = createAppId(randomBytes)
    expect(parseAppId(appId)).toBe(appId)
    for (const wrong of [
      `${appId}x`,
      appId.slice(0, -1),
      `${appId.slice(0, -1)}-`,
      `sjn_app_-${'x'.repeat(15)}`,
    ]) {
      expect(parseAppId(wrong), wrong).toBeUndefined()
    }
  })

  test('one form where another belongs', () => {
    const token = createToken(randomBytes)
    const asPublic = token.secretKey.replace('sjn_sk_', 'sjn_pk_')
    expect(parsePublicKey(token.secretKey)).toBeUndefined()
    expect(parsePublicKey(asPublic)).toBeUndefined()
    expect(parseSecretKey(token.publicKey)).toBeUndefined()
    expect(parseAppId(token.publicKey)).toBeUndefined()
  })

  test('any text at all', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const [, parse] of forms) expect(parse(text)).toBeUndefined()
        for (const [, parse] of forms) expect(parse(`sjn_pk_${text}`)).toBeUndefined()
      }),
    )
  })
})
