/** What the service takes and answers. Printed from its OpenAPI document (`npm run client:types`); do not edit. */

import type { Connection } from './connection.ts'
import { List } from './list.ts'

/** One booking of one customer: the projected fields, humanized, and `ids` with raw values. */
export type Guest = {
  /** First name; null for a person with a single name that is the last name. */
  firstName?: string | null
  /** Last name; null for a person with a single name that is the first name. */
  lastName?: string | null
  /** Full name: first name, space, last name; of a person with a single name, that name. */
  name?: string
  /** First name in capitals, by the rules of the center’s own language. */
  firstNameCaps?: string | null
  /** Last name in capitals, by the rules of the center’s own language. */
  lastNameCaps?: string | null
  /** National identification number. */
  pin?: string | null
  /** The center’s internal number of the customer. */
  internalId?: string | null
  /** E-mail address. */
  email?: string | null
  /** Phone number. */
  phone?: string | null
  /** Second phone number. */
  secondaryPhone?: string | null
  /** Date of birth. */
  dob?: string | null
  /** Age in whole years on the center’s current day. */
  age?: number | null
  /** Gender. */
  gender?: string | null
  /** Religion. */
  religion?: string | null
  /** Whether the birthday falls within the stay’s local days; one on 29 February counts on 28 February in other years. */
  birthDateDuringStay?: boolean | null
  address?: {
    /** Street and number. */
    street?: string | null
    /** City. */
    city?: string | null
    /** Postal code. */
    zip?: string | null
    /** Country. */
    country?: string | null
    /** Notes on the address. */
    notes?: string | null
  }
  /** How the guest was referred. */
  referralType?: string | null
  /** Identifier of the booking; the same as the guest identifiers of the report. */
  id?: string
  /** Identifier of the customer: the same for all bookings of one person. For a key that reads under pseudonyms, a pseudonym of it. */
  customerId?: string
  /** The booking identifier that people use, assigned on arrival if the center has enabled this. */
  bookingId?: string | null
  /** The identifier of the center. */
  centerId?: string | null
  /** Name of the program. */
  programId?: string | null
  /** Name of the package. */
  packageId?: string | null
  /** First day of the stay. */
  startDate?: string
  /** Last day of the stay. */
  endDate?: string
  /** Day on which it was booked. */
  bookedAt?: string | null
  /** Who or what created the booking. */
  createdBy?: string | null
  /** Status of the booking. */
  status?: string
  /** Role of the guest. */
  role?: string
  /** Identifier of the order, as in `GET /orders`. */
  orderUuid?: string | null
  /** Number of the order. */
  orderNumber?: string | null
  /** Status of the order. */
  orderStatus?: string | null
  /** Whether this guest is the main guest of the order; `false` if it is not marked, `null` without an order. */
  isOrderMainGuest?: boolean | null
  formData?: {
    /** What the guest asked for. */
    accommodationDetails?: string | null
    /** Medical conditions as the guest wrote them. */
    medicalConditions?: string | null
    /** Remarks. */
    observations?: string | null
    /** Mobility. */
    mobility?: string | null
  }
  acc?: {
    /** Room. */
    roomId?: string | null
    /** Bed type. */
    bedType?: string | null
    /** Type of accommodation. */
    type?: string | null
    /** Room standard. */
    roomStandardId?: string | null
    /** Size of the room. */
    roomSize?: string | null
    /** Floor. */
    floor?: string | null
  }
  financial?: {
    /** Amount before discounts. */
    subtotal?: string | null
    /** Amount to pay. */
    total?: string | null
    /** Names of the discounts. */
    discountIds?: string[] | null
    deposit?: {
      /** Amount of the deposit. */
      amount?: string | null
      /** Notes on the deposit. */
      notes?: string | null
      /** Day on which the deposit was paid. */
      paidAt?: string | null
      /** How the deposit was paid. */
      paymentType?: string | null
    }
    fullPayment?: {
      /** Amount of the full payment. */
      amount?: string | null
      /** Notes on the full payment. */
      notes?: string | null
      /** Day on which the full payment was paid. */
      paidAt?: string | null
      /** How the full payment was paid. */
      paymentType?: string | null
    }
  }
  /** Whether the order of the guest is paid, without amounts: paid, partly paid, open, or not decided, if the center’s `orderRules` do not list its status or its payments are in another currency. Of a guest without an order: whether the price of the stay is paid. `null` if the order is void, or nothing is known. */
  paid?: string | null
  medicalLetter?: {
    /** Notes on the ultrasound. */
    ultrasoundNotes?: string | null
    /** The ultrasound in words. */
    ultrasoundStr?: string | null
    /** Psychiatric exam. */
    psychiatricExam?: string | null
    /** Diagnoses. */
    diagnoses?: string | null
    /** Recommendations in the doctor’s own words. */
    customRec?: string | null
    /** Electrocardiogram. */
    ekg?: string | null
    /** Names of the recommendations. */
    recommendationsIds?: string[] | null
  }
  medicalData?: {
    /** Medical notes. */
    notes?: string | null
  }
  /** Name of the doctor. */
  doctorName?: string | null
  /** Name of the therapist. */
  therapistName?: string | null
  /** Ideal weight in kilograms. */
  idealWeight?: number | null
  /** Ideal circumference in centimetres. */
  idealCirc?: number | null
  /** Weight on arrival in kilograms. */
  weight1?: number | null
  /** Weight on departure in kilograms. */
  weight2?: number | null
  /** Height in centimetres. */
  height?: number | null
  /** Body mass index on arrival in kg/m²; computed, one decimal, where it is not recorded. */
  bmi1?: number | null
  /** Body mass index on departure in kg/m²; computed, one decimal, where it is not recorded. */
  bmi2?: number | null
  /** The days on which each meal is skipped, as recorded, also outside of the stay, where the report counts none; an empty array means none. */
  skippingMeals?: {
    breakfast: string[]
    lunch: string[]
    dinner: string[]
  } | null
  /** Sessions of the same customer that ended before this booking begins: their names, in date order. */
  sessionsAttendedBefore?: string[] | null
  /** Sessions of the same customer that ended before this booking begins: how many. */
  sessionsAttendedBeforeCount?: number | null
  /** Sessions of the same customer that begin after this booking ends: their names, in date order. */
  sessionsRegisteredFuture?: string[] | null
  /** Sessions of the same customer that begin after this booking ends: how many. */
  sessionsRegisteredFutureCount?: number | null
  /** Date range of the booking’s main session. */
  sessionInterval?: string | null
  /** First day of the main session. */
  sessionStartDate?: string | null
  /** Last day of the main session. */
  sessionEndDate?: string | null
  /** Name of the center. */
  centerName?: string | null
  /** First line of the center’s address. */
  centerAddressLine1?: string | null
  /** Second line of the center’s address. */
  centerAddressLine2?: string | null
  /** E-mail address of the center. */
  centerEmail?: string | null
  /** Phone number of the center. */
  centerPhone?: string | null
  /** custom fields of the center */
  meta?: Record<string, unknown>
  /** Raw values for integrations: `role`, `status` and `sessionId`, and those of the humanized fields that were projected. A key that reads under pseudonyms gets only the latter, although the others are required here. */
  ids: {
    dob?: string | null
    gender?: string | null
    religion?: string | null
    referralType?: string | null
    programId?: string | null
    packageId?: string | null
    startDate?: string
    endDate?: string
    bookedAt?: string | null
    status:
      | 'registered'
      | 'waitingList'
      | 'review'
      | 'confirmed'
      | 'arrived'
      | 'paid'
      | 'cancelled'
      | 'voided'
      | 'registeredOnline'
      | 'offer'
      | 'departed'
    role: 'patient' | 'companion' | 'guest'
    orderStatus?: string | null
    acc?: {
      roomId?: string | null
      bedType?: string | null
      type?: string | null
      roomStandardId?: string | null
    }
    financial?: {
      subtotal?: number | null
      total?: number | null
      discountIds?: string[] | null
      deposit?: {
        amount?: number | null
        paidAt?: string | null
        paymentType?: string | null
      }
      fullPayment?: {
        amount?: number | null
        paidAt?: string | null
        paymentType?: string | null
      }
    }
    paid?: 'paid' | 'partlyPaid' | 'open' | 'notDecided' | null
    medicalLetter?: {
      recommendationsIds?: string[] | null
    }
    sessionsAttendedBefore?: string[] | null
    sessionsRegisteredFuture?: string[] | null
    /** ISO 8601 interval */
    sessionInterval?: string | null
    sessionStartDate?: string | null
    sessionEndDate?: string | null
    /** the first session of the booking, whichever was asked for */
    sessionId: string | null
    /** all sessions of the booking; present when there are several */
    sessionIds?: string[]
    meta?: Record<string, unknown>
  }
}

export type GuestPage = {
  data: Guest[]
  /** number of records available in all pages */
  total: number
}

export type MatchGuestsAnswer = {
  data: {
    /** The identifier of the booking. */
    id: string
    score: number
    reasons: {
      by: 'name' | 'dob' | 'email' | 'pin'
      /** From 0 (different) to 1 (the same); null if the guest has no such value. */
      agreement: number | null
    }[]
    bookingId: string | null
    firstName: string | null
    lastName: string | null
    startDate: string
    endDate: string
    status:
      | 'registered'
      | 'waitingList'
      | 'review'
      | 'confirmed'
      | 'arrived'
      | 'paid'
      | 'cancelled'
      | 'voided'
      | 'registeredOnline'
      | 'offer'
      | 'departed'
    sessionIds: string[]
  }[]
  /** Whether all candidates were compared. At most 200 are; if false, request a session or a shorter range. */
  complete: boolean
}

export type MealSkippingReport = {
  summary: {
    /** guests in the analysis */
    totalGuests: number
    /** guests who skip at least one meal */
    guestsWithSkipping: number
    datesWithSkipping: string[]
    mealsAffected: ('breakfast' | 'lunch' | 'dinner')[]
  }
  /** keyed by date, the days with at least one skip, ascending; a skip outside of the guest’s own stay is not counted, although `skippingMeals` shows it */
  byDate: Record<
    string,
    {
      breakfast: {
        count: number
        guests: {
          /** guest identifier */
          id: string
          name: string
        }[]
      }
      lunch: {
        count: number
        guests: {
          /** guest identifier */
          id: string
          name: string
        }[]
      }
      dinner: {
        count: number
        guests: {
          /** guest identifier */
          id: string
          name: string
        }[]
      }
    }
  >
  /** keyed by guest identifier, those who skip at least one meal */
  byGuest: Record<
    string,
    {
      name: string
      skippedMeals: {
        date: string
        meals: ('breakfast' | 'lunch' | 'dinner')[]
      }[]
      totalSkippedBreakfast: number
      totalSkippedLunch: number
      totalSkippedDinner: number
    }
  >
}

export type MealPortionsAnswer = {
  /** the rules of the center by which the portions are counted */
  rules: {
    mealTimes: {
      /** `HH:MM`, local time; null if the center says none */
      breakfast: string | null
      /** `HH:MM`, local time; null if the center says none */
      lunch: string | null
      /** `HH:MM`, local time; null if the center says none */
      dinner: string | null
    }
    /** until when arriving guests are served; absent if the center says it of no meal */
    mealEnds?: {
      /** `HH:MM`, local time; null if the center says none */
      breakfast: string | null
      /** `HH:MM`, local time; null if the center says none */
      lunch: string | null
      /** `HH:MM`, local time; null if the center says none */
      dinner: string | null
    }
    /** hours that say nothing; absent together with `mealEnds` */
    standardTimes?: {
      arrival: string[]
      departure: string[]
    }
    /** meals that count on the day of arrival */
    arrivalMeals: ('breakfast' | 'lunch' | 'dinner')[]
    /** meals that count on the day of departure */
    departureMeals: ('breakfast' | 'lunch' | 'dinner')[]
    /** additional booking statuses that the kitchen cooks for */
    alsoCookFor: ('voided' | 'offer')[]
  }
  diets: {
    /** custom fields that are diets */
    fields: {
      field: string
      label: string
      allergies: string[]
    }[]
    /** keys of the diet fields that your key may not read; they are in no row */
    withheld: string[]
  }
  /** every day of the range */
  days: {
    date: string
    /** guests in the house who are cooked for */
    guests: number
    /** those of them who arrive on this day */
    arriving: number
    /** those of them who leave on this day */
    departing: number
    meals: {
      breakfast: {
        /** whether the center serves the meal on this day */
        served: boolean
        /** guests who are present for the meal */
        present: number
        /** those of them who skip it */
        skipping: number
        /** portions to cook, with those of additional people; 0 if the meal is not served */
        portions: number
        /** portions of people without a name, who eat with a guest (`meals` of the booking); absent if there are none */
        additional?: number
        /** bookings that nobody cooks for; they are not included in the other numbers */
        notCookedFor: {
          voided: {
            /** guests who are present for the meal */
            present: number
            /** those of them who skip it */
            skipping: number
          }
          offer: {
            /** guests who are present for the meal */
            present: number
            /** those of them who skip it */
            skipping: number
          }
        }
      }
      lunch: {
        /** whether the center serves the meal on this day */
        served: boolean
        /** guests who are present for the meal */
        present: number
        /** those of them who skip it */
        skipping: number
        /** portions to cook, with those of additional people; 0 if the meal is not served */
        portions: number
        /** portions of people without a name, who eat with a guest (`meals` of the booking); absent if there are none */
        additional?: number
        /** bookings that nobody cooks for; they are not included in the other numbers */
        notCookedFor: {
          voided: {
            /** guests who are present for the meal */
            present: number
            /** those of them who skip it */
            skipping: number
          }
          offer: {
            /** guests who are present for the meal */
            present: number
            /** those of them who skip it */
            skipping: number
          }
        }
      }
      dinner: {
        /** whether the center serves the meal on this day */
        served: boolean
        /** guests who are present for the meal */
        present: number
        /** those of them who skip it */
        skipping: number
        /** portions to cook, with those of additional people; 0 if the meal is not served */
        portions: number
        /** portions of people without a name, who eat with a guest (`meals` of the booking); absent if there are none */
        additional?: number
        /** bookings that nobody cooks for; they are not included in the other numbers */
        notCookedFor: {
          voided: {
            /** guests who are present for the meal */
            present: number
            /** those of them who skip it */
            skipping: number
          }
          offer: {
            /** guests who are present for the meal */
            present: number
            /** those of them who skip it */
            skipping: number
          }
        }
      }
    }
    /** portions by role, each role once */
    byRole: {
      role: 'patient' | 'companion' | 'guest'
      label: string
      breakfast: number
      lunch: number
      dinner: number
    }[]
    /** portions by program; `program` is null for guests without one */
    byProgram: {
      program: string | null
      label: string
      breakfast: number
      lunch: number
      dinner: number
    }[]
    /** portions by room; `room` is null for guests without one */
    byRoom: {
      room: string | null
      label: string
      breakfast: number
      lunch: number
      dinner: number
    }[]
    /** portions by diet: unknown values first, then allergies; the last rows, with `field` null, are for guests with no diet on record, and exist only if your key may read every diet field. A guest with two diets is in two rows. */
    byDiet: {
      /** key of the custom field */
      field: string | null
      /** the value as the center wrote it */
      value: string | null
      /** a heading for people */
      label: string
      /** whether the center calls it an allergy or intolerance */
      allergy: boolean
      /** only if the center lists the values of its diets: `unknown` for a text that is not in the list and may be an allergy; `none` for guests who were asked and have no diet; `notAsked` for guests of whom no diet field has a value */
      kind?: 'unknown' | 'allergy' | 'diet' | 'none' | 'notAsked'
      breakfast: number
      lunch: number
      dinner: number
    }[]
    /** with `includeGuests`: the guests who are present for a meal, by room and name; with `includeReasons`, all guests in the house who are cooked for */
    guestList?: {
      /** guest identifier */
      id: string
      name: string | null
      role: 'patient' | 'companion' | 'guest'
      roleLabel: string
      /** name of the room; null if there is none */
      room: string | null
      /** name of the program; null if there is none */
      program: string | null
      /** meals of the day that are cooked for the guest */
      eats: ('breakfast' | 'lunch' | 'dinner')[]
      /** meals that the guest is present for but skips */
      skips: ('breakfast' | 'lunch' | 'dinner')[]
      /** with `includeReasons`: each meal that the guest does not eat, with the first rule that excludes it */
      without?: {
        meal: 'breakfast' | 'lunch' | 'dinner'
        /** in the order in which the rules are applied: the meal is not served; the guest arrives after its end; it does not count on the day of arrival; the guest leaves before it begins; it does not count on the day of departure; the package or the program does not include it; the booking excludes it; the guest skips it */
        reason:
          | 'notServed'
          | 'arrivesAfter'
          | 'arrivalDay'
          | 'leavesBefore'
          | 'departureDay'
          | 'package'
          | 'program'
          | 'ownMeals'
          | 'skips'
        /** hour of arrival or departure, `HH:MM`, local time, if it is the reason; otherwise null */
        at: string | null
      }[]
      /** people without a name who eat with the guest at each of these meals; absent if there are none */
      additional?: number
      /** whether any diet field has a value; only if your key may read all of them, and with `includeReasons` or if the center lists its diet values */
      asked?: boolean
      diets: {
        /** key of the custom field */
        field: string | null
        /** the value as the center wrote it */
        value: string | null
        /** a heading for people */
        label: string
        /** whether the center calls it an allergy or intolerance */
        allergy: boolean
        /** only if the center lists the values of its diets: `unknown` for a text that is not in the list and may be an allergy; `none` for guests who were asked and have no diet; `notAsked` for guests of whom no diet field has a value */
        kind?: 'unknown' | 'allergy' | 'diet' | 'none' | 'notAsked'
      }[]
    }[]
  }[]
}

