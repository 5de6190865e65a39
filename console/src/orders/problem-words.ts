/** What does not fit in an order, in words. */
import type { OrderControlAnswer } from '../../../client/src/index.ts'
import type { WordKey } from '../base/words.ts'

export type Problem = OrderControlAnswer['mismatches'][number]['problems'][number]

export const SENTENCES: Readonly<Record<Problem['kind'], WordKey>> = {
  totalDiffersFromItems: 'totalDiffersFromItems',
  noGuests: 'noGuestsOfOrder',
  noMainGuest: 'noMainGuest',
  stayOutsideSession: 'stayOutsideSession',
  paidWithoutPayment: 'paidWithoutPayment',
  depositButUnpaid: 'depositButUnpaid',
}
