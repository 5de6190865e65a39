/** `customerId`, and reads under pseudonyms: a laboratory reads medical data and never learns whose it is. */
import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { rotateKey } from '../../../src/core/access/keys/rotate-key.ts'
import { SCOPES, type Scope } from '../../../src/core/access/keys/scopes.ts'
import { exportRecords } from '../../../src/core/intake/export/export-records.ts'
import { centerId } from '../../../src/core/records/centers/center.ts'
import { createPseudonyms } from '../../../src/core/records/centers/pseudonyms.ts'
import { DEFAULT_FIELD_NAMES, GUEST_FIELDS } from '../../../src/core/records/fields/guest-fields.ts'
import { readsInTrail } from '../../audit/reads.ts'
import { importAll } from '../../intake/import-lines.ts'
import { post } from '../../parts/assistants/assistant.ts'
import { makeLink } from '../../parts/links/make-link.ts'
import { type Asker, startTestApi, type TestApi, type TestKey } from '../../support/api.ts'
import { readCsv } from '../../support/csv.ts'
import { openTestDatabase } from '../../support/database.ts'
import { type Random, seededRandom } from '../../support/random-center.ts'
import {
  guest,
  LODGE,
  lodge,
  metaField,
  SPA,
  session,
  spa,
  type TestRecord,
  term,
} from '../../support/world.ts'

const YEAR = 'startDate=2025-01-01&endDate=2025-12-31'
const MEDICAL = GUEST_FIELDS.filter(({ scope }) => scope === 'guests.medical').map(({ name }) => name)
const ALLOWED = ['id', 'customerId', ...MEDICAL]
const PSEUDONYM = /^[0-9a-f]{32}$/

/** The same stays and medical data with other people. @param of a mark that all their personal values have */
const people = (of: string): TestRecord[] =>
  Array.from({ length: 12 }, (_, at) => {
    const name = `${of}${String.fromCharCode(97 + ((at * 7) % 12))}`
    return guest(
      `b${at}`,
      {
        customerId: `person-${Math.floor(at / 2)}`,
        startDate: `2025-01-${String(10 + (at % 3)).padStart(2, '0')}T14:00`,
        sessionIds: ['s1'],
        weight1: 60 + at,
        medicalLetter: { diagnoses: `diagnosis ${at}`, recommendationsIds: ['rest'] },
      },
      {
        id: `person-${Math.floor(at / 2)}`,
        firstName: `${name}first`,
        lastName: `${name}last`,
        email: `${name}@${of}.example`,
        phone: `+40 700 000 ${at < 10 ? `00${at}` : `0${at}`}`,
        internalId: `${of}-${at}`,
        pin: `${of}${at}`,
        dob: `19${of === 'aa' ? 60 + at : 80 - at}-03-01`,
        address: { city: `${of}ville` },
        meta: { note: `${of}note` },
      },
    )
  }).flat()

const world = (of = 'aa'): TestRecord[] => {
  const records = [...new Map(people(of).map((record) => [`${record.kind} ${record.id}`, record])).values()]
  return [
    session('s1', '2025-01-10T12:00', '2025-01-20T12:00'),
    term('recommendation', 'rest', 'Rest'),
    metaField('note'),
    ...records,
  ]
}

let api: TestApi
let lab: Asker
let labKey: TestKey
beforeAll(async () => {
  api = await startTestApi({
    now: '2025-01-12T09:00:00Z',
    records: [spa({ pseudonymousReads: true }), lodge(), ...world()],
    app: { mcp: true },
  })
  labKey = await api.createKey({ scopes: ['guests.medical', 'sessions'] })
  lab = api.as(labKey)
})

const rowsOf = async (asker: Asker, query: string) => {
  const { status, text, body } = await asker.get(`/v1/guests?${query}`)
  expect(status, text).toBe(200)
  return body.data
}
const pseudonymsOf = async (asker: Asker) =>
  (await rowsOf(asker, `${YEAR}&project=id,customerId`)).map(({ customerId }) => customerId)

