/** `POST /actions/erase-person`: counts what would be erased of a person, and erases it. */
import sql from 'sql-template-tag'
import { errors } from '../../core/errors/api-error.ts'
import { defineAction } from '../../core/request/action.ts'
import { booleanField, textField, textOrNullField, wholeNumberField } from '../../core/request/action-body.ts'
import { count, flag, object, orNull } from '../../core/request/object-schema.ts'
import { type Erasure, eraseIn, Retained } from './erase-subject.ts'
import { SubjectError } from './subject.ts'
import { selectFullName } from './subjects-sql.ts'
import { noSuchPerson, withinAction } from './within-action.ts'

const TEXT_MAX = 200
const YEARS_MAX = 100
/** A leap year, so that nothing is erased a day early. */
const YEAR_MS = 366 * 86_400_000

export const erasePerson = defineAction({
  name: 'erase-person',
  summary: 'Erase a person',
  description:
    'Erases a customer with all stays (GDPR article 17), as `sojourn guest erase` does; orders keep sums and items. Without `confirm`, it counts what would be erased and changes nothing. With `confirm`, the full name of the person, it erases: this cannot be undone. If `retained` is not null, the law may require you to retain what it counts, and nothing is erased: give the years that apply, or leave the orders unchanged. This is the only action that removes records.',
  scope: 'rights',
  body: {
    customer: textField('`customerId` of `find-person`.', TEXT_MAX),
    retentionYears: wholeNumberField(
      'For how many years orders with an address or notes, and stays with medical data, must be retained; 0 for none.',
      { minimum: 0, maximum: YEARS_MAX },
    ),
    keepOrders: booleanField('Leaves orders unchanged, with billing address and notes.'),
    confirm: textOrNullField('The full name of the person, to erase; null to count only.', TEXT_MAX),
  },
  response: object({
    erased: flag(),
    retained: orNull(
      object({ orders: count(), stays: count() }),
      'what may have to be retained; null if nothing prevents the erasure',
    ),
    stays: count(),
    orders: count('orders without personal data afterwards'),
    ordersUnchanged: count(),
    kitchenSheets: count(),
    mentions: count('other records that still mention the person, which only a human can judge'),
  }),
  example: {
    body: { customer: 'customer-0001', retentionYears: 10, keepOrders: false, confirm: null },
    answer: {
      erased: false,
      retained: { orders: 1, stays: 1 },
      ...{ stays: 0, orders: 0, ordersUnchanged: 0, kitchenSheets: 0, mentions: 0 },
    },
  },

  async perform({ body, ...context }) {
    const { center, now, settings } = context
    const { customer, retentionYears, keepOrders, confirm } = body
    const [person] = await context.query<{ name: string }>(selectFullName(center.id, customer))
    if (person === undefined) throw noSuchPerson()
    if (confirm !== null && folded(confirm) !== folded(person.name)) {
      throw errors.invalidParameters([
        { parameter: 'confirm', message: 'This is not the full name of the person. Nothing was erased.' },
      ])
    }
    const input = { customer, keepOrders, retentionMs: retentionYears * YEAR_MS }
    try {
      await context.query(sql`savepoint before_erasure`)
      const { result, facts } = await withinAction(context, (database) =>
        eraseIn(database, center.id, input, { random: settings.random, now }),
      )
      if (confirm === null) {
        await context.query(sql`rollback to savepoint before_erasure`)
        return { answer: answerOf(result, false), facts: { dryRun: 'true' } }
      }
      return {
        answer: answerOf(result, true),
        facts,
        async afterwards() {
          // What is left in the files of the database is removed from now on, which may take minutes; if it fails, by the next
          // start.
          void settings.completeErasure().catch(() => undefined)
          return {}
        },
      }
    } catch (error) {
      if (!(error instanceof SubjectError)) throw error
      // It was erased in this moment.
      if (!(error instanceof Retained)) throw noSuchPerson()
      return {
        answer: { ...NOTHING, retained: error.what },
        facts: { retained: 'true', ...(confirm === null ? { dryRun: 'true' } : {}) },
      }
    }
  },
})

const NOTHING = {
  erased: false,
  retained: null,
  ...{ stays: 0, orders: 0, ordersUnchanged: 0, kitchenSheets: 0, mentions: 0 },
}

const answerOf = ({ bookings, orders, kitchenSheets, mentions }: Erasure, erased: boolean) => ({
  erased,
  retained: null,
  stays: bookings,
  orders: orders.cleared,
  ordersUnchanged: orders.retained,
  kitchenSheets,
  mentions: Object.values(mentions).reduce((sum, rows) => sum + rows, 0),
})

const folded = (name: string) => name.trim().normalize('NFC').replaceAll(/\s+/g, ' ').toLowerCase()
