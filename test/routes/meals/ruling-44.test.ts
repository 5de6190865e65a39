/** What a diet field says, part by part (ruling 44). */
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { startTestApi, type TestApi, type TestCenter } from '../../support/api.ts'
import { guest, metaField, type TestRecord } from '../../support/world.ts'

let service: TestApi
beforeAll(async () => {
  service = await startTestApi({ now: '2025-01-08T10:00:00Z' })
})

const VALUES = [
  { value: 'vegan' },
  { value: 'vegetarian', otherSpellings: ['végétarien', 'veggie'] },
  { value: 'nuts', otherSpellings: ['Nüsse'], isAllergy: true },
  { value: 'none', otherSpellings: ['-', 'keine'], isNone: true },
]
const RULES = {
  dietFields: [
    { field: 'diet', values: VALUES },
    { field: 'allergies', values: VALUES },
    { field: 'celiac', allergies: ['true'] },
  ],
}
const FIELDS = [
  metaField('diet'),
  metaField('allergies'),
  metaField('celiac', { label: 'Celiac', type: 'boolean' }),
]
type Meta = Readonly<Record<string, string | boolean>>
const eater = (id: string, meta: Meta): TestRecord[] =>
  guest(id, { startDate: '2025-01-09T12:00', endDate: '2025-01-12T12:00' }, { lastName: id, meta })

const center = (people: Readonly<Record<string, Meta>>, mealRules: object = RULES) =>
  service.newCenter([...FIELDS, ...Object.entries(people).flatMap(([id, meta]) => eater(id, meta))], {
    mealRules,
  })

interface Diet {
  readonly field: string | null
  readonly label: string
  readonly allergy: boolean
  readonly kind: string
}
interface Day {
  readonly meals: { readonly lunch: { readonly portions: number } }
  readonly byDiet: (Diet & { readonly lunch: number })[]
  readonly guestList: { readonly id: string; readonly asked?: boolean; readonly diets: Diet[] }[]
}

const URL = '/v1/meals/portions?startDate=2025-01-10&endDate=2025-01-10&includeGuests=true'
async function dayOf(api: Pick<TestCenter, 'get'>): Promise<Day> {
  const answer = await api.get(URL)
  expect(answer.status, answer.text).toBe(200)
  return (answer.body.days as unknown as Day[])[0]!
}
const written = ({ kind, label }: Diet) => `${kind} ${label}`

it.each([
  ['vegan', ['diet vegan']],
  ['  VEGAN ', ['diet vegan']],
  ['Vegan, NUSSE;Veggie|vegetarien', ['allergy nuts', 'diet vegan', 'diet vegetarian']],
  ['vegan\nnuts\r\nkosher', ['unknown kosher', 'allergy nuts', 'diet vegan']],
  ['egg-free', ['unknown egg-free']],
  ['Egg-Free, egg-free', ['unknown Egg-Free', 'unknown egg-free']],
  ['vegan,,vegan;', ['diet vegan']],
  ['none', []],
  ['none, nuts', ['allergy nuts']],
  ['vegan nuts', ['unknown vegan nuts']],
  // What is in brackets belongs to its part, which is an allergy if it is one without them, if one is in them, or if it is severe.
  [
    'Kreuzkümmel (schwer, Notfallset im Zimmer!), vegan',
    ['allergy Kreuzkümmel (schwer, Notfallset im Zimmer!)', 'diet vegan'],
  ],
  ['NÜSSE (only raw; also in cakes)', ['allergy NÜSSE (only raw; also in cakes)']],
  ['fish [nuts, too] | veggie', ['allergy fish [nuts, too]', 'diet vegetarian']],
  ['seafood (oysters, (mussels)), nuts', ['unknown seafood (oysters, (mussels))', 'allergy nuts']],
  ['sesam (ťažká alergia)', ['allergy sesam (ťažká alergia)']],
  ['vegan (eats fish, eggs)', ['unknown vegan (eats fish, eggs)']],
  ['none (hates olives, peas)', ['unknown none (hates olives, peas)']],
  // Brackets that nothing closes, or opens, are ordinary characters.
  ['egg (raw, nuts', ['unknown egg (raw', 'allergy nuts']],
  ['vegan :), nuts', ['unknown vegan :)', 'allergy nuts']],
])('ruling 44: each part of a text is a diet, an allergy, none or unknown: %j', async (diet, expected) => {
  const { guestList } = await dayOf(await center({ g: { diet } }))
  expect(guestList[0]!.diets.map(written)).toEqual(expected)
  expect(guestList[0]!.asked).toBe(true)
})

it('ruling 44: rows are unknown values, allergies, diets, none, not asked', async () => {
  const { byDiet } = await dayOf(
    await center({
      a: { diet: 'vegan, egg-free' },
      b: { diet: 'none', allergies: 'Nüsse' },
      c: { diet: '-' },
      d: { celiac: false },
      e: { celiac: true, diet: '  ' },
      f: {},
      g: { diet: ' , ; ' },
      h: { allergies: 'VEGAN' },
    }),
  )
  expect(
    byDiet.map(({ field, kind, label, allergy, lunch }) => [field, kind, label, allergy, lunch]),
  ).toEqual([
    ['diet', 'unknown', 'egg-free', false, 1],
    ['allergies', 'allergy', 'nuts', true, 1],
    ['celiac', 'allergy', 'Celiac', true, 1],
    ['diet', 'diet', 'vegan', false, 1],
    ['allergies', 'diet', 'vegan', false, 1],
    [null, 'none', 'Asked and has none', false, 2],
    [null, 'notAsked', 'Diet not asked', false, 2],
  ])
})