export type MealSheetAnswer = {
  /** number of the sheet; the first one of a day is 1. Null for a day of which none are stored, or none was taken */
  sheet: number | null
  /** when the sheet was stored, or null */
  takenAt: string | null
  /** the sheet that is on the wall: the confirmed one, or else the newest that was stored by this request */
  onWall: {
    /** its number; null if there is none */
    sheet: number | null
    /** when a person confirmed it, or confirmed that there is none; null if nobody has */
    confirmedAt: string | null
  }
  /** the sheets of the day that are stored, newest first */
  sheets: {
    sheet: number
    takenAt: string
  }[]
  diets: {
    /** custom fields that are diets */
    fields: {
      field: string
      label: string
      allergies: string[]
    }[]
    /** keys of the diet fields that your key may not read; they are in no row */
    withheld: string[]
  }
  /** the numbers at that moment, as in `days` of the portions */
  day: {
    date: string
    /** guests in the house who are cooked for */
    guests: number
    /** those of them who arrive on this day */
    arriving: number
    /** those of them who leave on this day */
    departing: number
    meals: {
      breakfast: {
        /** whether the center serves the meal on this day */
        served: boolean
        /** guests who are present for the meal */
        present: number
        /** those of them who skip it */
        skipping: number
        /** portions to cook, with those of additional people; 0 if the meal is not served */
        portions: number
        /** portions of people without a name, who eat with a guest (`meals` of the booking); absent if there are none */
        additional?: number
        /** bookings that nobody cooks for; they are not included in the other numbers */
        notCookedFor: {
          voided: {
            /** guests who are present for the meal */
            present: number
            /** those of them who skip it */
            skipping: number
          }
          offer: {
            /** guests who are present for the meal */
            present: number
            /** those of them who skip it */
            skipping: number
          }
        }
      }
      lunch: {
        /** whether the center serves the meal on this day */
        served: boolean
        /** guests who are present for the meal */
        present: number
        /** those of them who skip it */
        skipping: number
        /** portions to cook, with those of additional people; 0 if the meal is not served */
        portions: number
        /** portions of people without a name, who eat with a guest (`meals` of the booking); absent if there are none */
        additional?: number
        /** bookings that nobody cooks for; they are not included in the other numbers */
        notCookedFor: {
          voided: {
            /** guests who are present for the meal */
            present: number
            /** those of them who skip it */
            skipping: number
          }
          offer: {
            /** guests who are present for the meal */
            present: number
            /** those of them who skip it */
            skipping: number
          }
        }
      }
      dinner: {
        /** whether the center serves the meal on this day */
        served: boolean
        /** guests who are present for the meal */
        present: number
        /** those of them who skip it */
        skipping: number
        /** portions to cook, with those of additional people; 0 if the meal is not served */
        portions: number
        /** portions of people without a name, who eat with a guest (`meals` of the booking); absent if there are none */
        additional?: number
        /** bookings that nobody cooks for; they are not included in the other numbers */
        notCookedFor: {
          voided: {
            /** guests who are present for the meal */
            present: number
            /** those of them who skip it */
            skipping: number
          }
          offer: {
            /** guests who are present for the meal */
            present: number
            /** those of them who skip it */
            skipping: number
          }
        }
      }
    }
    /** portions by role, each role once */
    byRole: {
      role: 'patient' | 'companion' | 'guest'
      label: string
      breakfast: number
      lunch: number
      dinner: number
    }[]
    /** portions by program; `program` is null for guests without one */
    byProgram: {
      program: string | null
      label: string
      breakfast: number
      lunch: number
      dinner: number
    }[]
    /** portions by room; `room` is null for guests without one */
    byRoom: {
      room: string | null
      label: string
      breakfast: number
      lunch: number
      dinner: number
    }[]
    /** portions by diet: unknown values first, then allergies; the last rows, with `field` null, are for guests with no diet on record, and exist only if your key may read every diet field. A guest with two diets is in two rows. */
    byDiet: {
      /** key of the custom field */
      field: string | null
      /** the value as the center wrote it */
      value: string | null
      /** a heading for people */
      label: string
      /** whether the center calls it an allergy or intolerance */
      allergy: boolean
      /** only if the center lists the values of its diets: `unknown` for a text that is not in the list and may be an allergy; `none` for guests who were asked and have no diet; `notAsked` for guests of whom no diet field has a value */
      kind?: 'unknown' | 'allergy' | 'diet' | 'none' | 'notAsked'
      breakfast: number
      lunch: number
      dinner: number
    }[]
    /** with `includeGuests`: the guests who are present for a meal, by room and name; with `includeReasons`, all guests in the house who are cooked for */
    guestList?: {
      /** guest identifier */
      id: string
      name: string | null
      role: 'patient' | 'companion' | 'guest'
      roleLabel: string
      /** name of the room; null if there is none */
      room: string | null
      /** name of the program; null if there is none */
      program: string | null
      /** meals of the day that are cooked for the guest */
      eats: ('breakfast' | 'lunch' | 'dinner')[]
      /** meals that the guest is present for but skips */
      skips: ('breakfast' | 'lunch' | 'dinner')[]
      /** with `includeReasons`: each meal that the guest does not eat, with the first rule that excludes it */
      without?: {
        meal: 'breakfast' | 'lunch' | 'dinner'
        /** in the order in which the rules are applied: the meal is not served; the guest arrives after its end; it does not count on the day of arrival; the guest leaves before it begins; it does not count on the day of departure; the package or the program does not include it; the booking excludes it; the guest skips it */
        reason:
          | 'notServed'
          | 'arrivesAfter'
          | 'arrivalDay'
          | 'leavesBefore'
          | 'departureDay'
          | 'package'
          | 'program'
          | 'ownMeals'
          | 'skips'
        /** hour of arrival or departure, `HH:MM`, local time, if it is the reason; otherwise null */
        at: string | null
      }[]
      /** people without a name who eat with the guest at each of these meals; absent if there are none */
      additional?: number
      /** whether any diet field has a value; only if your key may read all of them, and with `includeReasons` or if the center lists its diet values */
      asked?: boolean
      diets: {
        /** key of the custom field */
        field: string | null
        /** the value as the center wrote it */
        value: string | null
        /** a heading for people */
        label: string
        /** whether the center calls it an allergy or intolerance */
        allergy: boolean
        /** only if the center lists the values of its diets: `unknown` for a text that is not in the list and may be an allergy; `none` for guests who were asked and have no diet; `notAsked` for guests of whom no diet field has a value */
        kind?: 'unknown' | 'allergy' | 'diet' | 'none' | 'notAsked'
      }[]
    }[]
  }
  /** what has changed from then until now */
  changes: {
    meals: {
      breakfast: {
        was: number
        now: number
        /** whether the portions of any diet differ, even if their sum does not */
        diets: boolean
      }
      lunch: {
        was: number
        now: number
        /** whether the portions of any diet differ, even if their sum does not */
        diets: boolean
      }
      dinner: {
        was: number
        now: number
        /** whether the portions of any diet differ, even if their sum does not */
        diets: boolean
      }
    }
    /** diets whose portions differ */
    byDiet: {
      /** key of the custom field */
      field: string | null
      /** the value as the center wrote it */
      value: string | null
      /** a heading for people */
      label: string
      /** whether the center calls it an allergy or intolerance */
      allergy: boolean
      /** only if the center lists the values of its diets: `unknown` for a text that is not in the list and may be an allergy; `none` for guests who were asked and have no diet; `notAsked` for guests of whom no diet field has a value */
      kind?: 'unknown' | 'allergy' | 'diet' | 'none' | 'notAsked'
      breakfast: {
        was: number
        now: number
      }
      lunch: {
        was: number
        now: number
      }
      dinner: {
        was: number
        now: number
      }
    }[]
    /** guests whose meals, diets or room differ, by identifier and room, without names */
    guests: {
      guestId: string
      /** name of the room; null if there is none */
      room: string | null
      kind: 'came' | 'left' | 'changed'
      /** meals that are now cooked for the guest, and were not */
      more: ('breakfast' | 'lunch' | 'dinner')[]
      /** meals that were cooked for the guest, and no longer are */
      fewer: ('breakfast' | 'lunch' | 'dinner')[]
      dietsAdded: {
        /** key of the custom field */
        field: string | null
        /** the value as the center wrote it */
        value: string | null
        /** a heading for people */
        label: string
        /** whether the center calls it an allergy or intolerance */
        allergy: boolean
        /** only if the center lists the values of its diets: `unknown` for a text that is not in the list and may be an allergy; `none` for guests who were asked and have no diet; `notAsked` for guests of whom no diet field has a value */
        kind?: 'unknown' | 'allergy' | 'diet' | 'none' | 'notAsked'
      }[]
      dietsRemoved: {
        /** key of the custom field */
        field: string | null
        /** the value as the center wrote it */
        value: string | null
        /** a heading for people */
        label: string
        /** whether the center calls it an allergy or intolerance */
        allergy: boolean
        /** only if the center lists the values of its diets: `unknown` for a text that is not in the list and may be an allergy; `none` for guests who were asked and have no diet; `notAsked` for guests of whom no diet field has a value */
        kind?: 'unknown' | 'allergy' | 'diet' | 'none' | 'notAsked'
      }[]
      /** when the guest last changed; null if the change was part of a large import, or too long ago */
      changedAt: string | null
      /** portions of people without a name who eat with the guest; only if their number differs at a meal */
      additional?: {
        breakfast: {
          was: number
          now: number
        }
        lunch: {
          was: number
          now: number
        }
        dinner: {
          was: number
          now: number
        }
      }
      /** the room before; only for a guest who has moved */
      roomWas?: string | null
    }[]
  }
  /** changes after the cut-offs that nobody has acknowledged; only if the center has cut-offs */
  late?: {
    meals: {
      /** null if the meal has no cut-off */
      breakfast: {
        /** until when changes are not late */
        cutOff: string
        /** the moment whose state the meal is compared with: the cut-off, or later if the service did not run then, or that of the acknowledged sheet; null before the cut-off, and if it is not known */
        since: string | null
        /** when late changes were last acknowledged */
        acknowledgedAt: string | null
        /** guests whose portion or diet has changed since; null before the cut-off, and if it is not known */
        changes: number | null
      } | null
      /** null if the meal has no cut-off */
      lunch: {
        /** until when changes are not late */
        cutOff: string
        /** the moment whose state the meal is compared with: the cut-off, or later if the service did not run then, or that of the acknowledged sheet; null before the cut-off, and if it is not known */
        since: string | null
        /** when late changes were last acknowledged */
        acknowledgedAt: string | null
        /** guests whose portion or diet has changed since; null before the cut-off, and if it is not known */
        changes: number | null
      } | null
      /** null if the meal has no cut-off */
      dinner: {
        /** until when changes are not late */
        cutOff: string
        /** the moment whose state the meal is compared with: the cut-off, or later if the service did not run then, or that of the acknowledged sheet; null before the cut-off, and if it is not known */
        since: string | null
        /** when late changes were last acknowledged */
        acknowledgedAt: string | null
        /** guests whose portion or diet has changed since; null before the cut-off, and if it is not known */
        changes: number | null
      } | null
    }
    /** guests with late changes, by identifier and room, without names */
    guests: {
      guestId: string
      room: string | null
      meals: ('breakfast' | 'lunch' | 'dinner')[]
    }[]
  }
}

