/** `--overlap`: how long a replaced secret stays valid after a rotation. */
import { InvalidArgumentError, Option } from 'commander'
import { readSpan } from '../access/keys/expiry.ts'
import { DAY_MS } from '../locale/civil.ts'

/** @param description of the option; the parsed value is in milliseconds */
export const overlapOption = (description: string): Option =>
  new Option('--overlap <duration>', description).argParser(readOverlap).default(DAY_MS, '24h')

function readOverlap(text: string): number {
  const span = readSpan(text)
  if (span === undefined) throw new InvalidArgumentError('Expected a duration such as 24h, 7d or 0')
  return span
}
