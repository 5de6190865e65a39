import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../src/core/database/database.ts'
import { exportRecords } from '../../src/core/intake/export/export-records.ts'
import { centerId, readCenter } from '../../src/core/records/centers/center.ts'
import { openTestDatabase } from '../support/database.ts'
import { center, empty, importAll, metaField, removed } from './import-lines.ts'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(() => empty(database))

const rules = async () => (await readCenter(database, centerId('c')))?.mealRules

const full = {
  mealTimes: { breakfast: '07:30', lunch: '12:00', dinner: '18:15' },
  mealEnds: { breakfast: '10:00', lunch: '14:00', dinner: '20:45' },
  standardTimes: { arrival: ['15:00', '16:00'], departure: ['11:00'] },
  arrivalMeals: ['lunch', 'dinner'],
  departureMeals: [],
  daysNotServed: { breakfast: [], lunch: ['2026-12-25'], dinner: ['sunday', '2026-12-25'] },
  dietFields: [
    { field: 'diet', allergies: ['no nuts', 'no lactose'] },
    { field: 'halal', allergies: [] },
    {
      field: 'avoid',
      allergies: [],
      values: [
        { value: 'nuts', otherSpellings: ['Nüsse'], isAllergy: true, isNone: false },
        { value: 'none', otherSpellings: [], isAllergy: false, isNone: true },
      ],
    },
  ],
  alsoCookFor: ['offer'],
  cutOffs: {
    breakfast: { daysBefore: 2, time: '18:00' },
    lunch: { daysBefore: 0, time: '09:00' },
    dinner: { daysBefore: 1, time: '10:00' },
  },
}
const dietFields = [
  metaField('diet'),
  metaField('avoid'),
  metaField('halal', { type: 'boolean', of: 'customer' }),
]

describe('what a center says of its meals', () => {
  test('comes in with its record, in any order with the custom fields it names, and goes out again', async () => {
    const { summary } = await importAll(database, [center({ mealRules: full }), ...dietFields])
    expect(summary.applied).toBe(true)
    expect(await rules()).toEqual(full)
    const [exported] = await Array.fromAsync(exportRecords(database, { center: 'c' }))
    expect(exported?.[0]).toMatchObject({ kind: 'center', mealRules: full })
    const again = await importAll(database, [center({ mealRules: full })])
    expect(again.summary.kinds.center).toMatchObject({ unchanged: 1, changed: 0 })
  })

  test('is dinner on arrival and breakfast on departure, served every day, unless it says otherwise', async () => {
    await importAll(database, [center()])
    expect(await rules()).toEqual({
      mealTimes: { breakfast: null, lunch: null, dinner: null },
      mealEnds: { breakfast: null, lunch: null, dinner: null },
      standardTimes: { arrival: [], departure: [] },
      arrivalMeals: ['dinner'],
      departureMeals: ['breakfast'],
      daysNotServed: { breakfast: [], lunch: [], dinner: [] },
      dietFields: [],
      alsoCookFor: [],
      cutOffs: { breakfast: null, lunch: null, dinner: null },
    })
  })

  test('is merged: what is left out stays, null clears, a list replaces the list', async () => {
    await importAll(database, [center({ mealRules: full }), ...dietFields])
    await importAll(database, [
      center({
        mealRules: {
          mealTimes: { lunch: null },
          mealEnds: { lunch: null },
          standardTimes: { departure: null },
          arrivalMeals: null,
          daysNotServed: { dinner: ['monday'] },
        },
      }),
    ])
    expect(await rules()).toEqual({
      ...full,
      mealTimes: { breakfast: '07:30', lunch: null, dinner: '18:15' },
      mealEnds: { breakfast: '10:00', lunch: null, dinner: '20:45' },
      standardTimes: { arrival: ['15:00', '16:00'], departure: [] },
      arrivalMeals: ['dinner'],
      daysNotServed: { breakfast: [], lunch: ['2026-12-25'], dinner: ['monday'] },
    })
    await importAll(database, [center({ mealRules: null })])
    expect((await rules())?.dietFields).toEqual([])
  })
})