export type ListedOrder = {
  uuid: string
  orderNumber: string | null
  /** localized date */
  orderDate: string
  /** formatted amount with currency symbol */
  totalAmount: string
  /** localized label */
  status: string
  /** names joined by a comma and a space, empty if the order has no guests; only with includeGuestNames=true */
  guestNames?: string
  items: {
    name: string
    quantity: number
    /** formatted amount */
    price: string
  }[]
  /** localized label */
  paymentMethod: string | null
  /** localized label */
  paymentStatus: string | null
  createdAt: string | null
  updatedAt: string | null
  /** Raw values for programs, under the same paths, independent of `formatDates` and the language; `currency` applies to all amounts of the order. */
  ids: {
    orderDate: string
    totalAmount: number
    /** ISO 4217 code */
    currency: string
    status: string
    items: {
      price: number
    }[]
    paymentMethod: string | null
    paymentStatus: string | null
    createdAt: string | null
    updatedAt: string | null
  }
}

export type OrderList = ListedOrder[]

export type Order = {
  uuid: string
  /** only with includeDetails=true */
  orderNumber?: string | null
  /** ISO 8601 timestamp; a localized date when formatDates=true */
  orderDate: string
  totalAmount: number
  /** ISO 4217 code; only with includeDetails=true */
  currency?: string
  status: string
  /** empty if the order has no guests; only with includeGuestNames=true */
  guestNames?: string[]
  items: {
    name: string
    quantity: number
    price: number
    itemId: string
  }[]
  /** always an object; parts without a value are null */
  billingAddress: {
    street: string | null
    city: string | null
    zip: string | null
    country: string | null
  }
  paymentMethod: string | null
  paymentStatus: string | null
  notes: string | null
  createdAt: string | null
  updatedAt: string | null
  /** the labels of the list, in the language of the answer; only with includeLabels=true */
  labels?: {
    status: string
    paymentMethod: string | null
    paymentStatus: string | null
  }
  /** what does not fit, as in the control of orders, and the checks that need includePayments=true; only with includeChecks=true */
  checks?: {
    /** the sum of the items; null if the order has no items */
    itemsTotal: number | null
    problems: {
      kind:
        | 'totalDiffersFromItems'
        | 'noGuests'
        | 'noMainGuest'
        | 'stayOutsideSession'
        | 'paidWithoutPayment'
        | 'depositButUnpaid'
      /** the sum of the items, or of the deposits; null for other problems */
      amount: number | null
      /** the guest whom the problem is about, or null */
      guestId: string | null
    }[]
    notChecked: ('paidWithoutPayment' | 'depositButUnpaid')[]
  }
  /** the guests of the order, the main guest first; only with includeGuests=true */
  guests?: {
    /** `id` of the guest in `GET /guests` */
    guestId: string
    name: string
  }[]
  /** deposits and payments of the order’s bookings, by day; empty if none is recorded; only with includePayments=true */
  payments?: {
    guestId: string
    kind: 'deposit' | 'fullPayment'
    amount: number
    /** ISO 4217 code of the center */
    currency: string
    /** as recorded: a timestamp or a day */
    paidAt: string | null
    paymentType: string | null
    paymentTypeLabel: string | null
    notes: string | null
  }[]
}

export type OrderControlAnswer = {
  /** orders of the range */
  orders: number
  /** totals of each currency; currencies are never added to each other */
  currencies: {
    /** ISO 4217 code */
    currency: string
    orders: number
    total: number
    /** formatted amount with currency symbol */
    totalLabel: string
    /** by order status */
    byStatus: {
      status: string
      label: string
      orders: number
      total: number
      /** formatted amount with currency symbol */
      totalLabel: string
    }[]
    /** by local day, days with orders only */
    byDay: {
      date: string
      orders: number
      total: number
      /** formatted amount with currency symbol */
      totalLabel: string
    }[]
    /** the four groups, which the center’s `orderRules` decide; each order is in exactly one */
    groups: {
      group: 'valid' | 'open' | 'notDecided' | 'void'
      orders: number
      /** without negative totals */
      total: number
      /** formatted amount with currency symbol */
      totalLabel: string
      /** 0 or negative, and in no total: orders with a negative total, and orders whose total was paid back */
      refunds: {
        orders: number
        total: number
        /** formatted amount with currency symbol */
        totalLabel: string
      }
      /** by order status and payment status */
      byStatus: {
        status: string
        statusLabel: string
        paymentStatus: string | null
        paymentStatusLabel: string | null
        orders: number
        /** without negative totals */
        total: number
        /** formatted amount with currency symbol */
        totalLabel: string
        /** 0 or negative, and in no total: orders with a negative total, and orders whose total was paid back */
        refunds: {
          orders: number
          total: number
          /** formatted amount with currency symbol */
          totalLabel: string
        }
      }[]
    }[]
    /** of the orders that are valid or open; null without `includePayments`. Their totals and refunds are paid + paidBack + open + notRecorded + notComparable - overpaid. */
    payments: {
      /** payments of the orders’ bookings */
      paid: {
        orders: number
        total: number
        /** formatted amount with currency symbol */
        totalLabel: string
      }
      /** negative payments */
      paidBack: {
        orders: number
        total: number
        /** formatted amount with currency symbol */
        totalLabel: string
      }
      /** not paid yet */
      open: {
        orders: number
        total: number
        /** formatted amount with currency symbol */
        totalLabel: string
      }
      /** of orders that say that they are paid: the part without a recorded payment */
      notRecorded: {
        orders: number
        total: number
        /** formatted amount with currency symbol */
        totalLabel: string
      }
      /** totals of orders with payments in the center’s currency, which is not theirs: how much is open is not known */
      notComparable: {
        orders: number
        total: number
        /** formatted amount with currency symbol */
        totalLabel: string
      }
      /** paid beyond the total */
      overpaid: {
        orders: number
        total: number
        /** formatted amount with currency symbol */
        totalLabel: string
      }
      /** payments of orders that are not decided or void; they are in no other amount */
      paidOfOthers: {
        orders: number
        total: number
        /** formatted amount with currency symbol */
        totalLabel: string
      }
    } | null
  }[]
  statusesNotDecided: {
    /** order statuses of the range that `orderRules` do not list */
    status: string[]
    /** payment statuses of the range that `orderRules` do not list */
    paymentStatus: string[]
  }
  /** payments in the center’s currency, of orders in another one; null without `includePayments` */
  paymentsInOtherCurrency: {
    currency: string
    orders: number
    total: number
    /** formatted amount with currency symbol */
    totalLabel: string
  } | null
  /** checks that were made */
  checked: (
    | 'totalDiffersFromItems'
    | 'noGuests'
    | 'noMainGuest'
    | 'stayOutsideSession'
    | 'paidWithoutPayment'
    | 'depositButUnpaid'
    | 'depositWithoutOrder'
  )[]
  /** checks that need `includePayments`, if it was not asked for */
  notChecked: ('paidWithoutPayment' | 'depositButUnpaid' | 'depositWithoutOrder')[]
  /** orders in which something does not fit */
  doNotFit: number
  /** the first 1000 of them, by date */
  mismatches: {
    uuid: string
    orderNumber: string | null
    /** local day of the order */
    date: string
    currency: string
    total: number
    totalLabel: string
    status: string
    statusLabel: string
    paymentStatus: string | null
    paymentStatusLabel: string | null
    /** by the center’s `orderRules` */
    group: 'valid' | 'open' | 'notDecided' | 'void'
    /** with `includeGuestNames`: the main guest first */
    guestNames?: string[]
    /** with `includeGuestNames`: the same guests, with their identifiers in `GET /guests` */
    guests?: {
      /** `id` of the guest in `GET /guests` */
      guestId: string
      name: string
    }[]
    /** what does not fit */
    problems: {
      kind:
        | 'totalDiffersFromItems'
        | 'noGuests'
        | 'noMainGuest'
        | 'stayOutsideSession'
        | 'paidWithoutPayment'
        | 'depositButUnpaid'
      /** the sum of the items, or of the deposits; null for other problems */
      amount: number | null
      /** the guest whom the problem is about, or null */
      guestId: string | null
    }[]
  }[]
  /** with `includeOrders`: the first 1000 orders, by date */
  listed?: {
    uuid: string
    orderNumber: string | null
    /** local day of the order */
    date: string
    currency: string
    total: number
    totalLabel: string
    status: string
    statusLabel: string
    paymentStatus: string | null
    paymentStatusLabel: string | null
    /** by the center’s `orderRules` */
    group: 'valid' | 'open' | 'notDecided' | 'void'
    /** with `includeGuestNames`: the main guest first */
    guestNames?: string[]
    /** with `includeGuestNames`: the same guests, with their identifiers in `GET /guests` */
    guests?: {
      /** `id` of the guest in `GET /guests` */
      guestId: string
      name: string
    }[]
    /** whether it is among the mismatches */
    doesNotFit: boolean
    /** null without `includePayments`, or if the payments are in another currency */
    paid: number | null
    /** null if it is not known, and for orders that are neither valid nor open */
    open: number | null
  }[]
  /** guests whose stay begins in the range, with a deposit and no order */
  looseDeposits: number
  /** the first 1000 of them, by start */
  depositsWithoutOrder: {
    guestId: string
    /** local day on which the stay begins */
    date: string
    amount: number
    amountLabel: string
  }[]
}

export type Session = {
  /** session identifier */
  _id: string
  name: string
  /** session number */
  number: string | null
  /** description */
  text: string | null
  /** names in the language of the answer */
  availablePrograms: {
    _id: string
    name: string
  }[]
  /** names in the language of the answer */
  availableUnits: {
    _id: string
    name: string
  }[]
  startDate: string
  endDate: string
  /** active bookings of the session, by role; a booking of several sessions counts in each; only with includeGuestCounts=true */
  guestCounts?: {
    total: number
    patient: number
    companion: number
    guest: number
  }
}

export type SessionPage = {
  data: Session[]
  /** number of records available in all pages */
  total: number
}

export type Room = {
  /** identifier of the room, or the text that bookings have; null for the guests whose room is not known */
  id: string | null
  /** name of the room in the language of the answer */
  name: string
  /** the day, as in the request */
  date: string
  /** number of beds; null if it is not known */
  beds: number | null
  /** guests of the room on this day, including those who arrive, leave or move in */
  guests: number
  /** guests whose stay begins on this day */
  arriving: number
  /** guests whose stay ends on this day */
  departing: number
  /** guests who come from another room on this day */
  movingIn: number
  /** guests who were here the night before and are in another room on this day; not among `guests` */
  movingOut: number
  /** guests whose stay continues past midnight */
  tonight: number
  /** the first day, this one included, on which no guest stays in the room for the night, which is this day if it is free tonight; null if that is not within a year, and for unknown rooms */
  freeFrom: string | null
}

export type RoomPage = {
  data: Room[]
  /** number of records available in all pages */
  total: number
}

export type SearchAnswer = {
  /** The guests; null if the key may not read them. */
  guests: {
    /** number of guests that were found; a minimum if `complete` is false */
    total: number
    /** whether all were found; false if the words are too frequent */
    complete: boolean
    data: {
      /** the identifier of the booking */
      id: string
      firstName: string | null
      lastName: string | null
      /** today, or on the nearest day of the stay; null if it is not known */
      room: string | null
      /** localized date */
      startDate: string
      /** localized date */
      endDate: string
      /** localized label */
      status: string
      /** when the stay is, by local days: `here` if it includes today, also before the guest arrives; `inactive` if the booking is not active */
      when: 'here' | 'coming' | 'past' | 'inactive'
      /** by what the guest was found */
      matched: {
        /** `similarName`: one letter of a word of the name is another */
        by: 'name' | 'similarName' | 'dob' | 'room' | 'bookingId' | 'email' | 'phone'
        /** the value; null for a name */
        value: string | null
      }[]
      /** whether nothing of it is exactly what was searched for: one letter of the name is another, or day and month of the date of birth are exchanged; such records come last */
      similar: boolean
      ids: {
        room: string | null
        startDate: string
        endDate: string
        status:
          | 'registered'
          | 'waitingList'
          | 'review'
          | 'confirmed'
          | 'arrived'
          | 'paid'
          | 'cancelled'
          | 'voided'
          | 'registeredOnline'
          | 'offer'
          | 'departed'
      }
    }[]
    /** what the words were compared with */
    comparedWith: ('name' | 'dob' | 'room' | 'bookingId' | 'email' | 'phone')[]
  } | null
  /** The orders; null if the key may not read them. */
  orders: {
    /** number of orders that were found; a minimum if `complete` is false */
    total: number
    /** whether all were found; false if the words are too frequent */
    complete: boolean
    data: {
      uuid: string
      orderNumber: string | null
      /** localized date */
      orderDate: string
      /** localized label */
      status: string
      /** localized label */
      paymentStatus: string | null
      /** the first names of the list of its guests, at most 3; main guest first */
      guestNames: string[]
      /** number of its guests */
      guests: number
      /** by what the order was found; `name` is that of one of its guests */
      matched: {
        by: 'orderNumber' | 'uuid' | 'name' | 'similarName'
      }[]
      /** whether nothing of it is exactly what was searched for: one letter of the name is another, or day and month of the date of birth are exchanged; such records come last */
      similar: boolean
      ids: {
        orderDate: string
        status: string
        paymentStatus: string | null
      }
    }[]
    /** what the words were compared with */
    comparedWith: ('orderNumber' | 'uuid' | 'name')[]
  } | null
  /** what was not searched, because the key lacks a scope; it does not say whether there is anything in it. `datesOfBirth` if the words are a date */
  withheld: {
    group: 'guests' | 'orders' | 'datesOfBirth'
    /** the scopes that the key lacks */
    scopes: string[]
  }[]
}

