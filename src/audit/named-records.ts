/** Which operations record identifiers of bookings, and which those of orders. Sessions and rooms belong to no guest. */
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
]
