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
  'אבגדהוזחטיךכלםמןנסעףפץצקרשת',
  'ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژگ',
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
      // Of the Turkish İ, JavaScript makes two characters.
      const small = character === 'İ' ? 'ı' : character.toLowerCase()
      letters.set(small, (letters.get(small) ?? 0) + 1)
      if (character !== small && isSmall(before)) score -= 1
      // No word mixes two scripts.
      if (!isLatin(character) && (isPlain(before) || isPlain(text[at + 1] ?? ''))) score -= 1
    } else if (SIGNS.has(character)) {
      const isWithin = isSmall(before) && isSmall(text[at + 1] ?? '')
      // No word contains or begins with a small digit: `Ma³gorzata` and `£ukasz` are in another encoding.
      if (/[²³½£§]/.test(character) && isSmall(text[at + 1] ?? '')) score -= 2
      else score += isWithin ? -0.5 : 0.5
    } else {
      score -= /[\p{Cc}\ufffd]/u.test(character) || isSmall(text[at + 1] ?? '') ? 3 : 1
    }
  }
  if (seen === 0) return 0
  const all = [...letters].reduce((sum, [, times]) => sum + times, 0)
  const explained = alphabets.map((alphabet) =>
    [...letters].reduce((sum, [letter, times]) => sum + (alphabet.has(letter) ? times : 0), 0),
  )
  score -= unlikelyWords(text)
  const most = Math.max(...explained)
  return (score + most - (all - most) * 0.5) / seen
}

/** Whether all letters beyond ASCII of a text are of one language. */
export function isOneAlphabet(text: string): boolean {
  const letters = [...new Set(text.toLowerCase())].filter((letter) => letter > '\u007f')
  return alphabets.some((alphabet) => letters.every((letter) => alphabet.has(letter)))
}

/** Hebrew letters that only end words, and those that never end one. */
const FINALS = /[ךםןףץ](?=[א-ת])/g

/**
 * Bytes of Hebrew are lower-case letters in Cyrillic and Greek encodings, and the other way round. Names and headings have
 * capitals where a script has them, and final letters at the end of words.
 */
function unlikelyWords(text: string): number {
  const words = text.match(/[\p{Script=Cyrillic}\p{Script=Greek}]{2,}/gu) ?? []
  const isOneCase =
    words.length > 2 &&
    (words.every((word) => word === word.toLowerCase()) || words.every((word) => word === word.toUpperCase()))
  return (isOneCase ? words.join('').length * 0.5 : 0) + (text.match(FINALS)?.length ?? 0)
}

/**
 * How plausible a text in an encoding of East Asia is: the share of its characters beyond ASCII that are common ones. Words
 * that mix them with Latin letters are rather European ones in the wrong encoding.
 * @returns at most 1, as for other scripts
 */
export function asianPlausibility(text: string): number {
  let [seen, common] = [0, 0]
  for (const character of text) {
    if (character <= '\u007f') continue
    seen += 1
    if (/[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3\u3000-\u3002\uff01-\uff5e]/.test(character)) common += 1
    // Half-width kana, private characters and box drawings are what other encodings look like.
    else if (/[\uff61-\uff9f\ue000-\uf8ff\ufffd\u2500-\u257f]/.test(character)) common -= 1
  }
  const mixed = text.match(/[A-Za-z][^\0-\x7f]|[^\0-\x7f][A-Za-z]/g)?.length ?? 0
  return seen === 0 ? 0 : (common - 2 * mixed) / seen
}

const isLatin = (character: string) => /\p{Script=Latin}/u.test(character)
const isPlain = (character: string) => /[A-Za-z]/.test(character)
const isSmall = (character: string) => /\p{Ll}/u.test(character)
