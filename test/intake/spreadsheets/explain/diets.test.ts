/** Columns that the kitchen reads are recognized by heading and by cells, and what is unclear is asked. */
import { describe, expect, test } from 'vitest'
import words from '../../../../src/core/intake/heading-words.json' with { type: 'json' }
import { foodMeaning } from '../../../../src/core/intake/spreadsheets/explain/diets.ts'
import { explainTables } from '../../../../src/core/intake/spreadsheets/explain/explain.ts'
import { fieldsNamed } from '../../../../src/core/intake/spreadsheets/explain/headings.ts'
import { readMapping } from '../../../../src/core/intake/spreadsheets/mapping/read-mapping.ts'
import { readTables } from '../../../../src/core/intake/spreadsheets/tables/read-tables.ts'
import { LANGUAGES } from '../../../../src/core/locale/languages.ts'

/** The proposal for a file with a column of this heading and these cells, among others. */
async function proposed(heading: string, cells: readonly string[]): Promise<string> {
  const rows = cells.map((cell, at) => `N-${at + 11};Ana${'bcdefgh'[at]} Pop;2026-02-0${at + 1};"${cell}"`)
  async function* bytes() {
    yield Buffer.from(`Booking no;Guest name;Arrival;${heading}\n${rows.join('\n')}\n`)
  }
  const text = await explainTables({
    open: () => readTables(bytes(), 'f.csv'),
    name: 'f.csv',
    mappingName: 'f.yaml',
    now: new Date('2026-11-25T10:00:00Z'),
    seen: () => [],
  })
  // Whatever is proposed is a mapping.
  readMapping(text, 'f.yaml', { isTrial: true })
  return text
}

describe('headings', () => {
  test.each(LANGUAGES.map((language) => [language]))(
    'in %s are those of a diet and an allergy',
    (language) => {
      const known = (field: 'diet' | 'allergy') => {
        const lists: Readonly<Record<string, readonly string[]>> = words[field]
        return lists[language.slice(0, 2)] ?? []
      }
      expect(known('diet').length).toBeGreaterThan(0)
      expect(known('allergy').length).toBeGreaterThan(0)
    },
  )
  test.each([
    ['Allergien/Diät', ['allergy', 'diet']],
    ['Allergies & diets', ['allergy', 'diet']],
    ['Régimes et allergies', ['diet', 'allergy']],
    ['Диеты и аллергии', ['diet', 'allergy']],
    ['Diety i alergie', ['diet', 'allergy']],
    ['Name and diet', []],
  ])('of both are both: %s', (heading, fields) => {
    const found = [...fieldsNamed(heading)].filter(([, weight]) => weight > 3).map(([field]) => field)
    expect(found.toSorted()).toEqual(fields.toSorted())
  })
})

describe('a word', () => {
  test.each([
    ['Vegetarierin', 'diet'],
    ['végétalien', 'diet'],
    ['wegańska', 'diet'],
    ['вегетарианец', 'diet'],
    ['halal', 'diet'],
    ['Erdnussallergie', 'allergy'],
    ['laktózérzékeny', 'allergy'],
    ['alergia na orzechy', 'allergy'],
    ['аллергия на рыбу', 'allergy'],
    ['gluten free', 'either'],
    ['laktosefrei', 'either'],
    ['Keine', 'none'],
    ['žádné', 'none'],
    ['—', 'none'],
    ['no nuts', undefined],
    ['cumin (sévère, trousse dans la chambre)', 'allergy'],
    ['celery (2 guests)', undefined],
    ['2 beds', undefined],
  ])('%s means %s', (word, meaning) => {
    expect(foodMeaning(word)).toBe(meaning)
  })
})

