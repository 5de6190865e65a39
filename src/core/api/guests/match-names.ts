/** Compares two names in any order of their words, with typing errors. Pure. */

/** Jaro–Winkler: 1 for equal texts, 0 for nothing in common. A common beginning increases it. */
export function similarity(a: string, b: string): number {
  if (a === b) return 1
  if (a === '' || b === '') return 0
  const reach = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1)
  const taken = new Uint8Array(b.length)
  let ofA = ''
  for (let at = 0; at < a.length; at += 1) {
    const last = Math.min(b.length - 1, at + reach)
    for (let place = Math.max(0, at - reach); place <= last; place += 1) {
      if (taken[place] === 1 || b[place] !== a[at]) continue
      taken[place] = 1
      ofA += a[at]
      break
    }
  }
  const common = ofA.length
  if (common === 0) return 0
  let [turned, next] = [0, 0]
  for (let place = 0; place < b.length; place += 1) {
    if (taken[place] === 1 && b[place] !== ofA[next++]) turned += 0.5
  }
  const jaro = (common / a.length + common / b.length + (common - turned) / common) / 3
  let begin = 0
  while (begin < 4 && a[begin] !== undefined && a[begin] === b[begin]) begin += 1
  return jaro + begin * 0.1 * (1 - jaro)
}

/** An additional word on one side, such as a second first name, counts less than a different one. */
const MISSING_WORD_WEIGHT = 0.25

/** Words below this similarity are different words. */
const ALIKE_MIN = 0.7

/**
 * Hardly any name has more. Every word is compared with every other, so 66 words on both sides blocked the event loop
 * for 2 ms, and two hundred candidates for 0.4 s.
 */
const WORDS_MAX = 10

/**
 * @param asked words separated by one space, in the form of `name_sounds` @param stored a guest's name in the same form
 * @returns from 0 to 1; 1 if all words are the same
 */
export function nameSimilarity(asked: string, stored: string): number {
  if (asked === '' || stored === '') return 0
  if (areJoinedAlike(asked, stored)) return 1
  return ofWords(asked.split(' ', WORDS_MAX), stored.split(' ', WORDS_MAX))
}

/** Whether both are the same letters, with or without spaces and whichever part comes first: `王小明` and `小明 王`. */
export function areJoinedAlike(a: string, b: string): boolean {
  const [words, joined] = [b.split(' ', WORDS_MAX), a.replaceAll(' ', '')]
  if (joined.length !== b.replaceAll(' ', '').length) return false
  const isTurned = (words: readonly string[], name: string) =>
    words.some((_, at) => [...words.slice(at), ...words.slice(0, at)].join('') === name)
  return isTurned(words, joined) || isTurned(a.split(' ', WORDS_MAX), words.join(''))
}

/** A romanization differs from the name itself by less than a typing error does. */
const ROMANIZED = 0.97

/** Several Arabic names have the same consonants. */
const CONSONANTS = 0.85

/**
 * The best agreement of any reading of a name with any of another. A romanization counts a little less than the same
 * name in its own script, and equal consonants less than that. @param asked as `name_readings` returns them: the name
 * itself, other ways to write it, and its consonants, which begin with a mark @returns from 0 to 1
 */
export function nameAgreement(asked: readonly string[], stored: readonly string[]): number {
  const [written, ...others] = readingPairs(asked, stored)
  const plain = nameSimilarity(...written)
  if (plain === 1) return 1
  const romanized = others.map(([a, b]) => ROMANIZED * nameSimilarity(a, b))
  return Math.max(plain, ...romanized, CONSONANTS * consonantAgreement(asked, stored, written))
}

type ReadingPair = readonly [asked: string, stored: string]

/** Both names as they are written, and then each other way to write one of them with the other one as it is written. */
export function readingPairs(
  asked: readonly string[],
  stored: readonly string[],
): [ReadingPair, ...ReadingPair[]] {
  const [[name = '', ...ways], [storedName = '', ...storedWays]] = [asked, stored].map((readings) =>
    readings.filter(isWritten),
  ) as [string[], string[]]
  // Comparing all with all would take 49 comparisons.
  return [
    [name, storedName],
    ...ways.map((way) => [way, storedName] as const),
    ...storedWays.map((way) => [name, way] as const),
  ]
}

const isWritten = (reading: string) => !/^[\^~]/.test(reading)

/**
 * Consonants of Latin letters (`^`) are compared with those of Arabic letters (`~`): 1 if all words agree.
 * @param written the first of `readingPairs`
 */
export function consonantAgreement(
  asked: readonly string[],
  stored: readonly string[],
  written: ReadingPair,
): number {
  const [wanted, known] = [consonantsOf(asked), consonantsOf(stored)]
  // An article has its own, so there may be more equal ones than words on one side.
  const equal = [...wanted].filter((one) =>
    known.has(one.replace(/[\^~]/, (mark) => (mark === '^' ? '~' : '^'))),
  )
  const lengths = written.map((name) => name.split(' ', WORDS_MAX).length)
  const [fewer, more] = [Math.min(...lengths), Math.max(...lengths)]
  const paired = Math.min(equal.length, fewer)
  const missing = more - Math.max(fewer, Math.min(equal.length, more))
  return paired === 0 ? 0 : paired / (fewer + MISSING_WORD_WEIGHT * missing)
}

/** One consonant is no name. */
const consonantsOf = (readings: readonly string[]) =>
  new Set(
    readings
      .filter((reading) => !isWritten(reading))
      .flatMap((reading) => reading.split(' ', 8 * WORDS_MAX))
      .filter((word) => word.length > 2),
  )

/** Pairs each word with the most similar one, the best pairs first. */
function ofWords(asked: readonly string[], stored: readonly string[]): number {
  const pairs = asked.flatMap((a, i) => stored.map((b, j) => ({ i, j, alike: wordSimilarity(a, b) })))
  const [usedAsked, usedStored] = [new Set<number>(), new Set<number>()]
  let sum = 0
  for (const { i, j, alike } of pairs.sort((a, b) => b.alike - a.alike)) {
    if (usedAsked.has(i) || usedStored.has(j) || alike < ALIKE_MIN) continue
    usedAsked.add(i)
    usedStored.add(j)
    sum += alike
  }
  const paired = usedAsked.size
  if (paired === 0) return 0
  // Words that remain on both sides differ; words that remain on one side only may have been left out.
  const others = Math.min(asked.length, stored.length) - paired
  const missing = Math.max(asked.length, stored.length) - paired - others
  return sum / (paired + others + MISSING_WORD_WEIGHT * missing)
}

/** A first name is often written as its first letter only. */
function wordSimilarity(a: string, b: string): number {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length === 1 && long.length > 1 && long.startsWith(short) ? 0.8 : similarity(a, b)
}
