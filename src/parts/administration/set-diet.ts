/** `POST /actions/set-diet`: what a value of a diet field means to the kitchen. */

import { idField } from '../../core/acts/fields.ts'
import { DIET_MEANINGS } from '../../core/records/centers/settings.ts'
import { defineAction } from '../../core/request/action.ts'
import { choiceField, textField, textsField } from '../../core/request/action-body.ts'
import { flag, object } from '../../core/request/object-schema.ts'

const TEXT_MAX = 200
const SPELLINGS_MAX = 20

export const setDietAction = defineAction({
  name: 'set-diet',
  summary: 'Say what a diet means',
  description:
    'Says what a value of a custom field means to the kitchen: a diet, an allergy, or that the guest has no diet. A field that is not a diet field yet becomes one. Text of such a field is split at commas, semicolons, vertical bars and line breaks, and what is no known value is shown as unknown. `unknown` removes the value from the known ones.',
  scope: 'administration',
  body: {
    field: idField('Key of the custom field, of the type `string` or `boolean`.'),
    value: textField('The value, as the kitchen reads it; `true` of a `boolean` field.', TEXT_MAX),
    otherSpellings: textsField('Other ways to write it.', { count: SPELLINGS_MAX, length: TEXT_MAX }),
    meaning: choiceField('What it means.', DIET_MEANINGS),
  },
  response: object({
    changed: flag('whether anything is different from before'),
  }),
  example: {
    body: { field: 'diet', value: 'nuts', otherSpellings: ['nut', 'peanuts'], meaning: 'allergy' },
    answer: { changed: true },
  },

  async perform({ body, ...context }) {
    // Only those who set something need the import.
    const { changeDiet } = await import('../../core/intake/change-center.ts')
    const changed = await changeDiet(context, context.center.id, body)
    return { answer: { changed }, facts: { field: body.field, meaning: body.meaning } }
  },
})
