/** The words for fields: each field of the registry has its own, in every language. */
import { describe, expect, it } from 'vitest'
import { fieldLabel } from '../../src/core/locale/field-labels.ts'
import { LANGUAGES } from '../../src/core/locale/languages.ts'
import { GUEST_FIELDS } from '../../src/core/records/fields/guest-fields.ts'

describe.each(LANGUAGES)('the label of a field in %s', (language) => {
  it('is there, short, and another for each field', () => {
    const labels = GUEST_FIELDS.map(({ name }) => fieldLabel(name, language) ?? name)
    expect(labels.filter((label) => label.length > 60 || label.trim() !== label)).toEqual([])
    expect(GUEST_FIELDS.map(({ name }) => name).filter((name) => labels.includes(name))).toEqual([])
    expect(labels.filter((label, at) => labels.indexOf(label) !== at)).toEqual([])
  })
})

it('a name that is no field has no label', () => {
  expect(fieldLabel('constructor', 'en')).toBeUndefined()
})
