/**
 * Rates how plausible a text is. In the wrong encoding, a text has letters of several languages, symbols within words,
 * and capitals after small letters.
 */

/** The letters beyond ASCII of each language, in lower case. */
const ALPHABETS: readonly string[] = [
  'äöüß',
  'àâæçèéêëîïôœùûüÿ',
  'áéíñóúü',
  'ãáâàçéêíóôõú',
  'àèéìíòóùú',
  'åäöé',
  'æøåéäö',
  'áðéíóúýþæö',
  'ëéèïöüá',
  'ăâîșțşţ',
  'ąćęłńóśźż',
  'áčďéěíňóřšťúůýž',
  'áäčďéíĺľňóôŕšťúýž',
  'áéíóöőúüű',
  'čšžćđ',
  'çğıöşüâî',
  'āčēģīķļņšūž',
  'ąčęėįšųūž',
  'абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґў',
  'αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋ',
]
const alphabets = ALPHABETS.map((letters) => new Set(letters))

/** Symbols that occur next to words in tables. */
const SIGNS = new Set('€£§°–—„“”‘’«»…·½²³©®™\u00a0\u202f')

/**
 * @returns the mean score of the characters beyond ASCII: 1 for a letter of the language that explains most of them,
 * less for other letters, negative for characters that do not occur in texts
 */
export function plausibility(text: string): number {
  const letters = new Map<string, number>()
  let score = 0
  let seen = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if (character <= '\u007f') continue
    seen += 1
    const before = text[at - 1] ?? ''
    if (/\p{L}/u.test(character)) {
      const small = character.toLowerCase()
      letters.set(small, (letters.get(small) ?? 0) + 1)
      if (character !== small && isSmall(before)) score -= 1
      // No word mixes two scripts.
      if (!isLatin(character) && (isPlain(before) || isPlain(text[at + 1] ?? ''))) score -= 1
    } else if (SIGNS.has(character)) {
      score += isSmall(before) && isSmall(text[at + 1] ?? '') ? -0.5 : 0.5
    } else {
      score -= /[\p{Cc}\ufffd]/u.test(character) ? 3 : 1
    }
  }
  if (seen === 0) return 0
  const all = [...letters].reduce((sum, [, times]) => sum + times, 0)
  const explained = alphabets.map((alphabet) =>
    [...letters].reduce((sum, [letter, times]) => sum + (alphabet.has(letter) ? times : 0), 0),
  )
  const most = Math.max(...explained)
  return (score + most - (all - most) * 0.5) / seen
}

const isLatin = (character: string) => /\p{Script=Latin}/u.test(character)
const isPlain = (character: string) => /[A-Za-z]/.test(character)
const isSmall = (character: string) => /\p{Ll}/u.test(character)