export type ListContradictionsAnswer = {
  data: {
    /** the same as long as the same records contradict each other */
    id: string
    /** `samePersonTwice`: Two customers who are probably one person. Their names agree, and their dates of birth, e-mail addresses or phone numbers. `overlappingStays`: Two active bookings of one customer whose stays overlap. `roomOverfull`: More people in a room on a night than it has beds. Rooms whose beds are unknown are not compared. `sessionsAtOneTime`: Two active bookings of one customer with two sessions that take place at the same time. `allergiesDiffer`: Active bookings of one customer that give different allergies. A booking without an answer is not compared. `arrivedWithoutIdentifier`: A guest who has arrived without a booking identifier, in a center with automatic identifiers. `departedInFuture`: A guest who has departed, but whose stay ends on a later day than today. `depositTwice`: The same deposit (amount, moment and payment type) in two active bookings of one customer or one order. `stayOutsideSession`: An active booking with a session of which its stay has no day. `orderDoesNotAddUp`: An order whose total is not the sum of its items, or that has guests but no main guest. `paymentDoesNotFit`: An order that is paid without a payment, or unpaid with a deposit. `guestWithoutOrder`: An active booking without an order. Not reported by default. `orderWithoutGuests`: An order that no booking belongs to. Not reported by default. */
    kind:
      | 'samePersonTwice'
      | 'overlappingStays'
      | 'roomOverfull'
      | 'sessionsAtOneTime'
      | 'allergiesDiffer'
      | 'arrivedWithoutIdentifier'
      | 'departedInFuture'
      | 'depositTwice'
      | 'stayOutsideSession'
      | 'orderDoesNotAddUp'
      | 'paymentDoesNotFit'
      | 'guestWithoutOrder'
      | 'orderWithoutGuests'
    severity: 'high' | 'medium' | 'low'
    /** when it was found */
    since: string
    /** when the compared values last changed */
    changedAt: string
    evidence: {
      /** of the compared values; name it to dismiss the contradiction */
      digest: string
      /** the records that contradict each other */
      records: {
        kind: 'guest' | 'order' | 'room'
        /** a guest’s `id`, an order’s `uuid`, or a room’s term */
        id: string
        /** of the guest or the room; number of the order */
        name: string | null
      }[]
      /** the compared values */
      compared: {
        /** name of the field */
        field: string
        /** the raw value of each of the records, in their order; null if it has none */
        values: (string | number | boolean | null | string[])[]
      }[]
    }
    /** who has decided that nothing is to be done; null if nobody has, or if the evidence has changed since */
    dismissed: {
      at: string
      /** the name that was given */
      by: string
      reason: string
    } | null
  }[]
  /** number of contradictions available in all pages */
  total: number
  /** kinds that your key may not read, with the scopes that it lacks */
  withheld: {
    kind:
      | 'samePersonTwice'
      | 'overlappingStays'
      | 'roomOverfull'
      | 'sessionsAtOneTime'
      | 'allergiesDiffer'
      | 'arrivedWithoutIdentifier'
      | 'departedInFuture'
      | 'depositTwice'
      | 'stayOutsideSession'
      | 'orderDoesNotAddUp'
      | 'paymentDoesNotFit'
      | 'guestWithoutOrder'
      | 'orderWithoutGuests'
    /** their number; null, not counted, with `guestId`, `startDate`, `endDate` or `changedAfter` */
    count: number | null
    scopes: (
      | 'guests'
      | 'guests.personal'
      | 'guests.medical'
      | 'guests.financial'
      | 'meals'
      | 'sessions'
      | 'orders'
      | 'meals.confirm'
      | 'sources'
      | 'rooms'
      | 'contradictions'
      | 'guests.paid'
      | 'rights'
      | 'administration'
    )[]
  }[]
  /** kinds that the center does not want reported */
  notReported: (
    | 'samePersonTwice'
    | 'overlappingStays'
    | 'roomOverfull'
    | 'sessionsAtOneTime'
    | 'allergiesDiffer'
    | 'arrivedWithoutIdentifier'
    | 'departedInFuture'
    | 'depositTwice'
    | 'stayOutsideSession'
    | 'orderDoesNotAddUp'
    | 'paymentDoesNotFit'
    | 'guestWithoutOrder'
    | 'orderWithoutGuests'
  )[]
  /** whether every commit has been evaluated. If false, contradictions may be missing, or may have ended; ask again in a second */
  complete: boolean
}

export type Change = {
  /** the list that shows it; `meals` for the kitchen’s reports */
  kind: 'guests' | 'sessions' | 'orders' | 'meals' | 'contradictions'
  /** a guest’s `id`, a session’s `_id` or an order’s `uuid`; null if the whole kind must be read again, and for meals */
  id: string | null
  /** `deleted`: remove it from your copy. `created` and `changed`: read it and replace your copy, if you have one. Meals are only `changed` or `readAgain`. `readAgain`: too much changed at once; read the whole kind again */
  operation: 'created' | 'changed' | 'deleted' | 'readAgain'
  /** which of the fields that your key may read have changed, by scope */
  groups: (
    | 'guests'
    | 'guests.personal'
    | 'guests.medical'
    | 'guests.financial'
    | 'meals'
    | 'sessions'
    | 'orders'
    | 'meals.confirm'
    | 'sources'
    | 'rooms'
    | 'contradictions'
    | 'guests.paid'
    | 'rights'
    | 'administration'
  )[]
  /** the sessions that the guest was in before or is in after; empty for other kinds */
  sessionIds: string[]
  /** the stay, the session, or the day of the order, before and after, in the center’s local days */
  days: {
    from: string
    to: string
  }[]
  /** when it was committed */
  at: string
}

export type ChangePage = {
  data: Change[]
  /** send it as `after` to continue */
  cursor: string
  /** whether there are more entries already; a page may be short or empty even so */
  more: boolean
}

export type DataSource = {
  name: string
  /** what it delivers, and when a delivery last came that counts */
  kinds: {
    kind: 'bookings' | 'customers' | 'sessions' | 'orders' | 'terms'
    /** `null`: never */
    receivedAt: string | null
    /** whether the schedule is about this kind */
    expected: boolean
  }[]
  /** when a delivery is expected; `null` if that was not set */
  schedule: string | null
  /** usual time between two deliveries */
  everySeconds: number | null
  /** whether a delivery is missing */
  late: boolean
  /** when it becomes late if nothing arrives, or became late */
  dueAt: string | null
  /** in the order of their beginning */
  problems: {
    /** what is wrong; docs/sources.md explains each */
    cause:
      | 'refused'
      | 'unreadable'
      | 'truncated'
      | 'empty'
      | 'fewer'
      | 'sameAgain'
      | 'clock'
      | 'missing'
      | 'unfinished'
      | 'folderMissing'
      | 'folderUnusable'
      | 'diskFull'
      | 'waiting'
      | 'watcherEnded'
      | 'keyRevoked'
      | 'keyExpires'
      | 'rejectedLines'
    since: string
    /** for `fewer`: the kind */
    kind: 'bookings' | 'customers' | 'sessions' | 'orders' | 'terms' | null
    /** for `fewer`: the records of the delivery */
    records: number | null
    /** for `fewer`: the usual number of records */
    usual: number | null
  }[]
  /** the newest ten, newest first */
  deliveries: {
    /** its identifier in the log of imports */
    import: string
    at: string
    /** how it came */
    way: 'command' | 'watch' | 'intake'
    /** `done`: imported; `refused`: it had invalid records, and nothing was imported; `failed`: it could not be read or written */
    outcome: 'done' | 'refused' | 'failed'
    /** records or rows of all centers */
    lines: number
    /** what its records of this center did, by kind */
    counts: {
      kind: 'bookings' | 'customers' | 'sessions' | 'orders' | 'terms'
      created: number
      changed: number
      unchanged: number
      removed: number
      /** left out because a newer version was stored */
      older: number
    }[]
    /** lines that were rejected */
    rejected: number
    /** why, at most 20; no value of a record is shown */
    causes: {
      /** lines */
      count: number
      /** kind of the import, such as `booking` */
      kind: string | null
      field: string | null
      message: string
    }[]
    /** when the file was last written to; `null` if it was not a file */
    fileTime: string | null
    /** its files */
    files: {
      sha256: string
      bytes: number
    }[]
  }[]
}

export type SourceList = {
  /** in the order of their names */
  data: DataSource[]
}

export type CenterSource = {
  name: string
  /** what it delivers, and when a delivery last came that counts */
  kinds: {
    kind: 'bookings' | 'customers' | 'sessions' | 'orders' | 'terms'
    /** `null`: never */
    receivedAt: string | null
    /** whether the schedule is about this kind */
    expected: boolean
  }[]
  /** when a delivery is expected; `null` if that was not set */
  schedule: string | null
  /** usual time between two deliveries */
  everySeconds: number | null
  /** whether a delivery is missing */
  late: boolean
  /** when it becomes late if nothing arrives, or became late */
  dueAt: string | null
  /** in the order of their beginning */
  problems: {
    /** what is wrong; docs/sources.md explains each */
    cause:
      | 'refused'
      | 'unreadable'
      | 'truncated'
      | 'empty'
      | 'fewer'
      | 'sameAgain'
      | 'clock'
      | 'missing'
      | 'unfinished'
      | 'folderMissing'
      | 'folderUnusable'
      | 'diskFull'
      | 'waiting'
      | 'watcherEnded'
      | 'keyRevoked'
      | 'keyExpires'
      | 'rejectedLines'
    since: string
    /** for `fewer`: the kind */
    kind: 'bookings' | 'customers' | 'sessions' | 'orders' | 'terms' | null
    /** for `fewer`: the records of the delivery */
    records: number | null
    /** for `fewer`: the usual number of records */
    usual: number | null
  }[]
  /** the newest ten, newest first */
  deliveries: {
    /** its identifier in the log of imports */
    import: string
    at: string
    /** how it came */
    way: 'command' | 'watch' | 'intake'
    /** `done`: imported; `refused`: it had invalid records, and nothing was imported; `failed`: it could not be read or written */
    outcome: 'done' | 'refused' | 'failed'
    /** records or rows of all centers */
    lines: number
    /** what its records of this center did, by kind */
    counts: {
      kind: 'bookings' | 'customers' | 'sessions' | 'orders' | 'terms'
      created: number
      changed: number
      unchanged: number
      removed: number
      /** left out because a newer version was stored */
      older: number
    }[]
    /** lines that were rejected */
    rejected: number
    /** why, at most 20; no value of a record is shown */
    causes: {
      /** lines */
      count: number
      /** kind of the import, such as `booking` */
      kind: string | null
      field: string | null
      message: string
    }[]
    /** when the file was last written to; `null` if it was not a file */
    fileTime: string | null
    /** its files */
    files: {
      sha256: string
      bytes: number
    }[]
  }[]
  /** the application whose deliveries it is; null if none was named */
  appId: string | null
}

export type CenterSources = {
  /** in the order of their names */
  data: CenterSource[]
  /** that get an e-mail when a source has a problem; those of the installation are not shown */
  addresses: string[]
  /** the newest, of all sources, newest first */
  imports: {
    /** the source that delivered it */
    source: string
    /** the key that brought it; null for a command */
    publicKey: string | null
    /** its identifier in the log of imports */
    import: string
    at: string
    /** how it came */
    way: 'command' | 'watch' | 'intake'
    /** `done`: imported; `refused`: it had invalid records, and nothing was imported; `failed`: it could not be read or written */
    outcome: 'done' | 'refused' | 'failed'
    /** records or rows of all centers */
    lines: number
    /** what its records of this center did, by kind */
    counts: {
      kind: 'bookings' | 'customers' | 'sessions' | 'orders' | 'terms'
      created: number
      changed: number
      unchanged: number
      removed: number
      /** left out because a newer version was stored */
      older: number
    }[]
    /** lines that were rejected */
    rejected: number
    /** why, at most 20; no value of a record is shown */
    causes: {
      /** lines */
      count: number
      /** kind of the import, such as `booking` */
      kind: string | null
      field: string | null
      message: string
    }[]
    /** when the file was last written to; `null` if it was not a file */
    fileTime: string | null
    /** its files */
    files: {
      sha256: string
      bytes: number
    }[]
  }[]
}

export type CenterKey = {
  /** the application; its keys share their limits */
  appId: string
  /** the key */
  publicKey: string
  /** who uses it */
  name: string
  /** what it may read, and which actions it may perform; none for intake */
  scopes: (
    | 'guests'
    | 'guests.personal'
    | 'guests.medical'
    | 'guests.financial'
    | 'meals'
    | 'sessions'
    | 'orders'
    | 'meals.confirm'
    | 'sources'
    | 'rooms'
    | 'contradictions'
    | 'guests.paid'
    | 'rights'
    | 'administration'
  )[]
  /** custom fields that it may read without `guests.personal` */
  customFields: string[]
  /** whether it sends records and reads nothing */
  intake: boolean
  /** the scopes that it may grant; empty unless it is of the administration */
  grants: (
    | 'guests'
    | 'guests.personal'
    | 'guests.medical'
    | 'guests.financial'
    | 'meals'
    | 'sessions'
    | 'orders'
    | 'meals.confirm'
    | 'sources'
    | 'rooms'
    | 'contradictions'
    | 'guests.paid'
  )[]
  /** whether assistants may read personal and medical data with it */
  allowAssistants: boolean
  /** addresses and ranges it may be used from; empty for any address */
  allowedAddresses: string[]
  /** who answers for it; null if there is no name */
  responsible: string | null
  /** local day by which somebody checks whether it is still required */
  reviewOn: string | null
  status: 'active' | 'expired' | 'revoked'
  createdAt: string
  /** null if it does not expire */
  expiresAt: string | null
  /** null if it was not revoked */
  revokedAt: string | null
  /** null if it was never used; up to ten seconds old */
  lastUsedAt: string | null
}

export type KeyPage = {
  data: CenterKey[]
  /** number of keys on all pages */
  total: number
  /** the scopes that your key may grant */
  grants: (
    | 'guests'
    | 'guests.personal'
    | 'guests.medical'
    | 'guests.financial'
    | 'meals'
    | 'sessions'
    | 'orders'
    | 'meals.confirm'
    | 'sources'
    | 'rooms'
    | 'contradictions'
    | 'guests.paid'
  )[]
  /** common sets of scopes, as far as your key may grant all of them */
  presets: {
    name: string
    scopes: (
      | 'guests'
      | 'guests.personal'
      | 'guests.medical'
      | 'guests.financial'
      | 'meals'
      | 'sessions'
      | 'orders'
      | 'meals.confirm'
      | 'sources'
      | 'rooms'
      | 'contradictions'
      | 'guests.paid'
    )[]
  }[]
  /** what a key can let its holder see */
  subjects: {
    subject:
      | 'names'
      | 'contact'
      | 'stays'
      | 'rooms'
      | 'programs'
      | 'staff'
      | 'sessions'
      | 'portions'
      | 'skippedMeals'
      | 'diets'
      | 'personal'
      | 'address'
      | 'customFields'
      | 'medical'
      | 'orderNumbers'
      | 'orders'
      | 'payments'
      | 'paid'
      | 'contradictions'
      | 'sources'
      | 'sheets'
      | 'administration'
    /** it is seen with all scopes of at least one of these lists */
    scopes: (
      | 'guests'
      | 'guests.personal'
      | 'guests.medical'
      | 'guests.financial'
      | 'meals'
      | 'sessions'
      | 'orders'
      | 'meals.confirm'
      | 'sources'
      | 'rooms'
      | 'contradictions'
      | 'guests.paid'
      | 'rights'
      | 'administration'
    )[][]
  }[]
}

