/** The sets of terms: named things that records point at by identifier. */
export const TERM_SETS = [
  'program',
  'package',
  'unit',
  'room',
  'roomStandard',
  'bedType',
  'accommodationType',
  'discount',
  'recommendation',
  'referralType',
  'religion',
  'paymentType',
] as const

export type TermSet = (typeof TERM_SETS)[number]
