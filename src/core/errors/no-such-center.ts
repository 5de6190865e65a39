/** A center that was named and is not there; its sentence says which are. */
import { inWords } from './in-words.ts'
import { didYouMean } from './suggest.ts'

/** More names than that are no help. */
const NAMED_MAX = 10

export class NoSuchCenter extends Error {
  override readonly name = 'NoSuchCenter'

  /** @param known the centers there are, or enough of them to find the one that was meant */
  constructor(wanted: string, known: readonly string[]) {
    super(
      `There is no center ${JSON.stringify(wanted.slice(0, 64))}${didYouMean(wanted, known) || whatThereIs(known)}`,
    )
  }
}

function whatThereIs(known: readonly string[]): string {
  if (known.length === 0) return ': no center has been imported yet.'
  if (known.length > NAMED_MAX) return ` among ${known.length} centers.`
  return `; there ${known.length === 1 ? 'is' : 'are'} ${inWords(known, 'and')}.`
}
