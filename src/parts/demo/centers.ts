import { DEMO_CENTER_ID, type IntakeRecord, OTHER_CENTER_ID } from './record.ts'

/** Time zone of the demo center: its days, and so all days of the demo, are read in it. */
export const demoTimeZone = 'Europe/Bucharest'

/** Time zone of the second center. */
export const otherTimeZone = 'Europe/Oslo'

/** The demo center. Every optional field is written, so that the record also serves as an example of one. */
export const demoCenter: IntakeRecord = {
  kind: 'center',
  id: DEMO_CENTER_ID,
  name: 'Izvorul Alb Wellness & Treatment',
  addressLine1: 'Aleea Izvoarelor 12',
  addressLine2: '000012 Valea Albă, Romania',
  email: 'reception@izvorul-alb.example.com',
  phone: '+40 000 000 012',
  timezone: demoTimeZone,
  currency: 'RON',
  locale: 'en',
  automaticBookingIds: true,
  bookingIdSession: 'number',
  bookingIdFormat: 'YY-SN-BN',
  apiAccess: true,
  maximumPageLength: 100,
  mealReportExcludedStatuses: ['cancelled', 'waitingList', 'review'],
  mealRules: {
    mealTimes: { breakfast: '07:30', lunch: '12:30', dinner: '18:30' },
    arrivalMeals: ['dinner'],
    departureMeals: ['breakfast'],
    daysNotServed: { breakfast: [], lunch: ['2025-01-06'], dinner: ['2025-01-06'] },
    dietFields: [{ field: 'dietaryPreference', allergies: ['uten nøtter', 'fără gluten', 'no lactose'] }],
    alsoCookFor: [],
  },
  // Orders that are pending, on hold or drafts are not decided.
  orderRules: {
    orderStatuses: {
      valid: ['completed', 'confirmed'],
      open: ['processing'],
      void: ['cancelled'],
      refunded: ['refunded'],
    },
    paymentStatuses: {
      valid: ['paid'],
      open: ['unpaid', 'pending', 'partially_paid'],
      void: ['voided'],
      refunded: ['refunded'],
    },
  },
}

/** The second center: another language, currency and time zone, and everything else by default. */
export const otherCenter: IntakeRecord = {
  kind: 'center',
  id: OTHER_CENTER_ID,
  name: 'Nordlyset Kur og Hvile',
  addressLine1: 'Nordlysveien 1',
  addressLine2: '0000 Stillefjord, Norge',
  email: 'resepsjon@nordlyset.example.net',
  phone: '+47 00 00 00 01',
  timezone: otherTimeZone,
  currency: 'NOK',
  locale: 'no',
  automaticBookingIds: true,
}