export type CenterSettings = {
  /** language of answers to requests that ask for none */
  locale: string
  /** what `locale` takes */
  languages: (
    | 'en'
    | 'ro'
    | 'no'
    | 'da'
    | 'sv'
    | 'fi'
    | 'is'
    | 'de'
    | 'nl'
    | 'fr'
    | 'es'
    | 'pt'
    | 'pt-BR'
    | 'it'
    | 'pl'
    | 'cs'
    | 'sk'
    | 'hu'
    | 'sl'
    | 'hr'
    | 'bg'
    | 'el'
    | 'uk'
    | 'ru'
    | 'tr'
  )[]
  /** whether a booking gets an identifier on arrival */
  automaticBookingIds: boolean
  bookingIdSession: 'number' | 'name'
  /** pattern of automatic identifiers */
  bookingIdFormat: string
  mealReportExcludedStatuses: (
    | 'registered'
    | 'waitingList'
    | 'review'
    | 'confirmed'
    | 'arrived'
    | 'paid'
    | 'cancelled'
    | 'voided'
    | 'registeredOnline'
    | 'offer'
    | 'departed'
  )[]
  mealRules: {
    mealTimes: {
      /** `HH:MM`; null if the center says none */
      breakfast: string | null
      /** `HH:MM`; null if the center says none */
      lunch: string | null
      /** `HH:MM`; null if the center says none */
      dinner: string | null
    }
    mealEnds: {
      /** `HH:MM`; null if the center says none */
      breakfast: string | null
      /** `HH:MM`; null if the center says none */
      lunch: string | null
      /** `HH:MM`; null if the center says none */
      dinner: string | null
    }
    standardTimes: {
      arrival: string[]
      departure: string[]
    }
    arrivalMeals: string[]
    departureMeals: string[]
    daysNotServed: {
      breakfast: string[]
      lunch: string[]
      dinner: string[]
    }
    alsoCookFor: string[]
    cutOffs: {
      breakfast: {
        daysBefore: number
        time: string
      } | null
      lunch: {
        daysBefore: number
        time: string
      } | null
      dinner: {
        daysBefore: number
        time: string
      } | null
    }
    dietFields: {
      field: string
      allergies: string[]
      /** null: each text is one diet */
      values:
        | {
            value: string
            otherSpellings: string[]
            isAllergy: boolean
            isNone: boolean
          }[]
        | null
    }[]
  }
  /** custom fields of the center, of which those of the type `string` or `boolean` can be diets */
  customFields: {
    key: string
    label: string | null
    type: 'string' | 'number' | 'boolean' | 'date'
  }[]
  orderRules: {
    orderStatuses: {
      valid: string[]
      open: string[]
      void: string[]
      refunded: string[]
    }
    paymentStatuses: {
      valid: string[]
      open: string[]
      void: string[]
      refunded: string[]
    }
  }
  /** whether each kind is reported */
  contradictionKinds: {
    samePersonTwice: boolean
    overlappingStays: boolean
    roomOverfull: boolean
    sessionsAtOneTime: boolean
    allergiesDiffer: boolean
    arrivedWithoutIdentifier: boolean
    departedInFuture: boolean
    depositTwice: boolean
    stayOutsideSession: boolean
    orderDoesNotAddUp: boolean
    paymentDoesNotFit: boolean
    guestWithoutOrder: boolean
    orderWithoutGuests: boolean
  }
}

export type TrailRead = {
  at: string
  /** how many reads of the same data it counts for */
  reads: number
  /** null for a command */
  key: {
    /** as it was at that time */
    name: string
    /** the application, or the `id` of a link */
    appId: string
    publicKey: string
  } | null
  /** who ran a command, as that process stated it; null for a key */
  command: {
    user: string
    machine: string
  } | null
  /** the operationId of what was read or done, or the name of a command */
  operation: string
  /** `assistant` for an AI assistant, `link` for a link, null for a program or the console */
  channel: string | null
  /** the scopes that it needed */
  scopes: string[]
  /** number of records */
  records: number
  /** whether the trail has the identifiers of the records. If not, they were too many, and a search for a guest may not find this read */
  named: boolean
  /** of the request, without what names a person; or the facts of an action or a command */
  parameters: {
    name: string
    value: string
  }[]
  /** of the first read; `-` for a command */
  requestId: string
  /** number of the entry in the chain of the center */
  entry: number
}

export type ReadPage = {
  data: TrailRead[]
  /** `after` of the next page; null on the last one */
  next: string | null
}

export type Usage = {
  startDate: string
  endDate: string
  /** newest first; only days and endpoints with requests */
  days: {
    /** local day of the center */
    date: string
    /** documented path; `other` for any other method or path */
    endpoint: string
    /** all requests */
    requests: number
    /** of these, answered with 304 */
    unchanged: number
    /** of these, answered with 401, 403 or 429 */
    refusals: number
    /** of these, answered with any other status from 400 on */
    errors: number
    /** bytes of the bodies as they were sent, compressed or not */
    bytes: number
  }[]
  /** the newest 100, newest first */
  errors: {
    /** the first time within the hour */
    firstAt: string
    /** the last time within the hour */
    lastAt: string
    /** how often within the hour */
    times: number
    endpoint: string
    status: number
    /** the code of the error’s body */
    code: string
    /** the message of the error’s body; `"…"` replaces each value that it quoted */
    message: string
    /** the first five */
    details: {
      parameter: string
      message: string
    }[]
    /** of the last request */
    requestId: string
    /** the key of the application that was used */
    publicKey: string
  }[]
}

export type Me = {
  center: {
    id: string
    name: string
    /** IANA time zone of all days */
    timezone: string
    /** ISO 4217 code of amounts that name no other */
    currency: string
    /** language of answers to requests without `X-LOCALE` */
    language:
      | 'en'
      | 'ro'
      | 'no'
      | 'da'
      | 'sv'
      | 'fi'
      | 'is'
      | 'de'
      | 'nl'
      | 'fr'
      | 'es'
      | 'pt'
      | 'pt-BR'
      | 'it'
      | 'pl'
      | 'cs'
      | 'sk'
      | 'hu'
      | 'sl'
      | 'hr'
      | 'bg'
      | 'el'
      | 'uk'
      | 'ru'
      | 'tr'
    /** the largest `length` of a page */
    maximumPageLength: number
    /** times, `HH:MM`, that are written where the hour is not known */
    standardTimes: {
      /** of stays that begin */
      arrival: string[]
      /** of stays that end */
      departure: string[]
    }
  }
  key: {
    /** the application; its keys share their limits */
    appId: string
    /** the key */
    publicKey: string
    /** who uses the key, as the center wrote it */
    name: string
    /** what the key may read */
    scopes: (
      | 'guests'
      | 'guests.personal'
      | 'guests.medical'
      | 'guests.financial'
      | 'meals'
      | 'sessions'
      | 'orders'
      | 'meals.confirm'
      | 'sources'
      | 'rooms'
      | 'contradictions'
      | 'guests.paid'
      | 'rights'
      | 'administration'
    )[]
    /** custom fields that the key may read without the scope `guests.personal` */
    customFields: string[]
    /** addresses and ranges it may be used from; empty for any address */
    allowedAddresses: string[]
    /** ISO 8601 timestamp; null for a key that does not expire */
    expiresAt: string | null
    /** what its holder sees by at least one operation or field */
    sees: (
      | 'names'
      | 'contact'
      | 'stays'
      | 'rooms'
      | 'programs'
      | 'staff'
      | 'sessions'
      | 'portions'
      | 'skippedMeals'
      | 'diets'
      | 'personal'
      | 'address'
      | 'customFields'
      | 'medical'
      | 'orderNumbers'
      | 'orders'
      | 'payments'
      | 'paid'
      | 'contradictions'
      | 'sources'
      | 'sheets'
      | 'administration'
    )[]
    /** what no operation and no field shows to it */
    seesNot: (
      | 'names'
      | 'contact'
      | 'stays'
      | 'rooms'
      | 'programs'
      | 'staff'
      | 'sessions'
      | 'portions'
      | 'skippedMeals'
      | 'diets'
      | 'personal'
      | 'address'
      | 'customFields'
      | 'medical'
      | 'orderNumbers'
      | 'orders'
      | 'payments'
      | 'paid'
      | 'contradictions'
      | 'sources'
      | 'sheets'
      | 'administration'
    )[]
  }
  limits: {
    /** the limit per minute; null if there is none */
    minute: {
      /** how many requests are allowed */
      requests: number
      /** how many of them are left */
      remaining: number
      /** seconds until all of them are available again */
      resetsInSeconds: number
    } | null
    /** the limit per hour; null if there is none */
    hour: {
      /** how many requests are allowed */
      requests: number
      /** how many of them are left */
      remaining: number
      /** seconds until all of them are available again */
      resetsInSeconds: number
    } | null
  }
  /** languages that `X-LOCALE` takes */
  languages: (
    | 'en'
    | 'ro'
    | 'no'
    | 'da'
    | 'sv'
    | 'fi'
    | 'is'
    | 'de'
    | 'nl'
    | 'fr'
    | 'es'
    | 'pt'
    | 'pt-BR'
    | 'it'
    | 'pl'
    | 'cs'
    | 'sk'
    | 'hu'
    | 'sl'
    | 'hr'
    | 'bg'
    | 'el'
    | 'uk'
    | 'ru'
    | 'tr'
  )[]
}

export type Field = {
  /** the name in `project`; dots for nesting */
  name: string
  /** a heading for people, in the language of the answer; for a custom field, the label of the center */
  label: string
  /** the group of the documentation */
  group: string
  /** what the field contains, in English */
  description: string
  /** the scope that the field needs, besides `guests` */
  scope:
    | 'guests'
    | 'guests.personal'
    | 'guests.medical'
    | 'guests.financial'
    | 'meals'
    | 'sessions'
    | 'orders'
    | 'meals.confirm'
    | 'sources'
    | 'rooms'
    | 'contradictions'
    | 'guests.paid'
    | 'rights'
    | 'administration'
  /** whether your key may read the field */
  readable: boolean
  /** whether the center defined the field itself */
  custom: boolean
  /** JSON type of the value; any field may be null */
  type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object'
  /** a value as people see it, in English; null for a custom field without one */
  example: unknown
  /** the raw value in `ids`, under the same path; null if there is none */
  raw: {
    type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object'
    /** `date` or `date-time`, or null */
    format: string | null
    /** a raw value */
    example: unknown
  } | null
  /** all raw values of an enumeration with their labels; null for other fields */
  values:
    | {
        /** the raw value */
        value: string
        /** its label, in the language of the answer */
        label: string
      }[]
    | null
}

export type FieldList = {
  /** in the order of the documentation; custom fields last */
  data: Field[]
}

export type CenterWebhook = {
  id: string
  /** who receives the messages */
  name: string
  url: string
  scopes: (
    | 'guests'
    | 'guests.personal'
    | 'guests.medical'
    | 'guests.financial'
    | 'meals'
    | 'sessions'
    | 'orders'
    | 'meals.confirm'
    | 'sources'
    | 'rooms'
    | 'contradictions'
    | 'guests.paid'
  )[]
  /** the kinds of changes that are sent */
  kinds: ('guests' | 'sessions' | 'orders' | 'meals' | 'contradictions')[]
  /** `failed`: nothing was accepted for three days; `gone`: the receiver answered 410 */
  state: 'active' | 'paused' | 'failed' | 'gone'
  createdAt: string
  /** when a message was accepted last; null: never */
  deliveredAt: string | null
  /** since when messages are not accepted; null: they are */
  failingSince: string | null
  nextAttemptAt: string | null
  /** failed attempts of the message that is next */
  attempts: number
  /** the last attempts, newest first */
  deliveries: {
    at: string
    attempt: number
    /** how many changes the message had */
    changes: number
    outcome: 'delivered' | 'gone' | 'redirected' | 'refused' | 'timeout' | 'unreachable' | 'forbidden'
    /** status of the answer; null if there was none */
    status: number | null
    milliseconds: number
  }[]
}

export type WebhookList = {
  /** in the order of their creation */
  data: CenterWebhook[]
}

export type CenterLink = {
  /** never its URL */
  id: string
  /** the application that it belongs to */
  appId: string
  /** who uses it */
  name: string
  /** path and query that it answers; what names a person is hidden */
  query: string
  /** of its answers; null for that of the center */
  language: string | null
  /** whether it may show personal and medical data */
  allowSensitive: boolean
  /** addresses and ranges it may be used from; empty for any address */
  allowedAddresses: string[]
  /** `stopped`: its application has no active key */
  status: 'active' | 'expired' | 'revoked' | 'stopped'
  createdAt: string
  expiresAt: string
  revokedAt: string | null
  /** in the last 30 days, as far as they are counted already */
  requests: number
  /** the last day, in UTC, on which it was used; null: never */
  lastUsedOn: string | null
}

export type LinkPage = {
  data: CenterLink[]
  /** number of links on all pages */
  total: number
}

export type CenterDevice = {
  /** never the link itself */
  id: string
  /** the application */
  appId: string
  /** the key that the device gets */
  publicKey: string
  /** of the key, which says what device it is */
  name: string
  /** `waiting`: it was not used yet; `expired`: it can no longer be used; `ended`: its key was revoked or has expired */
  status: 'waiting' | 'used' | 'expired' | 'ended'
  createdAt: string
  expiresAt: string
  /** when a device was signed in; null: not yet */
  usedAt: string | null
}

export type DevicePage = {
  data: CenterDevice[]
  /** number of links on all pages */
  total: number
}

export type CenterReport = {
  id: string
  /** the application whose rights it has */
  appId: string
  /** what it is called */
  name: string
  kind: 'day' | 'week' | 'arrivals' | 'rooms' | 'contradictions' | 'orders' | 'query'
  /** of the kind `query`: what it asks; what names a person is hidden */
  query: string | null
  format: 'pdf' | 'csv' | 'xlsx' | 'text'
  /** null for that of the center */
  language: string | null
  /** local times of the center */
  times: string[]
  /** `daily`, days of the week or of the month */
  days: string
  /** `mail:…`, `folder:…`, `printer:…` or `webhook:…` */
  destinations: string[]
  nextAt: string
  /** whether its application has an active key; without one, it is not sent */
  hasKey: boolean
  /** the last three, newest first */
  runs: {
    scheduledAt: string
    /** `due`: not all of its destinations have it yet; `missed`: they did not get it; `refused`: its key may not read it */
    state: 'due' | 'sent' | 'missed' | 'refused'
    /** whether it was the copy that is sent while the database is away */
    isCopy: boolean
    problem: string | null
    destinations: {
      destination: string
      state: 'waiting' | 'sent' | 'failed'
      problem: string | null
    }[]
  }[]
}

export type ReportList = {
  /** in the order of their creation */
  data: CenterReport[]
}

export type StoreSheetAnswer = {
  day: string
  /** number of the sheet */
  sheet: number
  /** when it was stored */
  takenAt: string
}

export type ConfirmSheetAnswer = {
  day: string
  /** number of the sheet on the wall, or null */
  sheet: number | null
  confirmedAt: string
}

export type AcknowledgeChangesAnswer = {
  day: string
  /** number of the sheet, or null */
  sheet: number | null
  acknowledgedAt: string
}

export type DismissContradictionAnswer = {
  contradiction: string
  /** null if it was taken back */
  dismissedAt: string | null
}

