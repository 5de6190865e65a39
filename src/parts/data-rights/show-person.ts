/** `POST /actions/show-person`: everything that is stored about a person, to read and to hand out. */
import { cldrTag } from '../../core/locale/amounts.ts'
import { defineAction } from '../../core/request/action.ts'
import { textField } from '../../core/request/action-body.ts'
import { list, listOf, object, oneOf, text, textOrNull } from '../../core/request/object-schema.ts'
import { exportOf } from './export-subject.ts'
import { presentPerson } from './present-person.ts'
import { othersOf, readSubject } from './subject.ts'
import { selectTermNames } from './subjects-sql.ts'
import { noSuchPerson, withinAction } from './within-action.ts'

const ID_MAX = 200
const ROWS = list('each value with the label of its field, in the language of the center', listOf(text()))

export const showPerson = defineAction({
  name: 'show-person',
  summary: 'Show everything stored about a person',
  description:
    'Everything that is stored about a customer (GDPR articles 15 and 20): `sections` to read, with labels and names in the language of the center, and `data` as records of the import, to hand out. Items of other guests in shared orders are left out of `sections`. What is shown is stored nowhere; the trail names the stays.',
  scope: 'rights',
  body: { customer: textField('`customerId` of `find-person`.', ID_MAX) },
  once: ['language', 'sections', 'reads', 'changes', 'data'],
  response: object({
    language: textOrNull('of the labels; null in the answer to a repetition'),
    sections: {
      type: ['array', 'null'],
      items: object({
        about: oneOf(['person', 'stay', 'session', 'order', 'kitchenSheet', 'contradiction']),
        title: text('of a contradiction, its kind'),
        rows: ROWS,
      }),
    },
    reads: {
      type: ['array', 'null'],
      description: 'who has read it, newest first',
      items: object({ at: text(), key: text(), operation: text() }),
    },
    changes: {
      type: ['array', 'null'],
      description: 'what changed, newest first, without values',
      items: object({ at: text(), kind: text(), fields: text() }),
    },
    data: { type: ['object', 'null'], description: 'as `sojourn guest export` writes it' },
  }),
  example: {
    body: { customer: 'customer-0001' },
    answer: {
      language: 'en',
      sections: [
        {
          about: 'person',
          title: 'Ioana Popescu',
          rows: [
            ['First name', 'Ioana'],
            ['Last name', 'Popescu'],
          ],
        },
      ],
      reads: [{ at: 'January 16, 2025 at 8:14 AM', key: 'Reception', operation: 'listGuests' }],
      changes: [{ at: 'January 15, 2025 at 3:02 PM', kind: 'guest', fields: 'Status' }],
      data: { center: 'demo', customerId: 'customer-0001' },
    },
  },

  async perform({ body: { customer }, ...context }) {
    const { center, now } = context
    const { result, facts, shown } = await withinAction(context, async (database) => {
      const subject = await readSubject(database, center.id, customer)
      const held = await exportOf(database, subject, now)
      // What follows is read in the same transaction.
      const others = await othersOf(database, subject)
      const terms = await database.query<{ term_set: string; id: string; name: string }>(
        selectTermNames(center.id, center.language),
      )
      return { held, others, terms }
    })
    const { held } = result
    if (Object.keys(held.customer).length === 0) throw noSuchPerson()
    return {
      answer: { language: cldrTag(center.language), ...presentPerson({ ...result, center }), data: held },
      facts,
      ...(shown && { shown }),
    }
  },
})