const text = fc.array(
  fc.constantFrom('vegan', 'VEGGIE', 'nuts', 'nüsse', 'none', '-', 'kosher', 'x y', ' '),
  {
    maxLength: 4,
  },
)
const separator = fc.constantFrom(',', ' ; ', '|', '\n')
const field = fc.tuple(text, separator).map(([parts, between]) => parts.join(between))
const person = fc.record({ diet: field, allergies: field, celiac: fc.boolean() }, { requiredKeys: [] })

it('ruling 44: an allergy is hidden by nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(person, { minLength: 1, maxLength: 6 }), async (people) => {
      const { byDiet, guestList, meals } = await dayOf(
        await center(Object.fromEntries(people.map((meta, at) => [`g${at}`, meta]))),
      )
      const isAllergic = ({ diet = '', allergies = '', celiac }: (typeof people)[number]) => ({
        diet: /nuts|nüsse/i.test(diet),
        allergies: /nuts|nüsse/i.test(allergies),
        celiac: celiac === true,
      })
      for (const name of ['diet', 'allergies', 'celiac'] as const) {
        const expected = people.filter((one) => isAllergic(one)[name]).length
        const row = byDiet.find(({ field, allergy }) => field === name && allergy)
        expect(row?.lunch ?? 0).toBe(expected)
      }
      for (const [at, one] of people.entries()) {
        const { diets } = guestList.find(({ id }) => id === `g${at}`)!
        const fields = diets.filter(({ allergy }) => allergy).map((diet) => diet.field)
        expect(fields).toEqual(Object.entries(isAllergic(one)).flatMap(([name, is]) => (is ? [name] : [])))
      }
      // Each guest is in the row of those who have none, or of those who were not asked, or has a diet.
      const count = (kind: string) => byDiet.find((row) => row.kind === kind)?.lunch ?? 0
      const withDiet = guestList.filter(({ diets }) => diets.length > 0).length
      expect(count('none') + count('notAsked') + withDiet).toBe(meals.lunch.portions)
      expect(count('notAsked')).toBe(guestList.filter(({ asked }) => asked === false).length)
    }),
    { numRuns: 40 },
  )
})

it('ruling 44: none and not asked are counted only if every diet was read', async () => {
  const api = await center({ a: { diet: 'none' }, b: {}, c: { diet: 'kosher' } })
  const some = await service.createKey({ center: api.id, scopes: ['meals'], customFields: ['diet'] })
  const { byDiet, guestList } = await dayOf(service.as(some))
  expect(byDiet.map(written)).toEqual(['unknown kosher'])
  expect(guestList.every((one) => !('asked' in one))).toBe(true)
})

it('ruling 44: what the center’s own system wrote is read so that no allergy is missed', async () => {
  const api = await center({ a: { diet: 'NUTS, eggs' } }, { dietFields: [{ field: 'diet' }] })
  await service.database.query({
    text: `update centers set meal_rules = $1::jsonb where center_id = $2`,
    values: [
      JSON.stringify({
        dietFields: [{ field: 'diet', allergies: ['eggs'], values: [{ value: 'nuts', isAllergy: true }, 7] }],
      }),
      api.id,
    ],
  } as never)
  const { byDiet } = await dayOf(api)
  expect(byDiet.map(written)).toEqual(['allergy eggs', 'allergy nuts'])
})

it('ruling 44: in CSV each kind has lines of its own', async () => {
  const api = await center({ a: { diet: 'vegan, egg-free' }, b: { diet: 'none' }, c: {} })
  const { text } = await api.get(`${URL}&format=csv`)
  expect(text).toContain('2025-01-10,unknown diet,diet,egg-free,egg-free,false,,,1,1,1')
  expect(text).toContain('2025-01-10,diet,diet,vegan,vegan,false,,,1,1,1')
  expect(text).toMatch(/2025-01-10,no diet,,,Asked and has none,false,,,1,1,1/)
  expect(text).toContain('2025-01-10,diet not asked,,,Diet not asked,false,,,1,1,1')
  expect(text).toContain('unknown: egg-free; vegan')
})

it('ruling 44: a sheet says what changed of unknown values and of those who have none', async () => {
  const api = await center({ a: { diet: 'none' }, b: {} })
  await api.get('/v1/meals/sheets/2025-01-10')
  await service.load([{ kind: 'customer', centerId: api.id, id: 'c-a', meta: { diet: 'kosher' } }])
  const { body } = await api.get('/v1/meals/sheets/2025-01-10?sheet=1')
  expect(body.changes).toMatchObject({
    meals: { lunch: { was: 2, now: 2, diets: true } },
    byDiet: [
      { kind: 'unknown', label: 'kosher', lunch: { was: 0, now: 1 } },
      { kind: 'none', field: null, lunch: { was: 1, now: 0 } },
    ],
    guests: [{ guestId: 'a', dietsAdded: [{ kind: 'unknown', value: 'kosher' }] }],
  })
})
