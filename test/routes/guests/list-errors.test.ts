import { beforeAll, describe, expect, it } from 'vitest'
import { namedParameters, startTestApi, type TestApi } from '../../support/api.ts'
import { stay } from '../../support/world.ts'

const JANUARY = 'startDate=2025-01-01&endDate=2025-01-31'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ records: stay('g', '2025-01-10', '2025-01-15') })
})

describe('400', () => {
  it.each([
    'patients',
    'Patient',
    'PATIENT',
    'patient,guests',
    '*',
    'null',
    "patient' or '1'='1",
    'patient\u0000',
  ])('interface, role: %j is no role, and the answer lists them', async (role) => {
    const answer = await api.get(`/v1/guests?${JANUARY}&role=${encodeURIComponent(role)}`)
    expect(answer.status).toBe(400)
    expect(namedParameters(answer)).toEqual(['role'])
    expect(answer.body.error.message).toContain('patient, companion, guest')
  })
  it.each([
    ['canceled', 'cancelled'],
    ['waitinglist', 'waitingList'],
    ['waiting_list', 'waitingList'],
    ['Confirmed', 'confirmed'],
    ['registredOnline', 'registeredOnline'],
  ])('interface, status: %s is refused with %s as what was meant', async (given, meant) => {
    const answer = await api.get(`/v1/guests?${JANUARY}&status=${given}`)
    expect(answer.status).toBe(400)
    expect(namedParameters(answer)).toEqual(['status'])
    expect(answer.body.error.message).toContain(`Did you mean ${meant}?`)
  })
  it.each([
    ['sessionid=s1', 'sessionId'],
    ['sessionID=s1', 'sessionId'],
    ['session_ids=s1', 'sessionIds'],
    ['projet=id', 'project'],
    ['projections=id', 'project'],
    ['lenght=10', 'length'],
    ['Role=patient', 'role'],
    ['start_date=2025-01-01', 'startDate'],
  ])('ruling 9: the unknown parameter of ?%s is refused with %s as what was meant', async (query, meant) => {
    const answer = await api.get(`/v1/guests?${JANUARY}&${query}`)
    expect(answer.status).toBe(400)
    expect(namedParameters(answer)).toEqual([query.slice(0, query.indexOf('='))])
    expect(answer.body.error.message).toContain(meant)
  })
  it.each([
    'page=1',
    'limit=10',
    'x=',
    'x',
    '=1',
    'a[b]=c',
    '__proto__=1',
    'constructor=1',
    'hasOwnProperty=1',
    'length[]=2',
  ])('ruling 9: the unknown parameter of ?%s is refused', async (query) => {
    const answer = await api.get(`/v1/guests?${JANUARY}&${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body.error.details).toHaveLength(1)
  })
  it.each([
    'startDate',
    'endDate',
    'sessionId',
    'sessionIds',
    'sessionIdsExclude',
    'role',
    'status',
    'start',
    'length',
    'project',
  ])('ruling 9: an empty %s is refused, with and without an equals sign', async (name) => {
    const others = JANUARY.split('&').filter((pair) => !pair.startsWith(`${name}=`))
    for (const empty of [`${name}=`, name]) {
      const answer = await api.get(`/v1/guests?${[...others, empty].join('&')}`)
      expect(answer.status, empty).toBe(400)
      expect(namedParameters(answer), empty).toEqual([name])
    }
  })
  it.each([
    ['startDate', '2025-01-01'],
    ['endDate', '2025-01-31'],
    ['sessionId', 's1'],
    ['start', '1'],
    ['length', '10'],
  ])('ruling 9: %s given twice is refused, though both be alike', async (name, value) => {
    const others = JANUARY.split('&').filter((pair) => !pair.startsWith(`${name}=`))
    const answer = await api.get(
      `/v1/guests?${[...others, `${name}=${value}`, `${name}=${value}`].join('&')}`,
    )
    expect(answer.status).toBe(400)
    expect(namedParameters(answer)).toEqual([name])
    expect(answer.body.error.message).toContain('2 times')
  })
  it.each([',', ' ', ' , ,', ',,'])('ruling 9: the list %j has empty entries only', async (list) => {
    for (const name of ['sessionIds', 'sessionIdsExclude', 'project', 'status']) {
      for (const written of [name, `${name}[]`]) {
        const answer = await api.get(`/v1/guests?${JANUARY}&${new URLSearchParams({ [written]: list })}`)
        expect(answer.status, written).toBe(400)
        expect(namedParameters(answer), written).toEqual([name])
        expect(answer.body.error.message).toBe(`${name} is empty. Give it a value or leave it out.`)
      }
    }
  })
  it.each([
    'start[]=2',
    'sessionId[0]=s1',
    'sessionIds[a]=s1',
    'sessionIds[0][0]=s1',
    '[]=s1',
    'colour[]=red',
  ])('ruling 9: %s is no list of this endpoint in brackets', async (query) => {
    const answer = await api.get(`/v1/guests?${JANUARY}&${query}`)
    expect(answer.status).toBe(400)
    expect(namedParameters(answer)).toEqual([query.slice(0, query.indexOf('='))])
  })
  it('ruling 9: what is in brackets is checked as the list itself', async () => {
    const answer = await api.get(`/v1/guests?${JANUARY}&sessionIds[0]=s1&sessionIds[1]=s 2&project[]=nme`)
    expect(answer.status).toBe(400)
    expect(namedParameters(answer).toSorted()).toEqual(['project', 'sessionIds'])
  })
  it.each(['s 1', 's1\u0000', 'ș', 'ab\ud800', 's'.repeat(65), '../x', "s1'--", '%', '*', 's1;s2', '\n'])(
    'ruling 9: %j is no identifier, never a 500',
    async (text) => {
      for (const name of ['sessionId', 'sessionIds', 'sessionIdsExclude']) {
        const query = new URLSearchParams({ [name]: text })
        const answer = await api.get(`/v1/guests?${JANUARY}&${query}`)
        expect(answer.status, name).toBe(400)
        expect(namedParameters(answer), name).toEqual([name])
      }
    },
  )
  it('ruling 9: an identifier of 64 characters is one', async () => {
    expect((await api.get(`/v1/guests?sessionId=${'s'.repeat(64)}`)).status).toBe(200)
    expect((await api.get('/v1/guests?sessionId=A-z_0.9:x')).status).toBe(200)
  })
  it('ruling 8: all problems of a request come in one answer', async () => {
    const answer = await api.get(
      '/v1/guests?startDate=2025-02-30&endDate=&role=patients&length=1000&start=0&project=nope&colour=red',
    )
    expect(answer.status).toBe(400)
    expect(namedParameters(answer).toSorted()).toEqual(
      ['colour', 'endDate', 'length', 'project', 'role', 'start', 'startDate'].sort(),
    )
    expect(answer.body.error.message).toBe(
      `${answer.body.error.details?.[0]?.message} (and 6 more; see details)`,
    )
  })
  it.each([
    ['length=0&role=patients', '"patients" is not allowed.', 1],
    ['project=nme&start=x', '"x" is not a start: pages are numbered from 1', 1],
    ['role=patients&start=0&length=0', '"patients" is not allowed.', 2],
  ])('ruling 8: the message of %s is the sentence of its first problem', async (query, sentence, others) => {
    const { message } = (await api.get(`/v1/guests?${JANUARY}&${query}`)).body.error
    expect(message).toContain(sentence)
    expect(message.endsWith(` (and ${others} more; see details)`)).toBe(true)
  })
  it.each(['', 'startDate=2025-01-01', 'endDate=2025-01-01', 'sessionIdsExclude=s1', 'role=guest'])(
    'ruling 8: what "%s" lacks is one problem, and the message says it',
    async (query) => {
      const { message, details } = (await api.get(`/v1/guests?${query}`)).body.error
      expect(message).toMatch(/^Give startDate and endDate /)
      expect(details).toEqual([{ parameter: expect.stringMatching(/^(start|end)Date$/), message }])
    },
  )
  it('ruling 8: of very many problems the first twenty are named, and how many there are', async () => {
    const names = Array.from({ length: 1500 }, (_, at) => `frstNam${at}`)
    for (const query of [`project=${names.join(',')}`, names.map((name) => `${name}=1`).join('&')]) {
      const answer = await api.get(`/v1/guests?${JANUARY}&${query}`)
      expect(answer.status).toBe(400)
      const [first] = answer.body.error.details ?? []
      expect(answer.body.error.message).toBe(
        `${first?.message} (and 1499 more; see details for the first 20)`,
      )
      expect(namedParameters(answer)).toHaveLength(20)
      expect(answer.text.length).toBeLessThan(10_000)
    }
  })
  it('ruling 8: a value is shown as it was given, and a long one is cut', async () => {
    const long = await api.get(`/v1/guests?${JANUARY}&role=${'x'.repeat(5000)}`)
    expect(long.status).toBe(400)
    expect(long.text.length).toBeLessThan(1000)
    const quoted = await api.get(`/v1/guests?${JANUARY}&role=${encodeURIComponent('<b>"x"</b>')}`)
    expect(quoted.body.error.message).toContain('<b>\\"x\\"</b>')
  })
  it.each([
    ['a control of C0', 'x\u001by', '\\u001b'],
    ['delete', 'x\u007fy', '\\u{7f}'],
    ['a control of C1', 'x\u009by', '\\u{9b}'],
    ['what reverses the direction of writing', 'x\u202ey', '\\u{202e}'],
    ['an isolate', 'x\u2067y', '\\u{2067}'],
    ['an Arabic letter mark', 'x\u061cy', '\\u{61c}'],
    ['a blank without width', 'x\ufeffy', '\\u{feff}'],
    ['a line separator', 'x\u2028y', '\\u{2028}'],
    ['a tag beyond the first plane', 'x\u{e0041}y', '\\u{e0041}'],
  ])('ruling 8: %s is shown as its escape, in values and in names', async (_, given, shown) => {
    const encoded = encodeURIComponent(given)
    const answer = await api.get(`/v1/guests?${JANUARY}&role=${encoded}&${encoded}=1&project=${encoded}`)
    expect(answer.status).toBe(400)
    const { details } = answer.body.error
    expect(details).toHaveLength(3)
    for (const { message } of details ?? []) expect(message).toContain(shown)
    // Nothing of it is left in the answer, as it was or as an escape of JSON that a parser would undo.
    expect(JSON.stringify(answer.body)).not.toContain(JSON.stringify(given).slice(1, -1))
  })
  it.each([
    ['sessionId', 's1,s2'],
    ['start', '1,2'],
  ])('ruling 9: %s=%s says that one value is taken', async (name, value) => {
    const answer = await api.get(`/v1/guests?${JANUARY}&${name}=${value}`)
    expect(answer.status).toBe(400)
    expect(namedParameters(answer)).toEqual([name])
    expect(answer.body.error.message).toMatch(new RegExp(`^${name} takes one value, without commas: `))
  })
  it('ruling 9: nothing of the answer goes out with a dropped filter', async () => {
    const answer = await api.get(`/v1/guests?${JANUARY}&rolle=patient`)
    expect(answer.body).not.toHaveProperty('data')
  })
})

describe('403', () => {
  it('shows no control or bidirectional character of a custom field’s name', async () => {
    const lesser = api.as(await api.createKey({ scopes: ['guests'] }))
    const names = ['meta.a\u202eb', 'meta.c\u0007d', `meta.${'e'.repeat(5000)}`, 'meta.plain']
    const answer = await lesser.get(`/v1/guests?${JANUARY}&project=${encodeURIComponent(names.join(','))}`)
    expect(answer.status).toBe(403)
    for (const character of ['\u202e', '\u0007']) expect(answer.body.error.message).not.toContain(character)
    expect(answer.body.error.message).toContain('meta.plain')
    expect(answer.body.error.message.length).toBeLessThan(300)
  })
})