export type SetSourceAnswer = {
  source: string
  kinds: ('bookings' | 'customers' | 'sessions' | 'orders' | 'terms')[] | null
  schedule: string | null
}

export type RemoveSourceAnswer = {
  source: string
  removed: boolean
}

export type CreateKeyAnswer = {
  /** the application */
  appId: string
  /** the key */
  publicKey: string
  expiresAt: string | null
  /** only in the first answer; null in the answer to a repetition */
  secretKey: string | null
  /** public key and secret in one text, for Bearer; only in the first answer; null in the answer to a repetition */
  apiKey: string | null
}

export type DescribeKeyAnswer = {
  appId: string
  reviewOn: string | null
}

export type RotateKeyAnswer = {
  /** the application */
  appId: string
  /** the key */
  publicKey: string
  expiresAt: string | null
  /** only in the first answer; null in the answer to a repetition */
  secretKey: string | null
  /** public key and secret in one text, for Bearer; only in the first answer; null in the answer to a repetition */
  apiKey: string | null
  /** the old keys */
  replaces: {
    publicKey: string
    expiresAt: string
  }[]
}

export type RevokeKeyAnswer = {
  key: string
  /** how many keys were revoked now */
  revoked: number
}

export type SetCenterAnswer = {
  /** whether anything is different from before */
  changed: boolean
}

export type SetDietAnswer = {
  /** whether anything is different from before */
  changed: boolean
}

export type FindPersonAnswer = {
  /** null in the answer to a repetition */
  found:
    | {
        customerId: string
        firstName: string | null
        lastName: string | null
        dob: string | null
        score: number
        stays: {
          id: string
          bookingId: string | null
          arrival: string
          departure: string
        }[]
      }[]
    | null
}

export type ShowPersonAnswer = {
  /** of the labels; null in the answer to a repetition */
  language: string | null
  sections:
    | {
        about: 'person' | 'stay' | 'session' | 'order' | 'kitchenSheet' | 'contradiction'
        /** of a contradiction, its kind */
        title: string
        /** each value with the label of its field, in the language of the center */
        rows: string[][]
      }[]
    | null
  /** who has read it, newest first */
  reads:
    | {
        at: string
        key: string
        operation: string
      }[]
    | null
  /** what changed, newest first, without values */
  changes:
    | {
        at: string
        kind: string
        fields: string
      }[]
    | null
  /** as `sojourn guest export` writes it */
  data: Record<string, unknown> | null
}

export type ErasePersonAnswer = {
  erased: boolean
  /** what may have to be retained; null if nothing prevents the erasure */
  retained: {
    orders: number
    stays: number
  } | null
  stays: number
  /** orders without personal data afterwards */
  orders: number
  ordersUnchanged: number
  kitchenSheets: number
  /** other records that still mention the person, which only a human can judge */
  mentions: number
}

export type AddWebhookAnswer = {
  /** its id */
  webhook: string
  /** for the receiver; only in the first answer, null in the answer to a repetition */
  secret: string | null
}

export type TestWebhookAnswer = {
  webhook: string
  /** how it ended; null in the answer to a repetition, which sends nothing */
  outcome: 'delivered' | 'gone' | 'redirected' | 'refused' | 'timeout' | 'unreachable' | 'forbidden' | null
  /** status of the answer; null if there was none */
  status: number | null
}

export type RemoveWebhookAnswer = {
  webhook: string
  removed: boolean
}

export type SetNoticeAddressesAnswer = {
  /** how many there are now */
  addresses: number
}

export type CreateLinkAnswer = {
  /** its id */
  link: string
  expiresAt: string
  /** about the query, such as that its days are fixed */
  remarks: string[]
  /** below `PUBLIC_URL` if that is set, otherwise a path of this service; only in the first answer, null in the answer to a repetition */
  url: string | null
}

export type RevokeLinkAnswer = {
  link: string
  /** how many links were revoked now */
  revoked: number
}

export type CreateDeviceLinkAnswer = {
  /** its id */
  link: string
  /** the key that the device gets */
  publicKey: string
  expiresAt: string
  /** the link, below `PUBLIC_URL` if that is set, otherwise a path of this service; only in the first answer, null in the answer to a repetition */
  url: string | null
}

export type RevokeDeviceLinkAnswer = {
  link: string
  revoked: boolean
}

export type AddReportAnswer = {
  /** its id */
  report: string
  /** when it is sent first */
  nextAt: string
}

export type RunReportAnswer = {
  report: string
}

export type RemoveReportAnswer = {
  report: string
  removed: boolean
}

/** A name that `project` takes. A custom field of the center is `meta.<key>` instead. */
export type GuestFieldName =
  | 'firstName'
  | 'lastName'
  | 'name'
  | 'firstNameCaps'
  | 'lastNameCaps'
  | 'pin'
  | 'internalId'
  | 'email'
  | 'phone'
  | 'secondaryPhone'
  | 'dob'
  | 'age'
  | 'gender'
  | 'religion'
  | 'birthDateDuringStay'
  | 'address.street'
  | 'address.city'
  | 'address.zip'
  | 'address.country'
  | 'address.notes'
  | 'referralType'
  | 'id'
  | 'customerId'
  | 'bookingId'
  | 'centerId'
  | 'programId'
  | 'packageId'
  | 'startDate'
  | 'endDate'
  | 'bookedAt'
  | 'createdBy'
  | 'status'
  | 'role'
  | 'orderUuid'
  | 'orderNumber'
  | 'orderStatus'
  | 'isOrderMainGuest'
  | 'formData.accommodationDetails'
  | 'acc.roomId'
  | 'acc.bedType'
  | 'acc.type'
  | 'acc.roomStandardId'
  | 'acc.roomSize'
  | 'acc.floor'
  | 'financial.subtotal'
  | 'financial.total'
  | 'financial.discountIds'
  | 'financial.deposit.amount'
  | 'financial.deposit.notes'
  | 'financial.deposit.paidAt'
  | 'financial.deposit.paymentType'
  | 'financial.fullPayment.amount'
  | 'financial.fullPayment.notes'
  | 'financial.fullPayment.paidAt'
  | 'financial.fullPayment.paymentType'
  | 'paid'
  | 'formData.medicalConditions'
  | 'formData.observations'
  | 'formData.mobility'
  | 'medicalLetter.ultrasoundNotes'
  | 'medicalLetter.ultrasoundStr'
  | 'medicalLetter.psychiatricExam'
  | 'medicalLetter.diagnoses'
  | 'medicalLetter.customRec'
  | 'medicalLetter.ekg'
  | 'medicalLetter.recommendationsIds'
  | 'medicalData.notes'
  | 'doctorName'
  | 'therapistName'
  | 'idealWeight'
  | 'idealCirc'
  | 'weight1'
  | 'weight2'
  | 'height'
  | 'bmi1'
  | 'bmi2'
  | 'skippingMeals'
  | 'sessionsAttendedBefore'
  | 'sessionsAttendedBeforeCount'
  | 'sessionsRegisteredFuture'
  | 'sessionsRegisteredFutureCount'
  | 'sessionInterval'
  | 'sessionStartDate'
  | 'sessionEndDate'
  | 'centerName'
  | 'centerAddressLine1'
  | 'centerAddressLine2'
  | 'centerEmail'
  | 'centerPhone'
  | 'financial.deposit'
  | 'financial.fullPayment'
  | 'ids'

/** The body of every error. */
export type Error = {
  error: {
    /** For programs: check this, never the message. */
    code:
      | 'INVALID_PARAMETER'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_FOUND'
      | 'METHOD_NOT_ALLOWED'
      | 'CONFLICT'
      | 'GONE'
      | 'IDEMPOTENCY_KEY_REUSED'
      | 'RATE_LIMITED'
      | 'INTERNAL'
      | 'UNAVAILABLE'
    /** For people: what is wrong. */
    message: string
    /** Every problem of the request. */
    details?: {
      parameter: string
      /** What was given and what is allowed. */
      message: string
    }[]
    /** The same as `X-Request-Id`. Quote it when you ask for help. */
    requestId: string
    /** The section of the documentation about this code: what happened, and how to fix it. */
    docs: string
  }
}