describe('customerId', () => {
  it('ruling 45: is the identifier of the customer for a key with guests and guests.personal, where it is named', async () => {
    const asker = api.as(await api.createKey({ scopes: ['guests', 'guests.personal'] }))
    const [first] = await rowsOf(asker, `${YEAR}&project=id,customerId`)
    expect(first).toEqual({
      id: 'b0',
      customerId: 'person-0',
      ids: { role: 'patient', status: 'confirmed', sessionId: 's1' },
    })
    const { text } = await asker.get(`/v1/guests?${YEAR}&project=id,customerId&format=csv`)
    expect(readCsv(text)[0]).toMatchObject({ 'Customer identifier': 'person-0' })
  })

  it('ruling 45: needs guests.personal', async () => {
    const asker = api.as(await api.createKey({ scopes: ['guests', 'guests.medical', 'guests.financial'] }))
    const { status, body } = await asker.get(`/v1/guests?${YEAR}&project=id,customerId`)
    expect([status, body.error.message]).toEqual([
      403,
      'This key does not have a required scope: customerId needs the scope guests.personal.',
    ])
  })

  it('ruling 45: is in no answer that does not name it', async () => {
    expect(DEFAULT_FIELD_NAMES).not.toContain('customerId')
    const { text } = await api.get(`/v1/guests?${YEAR}`)
    expect(text).not.toMatch(/customerId|person-/)
  })
})

