/** What does not fit in an order, in words. */
import type { OrderControlAnswer } from '../../client/src/index.ts'
import { amountText } from './numbers.ts'
import type { WordKey, Words } from './words.ts'

export type Problem = OrderControlAnswer['mismatches'][number]['problems'][number]

export const SENTENCES: Readonly<Record<Problem['kind'], WordKey>> = {
  totalDiffersFromItems: 'totalDiffersFromItems',
  noGuests: 'noGuestsOfOrder',
  noMainGuest: 'noMainGuest',
  stayOutsideSession: 'stayOutsideSession',
  paidWithoutPayment: 'paidWithoutPayment',
  depositButUnpaid: 'depositButUnpaid',
}

/** Three guests outside the session are one sentence. */
export const problemTexts = (
  t: Words,
  problems: readonly Problem[],
  currency: string,
  language: string,
): string[] => [
  ...new Set(
    problems.map(({ kind, amount }) =>
      t(SENTENCES[kind], amount === null ? {} : { amount: amountText(amount, currency, language) }),
    ),
  ),
]