/** The query parameters of each operation. */
export interface Queries {
  listGuests: {
    /** Only stays that end at or after this. Required with `endDate` if no session parameter is used. */
    startDate?: string
    /** Only stays that begin at or before this. Required with `startDate` if no session parameter is used. */
    endDate?: string
    /** One session identifier. */
    sessionId?: string
    /** Comma-separated session identifiers. */
    sessionIds?: string[]
    /** Comma-separated session identifiers to exclude; combined with dates or a session parameter. */
    sessionIdsExclude?: string[]
    /** Only guests with one of these roles. */
    role?: ('patient' | 'companion' | 'guest')[]
    /** Only guests with one of these booking statuses. */
    status?: (
      | 'registered'
      | 'waitingList'
      | 'review'
      | 'confirmed'
      | 'arrived'
      | 'paid'
      | 'cancelled'
      | 'voided'
      | 'registeredOnline'
      | 'offer'
      | 'departed'
    )[]
    /** Only guests whose stay begins on this day. Without dates or a session parameter, the range is this day. */
    arriving?: string
    /** Only guests whose stay ends on this day. Without dates or a session parameter, the range is this day. */
    departing?: string
    /** Only guests who are in the house on this day, including the first and last day of the stay. Without dates or a session parameter, the range is this day. */
    inHouse?: string
    /** With `true`, only active bookings, which are those that the kitchen counts: none that the meal-skipping report excludes, none that is voided or an offer unless the center cooks for these. With `false`, only the others. Without it, both. */
    active?: boolean
    /** Only guests whose order is paid, partly paid, open or not decided, as `ids.paid` has it. Needs the scope `guests.paid`. */
    paid?: ('paid' | 'partlyPaid' | 'open' | 'notDecided')[]
    /** Only the guests with this booking identifier, as people use it. */
    bookingId?: string
    /** Only the stays of the person of this guest, which is one of them. Without dates or a session parameter, those of all dates. */
    personOf?: string
    /** Only guests whose stay is in this room, or partly so: the raw value of `acc.roomId`. */
    room?: string
    /** Only guests with a first or last name that begins with each of these words, in any order. Case, diacritics and common spelling variants make no difference. */
    q?: string
    /** Only guests with this e-mail address; upper and lower case are the same. */
    email?: string
    /** Only guests with this number as `phone` or `secondaryPhone`, in any notation, with the digits of any script. If a field has several numbers, each counts. A number without a country code matches any country code. */
    phone?: string
    /** Only guests with this internal number of the center. Needs the scope `guests.personal`. */
    internalId?: string
    /** Comma-separated names of fields to sort by; `-` before a name means descending. Guests without a value come last. Guests that are equal in these fields, and lists without `sort`, are in the order of `startDate`, then identifier. Rooms and programs are sorted by the name that is shown, a number in it as a number. `dob` needs the scope `guests.personal`. */
    sort?: (
      | 'startDate'
      | '-startDate'
      | 'endDate'
      | '-endDate'
      | 'bookedAt'
      | '-bookedAt'
      | 'bookingId'
      | '-bookingId'
      | 'lastName'
      | '-lastName'
      | 'firstName'
      | '-firstName'
      | 'status'
      | '-status'
      | 'role'
      | '-role'
      | 'programId'
      | '-programId'
      | 'acc.roomId'
      | '-acc.roomId'
      | 'dob'
      | '-dob'
    )[]
    /** Page number, from 1. */
    start?: number
    /** Results per page, up to the center's maximum (100 by default). */
    length?: number
    /** Comma-separated names of projectable fields. The answer has exactly these fields, and `ids`. */
    project?: (GuestFieldName | string)[]
    /** A cursor of `GET /changes`: only records that were added since, or changed in the fields that this request returns. Only `GET /changes` reports deletions. */
    changedAfter?: string
    /** `true` on the first page; on all others the `Snapshot-Cursor` of the first, which the URLs in the `Link` header have. Each page then shows the list as of that cursor, or is a 409 if the page has changed since. A cursor of `GET /changes` works too. */
    snapshot?: boolean
    /** `csv`, `ndjson` or `xlsx`: the whole list as a file, without pages. Without it, the `Accept` header decides, and `json` is the default. */
    format?: 'json' | 'csv' | 'ndjson' | 'xlsx'
    /** For tables (`csv`, `xlsx`): `shown` (default), with labels and names in the requested language, or `raw`, as in `ids`. */
    values?: 'shown' | 'raw'
    /** For CSV: the delimiter; by default what spreadsheet programs in the requested language expect. */
    delimiter?: 'comma' | 'semicolon' | 'tab'
    /** For CSV: the decimal separator; by default that of the requested language. */
    decimal?: 'point' | 'comma'
    /** For CSV: whether the file begins with a byte order mark, without which Excel misreads accented letters; `true` by default. */
    bom?: boolean
  }
  guestArrivals: {
    /** First day. Without dates, from 14 days before today to 60 days after it, so that a subscribed calendar stays current. */
    startDate?: string
    /** Last day. Required with `startDate`. */
    endDate?: string
    /** Only guests of this session. */
    sessionId?: string
    /** Whether names are shown, which needs the scope `guests`; for at most 100 days. A calendar program keeps what it reads, often in a cloud; without this parameter it gets only numbers. */
    includeGuestNames?: boolean
  }
  matchGuests: {
    /** Only stays that end at or after this; with `endDate`. */
    startDate?: string
    /** Only stays that begin at or before this; with `startDate`. */
    endDate?: string
    /** One session identifier. */
    sessionId?: string
    /** Comma-separated session identifiers. */
    sessionIds?: string[]
    /** Only guests with one of these booking statuses. */
    status?: (
      | 'registered'
      | 'waitingList'
      | 'review'
      | 'confirmed'
      | 'arrived'
      | 'paid'
      | 'cancelled'
      | 'voided'
      | 'registeredOnline'
      | 'offer'
      | 'departed'
    )[]
    /** First and last name in any order. Typing errors are tolerated; case, diacritics and common spelling variants make no difference, and romanizations of Greek, Cyrillic and Arabic names are found. */
    name?: string
    /** Date of birth, YYYY-MM-DD. Needs the scope `guests.personal`. */
    dob?: string
    /** Only guests with this e-mail address; upper and lower case are the same. */
    email?: string
    /** National identification number, or `sha256:` and the SHA-256, in 64 hexadecimal digits, of its letters and digits in upper case. Needs the scope `guests.personal`. */
    pin?: string
    /** Maximum number of matches, up to 50. */
    length?: number
  }
  mealSkippingReport: {
    /** Session to analyze: its guests, and the days of their stays that belong to it. Required unless dates are given. */
    sessionId?: string
    /** First day to analyze. Required with `endDate` when `sessionId` is absent; with it, both apply. */
    startDate?: string
    /** Last day to analyze. */
    endDate?: string
    /** `json`, or `csv` with a row for each meal that a guest skips; without it, the `Accept` header decides, and JSON is the default. */
    format?: 'json' | 'csv'
  }
  mealPortions: {
    /** Session to analyze: its guests, and the days of their stays that belong to it. Required unless dates are given. */
    sessionId?: string
    /** First day to analyze. Required with `endDate` when `sessionId` is absent; with it, both apply. */
    startDate?: string
    /** Last day to analyze. */
    endDate?: string
    /** Only this guest, as if no other were in the house. */
    guestId?: string
    /** Whether the guests of each day are listed, with their rooms, meals and diets; for at most 31 days. */
    includeGuests?: boolean
    /** Whether each listed guest has the meals that they do not eat, each with the reason, and guests are listed who eat none. Only with `includeGuests`. */
    includeReasons?: boolean
    /** `json` or `csv`; without it, the `Accept` header decides, and JSON is the default. */
    format?: 'json' | 'csv'
  }
  mealSheet: {
    /** Number of a sheet of the day, `newest` for the last one stored, or `wall` for the one on the wall. Without it, a new sheet is stored. */
    sheet?: number | 'newest' | 'wall'
  }
  listOrders: {
    /** First day of the range. Required. */
    startDate: string
    /** Last day of the range. Required. */
    endDate: string
    /** Accepted, and changes nothing: `orderDate` is always formatted per `X-LOCALE`, the other timestamps never. */
    formatDates?: boolean
    /** When true, the names of the order’s guests are included. */
    includeGuestNames?: boolean
    /** For tables (`csv`, `xlsx`): a row for each of the `orders` (default), for each of their `items` (an order without items has one row), or for each of the `payments` of their guests, which needs `guests.financial` (an order without payments has no row; what was paid back is in a column of its own). Amounts of the order are in the first row of each order only, so that a column adds up. */
    rows?: 'orders' | 'items' | 'payments'
    /** Only orders with one of these raw values of `status`, as `ids.status` shows them. */
    status?: string[]
    /** Only orders with one of these raw values of `paymentStatus`, as `ids.paymentStatus` shows them. */
    paymentStatus?: string[]
    /** Only orders of these groups. The `orderRules` of the center decide which statuses are `valid`, `open` or `void`; an order with a status that they do not list is `notDecided`. */
    group?: ('valid' | 'open' | 'notDecided' | 'void')[]
    /** Only the orders with this number. */
    orderNumber?: string
    /** A cursor of `GET /changes`: only records that were added since, or changed in the fields that this request returns. Only `GET /changes` reports deletions. */
    changedAfter?: string
    /** `true` on the first page; on all others the `Snapshot-Cursor` of the first, which the URLs in the `Link` header have. Each page then shows the list as of that cursor, or is a 409 if the page has changed since. A cursor of `GET /changes` works too. */
    snapshot?: boolean
    /** `csv`, `ndjson` or `xlsx`: the whole list as a file, without pages. Without it, the `Accept` header decides, and `json` is the default. */
    format?: 'json' | 'csv' | 'ndjson' | 'xlsx'
    /** For tables (`csv`, `xlsx`): `shown` (default), with labels and names in the requested language, or `raw`, as in `ids`. */
    values?: 'shown' | 'raw'
    /** For CSV: the delimiter; by default what spreadsheet programs in the requested language expect. */
    delimiter?: 'comma' | 'semicolon' | 'tab'
    /** For CSV: the decimal separator; by default that of the requested language. */
    decimal?: 'point' | 'comma'
    /** For CSV: whether the file begins with a byte order mark, without which Excel misreads accented letters; `true` by default. */
    bom?: boolean
  }
  getOrder: {
    /** When true, dates are formatted per `X-LOCALE`. */
    formatDates?: boolean
    /** When true, the names of the order’s guests are included. */
    includeGuestNames?: boolean
    /** When true, `orderNumber` and `currency` are included. Programs that accept further fields should ask for them. */
    includeDetails?: boolean
    /** When true, the labels of status and payment in the language of the answer are included. */
    includeLabels?: boolean
    /** When true, the order is checked as in the control of orders, and what does not fit is included. */
    includeChecks?: boolean
    /** When true, the guests of the order are included, each with its name and its identifier in `GET /guests`. */
    includeGuests?: boolean
    /** When true, deposits and payments of the order’s bookings are included. Needs the scope `guests.financial`. */
    includePayments?: boolean
  }
  orderControl: {
    /** First day of the range. Required. */
    startDate: string
    /** Last day of the range. Required. */
    endDate: string
    /** When true, the names of the order’s guests are included. */
    includeGuestNames?: boolean
    /** Whether payments of the orders’ bookings are added up and compared with the orders. Needs the scope `guests.financial`. */
    includePayments?: boolean
    /** Whether the orders are listed too, the first 1000 by date, each with its group and, with `includePayments`, what is paid and open. */
    includeOrders?: boolean
    /** Only orders with one of these raw values of `status`, as `ids.status` shows them. */
    status?: string[]
    /** Only orders with one of these raw values of `paymentStatus`, as `ids.paymentStatus` shows them. */
    paymentStatus?: string[]
    /** Only orders of these groups. The `orderRules` of the center decide which statuses are `valid`, `open` or `void`; an order with a status that they do not list is `notDecided`. */
    group?: ('valid' | 'open' | 'notDecided' | 'void')[]
  }
  listSessions: {
    /** Lower bound: sessions that end at or after it. Required. */
    startDate: string
    /** Upper bound: sessions that begin at or before it. Required. */
    endDate: string
    /** Page number, from 1. */
    start?: number
    /** Results per page, up to the center's maximum (100 by default). */
    length?: number
    /** When true, each session has the number of its active bookings, by role. Needs the scope `guests`; not with `changedAfter`, because a count changes with bookings and not with the session. */
    includeGuestCounts?: boolean
    /** A cursor of `GET /changes`: only records that were added since, or changed in the fields that this request returns. Only `GET /changes` reports deletions. */
    changedAfter?: string
    /** `true` on the first page; on all others the `Snapshot-Cursor` of the first, which the URLs in the `Link` header have. Each page then shows the list as of that cursor, or is a 409 if the page has changed since. A cursor of `GET /changes` works too. */
    snapshot?: boolean
    /** `csv`, `ndjson` or `xlsx`: the whole list as a file, without pages. Without it, the `Accept` header decides, and `json` is the default. */
    format?: 'json' | 'csv' | 'ndjson' | 'xlsx'
    /** For tables (`csv`, `xlsx`): `shown` (default), with labels and names in the requested language, or `raw`, as in `ids`. */
    values?: 'shown' | 'raw'
    /** For CSV: the delimiter; by default what spreadsheet programs in the requested language expect. */
    delimiter?: 'comma' | 'semicolon' | 'tab'
    /** For CSV: the decimal separator; by default that of the requested language. */
    decimal?: 'point' | 'comma'
    /** For CSV: whether the file begins with a byte order mark, without which Excel misreads accented letters; `true` by default. */
    bom?: boolean
  }
  sessionCalendar: {
    /** First day. Without dates, from 90 days before today to 400 days after it, so that a subscribed calendar stays current. */
    startDate?: string
    /** Last day. Required with `startDate`. */
    endDate?: string
  }
  listRooms: {
    /** The day, in the center's time zone. By default today. */
    date?: string
    /** Page number, from 1. */
    start?: number
    /** Results per page, up to the center's maximum (100 by default). */
    length?: number
    /** `true` on the first page; on all others the `Snapshot-Cursor` of the first, which the URLs in the `Link` header have. Each page then shows the list as of that cursor, or is a 409 if the page has changed since. A cursor of `GET /changes` works too. */
    snapshot?: boolean
    /** `csv`, `ndjson` or `xlsx`: the whole list as a file, without pages. Without it, the `Accept` header decides, and `json` is the default. */
    format?: 'json' | 'csv' | 'ndjson' | 'xlsx'
    /** For tables (`csv`, `xlsx`): `shown` (default), with labels and names in the requested language, or `raw`, as in `ids`. */
    values?: 'shown' | 'raw'
    /** For CSV: the delimiter; by default what spreadsheet programs in the requested language expect. */
    delimiter?: 'comma' | 'semicolon' | 'tab'
    /** For CSV: the decimal separator; by default that of the requested language. */
    decimal?: 'point' | 'comma'
    /** For CSV: whether the file begins with a byte order mark, without which Excel misreads accented letters; `true` by default. */
    bom?: boolean
  }
  search: {
    /** What is searched for: a name or its beginning, a date of birth (with the scope `guests.personal`), a room, a part of a phone number (from 4 digits), an e-mail address or the part of it before the @, an order number or a booking number. At least 3 letters or digits. It appears neither in logs nor in the audit trail. */
    q: string
    /** Maximum number of records of each group, up to 50. */
    length?: number
  }
  listContradictions: {
    /** Only contradictions that were found at or after this. */
    startDate?: string
    /** Only contradictions that were found at or before this. */
    endDate?: string
    /** Only these kinds. */
    kind?: (
      | 'samePersonTwice'
      | 'overlappingStays'
      | 'roomOverfull'
      | 'sessionsAtOneTime'
      | 'allergiesDiffer'
      | 'arrivedWithoutIdentifier'
      | 'departedInFuture'
      | 'depositTwice'
      | 'stayOutsideSession'
      | 'orderDoesNotAddUp'
      | 'paymentDoesNotFit'
      | 'guestWithoutOrder'
      | 'orderWithoutGuests'
    )[]
    /** Only these severities. */
    severity?: ('high' | 'medium' | 'low')[]
    /** With `true`, only dismissed contradictions; with `false`, only the others. Without it, both. */
    dismissed?: boolean
    /** Only contradictions that are about this guest. */
    guestId?: string
    /** Page number, from 1. */
    start?: number
    /** Results per page, up to the center's maximum (100 by default). */
    length?: number
    /** A cursor of `GET /changes`: only records that were added since, or changed in the fields that this request returns. Only `GET /changes` reports deletions. */
    changedAfter?: string
    /** `true` on the first page; on all others the `Snapshot-Cursor` of the first, which the URLs in the `Link` header have. Each page then shows the list as of that cursor, or is a 409 if the page has changed since. A cursor of `GET /changes` works too. */
    snapshot?: boolean
    /** `csv`, `ndjson` or `xlsx`: the whole list as a file, without pages. Without it, the `Accept` header decides, and `json` is the default. */
    format?: 'json' | 'csv' | 'ndjson' | 'xlsx'
    /** For tables (`csv`, `xlsx`): `shown` (default), with labels and names in the requested language, or `raw`, as in `ids`. */
    values?: 'shown' | 'raw'
    /** For CSV: the delimiter; by default what spreadsheet programs in the requested language expect. */
    delimiter?: 'comma' | 'semicolon' | 'tab'
    /** For CSV: the decimal separator; by default that of the requested language. */
    decimal?: 'point' | 'comma'
    /** For CSV: whether the file begins with a byte order mark, without which Excel misreads accented letters; `true` by default. */
    bom?: boolean
  }
  listChanges: {
    /** The `cursor` of the previous answer. Without it, the answer has no entries, only the newest cursor to start from. */
    after?: string
    /** Only these kinds; each needs its scope. By default, all kinds that the key may read. `meals` reports that meals changed, but not whose, and that another kitchen sheet is on the wall; with `guests` as well, changed meals are only entries of `guests`. */
    kinds?: ('guests' | 'sessions' | 'orders' | 'meals' | 'contradictions')[]
    /** Only guests of this session, and the session itself. A guest who has left the session is reported as `deleted`. */
    sessionId?: string
    /** Entries per answer, up to 1000. */
    length?: number
    /** If nothing has changed yet, wait this many seconds, up to 30; the answer comes as soon as something has. */
    wait?: number
  }
  listKeys: {
    /** Whether keys are listed too that were revoked or have expired. */
    ended?: boolean
    /** Page number, counted from 1. */
    start?: number
    /** Maximum number of keys per page, up to the center's maximum. */
    length?: number
  }
  listReads: {
    /** First local day of the center. */
    startDate: string
    /** Last local day; at most 92 days. */
    endDate: string
    /** Only reads that returned this booking, or its order: its `id` or its booking number. It is not stored in the trail. */
    guest?: string
    /** Only reads that returned any booking of this customer, or its order. It is not stored in the trail. */
    customer?: string
    /** Only reads with this key: an `appId`, a `publicKey`, or the `id` of a link. */
    key?: string
    /** `next` of the page before; without it, the first page. */
    after?: string
    /** Maximum number of entries per page, up to the center's maximum. */
    length?: number
  }
  getUsage: {
    /** First day; without it, 29 days before `endDate`. */
    startDate?: string
    /** Last day; without it, today. */
    endDate?: string
  }
  listLinks: {
    /** Whether links are listed too that were revoked or have expired. */
    ended?: boolean
    /** Page number, counted from 1. */
    start?: number
    /** Maximum number of links per page, up to the center's maximum. */
    length?: number
  }
  listDevices: {
    /** Whether links are listed too that have expired unused, or whose key has ended. */
    ended?: boolean
    /** Page number, counted from 1. */
    start?: number
    /** Maximum number of links per page, up to the center's maximum. */
    length?: number
  }
}

