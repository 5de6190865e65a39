/** `GET /orders/control`: a period of orders for closing it: sums by group, what is paid and open, what does not fit. */
import type { Problem } from '../../errors/api-error.ts'
import { daysBetween } from '../../locale/dates.ts'
import { costOf, resolveBounds } from '../../request/bounds.ts'
import { defineOperation, type RequiredScope } from '../../request/operation.ts'
import { booleanParameter, dateParameter } from '../../request/parameter-kinds.ts'
import { missingDates, readParameters, refusalOf } from '../../request/parameters.ts'
import { CONTROL_SCHEMA } from './control-schema.ts'
import {
  type ControlPosition,
  selectControlledOrders,
  selectLooseDeposits,
  selectWholeControl,
} from './control-sql.ts'
import { statusConditions, statusParameters } from './order-filters.ts'
import { orderParameters } from './order-parameters.ts'
import { asControlRows, LISTED_MAX, presentControl } from './present-control.ts'

/** A leap year: accounts are closed by month or by year. */
const CONTROL_DAYS_MAX = 366

const parameters = {
  startDate: dateParameter({ description: 'First day of the range. Required.' }),
  endDate: dateParameter({ description: 'Last day of the range. Required.' }),
  includeGuestNames: orderParameters.includeGuestNames,
  includePayments: booleanParameter({
    description:
      'Whether payments of the orders’ bookings are added up and compared with the orders. Needs the scope `guests.financial`.',
  }),
  includeOrders: booleanParameter({
    description: `Whether the orders are listed too, the first ${LISTED_MAX} by date, each with its group and, with \`includePayments\`, what is paid and open.`,
  }),
  ...statusParameters,
} as const

export const orderControl = defineOperation({
  name: 'orderControl',
  summary: 'Control of orders',
  description: `The orders of a range, for closing a month. Totals by currency, status and local day, and by group: the \`orderRules\` of the center decide which statuses are valid, open or void; an order with a status that they do not list is not decided. Refunds are apart and negative. With \`includePayments\`: how much is paid and how much is open. What does not fit: a total that is not the sum of the items, an order without guests or without a main guest, and a guest who is in the house on no day of the order’s session (the sessions of its main guest). With \`includePayments\` also: an order that is paid without a payment, an order that is unpaid with a deposit, and a deposit of a guest without an order. Currencies are never added together. At most ${CONTROL_DAYS_MAX} days.`,
  paths: ['/orders/control'],
  scope: 'orders',
  dependsOn: ['language'],
  parameters,
  required: ['startDate', 'endDate'],
  response: CONTROL_SCHEMA,

  parse({ center, language, query }) {
    const { values, sent, problems } = readParameters(parameters, query)
    const { bounds, problems: order } = resolveBounds(values, center.timezone)
    const { startDate, endDate, includeGuestNames, includePayments, includeOrders } = values
    const requiredScopes: RequiredScope[] = includePayments
      ? [{ scope: 'guests.financial', what: 'includePayments' }]
      : []
    const long = startDate === undefined || endDate === undefined ? [] : tooLong(startDate, endDate)
    const refusal = refusalOf([...problems, ...missingDates(sent), ...order, ...long])
    if (refusal !== undefined) return { requiredScopes, refusal }
    const shown = {
      language,
      zone: center.timezone,
      currency: center.currency,
      rules: center.orderRules,
      includeGuestNames,
      includePayments,
      includeOrders,
    }
    const range = { bounds, filters: statusConditions(values, center) }
    const orders = (after?: ControlPosition) =>
      selectControlledOrders(center.id, range, includePayments, after)
    const deposits = (after?: ControlPosition) => selectLooseDeposits(center.id, bounds, after)
    return {
      requiredScopes,
      normalForm: JSON.stringify([
        bounds,
        [includeGuestNames, includePayments, includeOrders],
        [values.status ?? null, values.paymentStatus ?? null, values.group ?? null],
      ]),
      cost: costOf({ bounds, sessions: 0, daysPerCost: 7 }),
      statement: orders(),
      revisionOf: (rows) => asControlRows(rows)[0]?.[0],
      following: {
        kind: 'more rows',
        after(rows) {
          const [, kind, , last] = asControlRows(rows)[0] ?? []
          if (kind === 'deposits') return last == null ? undefined : deposits(last)
          if (last != null) return orders(last)
          return includePayments ? deposits() : undefined
        },
        all: () => selectWholeControl(center.id, range, includePayments),
      },
      // Orders, their guests, sessions and payments: nearly everything.
      dependencies: undefined,
      present: (rows) => presentControl(rows, shown),
    }
  },
})

function tooLong(startDate: string, endDate: string): Problem[] {
  const days = daysBetween(startDate, endDate) + 1
  if (days <= CONTROL_DAYS_MAX) return []
  const message = `The range has ${days} days; one request takes at most ${CONTROL_DAYS_MAX}. Ask for parts of it.`
  return [{ parameter: 'endDate', message }]
}
