import { distance } from 'fastest-levenshtein'

/** Of names that anybody may add, such as a center's custom fields, so many are searched: that takes some milliseconds. */
export const SEARCHED_MAX = 1000

/**
 * The known name that `given` was most likely meant to be, or undefined where none is close: at most a third
 * of its letters differ. Case and separators do not count, so `first_name` finds `firstName`.
 */
export function suggest(given: string, known: Iterable<string>): string | undefined {
  const wanted = fold(given)
  if (wanted === '' || given.length > 100) return undefined
  let best = knownAs(wanted, [...known])
  if (best !== undefined) return best
  let bestDistance = Math.floor(wanted.length / 3) + 1
  for (const name of known) {
    const folded = fold(name)
    // Names of very different lengths need no comparison.
    if (Math.abs(folded.length - wanted.length) >= bestDistance) continue
    const away = distance(wanted, folded)
    if (away < bestDistance) {
      best = name
      bestDistance = away
    }
  }
  return best
}

/** What people call a field whose name has no letters in common with it. */
const ALSO_CALLED: Readonly<Record<string, string>> = {
  birthday: 'dob',
  birthdate: 'dob',
  dateofbirth: 'dob',
  surname: 'lastName',
  familyname: 'lastName',
  arrival: 'startDate',
  departure: 'endDate',
}

const lastPart = (name: string) => name.slice(name.lastIndexOf('.') + 1)

/** The name with the same part after its last dot, such as `acc.roomId` of `roomid`; or that of a word for the same. */
function knownAs(wanted: string, known: readonly string[]): string | undefined {
  const last = lastPart(wanted)
  const also = ALSO_CALLED[last]
  return (
    known.find((name) => name.includes('.') && fold(lastPart(name)) === last) ??
    (also !== undefined && known.includes(also) ? also : undefined)
  )
}

/**
 * The end of a sentence about an unknown name, which has no full stop yet: `. Did you mean firstName?`; '' if no name is close.
 * @param write how the close name is written in the sentence
 */
export function didYouMean(
  given: string,
  known: Iterable<string>,
  write: (close: string) => string = (close) => close,
): string {
  const close = suggest(given, known)
  return close === undefined ? '' : `. Did you mean ${write(close)}?`
}

/** Most names have no separators, and checking that costs less than replacing none. */
function fold(name: string): string {
  const lower = name.toLowerCase()
  return SEPARATOR.test(lower) ? lower.replaceAll(SEPARATORS, '') : lower
}

const SEPARATOR = /[^a-z0-9.]/
const SEPARATORS = /[^a-z0-9.]/g
