/** Who may read which field of a guest (ruling 6): field × scope × preset, made from the registry. All cells. */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { PRESETS, SCOPES, type Scope } from '../../src/core/access/keys/scopes.ts'
import { FIELD_GROUPS, GUEST_FIELDS } from '../../src/core/records/fields/guest-fields.ts'
import { type Asker, startTestApi, type TestApi } from '../support/api.ts'
import { SPA_MARK, twinCenters } from '../support/twin-centers.ts'

const GUEST_SCOPES = ['guests', 'guests.personal', 'guests.medical', 'guests.financial'] as const
type GuestScope = (typeof GUEST_SCOPES)[number] | 'guests.paid'

/** Ruling 6 in its own words; the registry is held to this, and the service to both. */
const PERSONAL =
  /^(pin|internalId|customerId|dob|age|birthDateDuringStay|gender|religion|address\..+|referralType|meta\..+)$/
const MEDICAL =
  /^(formData\.(medicalConditions|observations|mobility)|medicalLetter\..+|medicalData\..+|idealWeight|idealCirc|weight1|weight2|height|bmi1|bmi2)$/
const FINANCIAL = /^financial\..+$/

function scopeOf(name: string): GuestScope {
  if (PERSONAL.test(name)) return 'guests.personal'
  if (MEDICAL.test(name)) return 'guests.medical'
  if (name === 'paid') return 'guests.paid'
  return FINANCIAL.test(name) ? 'guests.financial' : 'guests'
}

const NAMES = [
  ...GUEST_FIELDS.map(({ name }) => name),
  ...FIELD_GROUPS,
  'meta.shared',
  'meta.stayNote',
  `meta.${SPA_MARK}Only`,
]
const SESSION = '/v1/guests?sessionId=s-1'

const KEYS: readonly (readonly [name: string, scopes: readonly Scope[]])[] = [
  // Every set of these scopes: sixteen, the empty one with another scope in their place.
  ...Array.from({ length: 2 ** GUEST_SCOPES.length }, (_, set) => {
    const scopes = GUEST_SCOPES.filter((_scope, at) => set & (2 ** at))
    return scopes.length === 0
      ? (['none of guests', ['orders', 'sessions', 'meals']] as const)
      : ([scopes.join(' + '), scopes] as const)
  }),
  ['guests + guests.paid', ['guests', 'guests.paid']],
  ['guests.paid alone', ['guests.paid', 'orders']],
  ...Object.entries(PRESETS).map(([name, scopes]) => [`the preset ${name}`, scopes] as const),
]

let api: TestApi

beforeAll(async () => {
  api = await startTestApi({ records: twinCenters() })
})

describe('ruling 6: the registry', () => {
  it.each(GUEST_FIELDS.map(({ name, scope }) => [name, scope]))('gives %s the scope %s', (name, scope) => {
    expect(scope).toBe(scopeOf(name))
  })
})

describe('ruling 6: a field is answered to the keys that have its scope, and refused to all others', () => {
  it.each(KEYS)('to a key with %s', async (_, scopes) => {
    const asker = api.as(await api.createKey({ scopes }))
    const cells: Record<string, unknown> = {}
    const right: Record<string, unknown> = {}
    for (const name of NAMES) {
      const answer = await asker.get(`${SESSION}&project=${name}`)
      cells[name] =
        answer.status === 200
          ? 200
          : [answer.status, answer.headers['www-authenticate'], answer.body.error.message]
      right[name] =
        scopes.includes('guests') && scopes.includes(scopeOf(name)) ? 200 : refusal(scopes, [name])
    }
    expect(cells).toEqual(right)
  })

  it('all of them to a key with everything, at once', async () => {
    const answer = await api.get(`${SESSION}&project=${NAMES.join(',')}`)
    expect(answer.status).toBe(200)
  })
})

describe('ruling 6: a refusal', () => {
  it('names every field and every scope that is missing, once, and none that is there', async () => {
    const asker = api.as(await api.createKey({ scopes: ['guests', 'guests.personal'] }))
    const names = ['firstName', 'pin', 'weight1', 'financial.deposit', 'medicalLetter.ekg', 'meta.shared']
    const answer = await asker.get(`${SESSION}&project=${names.join(',')}`)
    expect(answer.status).toBe(403)
    expect(answer.body.error.message).toBe(
      'This key does not have a required scope: weight1, medicalLetter.ekg need the scope guests.medical; financial.deposit needs the scope guests.financial.',
    )
    expect(answer.headers['www-authenticate']).toContain('scope="guests.medical guests.financial"')
  })

  it.each([
    ['in a list after another', 'project=firstName,pin'],
    ['in a second list', 'project=firstName&project=pin'],
    ['twice', 'project=pin,pin'],
    ['encoded', 'project=firstName%2Cp%69n'],
    ['before an unknown name', 'project=pin,nothing'],
    ['after an unknown name', 'project=nothing,pin'],
    ['next to an empty entry', 'project=,pin'],
    ['with spaces around it', 'project=firstName,%20pin%20'],
    ['next to ids', 'project=ids,pin'],
  ])('comes however the field is named: %s', async (_, query) => {
    const asker = api.as(await api.createKey({ scopes: ['guests'] }))
    const answer = await asker.get(`${SESSION}&${query}`)
    expect(answer.status).toBe(403)
    expect(answer.body.error.message).toContain('pin')
  })

  it.each(['address', 'medicalLetter', 'financial', 'medicalData'])(
    'or a 400 comes for the group %s, which is never answered',
    async (group) => {
      const lesser = await api
        .as(await api.createKey({ scopes: ['guests'] }))
        .get(`${SESSION}&project=${group}`)
      expect(lesser.status).toBe(403)
      expect((await api.get(`${SESSION}&project=${group}`)).status).toBe(400)
    },
  )

  it.each(['PIN', 'Pin', 'pin\u0000', 'pi n', 'ids.pin', '__proto__', 'constructor', 'customer.pin'])(
    'or a 400 comes for %j, which is no field',
    async (name) => {
      const lesser = api.as(await api.createKey({ scopes: ['guests'] }))
      const answer = await lesser.get(`${SESSION}&project=${encodeURIComponent(name)}`)
      expect(answer.status).toBe(400)
    },
  )

  it('of a custom field says nothing of whether the center defines it', async () => {
    const lesser = api.as(await api.createKey({ scopes: ['guests'] }))
    const [defined, unknown] = await Promise.all(
      ['meta.shared', 'meta.sharee'].map((name) => lesser.get(`${SESSION}&project=${name}`)),
    )
    expect([defined?.status, unknown?.status]).toEqual([403, 403])
    expect(defined?.body.error.message.replace('shared', '')).toBe(
      unknown?.body.error.message.replace('sharee', ''),
    )
  })
})