describe('a key with guests.medical and without guests', () => {
  it('ruling 45: reads guests under pseudonyms, in the order of the stays, with nothing else in ids', async () => {
    const rows = await rowsOf(lab, `${YEAR}&project=id,customerId,weight1,medicalLetter.recommendationsIds`)
    expect(rows).toHaveLength(12)
    expect(rows[0]).toEqual({
      id: 'b0',
      customerId: expect.stringMatching(PSEUDONYM),
      weight1: 60,
      medicalLetter: { recommendationsIds: ['Rest'] },
      ids: { medicalLetter: { recommendationsIds: ['rest'] } },
    })
    expect(rows.map(({ id }) => id)).toEqual([
      'b0',
      'b3',
      'b6',
      'b9',
      'b1',
      'b10',
      'b4',
      'b7',
      'b11',
      'b2',
      'b5',
      'b8',
    ])
    expect((await rowsOf(lab, `${YEAR}&project=id&length=1`))[0]).toEqual({ id: 'b0', ids: {} })
  })

  it('ruling 45: reads every medical field', async () => {
    const [first] = await rowsOf(lab, `sessionId=s1&project=${ALLOWED.join(',')}`)
    expect(Object.keys(first ?? {})).toEqual(
      expect.arrayContaining(['id', 'customerId', 'weight1', 'bmi1', 'ids']),
    )
    expect(JSON.stringify(first)).not.toMatch(/role|status|sessionId|startDate/)
  })

  it('ruling 45: gets one pseudonym for each customer, which is not the identifier', async () => {
    const pseudonyms = await pseudonymsOf(lab)
    expect(new Set(pseudonyms).size).toBe(6)
    expect(pseudonyms.join()).not.toContain('person')
  })

  it.each([
    ...['role=patient', 'status=confirmed', 'active=true', 'bookingId=25-1', 'q=aa', 'email=aaa@aa.example'],
    ...['phone=0700000001', 'internalId=aa-1', 'changedAfter=x'],
    ...[
      'sort=lastName',
      'sort=-firstName',
      'sort=dob',
      'sort=startDate,lastName',
      'sort=status',
      'sort=bookingId',
    ],
  ])('ruling 45: may not ask with %s', async (more) => {
    const { status, body } = await lab.get(`/v1/guests?${YEAR}&project=id&${more}`)
    expect(status).toBe(403)
    expect(body.error.message).toMatch(
      /^This key reads guests under pseudonyms\. It may not ask for [\w=,. -]+\. It may ask for GET \/guests with project \(id, customerId and fields of the scope guests\.medical\), dates or sessions, and sort by startDate or endDate\.$/,
    )
  })

  it.each([
    ...[YEAR, 'sessionId=s1', 'sessionIds=s1,s2', `${YEAR}&sessionIdsExclude=s2`],
    ...['arriving=2025-01-10', 'departing=2025-01-15', 'inHouse=2025-01-12'],
    ...[`${YEAR}&sort=-startDate,endDate`, `${YEAR}&start=2&length=5`, `${YEAR}&snapshot=true`],
  ])('ruling 45: may ask with %s', async (query) => {
    expect((await rowsOf(lab, `${query}&project=id,weight1`)).length).toBeGreaterThan(0)
  })

  it('ruling 45: may name no other field, existing or of the center, and has to name some', async () => {
    const others = GUEST_FIELDS.map(({ name }) => name).filter((name) => !ALLOWED.includes(name))
    for (const name of [...others, 'financial.deposit', 'meta.note', 'meta.none']) {
      const { status, body } = await lab.get(`/v1/guests?${YEAR}&project=id,${name}`)
      expect([status, body.error.message], name).toEqual([403, expect.stringContaining('under pseudonyms')])
    }
    const { status, body } = await lab.get(`/v1/guests?${YEAR}`)
    expect([status, body.error.message]).toEqual([403, expect.stringContaining('answer without project')])
  })

  it('ruling 45: gets a 400 for what nobody may send, and the 403 first', async () => {
    expect((await lab.get(`/v1/guests?${YEAR}&project=weigth1`)).status).toBe(400)
    expect((await lab.get('/v1/guests?project=id')).status).toBe(400)
    expect((await lab.get('/v1/guests?startDate=nonsense&project=email')).status).toBe(403)
  })

  it('ruling 45: gets files with the same columns', async () => {
    const { text } = await lab.get(
      `/v1/guests?${YEAR}&project=id,customerId,weight1&format=csv&values=raw&bom=false`,
    )
    expect(readCsv(text)[0]).toEqual({
      id: 'b0',
      customerId: expect.stringMatching(PSEUDONYM),
      weight1: '60',
    })
    const lines = (await lab.get(`/v1/guests?${YEAR}&project=customerId&format=ndjson`)).text.split('\n')
    expect(JSON.parse(lines[0] ?? '')).toEqual({ customerId: expect.stringMatching(PSEUDONYM), ids: {} })
    expect((await lab.get(`/v1/guests?${YEAR}&project=id,name&format=xlsx`)).status).toBe(403)
  })

  it('ruling 45: learns from GET /fields exactly what it may name', async () => {
    const { body } = await lab.get('/v1/fields')
    expect(
      body.data
        .filter(({ readable }) => readable)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...ALLOWED].sort())
  })

  it('ruling 45: is recorded in the trail with the records, whatever it names; usage has no values', async () => {
    const own = await startTestApi({ records: [spa({ pseudonymousReads: true }), ...world()] })
    const key = await own.createKey({ scopes: ['guests.medical'] })
    await own.as(key).get('/v1/guests?sessionId=s1&length=2&project=id,customerId')
    await own.as(key).get('/v1/guests?sessionId=s1&project=id,name&q=aaafirst')
    await own.app.close()
    // IT asks who has read a person, and what the application has read.
    const [read, ...more] = await readsInTrail(own.database, { guest: { customer: 'person-1' } })
    expect(read).toMatchObject({ key: { publicKey: key.publicKey }, scopes: ['guests.medical'] })
    expect(more).toEqual([])
    expect(await readsInTrail(own.database, { guest: { booking: 'b5' } })).toEqual([])
    expect(JSON.stringify(await own.database.query(sql`select * from usage_errors`))).not.toContain(
      'aaafirst',
    )
  })
})