/** The actions: what each takes and answers. */
export interface Actions {
  /** Stores the portions of a day as they are now as a numbered sheet, and returns its number, which is printed on it. If nothing has changed since the newest sheet, that one is returned. Nothing is compared with it yet: once it is printed, confirm with `confirm-sheet` that it is on the wall. Sheets are stored for days from yesterday to 31 days ahead. */
  'store-sheet': {
    body: {
      /** Local day, `YYYY-MM-DD`. */
      day: string
    }
    answer: StoreSheetAnswer
  }
  /** Says which numbered sheet of a day is on the wall, or with null that none is. From then on, every screen compares the day with this sheet, and `GET /meals/sheets/{day}` returns it with `sheet=wall`. `GET /changes` reports it as a change of `meals` on that day. Confirming another sheet later replaces it. */
  'confirm-sheet': {
    body: {
      /** Local day, `YYYY-MM-DD`. */
      day: string
      /** Number of a stored sheet of the day; null if none is on the wall. */
      sheet: number | null
    }
    answer: ConfirmSheetAnswer
  }
  /** Says that the kitchen has seen the changes that came after the cut-offs of a day, up to a stored sheet of it. From then on, only changes after this sheet are late. With null, the last acknowledgement is taken back, and all changes after the cut-offs are late again. Store the day with `store-sheet` first, and look at its changes. `GET /changes` reports it as a change of `meals` on that day. */
  'acknowledge-changes': {
    body: {
      /** Local day, `YYYY-MM-DD`. */
      day: string
      /** Number of a stored sheet of the day that has the changes; null takes it back. */
      sheet: number | null
    }
    answer: AcknowledgeChangesAnswer
  }
  /** Says that nothing is to be done about a contradiction, with a reason and the name of the person who decides. It is listed as dismissed until the compared values change. With null as the reason, a dismissal is taken back. Name the digest of the evidence that the person has seen: if the evidence is another one now, nothing is changed, and the answer is a 404. `GET /changes` reports it as a change of `contradictions`. */
  'dismiss-contradiction': {
    body: {
      /** Identifier of the contradiction. */
      contradiction: string
      /** `evidence.digest` of the contradiction. */
      digest: string
      /** Why nothing is to be done; null takes the dismissal back. */
      reason: string | null
      /** Name of the person who decides. */
      name: string
    }
    answer: DismissContradictionAnswer
  }
  /** Sets when a delivery of a source is expected, which kinds of records it has, and whose deliveries it is. A source that is new is added. Schedules are explained in the documentation of sources. */
  'set-source': {
    body: {
      /** Its name. */
      source: string
      /** Kinds that it delivers; null leaves them as they are. */
      kinds: ('bookings' | 'customers' | 'sessions' | 'orders' | 'terms')[] | null
      /** When a delivery is expected, in local time of the center; null for not at all. */
      schedule: string | null
      /** `appId` of the application whose intake keys deliver for it; null for none. */
      application: string | null
    }
    answer: SetSourceAnswer
  }
  /** Removes a source that has ended, so that nothing is expected of it. Its deliveries stay in the log of imports. If your center has none of this name, nothing is changed and `removed` is false. */
  'remove-source': {
    body: {
      /** Its name. */
      source: string
    }
    answer: RemoveSourceAnswer
  }
  /** Creates a key for the center, with scopes that your key may grant. The answer has its secrets, which are stored nowhere: the answer to a repetition has null in their place. If you have not received them, rotate the key with an overlap of 0. With `diets`, the key may read the diets of the center, which are custom fields; that takes a key that may grant `guests.personal`. A key of the administration or for intake is created by a command only. */
  'create-key': {
    body: {
      /** Who will use it. */
      name: string
      /** What it may read, and which actions it may perform. */
      scopes: (
        | 'guests'
        | 'guests.personal'
        | 'guests.medical'
        | 'guests.financial'
        | 'meals'
        | 'sessions'
        | 'orders'
        | 'meals.confirm'
        | 'sources'
        | 'rooms'
        | 'contradictions'
        | 'guests.paid'
      )[]
      /** Whether it may read the center's diets without `guests.personal`. */
      diets: boolean
      /** Who answers for it; null if there is no name. */
      responsible: string | null
      /** Local day by which somebody checks whether it is still required; null for none. */
      reviewOn: string | null
      /** The last local day on which it is valid; null if it does not expire, which only a key that does not expire creates. */
      expiresOn: string | null
      /** Addresses and ranges from which it may be used; empty for any address. */
      allowedAddresses: string[]
    }
    answer: CreateKeyAnswer
  }
  /** Sets who answers for the keys of an application, and the day by which somebody checks whether they are still required. It changes nothing that they may read. */
  'describe-key': {
    body: {
      /** `appId`, or the `publicKey` of one of its keys. */
      key: string
      /** Who answers for it; null if there is no name. */
      responsible: string | null
      /** Local day of the next review; null for none. */
      reviewOn: string | null
    }
    answer: DescribeKeyAnswer
  }
  /** Replaces the key of an application: new secrets, same scopes. The old keys work until the overlap ends. Your key must be able to grant everything that the key may read, and be valid for as long. The answer has the secrets, which are stored nowhere: the answer to a repetition has null in their place. A key for intake is rotated by a command only. */
  'rotate-key': {
    body: {
      /** `appId`, or the `publicKey` of one of its keys. */
      key: string
      /** Hours for which the old keys still work; 0 ends them at once. */
      overlapHours: number
    }
    answer: RotateKeyAnswer
  }
  /** Revokes a key, or all keys of an application, also those that read more than your key may grant. They are refused from the next request on. Revoking twice does no harm. A key of the administration is revoked by a command only. */
  'revoke-key': {
    body: {
      /** `publicKey` for one key; `appId` for all keys of the application. */
      key: string
    }
    answer: RevokeKeyAnswer
  }
  /** Changes settings of the center: `locale`, `automaticBookingIds`, `bookingIdSession`, `bookingIdFormat`, `mealReportExcludedStatuses`, `mealRules`, `orderRules`, `contradictionKinds`, written as in a `center` record of an import, which checks them in the same way. What is left out stays as it is, also within an object; null clears a value, and a list is replaced as a whole. */
  'set-center': {
    body: {
      /** Settings and their new values. */
      changes: Record<string, unknown>
    }
    answer: SetCenterAnswer
  }
  /** Says what a value of a custom field means to the kitchen: a diet, an allergy, or that the guest has no diet. A field that is not a diet field yet becomes one. Text of such a field is split at commas, semicolons, vertical bars and line breaks, and what is no known value is shown as unknown. `unknown` removes the value from the known ones. */
  'set-diet': {
    body: {
      /** Key of the custom field, of the type `string` or `boolean`. */
      field: string
      /** The value, as the kitchen reads it; `true` of a `boolean` field. */
      value: string
      /** Other ways to write it. */
      otherSpellings: string[]
      /** What it means. */
      meaning: 'diet' | 'allergy' | 'none' | 'unknown'
    }
    answer: SetDietAnswer
  }
  /** The customers that may be the person with this name, date of birth or e-mail address, at most 20, the best match first, with typing errors tolerated. Give at least one of the three, and null for the others. What was searched for is stored nowhere; the trail names the stays that were shown. */
  'find-person': {
    body: {
      /** First and last name in any order; null if it is not known. */
      name: string | null
      /** Date of birth; null if it is not known. */
      dob: string | null
      /** E-mail address; null if it is not known. */
      email: string | null
    }
    answer: FindPersonAnswer
  }
  /** Everything that is stored about a customer (GDPR articles 15 and 20): `sections` to read, with labels and names in the language of the center, and `data` as records of the import, to hand out. Items of other guests in shared orders are left out of `sections`. What is shown is stored nowhere; the trail names the stays. */
  'show-person': {
    body: {
      /** `customerId` of `find-person`. */
      customer: string
    }
    answer: ShowPersonAnswer
  }
  /** Erases a customer with all stays (GDPR article 17), as `sojourn guest erase` does; orders keep sums and items. Without `confirm`, it counts what would be erased and changes nothing. With `confirm`, the full name of the person, it erases: this cannot be undone. If `retained` is not null, the law may require you to retain what it counts, and nothing is erased: give the years that apply, or leave the orders unchanged. This is the only action that removes records. */
  'erase-person': {
    body: {
      /** `customerId` of `find-person`. */
      customer: string
      /** For how many years orders with an address or notes, and stays with medical data, must be retained; 0 for none. */
      retentionYears: number
      /** Leaves orders unchanged, with billing address and notes. */
      keepOrders: boolean
      /** The full name of the person, to erase; null to count only. */
      confirm: string | null
    }
    answer: ErasePersonAnswer
  }
  /** Adds a receiver, which is notified of all changes from now on that the scopes open. Your key must be able to grant these scopes. Messages are sent to public addresses by https only, unless `WEBHOOKS_ALLOWED_ADDRESSES` names others. The answer has the signing secret, which is stored nowhere: the answer to a repetition has null in its place. A center can have ten webhooks. */
  'add-webhook': {
    body: {
      /** Who receives the messages. */
      name: string
      /** Where they are sent, by https. */
      url: string
      /** Scopes whose changes the receiver is notified of. */
      scopes: (
        | 'guests'
        | 'guests.personal'
        | 'guests.medical'
        | 'guests.financial'
        | 'meals'
        | 'sessions'
        | 'orders'
        | 'meals.confirm'
        | 'sources'
        | 'rooms'
        | 'contradictions'
        | 'guests.paid'
      )[]
    }
    answer: AddWebhookAnswer
  }
  /** Sends a signed message of the type `test` at once, whatever the state of the webhook, and says how the receiver answered, within 15 seconds. It has no data. A repetition with the same `Idempotency-Key` sends nothing, and its answer has null for the outcome. */
  'test-webhook': {
    body: {
      /** `id` of the webhook. */
      webhook: string
    }
    answer: TestWebhookAnswer
  }
  /** Removes a webhook and the list of its deliveries. Nothing more is sent. If your center has none with this identifier, nothing is changed and `removed` is false. */
  'remove-webhook': {
    body: {
      /** `id` of the webhook. */
      webhook: string
    }
    answer: RemoveWebhookAnswer
  }
  /** Replaces the addresses that get an e-mail when a source of the center has a problem, and when that is over. An empty list ends it. Nothing is sent unless the service has a mail server. */
  'set-notice-addresses': {
    body: {
      /** E-mail addresses, without names. */
      addresses: string[]
    }
    answer: SetNoticeAddressesAnswer
  }
  /** Creates a URL that answers one saved query for anybody who has it, for a spreadsheet, a calendar or a tablet. It reads no more than the key of its application, and works while that has an active key. Your key must be able to grant everything that this key may read. The answer has the URL, which is stored nowhere: the answer to a repetition has null in its place. */
  'create-link': {
    body: {
      /** `appId` of the key that it is for. */
      key: string
      /** Who will use it. */
      name: string
      /** Path and query of a request; its days may be relative, such as `today+6`. */
      query: string
      /** Language of the answers; null for that of the center. */
      language: string | null
      /** The last local day on which it can be used; not after the end of your key. */
      expiresOn: string
      /** Addresses and ranges from which it may be used; empty for any address. */
      allowedAddresses: string[]
      /** Whether it may show personal and medical data to anybody who has the URL. */
      allowSensitive: boolean
    }
    answer: CreateLinkAnswer
  }
  /** Revokes a link, or all links of an application. They show nothing from the next request on. If your center has none of this name, or they were revoked before, nothing is changed and `revoked` is 0. */
  'revoke-link': {
    body: {
      /** `id` of the link; `appId` for all links of the application. */
      link: string
    }
    answer: RevokeLinkAnswer
  }
  /** Makes a link that hands a key to a device, once. The page that it opens says what the device will see, and its button signs the device in: the key gets a new secret then, which only the device has, so a device that had the key before is signed out. Earlier links of the key that were not used end. Your key must be able to grant everything that the key may read, and be valid for as long. The answer has the link, which is stored nowhere: the answer to a repetition has null in its place. */
  'create-device-link': {
    body: {
      /** `publicKey` of the key; `appId` for the newest key of the application. */
      key: string
      /** For how many minutes the link can be used: 15 for a device nearby. */
      validMinutes: number
    }
    answer: CreateDeviceLinkAnswer
  }
  /** Ends a link that was not used yet. Its key stays as it is: to sign out a device that has used the link, revoke the key. If your center has no such link, or it cannot be used anyway, nothing is changed and `revoked` is false. */
  'revoke-device-link': {
    body: {
      /** `id` of the link. */
      link: string
    }
    answer: RevokeDeviceLinkAnswer
  }
  /** Adds a kitchen sheet or a list that is sent by itself, at local times of the center. It has the rights of an application, and your key must be able to grant everything that this may read. The kinds, times and destinations are explained in the documentation of reports. */
  'add-report': {
    body: {
      /** `appId` of the application whose rights it has. */
      key: string
      /** What it is called, also in the names of its files. */
      name: string
      /** What it has. */
      kind: 'day' | 'week' | 'arrivals' | 'rooms' | 'contradictions' | 'orders' | 'query'
      /** Its format. */
      format: 'pdf' | 'csv' | 'xlsx' | 'text'
      /** Local times such as `06:00`, at most four. */
      times: string[]
      /** `daily`, days of the week (`mon-fri`) or of the month (`1,15`, `last`). */
      days: string
      /** Where it is sent: `mail:ADDRESS`, `folder:NAME`, `printer:NAME` or `webhook:ID`. */
      destinations: string[]
      /** Its language; null for that of the center. */
      language: string | null
      /** Of the kind `query`: path and query of a request, whose days may be relative; otherwise null. */
      query: string | null
    }
    answer: AddReportAnswer
  }
  /** Sends a report once more, within a minute. `GET /administration/reports` shows what became of it. A center has at most 60 runs within an hour, with those of the schedule: more are answered with 429. */
  'run-report': {
    body: {
      /** `id` of the report. */
      report: string
    }
    answer: RunReportAnswer
  }
  /** Removes a report and the list of what became of it. If your center has none with this identifier, nothing is changed and `removed` is false. */
  'remove-report': {
    body: {
      /** `id` of the report. */
      report: string
    }
    answer: RemoveReportAnswer
  }
}

/** Which texts of a record are dates and moments. */
export const DATES = {
  Guest: {
    skippingMeals: { breakfast: ['date'], lunch: ['date'], dinner: ['date'] },
    ids: {
      dob: 'date',
      startDate: 'date-time',
      endDate: 'date-time',
      bookedAt: 'date-time',
      financial: { deposit: { paidAt: 'date-time' }, fullPayment: { paidAt: 'date-time' } },
      sessionStartDate: 'date-time',
      sessionEndDate: 'date-time',
    },
  },
  Session: { startDate: 'date-time', endDate: 'date-time' },
  ListedOrder: {
    createdAt: 'date-time',
    updatedAt: 'date-time',
    ids: { orderDate: 'date-time', createdAt: 'date-time', updatedAt: 'date-time' },
  },
  Order: { createdAt: 'date-time', updatedAt: 'date-time' },
  Change: { days: [{ from: 'date', to: 'date' }], at: 'date-time' },
} as const

/** The lists that are pages of records. */
export class Lists {
  /** The rooms on a day: beds, and how many guests are in each, arrive, leave, move in and out, and from when it is free. Every room of the center (terms of the set `room`) is listed, every other room that a guest is in, and one row with `id` null for guests whose room nobody knows, so the guests of all rows are those in the house. Only active bookings count. A guest who moves is in the new room from the day of the move. `freeFrom` looks 366 days ahead. No names of people. By identifier. */
  readonly rooms: List<Queries['listRooms'], RoomPage>
  /** What does not fit between the records of a center, each with the records and the compared values, by the time when it was found. A contradiction ends when the records fit, or when a person dismisses it and the evidence stays the same. Nothing is merged or corrected. A kind is listed if the key has the scopes of the compared fields; the others are in `withheld`, with their numbers unless the request names a guest, dates or changes. A file has no place for these, so it needs the scopes of all kinds that it is asked for. The center says which kinds are reported. */
  readonly contradictions: List<Queries['listContradictions'], ListContradictionsAnswer>

  constructor(connection: Connection) {
    this.rooms = new List(connection, '/rooms', 'id')
    this.contradictions = new List(connection, '/contradictions', 'id')
  }
}