describe('a column', () => {
  test('keeps what is in brackets with its word', async () => {
    const text = await proposed('Diet', ['celery (severe, kit at the desk); vegan', 'halal', 'kosher'])
    expect(text).toMatch(/"?celery \(severe, kit at the desk\)"?: allergy/)
  })
  test('of allergies has only allergies, except words that mean none or a diet', async () => {
    const text = await proposed('Allergies', ['nuts; shellfish', 'none', 'vegan'])
    expect(text).toContain('meta.allergies: Allergies # check: every word is an allergy')
    expect(text).toContain(
      'allergies: {label: Allergies, values: {nuts: allergy, shellfish: allergy, none: none, vegan: diet}}',
    )
  })
  test('of diets leaves words open that may be an allergy', async () => {
    const text = await proposed('Diet', ['vegan', 'lactose free', 'no pork'])
    expect(text).toContain('values: {vegan: diet}')
    expect(text).toContain('say in diets whether "lactose free" and "no pork" are diet, allergy or none')
  })
  test('is recognized by its cells', async () => {
    const text = await proposed('Col 7', ['vegan', '', 'vegetarian, nut allergy'])
    expect(text).toContain('meta.diet: Col 7 # check: recognized by the cells of the column, not by its name')
    expect(text).toContain('values: {vegan: diet, vegetarian: diet, nut allergy: allergy}')
  })
  test('of yes and no below the word of a diet or an allergy is a custom field of that type', async () => {
    const text = await proposed('Gluten free', ['yes', 'no', 'no'])
    expect(text).toContain(
      'meta.gluten-free: {column: Gluten free, type: boolean, booleans: {"true": yes, "false": no}}',
    )
    expect(text).toContain('gluten-free: {label: Gluten free, values: {"true": allergy}}')
  })
  test('of which all cells say no is text, so that the next file may name a diet', async () => {
    const text = await proposed('Allergies', ['no', 'no', 'no'])
    expect(text).toContain('meta.allergies: Allergies')
    expect(text).toContain('values: {no: none}')
  })
  test('of remarks is asked about if some of them mention food', async () => {
    const text = await proposed('Remarks', ['quiet room', 'please cook vegan', ''])
    expect(text).toContain(
      'Remarks mentions diets or allergies ("please cook vegan"). Does the kitchen read this column?',
    )
    expect(text).toMatch(/^\s+the kitchen reads it: \{records: \{customer: \{meta\.food-notes: Remarks\}\}/m)
    expect(() => readMapping(text, 'f.yaml')).toThrow('a question is open')
    const answered = readMapping(text.replace('answer: "?"', 'answer: it does not'), 'f.yaml')
    expect(answered.tables[0]?.diets).toEqual([])
  })
  test('with a dash is asked whether it means none or not asked', async () => {
    const text = await proposed('Kost', ['vegan', '-', '—', '-', 'keine'])
    expect(text).toContain('Kost: what does "-" and "—" mean? Rows that have it: 3.')
    expect(text).toContain('values: {vegan: diet, keine: none}')
    expect(() => readMapping(text, 'f.yaml')).toThrow('a question is open')
    const answered = (answer: string) =>
      readMapping(text.replace('answer: "?"', `answer: ${answer}`), 'f.yaml').tables[0]
    const none = answered('"asked, and has none"')
    expect([...(none?.diets[0]?.values ?? [])]).toEqual([
      ['vegan', 'diet'],
      ['keine', 'none'],
      ['-', 'none'],
      ['—', 'none'],
    ])
    const notAsked = answered('not asked')
    expect(notAsked?.diets[0]?.values.has('-')).toBe(false)
    const source = notAsked?.records
      .flatMap(({ fields }) => fields)
      .find(({ name }) => name === 'meta.diet')?.source
    expect(source?.from === 'cells' && source.values?.get('-')).toBeNull()
  })
  test('of allergies with a dash asks too, and calls it no allergy', async () => {
    const text = await proposed('Allergies', ['nuts', '-', 'celery'])
    expect(text).toContain('Allergies: what does "-" mean? Rows that have it: 1.')
    expect(text).not.toMatch(/"-": (?:allergy|none)\}\}\s*#/)
    expect(text).toContain('values: {nuts: allergy, celery: allergy}')
  })
  test('of remarks without food is not', async () => {
    expect(await proposed('Remarks', ['quiet room', 'late arrival', ''])).not.toContain('kitchen')
  })
  test('whose heading may be that of the meals of the booking is asked about', async () => {
    const text = await proposed('Питание', ['завтрак', 'полный пансион', 'завтрак'])
    expect(text).toContain('diets of the guest, or the meals of the booking?')
  })
})

describe('diets of a mapping are refused', () => {
  const refused = (rest: string) => () =>
    readMapping(
      `records: {customer: {id: Id, meta.diet: Diet, meta.v: {column: V, type: boolean}, meta.n: {column: N, type: number}}}\n${rest}`,
      'm.yaml',
    )
  test.each([
    [
      'diets: {food: {}}',
      'diets has "food", and no customer or booking of this table has the field meta.food',
    ],
    ['diets: {n: {}}', 'the diet n is read as a number; expected text or boolean'],
    [
      'diets: {diet: {values: {vegan: yes}}}',
      'the meaning of "vegan" is "yes"; expected one of diet, allergy, none',
    ],
    ['diets: {diet: {values: {"a, b": diet}}}', 'has a separator'],
    ['diets: {diet: {values: {Vegan: diet, végan: allergy}}}', '"végan" is the same as "Vegan"'],
    ['diets: {v: {values: {"false": none}}}', 'are {true: diet} or {true: allergy}'],
    ['diets: {diet: {value: {}}}', '"value" is not known for the diet diet. Did you mean values?'],
  ])('%s', (rest, message) => {
    expect(refused(rest)).toThrow(message)
  })
})
