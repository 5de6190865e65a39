/** A person's rights by actions of a key: find, show and erase; each in the trail, and only with their scope. */
import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { beforeEach, describe, expect, it } from 'vitest'
import { ORDINARY_SCOPES, PRESETS, type Scope } from '../../../src/core/access/keys/scopes.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { everyText } from '../../support/every-text.ts'
import { LODGE, lodge } from '../../support/world.ts'
import { MARKS, NEEDLES, PERSON, person } from './person.ts'

let api: TestApi
beforeEach(async () => {
  api = await startTestApi({ records: [...person(), lodge()], now: '2025-01-10T12:00:00Z' })
})

const keyWith = (scopes: readonly Scope[], center?: string) =>
  api.createKey({ scopes, ...(center === undefined ? {} : { center }) })

async function act(name: string, body: object, key?: Awaited<ReturnType<typeof keyWith>>) {
  const asker = api.as(key ?? (await keyWith(['rights'])))
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
  const send = () => asker.request('POST', `/v1/actions/${name}`, headers, JSON.stringify(body))
  let answer = await send()
  // As a client does: the database may be busy with what follows an erasure.
  while (answer.status === 503) answer = await send()
  return {
    status: answer.status,
    text: answer.text,
    body: answer.body as unknown as Readonly<Record<string, unknown>>,
  }
}

const FULL_NAME = `${MARKS.firstName} ${MARKS.lastName}`
const erase = { customer: PERSON, retentionYears: 0, keepOrders: false, confirm: null }

describe('find-person', () => {
  it('finds a customer by a name with a typing error, by date of birth and by e-mail address', async () => {
    for (const asked of [
      { name: 'Quirina Zwiebelhuper', dob: null, email: null },
      { name: null, dob: '1984-02-29', email: null },
      { name: null, dob: null, email: MARKS.email },
    ]) {
      const { status, body, text } = await act('find-person', asked)
      expect(status, text).toBe(200)
      expect(body.found).toMatchObject([{ customerId: PERSON, lastName: MARKS.lastName }])
    }
  })

  it('400 without any value, and never finds anybody of another center', async () => {
    expect((await act('find-person', { name: null, dob: null, email: null })).status).toBe(400)
    const other = await keyWith(['rights'], LODGE)
    const { body } = await act('find-person', { name: FULL_NAME, dob: null, email: null }, other)
    expect(body.found).toEqual([])
  })
})

describe('show-person', () => {
  it('has every value that is stored, with labels in the language of the center', async () => {
    const { status, body, text } = await act('show-person', { customer: PERSON })
    expect(status, text).toBe(200)
    const shown = JSON.stringify(body.sections)
    expect(Object.values(MARKS).filter((value) => !shown.includes(value))).toEqual([])
    expect(JSON.stringify(body.data)).toContain(PERSON)
    expect(shown).not.toMatch(/\[object|undefined|startDate|lastName|sessionIds/)
    await api.database.query(sql`update centers set locale = 'de' where center_id = 'spa'`)
    const german = JSON.stringify((await act('show-person', { customer: PERSON })).body.sections)
    expect(german).toContain('["Ausgelassene Mahlzeiten: Mittagessen","10. Januar 2025"]')
    expect(german).toContain('["Nachname",')
    expect(german).toContain('["Auftragsstatus","Bestätigt"]')
    expect(german).not.toContain('["Last name",')
  })

  it('404 for somebody of another center, as for nobody', async () => {
    const other = await keyWith(['rights'], LODGE)
    const [foreign, nobody] = [
      await act('show-person', { customer: PERSON }, other),
      await act('show-person', { customer: 'nobody' }, other),
    ]
    expect([foreign.status, nobody.status]).toEqual([404, 404])
    expect(foreign.text.replaceAll(/[0-9a-f-]{36}/g, '')).toBe(nobody.text.replaceAll(/[0-9a-f-]{36}/g, ''))
  })

  it('a repetition with the same Idempotency-Key shows nothing, and nothing of it is stored', async () => {
    const asker = api.as(await keyWith(['rights']))
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
    const body = JSON.stringify({ customer: PERSON })
    const send = () => asker.request('POST', '/v1/actions/show-person', headers, body)
    expect((await send()).text).toContain(MARKS.lastName)
    expect((await send()).text).not.toContain(MARKS.lastName)
    const stored = await api.database.query<{ answer: string }>(
      sql`select answer::text as answer from action_answers`,
    )
    expect(JSON.stringify(stored)).not.toContain(MARKS.lastName)
  })
})

describe('erase-person', () => {
  it('counts first and changes nothing, then erases with the full name, and nothing is left', async () => {
    const counted = await act('erase-person', erase)
    expect(counted.status, counted.text).toBe(200)
    expect(counted.body).toMatchObject({ erased: false, retained: null })
    expect(counted.body.stays).toBeGreaterThan(0)
    expect(await everyText(api.database)).toContain(MARKS.lastName)

    const wrong = await act('erase-person', { ...erase, confirm: 'Quirina' })
    expect(wrong.status).toBe(400)
    expect(wrong.text).not.toContain(MARKS.lastName)
    expect(await everyText(api.database)).toContain(MARKS.lastName)

    const done = await act('erase-person', { ...erase, confirm: `  ${FULL_NAME.toUpperCase()} ` })
    expect(done.body).toEqual({ ...counted.body, erased: true })
    const left = (await everyText(api.database)).toLowerCase()
    expect(NEEDLES.filter((needle) => left.includes(needle.toLowerCase()))).toEqual([])
    expect((await act('erase-person', erase)).status).toBe(404)
  })

  it('says what may have to be retained, and erases nothing then', async () => {
    const { body } = await act('erase-person', { ...erase, retentionYears: 100, confirm: FULL_NAME })
    expect(body).toMatchObject({ erased: false, retained: { stays: expect.any(Number) } })
    expect((await act('show-person', { customer: PERSON })).status).toBe(200)
  })
})

it('403 with every other scope together, and no preset has this one', async () => {
  const key = await keyWith(ORDINARY_SCOPES)
  for (const [name, body] of [
    ['find-person', { name: FULL_NAME, dob: null, email: null }],
    ['show-person', { customer: PERSON }],
    ['erase-person', erase],
  ] as const) {
    expect((await act(name, body, key)).status).toBe(403)
  }
  expect(Object.values<readonly Scope[]>(PRESETS).filter((scopes) => scopes.includes('rights'))).toEqual([])
})

it('the trail has each of them, with the stays that were shown, and no word of the search', async () => {
  const key = await keyWith(['rights'])
  await act('find-person', { name: FULL_NAME, dob: null, email: null }, key)
  await act('show-person', { customer: PERSON }, key)
  await act('erase-person', erase, key)
  await act('erase-person', { ...erase, confirm: FULL_NAME }, key)
  const entries = await api.database.query<{ operation: string; records: number; entry: string }>(
    sql`select operation, records, audit_entries::text as entry from audit_entries
      where public_key = ${key.publicKey} order by seq`,
  )
  expect(entries.map(({ operation, records }) => [operation, records > 0])).toEqual([
    ['findPerson', true],
    ['showPerson', true],
    ['erasePerson', false],
    ['erasePerson', false],
  ])
  for (const { entry } of entries) expect(entry).not.toContain(MARKS.lastName)
})