describe('is 403, and says what is allowed,', () => {
  const INSTEAD = 'Without it, this key reads under pseudonyms: GET /guests with project'

  it.each(['/v1/guests/match?name=aa&sessionId=s1', '/v1/guests/arrivals.ics', '/v1/changes?kinds=guests'])(
    '%s',
    async (url) => {
      const { status, body } = await lab.get(url)
      expect([status, body.error.message]).toEqual([403, expect.stringContaining(INSTEAD)])
    },
  )

  it('ruling 45: whatever else shows guests, orders or meals', async () => {
    for (const url of [
      '/v1/guests/meal-skipping-report?sessionId=s1',
      '/v1/meals/portions?date=2025-01-12',
      `/v1/orders?${YEAR}`,
    ]) {
      expect((await lab.get(url)).status, url).toBe(403)
    }
  })

  it('ruling 45: an assistant, also with a key that allows assistants, and over /mcp', async () => {
    const key = await api.createKey({ scopes: ['guests.medical'], allowAssistants: true })
    const url = `/v1/guests?${YEAR}&project=id,weight1`
    expect((await api.as(key).get(url)).status).toBe(200)
    const { status, body } = await api.as(key).get(url, { 'sojourn-channel': 'assistant' })
    expect([status, body.error.message]).toEqual([403, expect.stringContaining('is for programs')])
    const params = { name: 'listGuests', arguments: { sessionId: 's1', project: 'id,weight1' } }
    const said = (await post(api.as(key), { method: 'tools/call', params })).text
    expect(said).toContain('Reading under pseudonyms is for programs')
    expect(said).not.toContain('weight1":')
  })

  it('ruling 45: a link, which cannot be created for such a key', async () => {
    const input = {
      key: labKey.appId,
      question: '/guests?sessionId=s1&project=id,weight1',
      allowSensitive: true,
    }
    await expect(makeLink(api.database, input, Date.parse('2025-01-12'))).rejects.toThrow(
      'GET /guests needs the scope guests',
    )
  })

  it('ruling 45: a link that its key could show before it lost the scope guests', async () => {
    const key = await api.createKey({ scopes: ['guests', 'guests.medical'] })
    const input = {
      key: key.appId,
      question: '/guests?sessionId=s1&project=id,weight1',
      allowSensitive: true,
    }
    const { path } = await makeLink(api.database, input, Date.parse('2025-01-12'))
    expect((await api.as(undefined).get(path)).status).toBe(200)
    await api.database.query(
      sql`update api_keys set scopes = '{guests.medical}' where public_key = ${key.publicKey}`,
    )
    const { status, text } = await api.as(undefined).get(path)
    expect([status, text]).toEqual([403, expect.stringContaining('is for programs')])
  })

  it('ruling 45: a key whose other scopes show names next to the same identifiers', async () => {
    const naming = SCOPES.filter(
      (scope) => !scope.startsWith('guests') && !['sessions', 'sources'].includes(scope),
    )
    expect(naming).toEqual(expect.arrayContaining(['meals', 'orders']))
    for (const scope of naming) {
      const asker = api.as(await api.createKey({ scopes: ['guests.medical', scope] }))
      const { status, body } = await asker.get(`/v1/guests?${YEAR}&project=id,weight1`)
      expect([status, body.error.message], scope).toEqual([
        403,
        expect.stringContaining(`this one also has ${scope}`),
      ])
    }
  })

  it('ruling 45: a key without guests.medical, and every key of a center that does not set pseudonymousReads', async () => {
    const url = `/v1/guests?${YEAR}&project=id,customerId`
    for (const scopes of [['guests.personal'], ['sessions'], ['guests.financial']] satisfies Scope[][]) {
      const { status, text } = await api.as(await api.createKey({ scopes })).get(url)
      expect([status, text]).toEqual([403, expect.not.stringContaining('pseudonym')])
    }
    const { status, text } = await api
      .as(await api.createKey({ center: LODGE, scopes: ['guests.medical'] }))
      .get(url)
    expect([status, text]).toEqual([403, expect.not.stringContaining('pseudonym')])
  })

  it('ruling 45: from the moment at which the center withdraws it', async () => {
    const own = await api.newCenter(
      world().map(({ centerId: _, ...record }) => record as TestRecord),
      { pseudonymousReads: true },
    )
    const asker = api.as(await api.createKey({ center: own.id, scopes: ['guests.medical'] }))
    const url = `/v1/guests?${YEAR}&project=id`
    expect((await asker.get(url)).status).toBe(200)
    await api.load([{ kind: 'center', id: own.id, pseudonymousReads: false }])
    expect((await asker.get(url)).status).toBe(403)
  })
})

