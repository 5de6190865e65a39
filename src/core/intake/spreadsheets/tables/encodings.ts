/**
 * Detects the encoding of a text and decodes it. Byte order marks and NULs are conclusive, and so is text beyond ASCII
 * that is entirely valid UTF-8. Otherwise the most plausible decoding is chosen.
 */
import { isUtf8 } from 'node:buffer'
import words from '../../heading-words.json' with { type: 'json' }
import { InputError } from '../../input-error.ts'
import { plainWord } from '../mapping/words.ts'
import { asianPlausibility, isOneAlphabet, plausibility } from './alphabets.ts'
import { decodeOldPage, isOldPage } from './old-pages.ts'

/** The likelier ones first: if two decodings are equally plausible, the first is used. */
const CANDIDATES = [
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1257',
  'windows-1255',
  'windows-1256',
  'iso-8859-2',
  'iso-8859-15',
  'koi8-r',
  'macintosh',
  'cp850',
  'cp852',
  'ibm866',
  'cp437',
] as const

/** Enough for a decision, counted from the first byte beyond ASCII. */
const SAMPLE_BYTES = 64 * 1024

/** Encodings in which a character has several bytes. A text in one of them is often valid in another. */
const EAST_ASIAN = ['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'] as const
/** Below this, a text in an East Asian encoding is rather one in a European encoding. */
const ASIAN_MIN = 0.9
/** From here on, a European encoding explains nearly every letter. */
const EUROPEAN_MIN = 0.9
/** The encodings of Windows in which most European files are, and in which one text may be names of two languages. */
const RIVALS: readonly string[] = ['windows-1252', 'windows-1250', 'windows-1254']
/** Two encodings whose plausibility differs by no more than this are a question. */
const RIVAL_MARGIN = 0.02
/** Lines that may have the headings. */
const HEADING_LINES = 5
/** The same, if each reading has letters of several languages. */
const MIXED_MARGIN = 0.2

export interface Rival {
  readonly name: string
  /** The beginning of the text in the likelier encoding, and in the other one. */
  readonly readings: readonly [string, string]
}

export interface Encoding {
  readonly name: string
  /** Another encoding in which the text reads as well and means something else, with both readings. */
  readonly rival?: Rival
  /** Whether it was detected instead of declared. */
  readonly isDetected: boolean
}

/** Names that programs use and the Encoding Standard does not have. */
const ALIASES: Readonly<Record<string, string>> = {
  cp932: 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
}

/** The canonical name of an encoding; undefined if there is no such encoding. */
export function encodingNamed(name: string): string | undefined {
  const old = name
    .trim()
    .toLowerCase()
    .replace(/^(?:ibm|dos|cp)[-_ ]?/, 'cp')
  if (isOldPage(old)) return old
  try {
    return new TextDecoder(ALIASES[old] ?? name.trim().replace(/^cp(?=125\d$)/i, 'windows-')).encoding
  } catch {
    return undefined
  }
}

/** The most plausible encoding of a sample that is not UTF-8 and has no byte order mark. */
export function guessEncoding(sample: Buffer): string {
  return guess(sample).name
}

/** The most plausible encoding, and the one that is as plausible although the text means something else in it. */
function guess(sample: Buffer): { readonly name: string; readonly rival?: Rival } {
  const european = CANDIDATES.map((name) => ({
    name: name as string,
    score: plausibility(decodeWhole(sample, name)),
  }))
  const best = european.reduce((most, next) => (next.score > most.score ? next : most))
  const asian = EAST_ASIAN.flatMap((name) => {
    const text = decodeStrict(sample, name)
    return text === undefined
      ? []
      : [{ name: name as string, score: asianPlausibility(text), kana: kanaOf(text), text }]
  }).filter(({ score }) => score >= ASIAN_MIN)
  if (asian.length === 0 || best.score >= EUROPEAN_MIN) return withRival(best, european, sample)
  // Kana are the same bytes in Japanese and Chinese encodings, and hardly occur in Chinese or Korean texts.
  const [first, second] = asian.toSorted((a, b) => b.score - a.score || rankOf(b) - rankOf(a))
  if (first === undefined) return withRival(best, european, sample)
  const isDecided = second === undefined || first.score - second.score > 0.1 || rankOf(first) > rankOf(second)
  if (isDecided) return { name: first.name }
  return {
    name: first.name,
    rival: { name: second.name, readings: [beginningOf(first.text), beginningOf(second.text)] },
  }
}

