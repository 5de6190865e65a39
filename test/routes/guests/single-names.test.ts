/** People with a single name: everything that shows, sorts or finds people by their names. */
import { beforeAll, describe, expect, it } from 'vitest'
import { importRecords } from '../../../src/core/intake/import-records.ts'
import { recordLines } from '../../../src/core/intake/lines/record-line.ts'
import { exportSubject } from '../../../src/parts/data-rights/export-subject.ts'
import { findSubjects } from '../../../src/parts/data-rights/find-subjects.ts'
import { subjectPage } from '../../../src/parts/data-rights/subject-page.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { readCsv } from '../../support/csv.ts'
import { customer, order, SPA, session, stay, type TestRecord } from '../../support/world.ts'

const WEEK = 'startDate=2025-01-06&endDate=2025-01-12'
const skippingMeals = { lunch: ['2025-01-07'] }

/** A guest of the order, who skips lunch on 7 January. */
const guestNamed = (id: string, names: Record<string, string>, fields = {}): TestRecord[] => {
  const [{ firstName: _, lastName: __, ...person } = customer(id), booking] = stay(
    id,
    '2025-01-06',
    '2025-01-12',
    {
      sessionIds: ['s1'],
      orderUuid: 'o1',
      skippingMeals,
      ...fields,
    },
  )
  return [{ ...person, kind: 'customer', ...names }, booking as TestRecord]
}

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({
    now: '2025-01-07T09:00:00Z',
    records: [
      session('s1', '2025-01-06T12:00', '2025-01-12T12:00'),
      order('o1', { orderDate: '2025-01-07T10:00' }),
      ...guestNamed('zoe', { firstName: 'Zoe', lastName: 'Anders' }),
      ...guestNamed('suharto', { lastName: 'Suharto' }),
      // Before its customer, whose name comes with the commit.
      ...guestNamed('madonna', { firstName: 'Madonna' }).reverse(),
      ...guestNamed('berta', { firstName: 'Berta', lastName: 'Novak' }),
    ],
  })
})

const guestsOf = ({ status, text, body }: Awaited<ReturnType<TestApi['get']>>) => {
  expect(status, text).toBe(200)
  return body.data
}
const list = async (more: string) => guestsOf(await api.get(`/v1/guests?${WEEK}&${more}`))
const idsOf = (guests: readonly Record<string, unknown>[]) => guests.map(({ id }) => id)

describe('a person with a single name', () => {
  it('ruling 42: has it as `name`, and null for the missing one', async () => {
    const guests = await list('project=id,name,firstName,lastName,firstNameCaps,lastNameCaps&sort=lastName')
    const [, madonna, , suharto] = [0, 1, 2, 3].map((at) => guests[at])
    expect(idsOf(guests)).toEqual(['zoe', 'madonna', 'berta', 'suharto'])
    expect(madonna).toMatchObject({
      name: 'Madonna',
      firstName: 'Madonna',
      lastName: null,
      firstNameCaps: 'MADONNA',
      lastNameCaps: null,
    })
    expect(suharto).toMatchObject({
      name: 'Suharto',
      firstName: null,
      lastName: 'Suharto',
      firstNameCaps: null,
      lastNameCaps: 'SUHARTO',
    })
  })

  it('ruling 42: is listed with it next to the sessions, too', async () => {
    const guests = guestsOf(await api.get('/v1/guests?sessionId=s1'))
    const names = guests.map(({ firstName, lastName }) => [firstName, lastName])
    expect(names).toContainEqual(['Madonna', null])
    expect(names).toContainEqual([null, 'Suharto'])
  })

  it('ruling 42: sorts by it in both directions, whichever name the list is sorted by', async () => {
    expect(idsOf(await list('project=id&sort=-lastName'))).toEqual(['suharto', 'berta', 'madonna', 'zoe'])
    expect(idsOf(await list('project=id&sort=firstName'))).toEqual(['berta', 'madonna', 'suharto', 'zoe'])
  })

  it.each([
    ['madon', 'madonna'],
    ['Suharto', 'suharto'],
  ])('ruling 42: is found by it: %s', async (name, id) => {
    expect(idsOf(await list(`project=id&q=${name}`))).toEqual([id])
    const match = await api.get(`/v1/guests/match?${WEEK}&name=${name}`)
    expect(match.body.data).toMatchObject([{ id, reasons: [{ by: 'name' }] }])
    const { found } = await findSubjects(api.database, { center: SPA, name })
    expect(found.map(({ customerId }) => customerId)).toEqual([`c-${id}`])
  })

  it('ruling 42: is in the meal report, the portions, orders and files by it', async () => {
    const report = await api.get(`/v1/guests/meal-skipping-report?${WEEK}`)
    const { byDate } = report.body
    const names = ['Berta Novak', 'Madonna', 'Suharto', 'Zoe Anders']
    expect(byDate['2025-01-07']?.lunch.guests.map(({ name }) => name)).toEqual(names)

    const portions = await api.get(
      '/v1/meals/portions?startDate=2025-01-07&endDate=2025-01-07&includeGuests=true',
    )
    expect(portions.status, portions.text).toBe(200)
    for (const name of names) expect(portions.text).toContain(`"name":"${name}"`)

    const orders = await api.get(`/v1/orders?${WEEK}&includeGuestNames=true`)
    expect(orders.text).toContain('"guestNames":"Zoe Anders, Madonna, Berta Novak, Suharto"')

    const file = await api.get(`/v1/guests?${WEEK}&project=name,firstName,lastName&sort=lastName&format=csv`)
    expect(Object.values(readCsv(file.text)[1] ?? {}).slice(0, 3)).toEqual(['Madonna', '', 'Madonna'])

    const calendar = await api.get(`/v1/guests/arrivals.ics?${WEEK}&includeGuestNames=true`)
    expect(calendar.text.replaceAll(/\r\n /g, '')).toContain('Berta Novak\\nMadonna\\nSuharto\\nZoe Anders')
  })

  it('ruling 42: has a page of their data with it', async () => {
    const held = await exportSubject(api.database, 'c-madonna', {
      center: undefined,
      now: Date.parse('2025-01-07T12:00:00Z'),
    })
    const form = { language: 'en', zone: 'Europe/Bucharest', currency: 'EUR', centerName: 'Spa' } as const
    expect(subjectPage(held, form, new Set())).toContain('<h1>Spa: Madonna</h1>')
  })
})

