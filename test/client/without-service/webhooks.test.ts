/** Messages as the published library signs them, and as nobody should. */
import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { verifyWebhook } from '../../../client/src/webhooks.ts'

const secretText = (bytes = randomBytes(32)) => `whsec_${bytes.toString('base64')}`
const SECRET = secretText()
const NOW = Date.parse('2026-05-14T08:00:00.000Z')
const MESSAGE = {
  type: 'changes',
  timestamp: '2026-05-14T08:00:00.000Z',
  data: { changes: [{ kind: 'guests', id: 'ß-1', operation: 'changed', groups: [], at: '' }], cursor: 'c' },
}
const BODY = JSON.stringify(MESSAGE)

const signature = (secret = SECRET, at = NOW, body = BODY, id = 'msg_1') =>
  new Webhook(secret).sign(id, new Date(at), body)
const headersWith = (text: string, at = NOW) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(Math.floor(at / 1000)),
  'webhook-signature': text,
})
const verify = (
  headers: Headers | Record<string, string>,
  body: string | Uint8Array = BODY,
  secret: string | string[] = SECRET,
) => verifyWebhook({ headers, body }, secret, { now: NOW })

describe('a message is taken', () => {
  it.each([
    ['with a Headers', () => verify(new Headers(headersWith(signature())))],
    [
      "with Node's headers, in any case",
      () => verify({ ...headersWith(''), 'Webhook-Signature': signature() }),
    ],
    ['as bytes', () => verify(headersWith(signature()), Buffer.from(BODY))],
    [
      'with a signature of another secret before its own',
      () => verify(headersWith(`${signature(secretText())} ${signature()}`)),
    ],
    [
      'with a signature of another version before its own',
      () => verify(headersWith(`v1a,AAAA ${signature()}`)),
    ],
    [
      'of either secret, while one is replaced',
      () => verify(headersWith(signature()), BODY, [secretText(), SECRET]),
    ],
    ['that is five minutes old', () => verify(headersWith(signature(SECRET, NOW - 300_000), NOW - 300_000))],
    [
      'of a clock that is five minutes ahead',
      () => verify(headersWith(signature(SECRET, NOW + 300_000), NOW + 300_000)),
    ],
  ])('%s', async (_, verified) => {
    expect(await verified()).toEqual(MESSAGE)
  })

  it('that is older, where more is allowed', async () => {
    const at = NOW - 900_000
    const request = { headers: headersWith(signature(SECRET, at), at), body: BODY }
    expect(await verifyWebhook(request, SECRET, { now: NOW, toleranceSeconds: 901 })).toEqual(MESSAGE)
  })
})

describe('a message is refused', () => {
  it.each([
    ['of another secret', () => verify(headersWith(signature(secretText()))), /No signature/],
    [
      'that was changed',
      () => verify(headersWith(signature()), BODY.replace('changed', 'deleted')),
      /No signature/,
    ],
    [
      'with the identifier of another',
      () => verify({ ...headersWith(signature()), 'webhook-id': 'msg_2' }),
      /No signature/,
    ],
    ['with a time that was changed', () => verify(headersWith(signature(), NOW - 60_000)), /No signature/],
    ['with a signature that is cut', () => verify(headersWith(signature().slice(0, -8))), /No signature/],
    ['with a signature that is no base64', () => verify(headersWith('v1,%%%')), /No signature/],
    ['with a signature without its version', () => verify(headersWith(signature().slice(3))), /No signature/],
    [
      'older than five minutes',
      () => verify(headersWith(signature(SECRET, NOW - 301_000), NOW - 301_000)),
      /older/,
    ],
    [
      'newer than five minutes',
      () => verify(headersWith(signature(SECRET, NOW + 301_000), NOW + 301_000)),
      /newer/,
    ],
    [
      'with a time that is no number',
      () => verify({ ...headersWith(signature()), 'webhook-timestamp': 'NaN' }),
      /not a number/,
    ],
    ['without its headers', () => verify({ 'webhook-id': 'msg_1' }), /not all there/],
    ['by a secret of another form', () => verify(headersWith(signature()), BODY, 'whsec_'), /whsec_…/],
  ])('%s', async (_, verified, message) => {
    await expect(verified()).rejects.toMatchObject({
      code: 'BAD_SIGNATURE',
      message: expect.stringMatching(message),
    })
  })
})

it('takes and refuses what the published library does', async () => {
  const library = new Webhook(SECRET)
  const now = Date.now()
  // The library counts whole seconds, so a message of 299 s may be one of 300 for one of the two.
  const at = [0, -290_000, -310_000, 290_000, 310_000]
  for (const offset of at) {
    for (const by of [SECRET, secretText()]) {
      const headers = headersWith(signature(by, now + offset), now + offset)
      const theirs = await Promise.resolve()
        .then(() => library.verify(BODY, headers))
        .catch(() => 'refused')
      expect(await verifyWebhook({ headers, body: BODY }, SECRET).catch(() => 'refused')).toEqual(theirs)
    }
  }
})
