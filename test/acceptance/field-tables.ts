/** The field tables of the interface, word by word: what an answer has if a request asks for nothing more. */

/** `text` and `moment` may be null where there is no value (ruling 21). */
export type Shape =
  | 'text'
  | 'moment'
  | 'day'
  | 'number'
  | { readonly list: Shape }
  | { readonly keyed: Shape }
  | { readonly fields: Readonly<Record<string, Shape>>; readonly optional?: readonly string[] }

const named: Shape = { list: { fields: { _id: 'text', name: 'text' } } }
const days: Shape = { list: 'day' }
const count: Shape = {
  fields: { count: 'number', guests: { list: { fields: { id: 'text', name: 'text' } } } },
}
const page = (record: Shape): Shape => ({ fields: { data: { list: record }, total: 'number' } })

export const GUEST_PAGE = page({
  fields: {
    ...{ firstName: 'text', lastName: 'text', email: 'text', startDate: 'text', endDate: 'text' },
    ...{ status: 'text', role: 'text' },
    skippingMeals: { fields: { breakfast: days, lunch: days, dinner: days } },
    ids: {
      fields: { role: 'text', status: 'text', sessionId: 'text', sessionIds: { list: 'text' } },
      optional: ['sessionIds'],
    },
  },
})

export const SESSION_PAGE = page({
  fields: {
    ...{ _id: 'text', name: 'text', number: 'text', text: 'text' },
    ...{ availablePrograms: named, availableUnits: named, startDate: 'moment', endDate: 'moment' },
  },
})

export const REPORT: Shape = {
  fields: {
    summary: {
      fields: {
        ...{ totalGuests: 'number', guestsWithSkipping: 'number' },
        ...{ datesWithSkipping: days, mealsAffected: { list: 'text' } },
      },
    },
    byDate: { keyed: { fields: { breakfast: count, lunch: count, dinner: count } } },
    byGuest: {
      keyed: {
        fields: {
          name: 'text',
          skippedMeals: { list: { fields: { date: 'day', meals: { list: 'text' } } } },
          ...{ totalSkippedBreakfast: 'number', totalSkippedLunch: 'number', totalSkippedDinner: 'number' },
        },
      },
    },
  },
}

/** "The list item may carry further order fields": these (rulings 30 and 40). */
const FURTHER: Readonly<Record<string, Shape>> = {
  ...{ orderNumber: 'text', paymentMethod: 'text', paymentStatus: 'text' },
  ...{ createdAt: 'moment', updatedAt: 'moment' },
}

export const ORDER_LIST: Shape = {
  list: {
    fields: {
      ...{ uuid: 'text', orderDate: 'text', totalAmount: 'text', status: 'text' },
      items: { list: { fields: { name: 'text', quantity: 'number', price: 'text' } } },
      ...FURTHER,
      ids: {
        fields: {
          ...{ orderDate: 'moment', createdAt: 'moment', updatedAt: 'moment', totalAmount: 'number' },
          ...{ currency: 'text', status: 'text', paymentMethod: 'text', paymentStatus: 'text' },
          items: { list: { fields: { price: 'number' } } },
        },
      },
    },
  },
}

export const ORDER: Shape = {
  fields: {
    ...{ uuid: 'text', orderDate: 'moment', totalAmount: 'number', status: 'text' },
    items: { list: { fields: { name: 'text', quantity: 'number', price: 'number', itemId: 'text' } } },
    billingAddress: { fields: { street: 'text', city: 'text', zip: 'text', country: 'text' } },
    ...{
      paymentMethod: 'text',
      paymentStatus: 'text',
      notes: 'text',
      createdAt: 'moment',
      updatedAt: 'moment',
    },
  },
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const LEAVES: Readonly<Record<string, (value: unknown) => boolean>> = {
  text: (value) => value === null || typeof value === 'string',
  moment: (value) => value === null || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value)),
  day: (value) => /^\d{4}-\d\d-\d\d$/.test(String(value)),
  number: (value) => typeof value === 'number',
}

/** Everything in which a value is not of a shape, each with its path; empty if it is. */
export function differences(value: unknown, shape: Shape, path = ''): string[] {
  if (typeof shape === 'string') return LEAVES[shape]?.(value) ? [] : [`${path} is no ${shape}`]
  if ('list' in shape) {
    if (!Array.isArray(value)) return [`${path} is no list`]
    return value.flatMap((item) => differences(item, shape.list, `${path}[]`))
  }
  if (!isObject(value)) return [`${path} is no object`]
  if ('keyed' in shape) {
    return Object.values(value).flatMap((item) => differences(item, shape.keyed, `${path}.*`))
  }
  const { fields, optional = [] } = shape
  return [...new Set([...Object.keys(fields), ...Object.keys(value)])].flatMap((name) => {
    const own = fields[name]
    if (own === undefined) return [`${path}.${name} is not in the table`]
    if (!(name in value)) return optional.includes(name) ? [] : [`${path}.${name} is missing`]
    return differences(value[name], own, `${path}.${name}`)
  })
}
