/** Which operations record identifiers of bookings, and which those of orders. Sessions and rooms belong to no guest. */
/** Checks of files and deliveries that were not applied name what they were compared with; customers only these. */
export const OF_CHECKS: readonly string[] = ['checkFile', 'takeRecords']
/** A system may give a customer and a booking one number. */
export const customerInTrail = (id: string): string => `customer:${id}`

export const OF_BOOKINGS: readonly string[] = [
  'listGuests',
  'matchGuests',
  'search',
  'guestArrivals',
  'mealSkippingReport',
  'mealPortions',
  'mealSheet',
  'orderControl',
  'listChanges',
  'listContradictions',
  ...OF_CHECKS,
  'findGuest',
  'exportGuest',
]
export const OF_ORDERS: readonly string[] = [
  'listOrders',
  'getOrder',
  'orderControl',
  'search',
  'listChanges',
  'listContradictions',
  ...OF_CHECKS,
]