describe('a pseudonym', () => {
  it('ruling 45: is the same for all keys of an application, also after a rotation', async () => {
    const before = await pseudonymsOf(lab)
    const rotated = await rotateKey(api.database, labKey.appId, {
      random: randomBytes,
      now: Date.parse('2025-01-12T09:00:00Z'),
      overlapMs: 86_400_000,
    })
    const after = await api
      .as(undefined)
      .get(`/v1/guests?${YEAR}&project=id,customerId`, { authorization: `Bearer ${rotated.apiKey}` })
    expect(after.body.data.map(({ customerId }) => customerId)).toEqual(before)
    expect(await pseudonymsOf(lab)).toEqual(before)
  })

  it('ruling 45: is another one for another application, and in another center', async () => {
    const other = api.as(await api.createKey({ scopes: ['guests.medical'] }))
    const elsewhere = await api.newCenter(
      world().map(({ centerId: _, ...record }) => record as TestRecord),
      { pseudonymousReads: true },
    )
    const there = await api.createKey({ center: elsewhere.id, scopes: ['guests.medical'] })
    const all = [await pseudonymsOf(lab), await pseudonymsOf(other), await pseudonymsOf(api.as(there))].flat()
    expect(new Set(all).size).toBe(18)
    // Also for a customer with the same identifier and, if somebody copied it, the same secret.
    const [one, two] = [SPA, LODGE].map((center) => createPseudonyms(centerId(center), Buffer.alloc(32, 1)))
    expect(one?.of('person-0')).not.toBe(two?.of('person-0'))
    expect(one?.of('person-0')).toBe(createPseudonyms(centerId(SPA), Buffer.alloc(32, 1)).of('person-0'))
  })

  it('ruling 45: survives a move of the center with its keys', async () => {
    const before = await pseudonymsOf(lab)
    // The tests' keys of all scopes, which no command makes, and which no import takes.
    await api.database.query(
      sql`update api_keys set scopes = array_remove(scopes, 'administration'), grants = '{}'`,
    )
    const records = (await Array.fromAsync(exportRecords(api.database, { center: SPA, keys: true }))).flat()
    const database = await openTestDatabase()
    expect(await importAll(database, records, { keys: true })).toMatchObject({ problems: [] })
    const moved = await startTestApi({ database, records: [spa()], now: '2025-01-12T09:00:00Z' })
    expect(await pseudonymsOf(moved.as(labKey))).toEqual(before)
    // Importing an older or a forged export changes nothing.
    const forged = records.map((record) => ({
      ...record,
      ...('publicKey' in record && { pseudonymSecret: '0'.repeat(64) }),
    }))
    expect(await importAll(database, forged, { keys: true })).toMatchObject({ problems: [] })
    expect(await pseudonymsOf(moved.as(labKey))).toEqual(before)
  })

  it('ruling 45: is made with a secret that is 32 bytes or refused', async () => {
    const records = (await Array.fromAsync(exportRecords(api.database, { center: SPA, keys: true }))).flat()
    const wrong = records.map((record) => ({
      ...record,
      ...('publicKey' in record && { pseudonymSecret: 'abc' }),
    }))
    const { problems } = await importAll(await openTestDatabase(), wrong, { keys: true })
    expect(problems[0]).toMatchObject({
      field: 'pseudonymSecret',
      message: 'is not a text of 64 hexadecimal digits in lower case',
    })
  })
})