describe('ruling 7: the scope of a field', () => {
  it('goes after the credentials and before the parameters', async () => {
    const lesser = api.as(await api.createKey({ scopes: ['guests'] }))
    const url = '/v1/guests?project=pin&length=0&nonsense=1'
    expect((await api.as(undefined).get(url)).status).toBe(401)
    expect((await lesser.get(url)).status).toBe(403)
    expect((await api.get(url)).status).toBe(400)
  })
})

describe('ruling 6: a cached answer with guarded fields', () => {
  const GUARDED = [
    'pin',
    'medicalLetter.diagnoses',
    'financial.total',
    'financial.deposit',
    'meta.shared',
  ] as const

  async function both(): Promise<{ full: Asker; lesser: Asker }> {
    return {
      full: api.as(await api.createKey()),
      lesser: api.as(await api.createKey({ scopes: ['guests', 'meals', 'sessions', 'orders'] })),
    }
  }

  it.each(GUARDED)('with %s: goes to no key without the scope, and is not spoilt by one', async (name) => {
    const { full, lesser } = await both()
    const url = `${SESSION}&project=firstName,${name}`
    expect((await lesser.get(url)).status).toBe(403)
    const first = await full.get(url)
    expect(first.status).toBe(200)
    const etag = String(first.headers.etag)
    for (const headers of [
      {},
      { 'if-none-match': etag },
      { 'if-none-match': '*' },
      { 'accept-encoding': 'br' },
    ]) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await lesser.request(method, url, headers)
        expect(answer.status).toBe(403)
        expect(answer.text).not.toContain(SPA_MARK)
        expect(answer.headers).not.toHaveProperty('etag')
      }
    }
    expect((await full.get(url, { 'if-none-match': etag })).status).toBe(304)
    expect((await full.get(url)).text).toBe(first.text)
  })

  it('is refused to a key that loses the scope, from the next request on', async () => {
    const key = await api.createKey({ scopes: ['guests', 'guests.personal'] })
    const asker = api.as(key)
    const url = `${SESSION}&project=pin`
    const first = await asker.get(url)
    expect(first.status).toBe(200)
    await api.database.query(sql`
      update api_keys set scopes = ${['guests']} where public_key = ${key.publicKey}`)
    expect((await asker.get(url)).status).toBe(403)
    expect((await asker.get(url, { 'if-none-match': String(first.headers.etag) })).status).toBe(403)
  })
})

describe('every preset', () => {
  it('is open to what it is for, and to no more', () => {
    const fields = (scopes: readonly Scope[]) =>
      scopes.includes('guests') ? NAMES.filter((name) => scopes.includes(scopeOf(name))).length : 0
    expect(
      Object.fromEntries(Object.entries(PRESETS).map(([name, scopes]) => [name, fields(scopes)])),
    ).toEqual({
      kitchen: 0,
      finance: NAMES.filter((name) => ['guests', 'guests.financial', 'guests.paid'].includes(scopeOf(name)))
        .length,
      wall: 0,
      laboratory: 0,
      administration: 0,
      desk: NAMES.filter((name) => ['guests', 'guests.personal', 'guests.paid'].includes(scopeOf(name)))
        .length,
      housekeeping: 0,
      office: NAMES.filter((name) => scopeOf(name) !== 'guests.medical').length,
      doctor: NAMES.filter((name) => ['guests', 'guests.personal', 'guests.medical'].includes(scopeOf(name)))
        .length,
      everything: NAMES.length,
    })
    expect(PRESETS.everything).toEqual(
      SCOPES.filter((scope) => scope !== 'administration' && scope !== 'rights'),
    )
  })
})

/** What a refusal must say: status, challenge and sentence. */
function refusal(scopes: readonly Scope[], names: readonly string[]): unknown[] {
  const requiredScopes = [{ scope: 'guests' as GuestScope, what: 'GET /guests' }]
  for (const name of names) requiredScopes.push({ scope: scopeOf(name), what: name })
  const missing = requiredScopes.filter(({ scope }) => !scopes.includes(scope))
  const missingScopes = [...new Set(missing.map(({ scope }) => scope))]
  const sentences = missingScopes.map((scope) => {
    const what = missing.filter((need) => need.scope === scope).map((need) => need.what)
    return `${what.join(', ')} ${what.length === 1 ? 'needs' : 'need'} the scope ${scope}`
  })
  return [
    403,
    `Bearer realm="sojourn", error="insufficient_scope", scope="${missingScopes.join(' ')}"`,
    `This key does not have a required scope: ${sentences.join('; ')}.`,
  ]
}