describe('an import', () => {
  const problemsOf = async (records: readonly unknown[]) => {
    const { problems, summary } = await importAll(records)
    return {
      applied: summary.applied,
      problems: problems.map(({ field, message }) => `${field}: ${message}`),
    }
  }
  async function importAll(records: readonly unknown[]) {
    const problems: { field?: string; message: string }[] = []
    const summary = await importRecords(api.database, recordLines(records), {
      center: SPA,
      onProblem: (problem) => void problems.push(problem),
    })
    return { problems, summary }
  }
  const NAMELESS = 'firstName: a person needs a name: firstName, lastName or both'

  it('ruling 42: refuses a person without a name, and a null that clears the last one', async () => {
    expect(await problemsOf([{ kind: 'customer', id: 'nobody', email: 'a@example.com' }])).toEqual({
      applied: false,
      problems: [NAMELESS],
    })
    expect(await problemsOf([{ kind: 'customer', id: 'c-suharto', lastName: null }])).toEqual({
      applied: false,
      problems: [NAMELESS],
    })
    // A version makes a record complete, so the stored name is not what is left.
    const versioned = { kind: 'customer', id: 'c-suharto', version: 2, email: 'a@example.com' }
    expect(await problemsOf([versioned])).toEqual({ applied: false, problems: [NAMELESS] })
  })

  it('ruling 42: does not say it in addition where a name is given and wrong', async () => {
    const { problems } = await problemsOf([{ kind: 'customer', id: 'wrong', firstName: ' ' }])
    expect(problems).toEqual(['firstName: is empty; expected text of 1 to 1000 characters, not only spaces'])
  })

  it('ruling 42: clears one of two names, and gives a second one', async () => {
    await api.load([customer('c-two', { firstName: 'Ida', lastName: 'Berg' })])
    await api.load([{ kind: 'customer', centerId: SPA, id: 'c-two', firstName: null }])
    const found = await findSubjects(api.database, { center: SPA, name: 'Berg' })
    expect(found.found[0]).toMatchObject({ customerId: 'c-two', firstName: null, lastName: 'Berg' })
    await api.load([{ kind: 'customer', centerId: SPA, id: 'c-suharto', firstName: 'Haji' }])
    const [guest] = await list('project=id,name&q=Suharto')
    expect(guest).toMatchObject({ name: 'Haji Suharto' })
    const [shown] = guestsOf(await api.get('/v1/guests?sessionId=s1&q=Suharto'))
    expect(shown).toMatchObject({ firstName: 'Haji', lastName: 'Suharto' })
    await api.load([{ kind: 'customer', centerId: SPA, id: 'c-suharto', firstName: null }])
  })
})
