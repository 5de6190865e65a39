/** The filters that the list of orders and its control share. */
import sql, { type Sql } from 'sql-template-tag'
import { type FilterCenter, filter } from '../../lists/define-list.ts'
import { ORDER_GROUPS, type OrderGroup } from '../../records/centers/order-rules.ts'
import { isInGroups } from '../../records/payments-sql.ts'
import { enumsParameter } from '../../request/parameter-kinds.ts'
import { textsParameter } from '../../request/text-parameters.ts'

export const statusParameters = {
  status: textsParameter({
    description: 'Only orders with one of these raw values of `status`, as `ids.status` shows them.',
    maximum: 200,
    entriesMax: 50,
  }),
  paymentStatus: textsParameter({
    description:
      'Only orders with one of these raw values of `paymentStatus`, as `ids.paymentStatus` shows them.',
    maximum: 200,
    entriesMax: 50,
  }),
  group: enumsParameter({
    description:
      'Only orders of these groups. The `orderRules` of the center decide which statuses are `valid`, `open` or `void`; an order with a status that they do not list is `notDecided`.',
    values: ORDER_GROUPS,
  }),
} as const

const isOneOf = (column: Sql, values: readonly string[]) =>
  values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${values})`

export const STATUS_FILTERS = {
  status: filter(statusParameters.status, (values) => isOneOf(sql`o.status`, values)),
  paymentStatus: filter(statusParameters.paymentStatus, (values) => isOneOf(sql`o.payment_status`, values)),
  group: filter(statusParameters.group, (groups, { orderRules }) => isInGroups(groups, orderRules)),
} as const

interface Asked {
  readonly status: readonly string[] | undefined
  readonly paymentStatus: readonly string[] | undefined
  readonly group: readonly OrderGroup[] | undefined
}

/** The conditions on an order `o` that a request makes. */
export const statusConditions = ({ status, paymentStatus, group }: Asked, center: FilterCenter): Sql[] => [
  ...(status === undefined ? [] : [STATUS_FILTERS.status.holds(status, center)]),
  ...(paymentStatus === undefined ? [] : [STATUS_FILTERS.paymentStatus.holds(paymentStatus, center)]),
  ...(group === undefined ? [] : [STATUS_FILTERS.group.holds(group, center)]),
]