/** A cursor, and the tag of a file, say that the center has had a commit, and nothing of what it was. */
const isOfCommit = (url: string) => /snapshot|format|changes/.test(url)

describe('nothing that such a key gets depends on names, contacts or other personal data', () => {
  /** Requests of all kinds: allowed, refused and malformed. */
  const requests = (random: Random): string[] => {
    const { pick, below } = random
    return Array.from({ length: 150 }, () => {
      const range = pick([
        YEAR,
        'sessionId=s1',
        'inHouse=2025-01-12',
        'arriving=2025-01-11',
        'startDate=2025-01-16&endDate=2025-01-20',
      ])
      const fields = Array.from({ length: 1 + below(4) }, () =>
        below(100) < 85
          ? pick(ALLOWED)
          : pick([...GUEST_FIELDS.map(({ name }) => name), 'meta.note', 'nmae']),
      )
      const more = pick([
        '',
        '',
        '',
        '&sort=-startDate',
        '&sort=lastName',
        '&q=aa',
        '&email=aaa@aa.example',
        '&dob=1960-03-01',
        '&start=2&length=3',
        '&snapshot=true',
        '&format=csv',
        '&format=ndjson',
        '&internalId=aa-1',
        '&status=arrived',
        '&changedAfter=0',
      ])
      return `/v1/guests?${range}&project=${fields.join()}${more}`
    }).concat(
      [
        '/v1/fields',
        '/v1/changes',
        '/v1/changes?kinds=guests',
        '/v1/guests',
        '/v1/guests/match?name=aaafirst&sessionId=s1',
      ],
      [
        '/v1/guests/arrivals.ics',
        `/v1/orders?${YEAR}`,
        `/v1/sessions?${YEAR}`,
        '/v1/guests/meal-skipping-report?sessionId=s1',
      ],
    )
  }

  it('ruling 45: answers, counts, order, tags and errors are the same for other people', async () => {
    const own = await startTestApi({
      now: '2025-01-12T09:00:00Z',
      records: [spa({ pseudonymousReads: true }), ...world('aa')],
    })
    const asker = own.as(await own.createKey({ scopes: ['guests.medical', 'guests.personal', 'sessions'] }))
    const urls = requests(seededRandom(45))
    const answers = async () => {
      const all: unknown[] = []
      for (const url of urls) {
        const { status, text, headers } = await asker.get(url)
        const { 'snapshot-digest': digest, etag, link } = headers
        all.push([
          url,
          status,
          // Reading says when guests last changed, whatever changed of them.
          text.replace(/"(requestId|cursor)":"[^"]*"|"received":\[[^\]]*\]/g, ''),
          isOfCommit(url) ? '' : etag,
          digest,
          `${link}`.replace(/snapshot=[^&>]*/g, ''),
        ])
      }
      return all
    }
    const before = await answers()
    const firstPage = `/v1/guests?${YEAR}&project=id,weight1&length=5&snapshot`
    const pin = (await asker.get(`${firstPage}=true`)).headers['snapshot-cursor']
    await own.load(world('zz').filter(({ kind }) => kind === 'customer'))
    expect((await own.get(`/v1/guests?${YEAR}&q=zz&project=id`)).body.total).toBe(12)
    // A pinned list is still current: nobody learns that names have changed.
    expect((await asker.get(`${firstPage}=${pin}&start=2`)).status).toBe(200)
    const after = await answers()
    expect(after).toEqual(before)
    expect(before.filter((answer) => (answer as unknown[])[1] === 200).length).toBeGreaterThan(50)
    expect(before.filter((answer) => (answer as unknown[])[1] === 403).length).toBeGreaterThan(50)
    for (const answer of before)
      expect((answer as string[])[2]).not.toMatch(/person-\d|aa[a-l](first|last)|aaville|aanote/)
  })
})
