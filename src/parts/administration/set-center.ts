/** `POST /actions/set-center`: settings of the center, as a record of an import has them. */
import type { JsonObject } from '../../core/intake/kinds/kind.ts'
import { SETTINGS } from '../../core/records/centers/settings.ts'
import { defineAction } from '../../core/request/action.ts'
import { objectField } from '../../core/request/action-body.ts'
import { flag, object } from '../../core/request/object-schema.ts'

export const setCenterAction = defineAction({
  name: 'set-center',
  summary: 'Change settings of the center',
  description: `Changes settings of the center: \`${SETTINGS.join('`, `')}\`, written as in a \`center\` record of an import, which checks them in the same way. What is left out stays as it is, also within an object; null clears a value, and a list is replaced as a whole.`,
  scope: 'administration',
  body: { changes: objectField('Settings and their new values.') },
  response: object({
    changed: flag('whether anything is different from before'),
  }),
  example: {
    body: { changes: { mealRules: { mealTimes: { lunch: '12:30' }, mealEnds: { lunch: '14:00' } } } },
    answer: { changed: true },
  },

  async perform({ body: { changes }, ...context }) {
    // Only those who set something need the import.
    const { changeCenter } = await import('../../core/intake/change-center.ts')
    // It was parsed from JSON.
    const changed = await changeCenter(context, context.center.id, changes as JsonObject)
    return { answer: { changed }, facts: { settings: namesOf(changes).join(' ') } }
  },
})

/** What the trail says: which settings, without their values. */
const namesOf = (changes: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(changes).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.keys(value).map((inner) => `${name}.${inner}`)
      : [name],
  )
