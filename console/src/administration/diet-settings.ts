/** Which custom fields are diets, and which of their values are allergies. */
import { type ComponentChild, h } from 'preact'
import { useState } from 'preact/hooks'
import type { CenterSettings } from '../../../client/src/index.ts'
import { person, words } from '../base/signed-in.ts'
import { Field } from './fields.ts'
import { listOf, Saving, type SettingsProps } from './saving.ts'

type DietField = CenterSettings['mealRules']['dietFields'][number]
type DietValue = NonNullable<DietField['values']>[number]
const MEANINGS = ['allergy', 'diet', 'none', 'unknown'] as const
type Meaning = (typeof MEANINGS)[number]

export function DietSettings({ of, onSaved }: SettingsProps): ComponentChild {
  const t = words.value
  const { dietFields } = of.mealRules
  const fields = of.customFields.filter(({ type }) => type === 'string' || type === 'boolean')
  const [field, setField] = useState(dietFields[0]?.field ?? fields[0]?.key ?? '')
  const [value, setValue] = useState('')
  const [spellings, setSpellings] = useState('')
  const [meaning, setMeaning] = useState<string>('allergy')
  const label = (key: string) => of.customFields.find((one) => one.key === key)?.label ?? key
  const meanings: Readonly<Record<Meaning, string>> = {
    allergy: t('allergy'),
    diet: t('diet'),
    none: t('none'),
    unknown: t('unknownDiet'),
  }
  const save = () =>
    person.value!.sojourn.act('set-diet', {
      field,
      value,
      otherSpellings: listOf(spellings),
      meaning: MEANINGS.find((one) => one === meaning) ?? 'allergy',
    })
  const saved = () => {
    setValue('')
    setSpellings('')
    onSaved()
  }
  const edit = (key: string, one: DietValue) => {
    setField(key)
    setValue(one.value)
    setSpellings(one.otherSpellings.join(', '))
    setMeaning(meaningOf(one))
  }
  return h(Saving, { id: 'set-diets', title: t('dietsAndAllergies'), save, onSaved: saved }, [
    dietFields.length === 0 && h('p', null, t('noDietFields')),
    dietFields.map((one) =>
      h('div', { key: one.field }, [
        h('h3', null, label(one.field)),
        h(
          'ul',
          { class: 'entries' },
          valuesOf(one).map((known) =>
            h('li', { key: known.value }, [
              known.isAllergy ? h('b', { class: 'leave' }, known.value) : known.value,
              h('span', { class: 'soft' }, [
                ` ${meanings[meaningOf(known)]}`,
                known.otherSpellings.length > 0 && ` · ${known.otherSpellings.join(', ')}`,
              ]),
              ' ',
              h('button', { type: 'button', onClick: () => edit(one.field, known) }, [
                t('setSchedule'),
                h('span', { class: 'vh' }, ` ${known.value}`),
              ]),
            ]),
          ),
        ),
      ]),
    ),
    h('p', { class: 'small soft' }, t('unknownRule')),
    h(Field, {
      label: t('customField'),
      value: field,
      set: setField,
      required: true,
      options: fields.map(({ key }) => [key, label(key)] as const),
    }),
    h(Field, { label: t('dietValue'), value, set: setValue, required: true, maxLength: 200 }),
    h(Field, { label: t('otherSpellings'), value: spellings, set: setSpellings }),
    h(Field, {
      label: t('dietMeaning'),
      value: meaning,
      set: setMeaning,
      options: MEANINGS.map((one) => [one, meanings[one]] as const),
    }),
  ])
}

const meaningOf = ({ isAllergy, isNone }: DietValue): Meaning =>
  isAllergy ? 'allergy' : isNone ? 'none' : 'diet'

/** Of a field without values, its allergies. */
const valuesOf = ({ values, allergies }: DietField): readonly DietValue[] =>
  values ?? allergies.map((value) => ({ value, otherSpellings: [], isAllergy: true, isNone: false }))
