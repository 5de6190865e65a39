/** `POST /actions/set-source`: when a source delivers, and what. */

import { administer } from '../../../core/acts/administer.ts'
import { idField } from '../../../core/acts/fields.ts'
import { isIdentifier } from '../../../core/records/fields/values.ts'
import { SOURCE_KINDS } from '../../../core/records/sources/delivery.ts'
import { defineAction } from '../../../core/request/action.ts'
import { type BodyField, choicesField, textOrNullField } from '../../../core/request/action-body.ts'
import { object, oneOf, text, textOrNull } from '../../../core/request/object-schema.ts'
import { saveSource } from '../manage-sources.ts'

const SCHEDULE_MAX = 500
const ID_MAX = 64

/** The name of a source. */
export const sourceField = (description: string): BodyField<string> => {
  const field = idField(description)
  return {
    ...field,
    read(value) {
      const reading = field.read(value)
      if ('problem' in reading || isIdentifier(reading.value)) return reading
      return { problem: 'The name of a source consists of A-Z a-z 0-9 _ . : -' }
    },
  }
}

const kinds = choicesField('Kinds that it delivers; null leaves them as they are.', SOURCE_KINDS)

export const setSourceAction = defineAction({
  name: 'set-source',
  summary: 'Set a source',
  description:
    'Sets when a delivery of a source is expected, which kinds of records it has, and whose deliveries it is. A source that is new is added. Schedules are explained in the documentation of sources.',
  scope: 'administration',
  body: {
    source: sourceField('Its name.'),
    kinds: {
      ...kinds,
      schema: { ...kinds.schema, type: ['array', 'null'] },
      read: (value) => (value === null ? { value: null } : kinds.read(value)),
    } satisfies BodyField<readonly (typeof SOURCE_KINDS)[number][] | null>,
    schedule: textOrNullField(
      'When a delivery is expected, in local time of the center; null for not at all.',
      SCHEDULE_MAX,
    ),
    application: textOrNullField(
      '`appId` of the application whose intake keys deliver for it; null for none.',
      ID_MAX,
    ),
  },
  response: object({
    source: text(),
    kinds: { type: ['array', 'null'], items: oneOf(SOURCE_KINDS) },
    schedule: textOrNull(),
  }),
  example: {
    body: {
      source: 'watch',
      kinds: ['bookings', 'customers'],
      schedule: 'every night by 04:00',
      application: null,
    },
    answer: { source: 'watch', kinds: ['bookings', 'customers'], schedule: 'every night by 04:00' },
  },

  async perform({ body: { source, kinds, schedule, application }, ...context }) {
    const { result, facts } = await administer(context, 'schedule', ({ database, center }) =>
      saveSource(database, {
        centerId: center,
        name: source,
        kinds: kinds ?? undefined,
        schedule: schedule ?? 'none',
        appId: application ?? 'none',
      }),
    )
    return { answer: { source, kinds: result.kinds, schedule: result.schedule }, facts }
  },
})