describe('rules that are wrong are refused with the line and the field', () => {
  test('all of them in one report', async () => {
    const wrong = [
      ['a meal there is not', { arrivalMeals: ['supper'] }, 'arrivalMeals[0]', 'breakfast, lunch, dinner'],
      ['a meal twice', { departureMeals: ['lunch', 'lunch'] }, 'departureMeals', 'each once'],
      ['a time that is none', { mealTimes: { lunch: '24:00' } }, 'mealTimes.lunch', '07:30'],
      [
        'an end without a begin',
        { mealEnds: { lunch: '14:00' } },
        'mealEnds.lunch',
        'mealRules.mealTimes.lunch is missing',
      ],
      [
        'an end that is not later than the begin',
        { mealTimes: { lunch: '12:00' }, mealEnds: { lunch: '12:00' } },
        'mealEnds.lunch',
        'not later than the begin of the meal (12:00)',
      ],
      [
        'a standard time twice',
        { standardTimes: { arrival: ['15:00', '15:00'] } },
        'standardTimes.arrival',
        'each once',
      ],
      [
        'a standard time that is none',
        { standardTimes: { departure: ['11'] } },
        'standardTimes.departure[0]',
        '07:30',
      ],
      [
        'a cut-off without a day',
        { cutOffs: { dinner: { time: '10:00' } } },
        'cutOffs.dinner.daysBefore',
        'missing',
      ],
      [
        'a cut-off too early',
        { cutOffs: { dinner: { daysBefore: 32, time: '10:00' } } },
        'cutOffs.dinner.daysBefore',
        'from 0 to 31',
      ],
      [
        'no values',
        { dietFields: [{ field: 'diet', values: [] }] },
        'dietFields[0].values',
        'every value would be unknown',
      ],
      [
        'allergies twice over',
        { dietFields: [{ field: 'diet', allergies: ['x'], values: [{ value: 'x' }] }] },
        'dietFields[0].allergies',
        'isAllergy',
      ],
      [
        'an allergy that is none',
        { dietFields: [{ field: 'diet', values: [{ value: 'x', isAllergy: true, isNone: true }] }] },
        'dietFields[0].values[0].isNone',
        'only one',
      ],
      [
        'a spelling with a comma',
        { dietFields: [{ field: 'diet', values: [{ value: 'x', otherSpellings: ['y', 'a, b'] }] }] },
        'dietFields[0].values[0].otherSpellings[1]',
        'at which text is split',
      ],
      [
        'one spelling of two values',
        {
          dietFields: [
            { field: 'diet', values: [{ value: 'Café' }, { value: 'x', otherSpellings: ['CAFE'] }] },
          ],
        },
        'dietFields[0].values[1].otherSpellings[0]',
        'the same as mealRules.dietFields[0].values[0].value',
      ],
      ['a time without minutes', { mealTimes: { lunch: '12' } }, 'mealTimes.lunch', '07:30'],
      [
        'lunch before breakfast',
        { mealTimes: { breakfast: '09:00', lunch: '08:00' } },
        'mealTimes.lunch',
        'not after',
      ],
      [
        'a day that does not exist',
        { daysNotServed: { dinner: ['2026-02-30'] } },
        'daysNotServed.dinner[0]',
        'monday',
      ],
      [
        'a day in another language',
        { daysNotServed: { dinner: ['duminică'] } },
        'daysNotServed.dinner[0]',
        'sunday',
      ],
      ['a status that is a stay', { alsoCookFor: ['arrived'] }, 'alsoCookFor[0]', 'voided, offer'],
      [
        'a diet twice',
        { dietFields: [{ field: 'diet' }, { field: 'diet' }] },
        'dietFields[1].field',
        'already',
      ],
      [
        'a diet without a field',
        { dietFields: [{ allergies: ['x'] }] },
        'dietFields[0].field',
        'is required',
      ],
      ['a name that is none', { dietField: [] }, 'dietField', 'Did you mean mealRules.dietFields'],
      [
        'more diets than a kitchen can read',
        { dietFields: Array.from({ length: 21 }, (_, n) => ({ field: `f${n}` })) },
        'dietFields',
        'at most 20',
      ],
    ] as const
    const lines = wrong.map(([, mealRules]) => center({ mealRules }))
    const { summary, problems } = await importAll(database, lines)
    expect(summary).toMatchObject({ applied: false, rejected: wrong.length })
    expect(problems.map(({ line, field }) => [line, field])).toEqual(
      wrong.map(([, , field], at) => [at + 1, `mealRules.${field}`]),
    )
    for (const [at, [what, , , words]] of wrong.entries())
      expect(problems[at]?.message, what).toContain(words)
    expect(await rules()).toBeUndefined()
  })

  test('a diet that is no custom field of this center, or cannot be one', async () => {
    const { problems } = await importAll(database, [
      center(),
      center({ id: 'd' }),
      { ...metaField('theirs'), centerId: 'd' },
      metaField('signedOn', { type: 'date' }),
      center({ mealRules: { dietFields: [{ field: 'theirs' }, { field: 'signedOn' }] } }),
    ])
    expect(problems).toMatchObject([
      { line: 5, field: 'mealRules.dietFields[0].field' },
      { line: 5, field: 'mealRules.dietFields[1].field' },
    ])
    expect(problems[0]?.message).toContain('no such custom field')
    expect(problems[1]?.message).toContain('type date')
  })

  test('with --skip-invalid the center comes in without them', async () => {
    const { summary, places } = await importAll(
      database,
      [center(), center({ name: 'Other', mealRules: { dietFields: [{ field: 'nothing' }] } })],
      { skipInvalid: true },
    )
    expect(summary).toMatchObject({ applied: true, rejected: 1 })
    expect(places).toEqual(['2 mealRules.dietFields[0].field'])
    expect(await rules()).toMatchObject({ dietFields: [] })
  })

  test('a custom field that is a diet is neither removed nor made a date', async () => {
    await importAll(database, [center({ mealRules: full }), ...dietFields])
    const gone = await importAll(database, [removed('metaField', { key: 'diet' })])
    expect(gone.problems[0]).toMatchObject({
      line: 1,
      message: expect.stringContaining('mealRules.dietFields'),
    })
    const date = await importAll(database, [metaField('diet', { type: 'date' })])
    expect(date.problems[0]?.message).toContain('cannot change')
    const together = await importAll(database, [
      removed('metaField', { key: 'diet' }),
      center({ mealRules: { dietFields: [{ field: 'halal' }] } }),
    ])
    expect(together.summary.applied).toBe(true)
  })
})
