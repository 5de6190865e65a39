/** What a key may see of itself. */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../src/core/locale/languages.ts'
import { startTestApi, type TestApi, type TestKey } from '../../support/api.ts'

interface Me {
  readonly center: { readonly id: string; readonly name: string; readonly language: string }
  readonly key: { readonly scopes: readonly string[] }
  readonly limits: Record<'minute' | 'hour', { readonly remaining: number; readonly resetsInSeconds: number }>
}

/** What a key may see. */
async function meOf(key: TestKey | undefined): Promise<Me> {
  const me: Me = JSON.parse((await api.as(key).get('/v1/me')).text)
  return me
}

let api: TestApi
let now = Date.parse('2025-01-12T09:00:00Z')

beforeAll(async () => {
  api = await startTestApi({ clock: () => now })
})

describe('GET /me', () => {
  it('shows the key, its center and what is left of its limits, this request included', async () => {
    const spa = await api.newCenter([])
    const key = await api.createKey({
      center: spa.id,
      scopes: ['orders', 'guests'],
      perMinute: 7,
      perHour: 0,
      expiresAt: '2030-01-31T10:00:00Z',
    })
    expect(await meOf(key)).toEqual({
      center: {
        id: spa.id,
        name: expect.any(String),
        timezone: 'Europe/Bucharest',
        currency: 'EUR',
        language: 'en',
        maximumPageLength: 100,
        standardTimes: { arrival: [], departure: [] },
      },
      key: {
        appId: key.appId,
        publicKey: key.publicKey,
        name: 'test',
        scopes: ['guests', 'orders'],
        customFields: [],
        allowedAddresses: [],
        expiresAt: '2030-01-31T10:00:00.000Z',
        sees: expect.arrayContaining(['names', 'orders']),
        seesNot: expect.arrayContaining(['portions', 'medical']),
      },
      limits: { minute: { requests: 7, remaining: 6, resetsInSeconds: 60 }, hour: null },
      languages: LANGUAGES,
    })
  })

  it('says the same as the RateLimit header, request after request', async () => {
    const key = await api.createKey({ perMinute: 3, perHour: 1000 })
    for (const remaining of [2, 1, 0]) {
      const { text, headers } = await api.as(key).get('/v1/me')
      const { limits }: Me = JSON.parse(text)
      const { minute, hour } = limits
      expect(minute.remaining).toBe(remaining)
      expect(headers.ratelimit).toBe(
        `"burst";r=${minute.remaining};t=${minute.resetsInSeconds}, "hourly";r=${hour.remaining};t=${hour.resetsInSeconds}`,
      )
    }
    expect((await api.as(key).get('/v1/me')).status).toBe(429)
    now += 60_000
    expect((await meOf(key)).limits.minute.remaining).toBe(2)
  })

  it('is each key’s own, and shows a change of key and center at once', async () => {
    const spa = await api.newCenter([])
    const keys = [
      await api.createKey({ center: spa.id, scopes: ['meals'] }),
      await api.createKey({ center: spa.id, scopes: ['orders'] }),
      await api.createKey({ scopes: ['orders'] }),
    ] as const
    const scopesAndCenter = async (key: (typeof keys)[number]) => {
      const me = await meOf(key)
      return [me.key.scopes, me.center.id]
    }
    expect(await scopesAndCenter(keys[0])).toEqual([['meals'], spa.id])
    expect(await scopesAndCenter(keys[1])).toEqual([['orders'], spa.id])
    expect((await scopesAndCenter(keys[2]))[1]).not.toBe(spa.id)
    await api.database.query(
      sql`update api_keys set scopes = '{sessions}' where public_key = ${keys[0].publicKey}`,
    )
    await api.database.query(sql`update centers set name = 'Nova', locale = 'ro' where center_id = ${spa.id}`)
    const me = await meOf(keys[0])
    expect(me.key.scopes).toEqual(['sessions'])
    expect(me.center).toMatchObject({ name: 'Nova', language: 'ro' })
  })

  it('shows no secret, and takes no parameter', async () => {
    const { text, status } = await api.get('/v1/me')
    expect(status).toBe(200)
    expect(text).not.toContain('sjn_sk_')
    expect(text).not.toContain('secret')
    expect((await api.get('/v1/me?project=firstName')).status).toBe(400)
    expect((await api.as(undefined).get('/v1/me')).status).toBe(401)
  })
})