/** The encodings of Windows for the languages of headings. English headings are everywhere. */
const ENCODING_OF: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['de', 'fr', 'es', 'it', 'pt', 'nl', 'da', 'sv', 'no', 'fi', 'is'].map((language) => [
      language,
      'windows-1252',
    ]),
  ),
  ...Object.fromEntries(
    ['pl', 'cs', 'sk', 'hu', 'hr', 'sl', 'ro'].map((language) => [language, 'windows-1250']),
  ),
  tr: 'windows-1254',
}

let encodingsOfWords: ReadonlyMap<string, ReadonlySet<string>> | undefined

/** For each heading in plain letters, the encodings of the languages that have it. */
function headingsByEncoding(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const byLanguage of Object.values(words)) {
    for (const [language, headings] of Object.entries(byLanguage)) {
      for (const heading of headings) {
        const word = plainWord(heading)
        found.set(word, (found.get(word) ?? new Set()).add(ENCODING_OF[language] ?? 'any'))
      }
    }
  }
  return found
}

/** The encoding of the languages of the headings, if all headings that only some languages have agree. */
function encodingOfHeadings(text: string): string | undefined {
  encodingsOfWords ??= headingsByEncoding()
  const cells = text
    .split(/[\r\n]/)
    .slice(0, HEADING_LINES)
    .flatMap((line) => line.split(/[;,|\t"]/))
  const named = new Set<string>()
  for (const cell of cells) {
    const encodings = encodingsOfWords.get(plainWord(cell.trim()))
    if (encodings?.size === 1) named.add([...encodings][0] ?? '')
  }
  named.delete('any')
  return named.size === 1 ? [...named][0] : undefined
}

/** Two alphabets of Europe explain the same bytes as well: `Kovač` in one encoding is `Kovaè` in another. */
function withRival(
  best: { readonly name: string; readonly score: number },
  european: readonly { readonly name: string; readonly score: number }[],
  sample: Buffer,
): { readonly name: string; readonly rival?: Rival } {
  const text = decodeWhole(sample, best.name)
  const isAsGood = (score: number, other: string) => {
    const letters = differingLetters(text, other)
    if (letters === undefined) return false
    const [ours, theirs] = letters.map(isOneAlphabet)
    // Guests of several countries: no language explains either reading.
    if (!ours && !theirs) return true
    return theirs === true && score >= best.score - RIVAL_MARGIN
  }
  const rival = european
    .filter(
      ({ name, score }) => RIVALS.includes(name) && name !== best.name && score >= best.score - MIXED_MARGIN,
    )
    .map(({ name, score }) => ({ name, score, text: decodeWhole(sample, name) }))
    .find((one) => isAsGood(one.score, one.text))
  if (rival === undefined) return { name: best.name }
  const ofHeadings = encodingOfHeadings(text)
  if (ofHeadings === best.name || ofHeadings === rival.name) return { name: ofHeadings }
  return { name: best.name, rival: { name: rival.name, readings: differingWords(text, rival.text) } }
}

/** The characters in which two readings of the same bytes differ, if all of them are letters in both. */
function differingLetters(one: string, other: string): readonly [string, string] | undefined {
  const [ours, theirs] = [[...one], [...other]]
  if (ours.length !== theirs.length) return undefined
  const at = [...ours.keys()].filter((index) => ours[index] !== theirs[index])
  const [left, right] = [ours, theirs].map((text) => at.map((index) => text[index] ?? '').join('')) as [
    string,
    string,
  ]
  return [left, right].every((letters) => /^\p{L}+$/u.test(letters)) ? [left, right] : undefined
}

/** The first words that two readings of the same bytes do not share. */
function differingWords(one: string, other: string): [string, string] {
  const [ours, theirs] = [one, other].map((text) => text.split(/[\s;,|"]+/)) as [string[], string[]]
  const at = ours.flatMap((word, index) => (word === theirs[index] ? [] : [index])).slice(0, 3)
  const shown = (words: readonly string[]) =>
    at
      .map((index) => words[index] ?? '')
      .join(' ')
      .slice(0, 60)
  return [shown(ours), shown(theirs)]
}

const beginningOf = (text: string) => (text.match(/[^\0-\x7f]+/g) ?? []).join(' ').slice(0, 40)

const kanaOf = (text: string) =>
  (text.match(/[\u3041-\u30fe]/g)?.length ?? 0) / Math.max(1, text.replaceAll(/[\0-\x7f]/g, '').length)
const rankOf = ({ name, kana }: { readonly name: string; readonly kana: number }) =>
  kana > 0.05 && (name === 'shift_jis' || name === 'euc-jp') ? 1 : 0

/** @returns undefined if the bytes are not text in this encoding; the sample may end within a character */
function decodeStrict(sample: Buffer, encoding: string): string | undefined {
  for (let cut = 0; cut < 4 && cut <= sample.length; cut += 1) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(sample.subarray(0, sample.length - cut))
    } catch {}
  }
  return undefined
}

const decodeWhole = (bytes: Buffer, name: string) =>
  isOldPage(name) ? decodeOldPage(bytes, name) : new TextDecoder(name).decode(bytes)

const MARKS: readonly [string, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/**
 * Decodes text in any encoding. `found` is called once, before the first text beyond ASCII; a file of ASCII alone is
 * UTF-8.
 * @param given the declared encoding
 * @param acceptsRival whether a text that reads in two encodings is read in the likelier one, to ask about it
 * @throws {InputError} if the bytes do not match the declared or detected encoding
 */
export async function* decodeText(
  bytes: AsyncIterable<Buffer>,
  name: string,
  given: string | undefined,
  found: (encoding: Encoding) => void = () => {},
  acceptsRival = false,
): AsyncGenerator<string> {
  let decode: ((chunk?: Buffer) => string) | undefined
  let line = 1
  const begin = (encoding: string, rival?: Rival) => {
    if (rival !== undefined && !acceptsRival) {
      throw new InputError(
        `${name}: its encoding cannot be recognized. It may be ${label(encoding)} ("${rival.readings[0]}") or ${label(rival.name)} ("${rival.readings[1]}"); name it in a mapping (--map): encoding: ${encoding}`,
      )
    }
    found({ name: encoding, isDetected: given === undefined, ...(rival && { rival }) })
    decode = decoderOf(encoding)
  }
  const read = (chunk?: Buffer): string => {
    try {
      const text = decode?.(chunk) ?? ''
      line += count(text, '\n')
      return text
    } catch {
      const how = given === undefined ? '; name its encoding in a mapping (--map)' : ''
      throw new InputError(`${name} is not ${label(given ?? 'utf-8')} throughout (near line ${line})${how}`)
    }
  }
  let held: Buffer = Buffer.alloc(0)
  if (given !== undefined) begin(given)
  for await (const chunk of bytes) {
    if (decode !== undefined) {
      yield read(chunk)
      continue
    }
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    if (held.length < 4) continue
    const certain = line === 1 ? markedAs(held) : undefined
    if (certain !== undefined) begin(certain)
    else {
      const first = held.findIndex((byte) => byte > 127)
      if (first < 0) {
        const text = held.toString('latin1')
        line += count(text, '\n')
        held = Buffer.alloc(0)
        yield text
        continue
      }
      if (held.length - first < SAMPLE_BYTES) continue
      const { name: encoding, rival } = judged(held.subarray(first))
      begin(encoding, rival)
    }
    const first = held
    held = Buffer.alloc(0)
    yield read(first)
  }
  if (decode === undefined) {
    const certain = line === 1 ? markedAs(held) : undefined
    const { name: encoding, rival } = certain === undefined ? judged(held) : { name: certain }
    begin(encoding, rival)
  }
  yield read(held)
  yield read()
}

/** Detects a byte order mark, or a NUL as every second byte of the beginning. */
function markedAs(bytes: Buffer): string | undefined {
  const mark = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))
  if (mark !== undefined) return mark[0]
  const head = bytes.subarray(0, 64)
  const nuls = (odd: number) => head.filter((byte, at) => at % 2 === odd && byte === 0).length
  const half = head.length / 2
  if (nuls(1) > half * 0.6 && nuls(0) === 0) return 'utf-16le'
  return nuls(0) > half * 0.6 && nuls(1) === 0 ? 'utf-16be' : undefined
}

function judged(bytes: Buffer): { readonly name: string; readonly rival?: Rival } {
  // The sample may end within a character.
  for (let cut = 0; cut < 4 && cut <= bytes.length; cut += 1) {
    if (isUtf8(bytes.subarray(0, bytes.length - cut))) return { name: 'utf-8' }
  }
  return guess(bytes.subarray(0, SAMPLE_BYTES))
}

function decoderOf(encoding: string): (chunk?: Buffer) => string {
  if (isOldPage(encoding)) return (chunk) => (chunk === undefined ? '' : decodeOldPage(chunk, encoding))
  const decoder = new TextDecoder(encoding, { fatal: true })
  return (chunk) => decoder.decode(chunk, { stream: chunk !== undefined })
}

/** The usual spelling of an encoding's name. */
export const label = (encoding: string) =>
  /^(?:utf|iso|koi)/.test(encoding) ? encoding.toUpperCase() : encoding.replace(/^windows/, 'Windows')

const count = (text: string, part: string) => text.split(part).length - 1
