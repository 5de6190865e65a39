/** What a center says of its orders: which statuses are valid, open or void (ruling 51). */

/** Lists of statuses, as orders have them. A status is in one list at most. */
export interface StatusLists {
  readonly valid: readonly string[]
  readonly open: readonly string[]
  readonly void: readonly string[]
  /** void, and the total was paid back */
  readonly refunded: readonly string[]
}

export interface OrderRules {
  readonly orderStatuses: StatusLists
  readonly paymentStatuses: StatusLists
}

export const STATUS_LISTS = ['valid', 'open', 'void', 'refunded'] as const

/** The groups of orders, in the order in which they are shown. */
export const ORDER_GROUPS = ['valid', 'open', 'notDecided', 'void'] as const
export type OrderGroup = (typeof ORDER_GROUPS)[number]

/** A center's rules. A center without them has decided nothing. */
export function readOrderRules(stored: unknown): OrderRules {
  const { orderStatuses, paymentStatuses } = asObject(stored)
  return { orderStatuses: listsOf(orderStatuses), paymentStatuses: listsOf(paymentStatuses) }
}

/**
 * The group of an order, of which exactly one applies: not decided if one of its two statuses is in no list, otherwise
 * void if one is void, otherwise open if one is open, otherwise valid. An order without a payment status is in the group
 * of its status.
 */
export function groupOf(rules: OrderRules, status: string, paymentStatus: string | null): OrderGroup {
  const of = listOf(rules.orderStatuses, status)
  const ofPayment = paymentStatus === null ? undefined : listOf(rules.paymentStatuses, paymentStatus)
  if (of === undefined || (paymentStatus !== null && ofPayment === undefined)) return 'notDecided'
  if (isVoid(of) || isVoid(ofPayment)) return 'void'
  return of === 'open' || ofPayment === 'open' ? 'open' : 'valid'
}

/** Whether the total of an order was paid back: its group is void then. */
export const isRefunded = (rules: OrderRules, status: string, paymentStatus: string | null): boolean =>
  groupOf(rules, status, paymentStatus) === 'void' &&
  (rules.orderStatuses.refunded.includes(status) ||
    (paymentStatus !== null && rules.paymentStatuses.refunded.includes(paymentStatus)))

/** The list that has the status; undefined: the center has not decided. */
export const listOf = (lists: StatusLists, status: string): (typeof STATUS_LISTS)[number] | undefined =>
  STATUS_LISTS.find((name) => lists[name].includes(status))

const isVoid = (list: string | undefined) => list === 'void' || list === 'refunded'

function listsOf(stored: unknown): StatusLists {
  const said = asObject(stored)
  return {
    valid: texts(said.valid),
    open: texts(said.open),
    void: texts(said.void),
    refunded: texts(said.refunded),
  }
}

// Another system may have written them.
const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
