/** Sums of amounts that are exact to the last cent: with integers, because sums of doubles are inexact. */

/** Prices may have two decimals more than their currency, which has at most three, and are multiplied once. */
const DECIMALS = 8
const ONE = 10n ** BigInt(DECIMALS)

/** An amount in hundred-millionths. @param text a number as PostgreSQL writes a numeric */
export function exactAmount(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const units = BigInt(whole) * ONE + BigInt(fraction.slice(0, DECIMALS).padEnd(DECIMALS, '0'))
  return text.startsWith('-') ? -units : units
}

/** Rounded to this number of decimals, half away from zero. */
export function roundedAmount(amount: bigint, decimals: number): bigint {
  const unit = 10n ** BigInt(DECIMALS - decimals)
  const half = amount < 0n ? -unit / 2n : unit / 2n
  return ((amount + half) / unit) * unit
}

/** As a double, which represents every amount that a record may have. */
export const amountNumber = (amount: bigint): number => Number(amount) / Number(ONE)
