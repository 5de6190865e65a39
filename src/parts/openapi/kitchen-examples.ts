/** Example answers of the kitchen, by operation. */

import type { AnswerExample } from '../../core/request/operation.ts'
import { ARCHIVED_SESSION_ID } from './archived-session.ts'

const NOBODY = { present: 0, skipping: 0 }

/** A meal that is cooked for everybody who is present and does not skip it. */
const mealOf = (present: number, skipping: number) => ({
  served: true,
  present,
  skipping,
  portions: present - skipping,
  notCookedFor: { voided: NOBODY, offer: NOBODY },
})

/** A day of the portions, without the list of its guests. */
const PORTION_DAY = {
  date: '2025-01-16',
  guests: 4,
  arriving: 0,
  departing: 0,
  meals: {
    breakfast: mealOf(4, 2),
    lunch: mealOf(4, 0),
    dinner: mealOf(4, 0),
  },
  byRole: [
    {
      role: 'patient',
      label: 'Patient',
      breakfast: 1,
      lunch: 2,
      dinner: 2,
    },
    {
      role: 'companion',
      label: 'Companion',
      breakfast: 0,
      lunch: 1,
      dinner: 1,
    },
    {
      role: 'guest',
      label: 'Guest',
      breakfast: 1,
      lunch: 1,
      dinner: 1,
    },
  ],
  byProgram: [
    {
      program: 'program-rest',
      label: 'Rest & Sleep',
      breakfast: 1,
      lunch: 1,
      dinner: 1,
    },
    {
      program: 'program-restore',
      label: 'Restore & Rebuild',
      breakfast: 0,
      lunch: 1,
      dinner: 1,
    },
    {
      program: null,
      label: 'No program',
      breakfast: 1,
      lunch: 2,
      dinner: 2,
    },
  ],
  byRoom: [
    {
      room: null,
      label: 'No room',
      breakfast: 2,
      lunch: 4,
      dinner: 4,
    },
  ],
  byDiet: [
    {
      field: null,
      value: null,
      label: 'No diet on record',
      allergy: false,
      breakfast: 2,
      lunch: 4,
      dinner: 4,
    },
  ],
}

const DIETS = {
  fields: [
    {
      field: 'dietaryPreference',
      label: 'Dietary preference',
      allergies: ['uten nøtter', 'fără gluten', 'no lactose'],
    },
  ],
  withheld: [],
}

export const KITCHEN_EXAMPLES: Readonly<Record<string, AnswerExample>> = {
  mealSkippingReport: {
    request: `/guests/meal-skipping-report?sessionId=${ARCHIVED_SESSION_ID}`,
    answer: {
      summary: {
        totalGuests: 4,
        guestsWithSkipping: 2,
        datesWithSkipping: ['2025-01-16'],
        mealsAffected: ['breakfast'],
      },
      byDate: {
        '2025-01-16': {
          breakfast: {
            count: 2,
            guests: [
              { id: 'booking-2025-1', name: 'Ioana Popescu' },
              { id: 'booking-2025-2', name: 'Mihai Popescu' },
            ],
          },
          lunch: { count: 0, guests: [] },
          dinner: { count: 0, guests: [] },
        },
      },
      byGuest: {
        'booking-2025-1': {
          name: 'Ioana Popescu',
          skippedMeals: [{ date: '2025-01-16', meals: ['breakfast'] }],
          totalSkippedBreakfast: 1,
          totalSkippedLunch: 0,
          totalSkippedDinner: 0,
        },
        'booking-2025-2': {
          name: 'Mihai Popescu',
          skippedMeals: [{ date: '2025-01-16', meals: ['breakfast'] }],
          totalSkippedBreakfast: 1,
          totalSkippedLunch: 0,
          totalSkippedDinner: 0,
        },
      },
    },
  },
  mealPortions: {
    request: `/meals/portions?sessionId=${ARCHIVED_SESSION_ID}&startDate=2025-01-16&endDate=2025-01-16&includeGuests=true`,
    answer: {
      rules: {
        mealTimes: {
          breakfast: '07:30',
          lunch: '12:30',
          dinner: '18:30',
        },
        arrivalMeals: ['dinner'],
        departureMeals: ['breakfast'],
        alsoCookFor: [],
      },
      diets: DIETS,
      days: [
        {
          ...PORTION_DAY,
          guestList: [
            {
              id: 'booking-2025-4',
              name: 'Edward Finch',
              role: 'guest',
              roleLabel: 'Guest',
              room: null,
              program: null,
              eats: ['breakfast', 'lunch', 'dinner'],
              skips: [],
              diets: [],
            },
            {
              id: 'booking-2025-3',
              name: 'Ingrid Solberg',
              role: 'patient',
              roleLabel: 'Patient',
              room: null,
              program: 'Rest & Sleep',
              eats: ['breakfast', 'lunch', 'dinner'],
              skips: [],
              diets: [],
            },
            {
              id: 'booking-2025-1',
              name: 'Ioana Popescu',
              role: 'patient',
              roleLabel: 'Patient',
              room: null,
              program: 'Restore & Rebuild',
              eats: ['lunch', 'dinner'],
              skips: ['breakfast'],
              diets: [],
            },
            {
              id: 'booking-2025-2',
              name: 'Mihai Popescu',
              role: 'companion',
              roleLabel: 'Companion',
              room: null,
              program: null,
              eats: ['lunch', 'dinner'],
              skips: ['breakfast'],
              diets: [],
            },
          ],
        },
      ],
    },
  },
  mealSheet: {
    request: undefined,
    answer: {
      sheet: 2,
      takenAt: '2025-01-16T04:00:00.000Z',
      onWall: { sheet: 2, confirmedAt: '2025-01-16T04:05:11.604Z' },
      sheets: [
        { sheet: 2, takenAt: '2025-01-16T04:00:00.000Z' },
        { sheet: 1, takenAt: '2025-01-15T17:40:32.118Z' },
      ],
      diets: DIETS,
      day: PORTION_DAY,
      changes: {
        meals: {
          breakfast: {
            was: 2,
            now: 2,
            diets: false,
          },
          lunch: {
            was: 4,
            now: 3,
            diets: true,
          },
          dinner: {
            was: 4,
            now: 4,
            diets: false,
          },
        },
        byDiet: [
          {
            field: null,
            value: null,
            label: 'No diet on record',
            allergy: false,
            breakfast: {
              was: 2,
              now: 2,
            },
            lunch: {
              was: 4,
              now: 3,
            },
            dinner: {
              was: 4,
              now: 4,
            },
          },
        ],
        guests: [
          {
            guestId: 'booking-2025-2',
            room: null,
            kind: 'changed',
            more: [],
            fewer: ['lunch'],
            dietsAdded: [],
            dietsRemoved: [],
            changedAt: '2025-01-16T08:02:11.000Z',
          },
        ],
      },
    },
  },
}
