/** Every combination of what a request can send as credentials, and of what is known of its key. */
import { hash } from 'node:crypto'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { isEnded, isGenuine, readCredentials } from '../../src/core/access/credentials.ts'
import {
  createAppId,
  createToken,
  hashSecret,
  type NewToken,
  parseApiKey,
} from '../../src/core/access/keys/token.ts'
import { keyState } from './key-state.ts'

const random = (seed: string) => (count: number) => hash('sha512', seed, 'buffer').subarray(0, count)
const [mine, theirs] = ['mine', 'theirs'].map((seed) => createToken(random(seed))) as [NewToken, NewToken]
const appId = createAppId(random('app'))
const secretOf = ({ apiKey }: NewToken) => parseApiKey(apiKey)!.secret
const typo = (text: string) => text.slice(0, -1) + (text.endsWith('0') ? '1' : '0')

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

type Sent = Readonly<Record<string, string | undefined>>

function requestWith(sent: Sent, extra: readonly (readonly [string, string])[] = []): IncomingMessage {
  const request = new IncomingMessage(new Socket())
  request.method = 'GET'
  for (const [name, value] of [...Object.entries(sent), ...extra]) {
    if (value === undefined) continue
    request.rawHeaders.push(name, value)
    // Node keeps the first of two.
    request.headers[name] ??= value
  }
  return request
}

const one = (token: NewToken, app?: string) => ({
  publicKey: token.publicKey,
  secretHash: hashSecret(secretOf(token)),
  appId: app,
})

describe('Authorization: Basic', () => {
  test.each([
    ['GET', one(mine)],
    ['HEAD', one(mine)],
    ...['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'get', undefined].map(
      (method) => [method, { refused: 'malformed' }] as const,
    ),
  ] as const)('with %s is one key only for requests that read', (method, expected) => {
    const request = requestWith({ authorization: basic(`${mine.apiKey}:`) })
    expect(readCredentials(request)).toEqual(one(mine))
    // Also where the connection has sent it before.
    request.method = method
    expect(readCredentials(request)).toEqual(expected)
  })
})

describe('what a request sends', () => {
  const apps = [undefined, appId, typo(appId).slice(1)]
  const publicKeys = [undefined, mine.publicKey, typo(mine.publicKey), theirs.publicKey]
  const secretKeys = [undefined, mine.secretKey, typo(mine.secretKey), theirs.secretKey]
  const authorizations = [
    undefined,
    `Bearer ${mine.apiKey}`,
    `bearer  ${mine.apiKey}`,
    `Bearer ${theirs.apiKey}`,
    `Bearer ${typo(mine.apiKey)}`,
    `Basic ${mine.apiKey}`,
    basic(`${mine.apiKey}:`),
    basic(`${mine.publicKey}:${mine.secretKey}`),
    basic(`${theirs.publicKey}:${theirs.secretKey}`),
    basic(`${mine.publicKey}:${theirs.apiKey}`),
    '',
  ]

  test.each(authorizations)(
    'next to the Authorization %j is one key, or malformed, or nothing',
    (authorization) => {
      const bearer = [mine, theirs].find(
        ({ apiKey, publicKey, secretKey }) =>
          authorization?.match(/^bearer +(.*)$/i)?.[1] === apiKey ||
          authorization === basic(`${apiKey}:`) ||
          authorization === basic(`${publicKey}:${secretKey}`),
      )
      for (const app of apps)
        for (const publicKey of publicKeys)
          for (const secretKey of secretKeys) {
            const three = {
              'x-api-app-id': app,
              'x-api-public-key': publicKey,
              'x-api-secret-key': secretKey,
            }
            const isSent = [app, publicKey, secretKey].some((value) => value !== undefined)
            const isWhole = app === appId && /^sjn/.test(publicKey ?? '') && /^sjn/.test(secretKey ?? '')
            const isRight = isWhole && publicKey !== publicKeys[2] && secretKey !== secretKeys[2]
            const read = readCredentials(requestWith({ ...three, authorization }))
            const secret = secretKey === theirs.secretKey ? theirs : mine
            const asThree = isRight ? { ...one(secret, app), publicKey } : undefined
            // Next to another form, any of the three may be absent (ruling 4).
            const agree =
              bearer !== undefined &&
              [undefined, appId].includes(app) &&
              [undefined, bearer.publicKey].includes(publicKey) &&
              [undefined, bearer.secretKey].includes(secretKey)
            const malformed = { refused: 'malformed' }
            const alone = isSent ? (asThree ?? malformed) : { refused: 'missing' }
            const expected = !authorization ? alone : agree ? one(bearer, app) : malformed
            expect(read, JSON.stringify({ ...three, authorization })).toEqual(expected)
          }
    },
  )

  test('twice in one header is malformed, even if it is the same', () => {
    const authorization = `Bearer ${mine.apiKey}`
    expect(readCredentials(requestWith({ authorization }, [['Authorization', authorization]]))).toEqual({
      refused: 'malformed',
    })
    expect(readCredentials(requestWith({ authorization }, [['x-authorization', authorization]]))).toEqual(
      one(mine),
    )
  })
})

test('a key is genuine where all of it is right and in force, and has ended where only its time is over', () => {
  const yesOrNo = [true, false]
  for (const rightSecret of yesOrNo)
    for (const sentApp of [undefined, 'app', 'other'])
      for (const revoked of yesOrNo)
        for (const expired of yesOrNo) {
          const state = keyState({ secretHash: hashSecret(secretOf(mine)), revoked, expired })
          const sent = { ...one(rightSecret ? mine : theirs, sentApp), publicKey: 'key' }
          const isRight = rightSecret && sentApp !== 'other'
          const what = JSON.stringify({ rightSecret, sentApp, revoked, expired })
          expect(isGenuine(sent, state), what).toBe(isRight && !revoked && !expired)
          expect(isEnded(sent, state), what).toBe(isRight)
        }
  const nobody = { ...one(mine), secretHash: Buffer.alloc(32) }
  expect([isGenuine(nobody, undefined), isEnded(nobody, undefined)]).toEqual([false, false])
  // What is stored of a secret in another way is nobody's.
  expect(isGenuine(one(mine), keyState({ secretHash: Buffer.alloc(3) }))).toBe(false)
})
