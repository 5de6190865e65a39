/** `POST /actions/find-person`: the customers of the center that a person may be. */
import { errors } from '../../core/errors/api-error.ts'
import { defineAction } from '../../core/request/action.ts'
import { dayOrNullField, textOrNullField } from '../../core/request/action-body.ts'
import { listOf, object, text, textOrNull } from '../../core/request/object-schema.ts'
import { findSubjects } from './find-subjects.ts'
import { withinAction } from './within-action.ts'

const TEXT_MAX = 200

export const findPerson = defineAction({
  name: 'find-person',
  summary: 'Find a person whose data is asked for',
  description:
    'The customers that may be the person with this name, date of birth or e-mail address, at most 20, the best match first, with typing errors tolerated. Give at least one of the three, and null for the others. What was searched for is stored nowhere; the trail names the stays that were shown.',
  scope: 'rights',
  body: {
    name: textOrNullField('First and last name in any order; null if it is not known.', TEXT_MAX),
    dob: dayOrNullField('Date of birth; null if it is not known.'),
    email: textOrNullField('E-mail address; null if it is not known.', TEXT_MAX),
  },
  once: ['found'],
  response: object({
    found: {
      type: ['array', 'null'],
      description: 'null in the answer to a repetition',
      items: object({
        customerId: text(),
        firstName: textOrNull(),
        lastName: textOrNull(),
        dob: textOrNull(),
        score: { type: 'number', minimum: 0, maximum: 1 },
        stays: listOf(object({ id: text(), bookingId: textOrNull(), arrival: text(), departure: text() })),
      }),
    },
  }),
  example: {
    body: { name: 'Ioana Popesku', dob: null, email: null },
    answer: {
      found: [
        {
          customerId: 'customer-0001',
          firstName: 'Ioana',
          lastName: 'Popescu',
          dob: '1980-01-20',
          score: 0.94,
          stays: [
            { id: 'booking-2025-1', bookingId: '25-1-01', arrival: '2025-01-15', departure: '2025-01-24' },
          ],
        },
      ],
    },
  },

  async perform({ body: { name, dob, email }, ...context }) {
    if (name === null && dob === null && email === null) {
      throw errors.invalidParameters([
        { parameter: 'name', message: 'Give at least one of name, dob and email.' },
      ])
    }
    const input = { name: name ?? undefined, dob: dob ?? undefined, email: email ?? undefined }
    const { result, facts, shown } = await withinAction(context, (database) =>
      findSubjects(database, { center: context.center.id, ...input }),
    )
    const found = result.found.map(({ stays, ...person }) => ({
      ...person,
      stays: stays.map(({ status, ...stay }) => stay),
    }))
    return { answer: { found }, facts, ...(shown && { shown }) }
  },
})
