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
 * @param asked words separated by one space, in the form of `name_sounds` @param kept a guest's name in the same form
 * @returns from 0 to 1; 1 if all words are the same
 */
export function nameSimilarity(asked: string, kept: string): number {
  if (asked === '' || kept === '') return 0
  if (asked.replaceAll(' ', '') === kept.replaceAll(' ', '')) return 1
  return ofWords(asked.split(' ', WORDS_MAX), kept.split(' ', WORDS_MAX))
}

/** Pairs each word with the most similar one, the best pairs first. */
function ofWords(asked: readonly string[], kept: readonly string[]): number {
  const pairs = asked.flatMap((a, i) => kept.map((b, j) => ({ i, j, alike: wordSimilarity(a, b) })))
  const [usedAsked, usedKept] = [new Set<number>(), new Set<number>()]
  let sum = 0
  for (const { i, j, alike } of pairs.sort((a, b) => b.alike - a.alike)) {
    if (usedAsked.has(i) || usedKept.has(j) || alike < ALIKE_MIN) continue
    usedAsked.add(i)
    usedKept.add(j)
    sum += alike
  }
  const paired = usedAsked.size
  if (paired === 0) return 0
  // Words that remain on both sides differ; words that remain on one side only may have been left out.
  const others = Math.min(asked.length, kept.length) - paired
  const missing = Math.max(asked.length, kept.length) - paired - others
  return sum / (paired + others + MISSING_WORD_WEIGHT * missing)
}

/** A first name is often written as its first letter only. */
function wordSimilarity(a: string, b: string): number {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length === 1 && long.length > 1 && long.startsWith(short) ? 0.8 : similarity(a, b)
}
