/**
 * Lines that cannot be read as records, such as truncated JSON or a row with too many cells. Nobody can say whose they
 * are, so they are searched for identifiers of people who were erased. Their contents are then not reported.
 */
import type { Queryable } from '../../database/database.ts'
import type { RunOptions } from '../run-options.ts'
import { cellText, type Row } from '../spreadsheets/tables/table.ts'
import { digestOf } from './digest-of-erased.ts'
import { selectDigestsSql } from './erased-sql.ts'

/** The problem of such a line, in place of what was found. */
export const UNREAD_OF_ERASED =
  'cannot be read, and contains an identifier of a person who was erased, so its contents are not shown'

/** A longer line is taken for one of erased people, if there are any. */
const WORDS_MAX = 5000

/** What identifiers are made of. */
const IDENTIFIERS = /[A-Za-z0-9_.:-]+/g
const IDENTIFIER_LENGTH_MAX = 64

/** Digests are of customers, and of their bookings and orders. */
const PREFIXES = ['', 'booking/', 'order/']

export class UnreadLines {
  readonly #tx: Queryable
  readonly #options: RunOptions
  /** Known digests by salt, in hexadecimal. Read with the first such line: most imports have none. */
  #known: Map<string, Set<string>> | undefined

  constructor(tx: Queryable, options: RunOptions) {
    this.#tx = tx
    this.#options = options
  }

  /** @param rows of the table that the line was made from */
  async isOfErased(text: string | undefined, rows: readonly Row[] | undefined): Promise<boolean> {
    if (this.#options.restoreErased) return false
    this.#known ??= await this.#read()
    if (this.#known.size === 0) return false
    const words = wordsOf([text ?? '', ...(rows ?? []).flatMap(({ cells }) => cells.map(cellText))])
    if (words.size > WORDS_MAX) return true
    for (const [hex, digests] of this.#known) {
      const salt = Buffer.from(hex, 'hex')
      for (const word of words) {
        if (PREFIXES.some((prefix) => digests.has(digestOf(salt, `${prefix}${word}`)))) return true
      }
    }
    return false
  }

  async #read(): Promise<Map<string, Set<string>>> {
    const known = new Map<string, Set<string>>()
    const center = this.#options.only?.center ?? null
    const rows = await this.#tx.query<{ salt: Uint8Array; digest: string }>(selectDigestsSql(center))
    for (const { salt, digest } of rows) {
      const hex = Buffer.from(salt).toString('hex')
      const digests = known.get(hex)
      if (digests === undefined) known.set(hex, new Set([digest]))
      else digests.add(digest)
    }
    return known
  }
}

/** Everything in the texts that may be an identifier, also without the punctuation around it. */
function wordsOf(texts: readonly string[]): Set<string> {
  const words = new Set<string>()
  for (const text of texts) {
    for (const [run] of text.matchAll(IDENTIFIERS)) {
      for (const word of [run, withoutMarks(run), ...run.split(':')])
        if (word !== '' && word.length <= IDENTIFIER_LENGTH_MAX) words.add(word)
      if (words.size > WORDS_MAX) return words
    }
  }
  return words
}

/** The text without points, colons and hyphens at its ends. */
function withoutMarks(text: string): string {
  const isMark = (character: string | undefined) => character !== undefined && '.:-'.includes(character)
  let [from, until] = [0, text.length]
  while (from < until && isMark(text[from])) from += 1
  while (until > from && isMark(text[until - 1])) until -= 1
  return text.slice(from, until)
}
