/** What of a mapping is stored: nothing that quotes a cell of the file, except words that several guests have or a person confirms. */
import { describe, expect, it } from 'vitest'
import { InputError } from '../../../../src/core/intake/input-error.ts'
import { DietWords } from '../../../../src/core/intake/merge/diet-words.ts'
import { storedForm } from '../../../../src/core/intake/spreadsheets/mapping/stored-form.ts'
import {
  dietsOf,
  MAPPING_BYTES_MAX,
  mappingWithoutWords,
  readMapping,
  readTree,
} from '../../../../src/core/intake/spreadsheets.ts'

const PROPOSED = `# Remarks: "Mira Holm, epilepsy"
records:
  customer: {id: Nr, lastName: Name, phone: "01067", meta.food: Food} # such as Mira Holm
diets:
  food:
    label: Food
    values: {vegan: diet, keine: none, Pilze: allergy, "Sellerie, as Mira Holm says": allergy}
questions:
  - ask: 'Remarks mentions diets ("Mira Holm: no nuts"). Does the kitchen read it?'
    answers:
      the kitchen reads it: # check: as Mira Holm
        records: {customer: {meta.notes: Remarks}}
        diets: {notes: {label: Remarks, values: {"Mira Holm: no nuts": allergy}}}
      it does not: {}
    answer: the kitchen reads it
`.replace('"Sellerie, as Mira Holm says"', '"Sellerie (Mira Holm)"')

const guest = (id: string, food: string, kind = 'customer') => ({ kind, id, meta: { food } })

async function stored(records: readonly unknown[], areConfirmed = false): Promise<string> {
  const words = new DietWords(dietsOf(readMapping(PROPOSED, 'm')), areConfirmed)
  await words.load()
  for (const record of records) words.note(record)
  return storedForm(readTree(PROPOSED, 'm'), (key, word) => words.isStored(key, word))
}

const withoutPlaces = (mapping: unknown) =>
  JSON.parse(
    JSON.stringify(mapping, (key, value) => {
      if (key === 'at') return undefined
      return value instanceof Map ? [...value] : value
    }),
  )

describe('a stored mapping', () => {
  it('reads as before, with the answer, and has no comment, question or word of a single guest', async () => {
    const text = await stored([guest('1', 'Sellerie (Mira Holm); vegan')])
    expect(text).not.toMatch(/Mira|Holm|epilepsy|#|questions|ask/)
    const mapping = readMapping(text, 'm')
    const fields = mapping.tables[0]?.records[0]?.fields.map(({ name }) => name)
    expect(fields).toEqual(['id', 'lastName', 'phone', 'meta.food', 'meta.notes'])
    expect(dietsOf(mapping).map(({ key, values }) => [key, [...values]])).toEqual([
      // Words for food name nobody; a list without a word would make a diet of each text.
      [
        'food',
        [
          ['vegan', 'diet'],
          ['keine', 'none'],
        ],
      ],
      ['notes', [['none', 'none']]],
    ])
    expect(storedForm(readTree(text, 'm'), () => true)).toBe(text)
  })

  it('has a word that three guests of the file have; one guest in three rows is one', async () => {
    const three = ['1', '2', '3'].map((id) => guest(id, 'PILZE;vegan'))
    expect(await stored(three)).toContain('Pilze: allergy')
    expect(await stored(three.slice(1))).not.toContain('Pilze')
    expect(await stored([1, 2, 3].map(() => guest('1', 'Pilze')))).not.toContain('Pilze')
  })

  it('has every word that a person has confirmed', async () => {
    expect(await stored([], true)).toContain('Sellerie (Mira Holm): allergy')
  })

  it('keeps texts that look like numbers as texts, and the tables of several sheets', () => {
    const text = storedForm(
      readTree(
        'tables:\n  - sheet: "2026"\n    records: {customer: {id: "01067", lastName: Name}}\n    questions: [{ask: Whose is 17?, answers: {mine: {header: 2}}, answer: mine}]\n',
        'm',
      ),
      () => true,
    )
    expect(readMapping(text, 'm').tables).toMatchObject([{ sheet: '2026', header: 2 }])
    expect(text).toMatch(/id: ["']01067["']/)
    expect(text).not.toContain('17')
  })

  it('is never longer than what a center stores and an import reads', () => {
    const words = Array.from({ length: 4000 }, (_, at) => `wort${at}: ${at}`).join(', ')
    const large = `records: {customer: {id: Nr, lastName: "Name, Vorname", phone: {column: Nr, values: {${words}}}}}`
    const text = storedForm(readTree(large, 'm'), () => true)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAPPING_BYTES_MAX)
    expect(withoutPlaces(readMapping(text, 'm'))).toEqual(withoutPlaces(readMapping(large, 'm')))
    expect(storedForm(readTree(text, 'm'), () => true)).toBe(text)
  })

  it('is refused if its aliases make it longer', () => {
    const words = Array.from({ length: 400 }, (_, at) => `wort${at}: ${'x'.repeat(20)}`).join(', ')
    const fields = ['lastName', 'firstName', 'email', 'title', 'nationality', 'language'].map(
      (field) => `${field}: {column: Nr, values: *words}`,
    )
    const large = `records: {customer: {id: Nr, phone: {column: Nr, values: &words {${words}}}, ${fields.join(', ')}}}`
    expect(() => storedForm(readTree(large, 'm'), () => true)).toThrow(
      new InputError(
        'The mapping is longer than 64 kB as it is stored, with a copy in place of each alias, which is the most a mapping may have',
      ),
    )
    // An erasure goes on without the form, and takes the name out of the text.
    expect(mappingWithoutWords(large, () => true)).toBe(large)
  })
})
