/**
 * Measures the decompressed size of a ZIP file before it is parsed, first by its directory and then by decompressing: a
 * file of half a megabyte may contain gigabytes, and its directory may be wrong.
 */
import { Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { InputError } from '../../input-error.ts'

export interface Entry {
  readonly name: string
  readonly method: number
  readonly packed: number
  readonly unpacked: number
  readonly offset: number
  /** Position of its entry in the directory. */
  readonly directoryAt: number
}

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const DEFLATED = 8
/** In place of a size or position of four gigabytes or more, which is then stored in another field. */
const ELSEWHERE = 0xffffffff
const ELSEWHERE_COUNT = 0xffff

/** A formula at the end of its cell, so it has no result. */
const NO_RESULT = /(?:<\/f>|<f\b[^<>]*\/>)<\/c>/
/** Maximum distance between the end of a formula and of its cell. */
const TAIL = 1000

export interface ZipFacts {
  /** names of its entries */
  readonly names: readonly string[]
  /**
   * Whether a sheet has what its values alone do not show: merged cells, hidden rows and columns; in an XLSX file also a formula
   * without a result, an error, or numbers that are shown with zeros or a prefix.
   */
  readonly hasDetails: boolean
  /**
   * Whether parts must be rewritten: a sheet has phonetic guides (XLSX) or cells of the type `error` (ODS), or a tab of an XLSX
   * file has no cells.
   */
  readonly isRewritten: boolean
  /** Whether the cells of an ODS file have types, so that a text like an error is a text. */
  readonly isTyped: boolean
  /** Whether an entry is encrypted (ODS with a password). */
  readonly isEncrypted: boolean
}

/** A format of numbers with leading zeros, or with a text around the digits. */
const TEXT_FORMAT = /formatCode="(?:0{2}|&quot;)/
/** A row or a column that is not shown. */
const HIDDEN = / hidden="(?:1|true)"/
const hasDetails = (text: string) =>
  HIDDEN.test(text) || text.includes(' t="e"') || text.includes('<mergeCell ') || TEXT_FORMAT.test(text)
/** A cell of an ODS file that covers several rows, or a row or a column that is not shown. */
const ODS_DETAILS = /table:number-rows-spanned="(?!1")|table:visibility="(?!visible")/
const PHONETIC = /<(?:\w{1,20}:)?rPh[\s>]/
const ODS_TYPE = 'calcext:value-type="'
const ENCRYPTED = 'manifest:encryption-data'

export const isSheet = (name: string) => /^xl[/\\]worksheets[/\\][^/\\]+\.xml$/i.test(name)
const isRelations = (name: string) => /(?:^|\/)_rels\/[^/]+\.xml\.rels$/i.test(name)
/** The relation of a tab that has no cells: a chart of its own, a dialog, a sheet of macros. */
export const OTHER_TAB = /\/(?:chartsheet|dialogsheet|xlMacrosheet|xlIntlMacrosheet)"/i

const isStyles = (name: string) => /^xl[/\\]styles\.xml$/i.test(name)

/**
 * @param name the file's name, for messages
 * @throws {InputError} if it is not a ZIP file, or larger than `bytesMax` when decompressed, or if its texts and cells would take
 * more than `memoryBytes`
 */
export async function checkZip(
  file: Buffer,
  name: string,
  bytesMax: number,
  memoryBytes: number,
): Promise<ZipFacts> {
  const entries = directoryOf(file)
  if (entries === undefined) throw new InputError(`${name} is damaged: its directory cannot be read`)
  const declared = entries.reduce((sum, { unpacked }) => sum + unpacked, 0)
  if (declared > bytesMax || entries.some(({ packed }) => packed === ELSEWHERE)) tooLarge(name, bytesMax)
  let [hasDetails, isRewritten, isTyped, isEncrypted] = [false, false, false, false]
  let [retained, cells] = [0, 0]
  // All entries are measured: a workbook names the entries of its parts, so any name may be used.
  for (const entry of entries) {
    const found = await measure(file, entry, name)
    hasDetails ||= found.hasDetails
    isRewritten ||= found.isRewritten
    isTyped ||= found.isTyped
    isEncrypted ||= found.isEncrypted
    if (found.elements.areRetained) retained += found.elements.count
    else cells = Math.max(cells, found.elements.count)
    const taken = retained * RETAINED_BYTES + (hasDetails ? cells * DETAIL_BYTES : 0)
    if (taken > memoryBytes || cells > ELEMENTS_MAX) {
      throw new InputError(
        `${name} has ${retained + cells} texts and cells, more than can be read with the memory that is free now; export it as CSV, or in several files`,
      )
    }
  }
  return { names: entries.map((entry) => entry.name), hasDetails, isRewritten, isTyped, isEncrypted }
}

function tooLarge(name: string, bytesMax: number): never {
  const megabytes = Math.round(bytesMax / 1024 / 1024)
  throw new InputError(`${name} unpacks to more than ${megabytes} MB; export it as CSV, or in several files`)
}

/** Decompresses an entry and discards the result. @returns what its text shows */
async function measure(file: Buffer, entry: Entry, name: string): Promise<TextLook> {
  const broken = () =>
    new InputError(`${name} is damaged: ${entry.name} cannot be unpacked as it is declared`)
  const { offset, packed, unpacked, method } = entry
  if (offset + 30 > file.length || file.readUInt32LE(offset) !== LOCAL) throw broken()
  const start = offset + 30 + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28)
  const data = file.subarray(start, start + packed)
  const look = new TextLook(entry.name, name)
  if (method !== DEFLATED) {
    if (data.length !== unpacked) throw broken()
    look.add(data)
    return look
  }
  let size = 0
  try {
    for await (const chunk of Readable.from([data]).pipe(createInflateRaw())) {
      size += (chunk as Buffer).length
      if (size > unpacked) break
      look.add(chunk as Buffer)
    }
  } catch (error) {
    throw error instanceof InputError ? error : broken()
  }
  if (size !== unpacked) throw broken()
  return look
}

/**
 * What the parser takes of the heap for an element of the list of texts, each of which has two, and of an ODS file, whose cells have
 * two; measured with 150,000 texts.
 */
const RETAINED_BYTES = 350
/** The same for an element of a sheet whose cells are looked at one by one; a cell has two. */
const DETAIL_BYTES = 150
/** Twice as many as a sheet with a million rows of ten columns has, with its rows. */
const ELEMENTS_MAX = 45_000_000

/** Counts the elements of an entry: texts, cells and rows, and what is in them. */
class Elements {
  count = 0
  /** Whether all are retained until the file is read: the texts that cells share, whatever the name of their part, and all of an ODS file. */
  areRetained: boolean
  #isBegun = false

  constructor(entry: string) {
    this.areRetained = entry === 'content.xml'
  }

  add(chunk: Buffer): void {
    if (!this.#isBegun) {
      this.areRetained ||= /<(?:\w{1,20}:)?sst[\s>]/.test(chunk.toString('latin1', 0, HEAD_BYTES))
      this.#isBegun = true
    }
    for (let at = chunk.indexOf(OPEN); at >= 0; at = chunk.indexOf(OPEN, at + 1)) {
      if (chunk[at + 1] !== SLASH) this.count += 1
    }
  }
}
const OPEN = 0x3c
const SLASH = 0x2f
const HEAD_BYTES = 4096

/** Looks for details in the text of an entry, piece by piece. */
class TextLook {
  hasDetails = false
  isRewritten = false
  isTyped = false
  isEncrypted = false
  readonly elements: Elements
  readonly #has: (text: string) => void
  #tail = ''

  /** @param file the file's name, for messages */
  constructor(entry: string, file: string) {
    this.elements = new Elements(entry)
    const cells = new RepeatedCells(file)
    this.#has = isSheet(entry)
      ? (text) => {
          this.hasDetails ||= NO_RESULT.test(text) || hasDetails(text)
          this.isRewritten ||= PHONETIC.test(text)
        }
      : isStyles(entry)
        ? (text) => {
            this.hasDetails ||= hasDetails(text)
          }
        : isRelations(entry)
          ? (text) => {
              this.isRewritten ||= OTHER_TAB.test(text)
            }
          : entry === 'META-INF/manifest.xml'
            ? (text) => {
                this.isEncrypted ||= text.includes(ENCRYPTED)
              }
            : entry === 'content.xml'
              ? (text) => {
                  cells.add(text)
                  this.hasDetails ||= ODS_DETAILS.test(text)
                  this.isTyped ||= text.includes(ODS_TYPE)
                  this.isRewritten ||= text.includes(`${ODS_TYPE}error"`)
                }
              : () => {}
  }

  add(chunk: Buffer): void {
    this.elements.add(chunk)
    const text = this.#tail + chunk.toString('latin1')
    this.#has(text)
    this.#tail = text.slice(-TAIL)
  }
}

/** More cells than a sheet with a million rows of ten columns has. */
const CELLS_MAX = 10_000_000

/**
 * Counts the cells that an ODS file declares. One element may stand for a million rows of a thousand columns, so that a file
 * of a kilobyte fills the memory.
 */
class RepeatedCells {
  readonly #file: string
  #cells = 0
  #rows = 1
  /** The end of the text that was counted, within the tail that the next piece begins with. */
  #counted = 0

  constructor(file: string) {
    this.#file = file
  }

  /** @param text a piece of the text, which begins with the last TAIL characters of the piece before it */
  add(text: string): void {
    const from = this.#counted
    for (const match of text.matchAll(/<table:table-(row|cell)\b([^>]{0,900})>/g)) {
      if (match.index < from) continue
      const [whole, element, attributes = ''] = match
      const repeated = Number(/number-(?:rows|columns)-repeated="(\d{1,9})"/.exec(attributes)?.[1] ?? 1)
      if (element === 'row') this.#rows = repeated
      // Empty cells at the end of rows and sheets are declared up to the last column and row, and cost nothing.
      else if (!whole.endsWith('/>')) this.#cells += this.#rows * repeated
      this.#counted = match.index + whole.length
    }
    if (this.#cells > CELLS_MAX) {
      throw new InputError(
        `${this.#file} declares more than ${CELLS_MAX} cells; export it as CSV, or in several files`,
      )
    }
    this.#counted = Math.max(0, this.#counted - Math.max(0, text.length - TAIL))
  }
}

/** Position of the record that ends a ZIP file; undefined if there is none. */
export function endOf(file: Buffer): number | undefined {
  const last = file.length - 22
  let end = last
  while (end >= Math.max(0, last - 65_535) && file.readUInt32LE(end) !== END) end -= 1
  return end < 0 || file.readUInt32LE(end) !== END ? undefined : end
}

/** The entries of a ZIP file; undefined if its directory cannot be read. */
export function directoryOf(file: Buffer): Entry[] | undefined {
  const end = endOf(file)
  if (end === undefined) return undefined
  const count = file.readUInt16LE(end + 10)
  let at = file.readUInt32LE(end + 16)
  // Large files have another directory, which some programs read instead of this one.
  if (count === ELSEWHERE_COUNT || file.readUInt32LE(end + 12) === ELSEWHERE || at === ELSEWHERE)
    return undefined
  const entries: Entry[] = []
  for (let left = count; left > 0; left -= 1) {
    if (at + 46 > file.length || file.readUInt32LE(at) !== ENTRY) return undefined
    const length = file.readUInt16LE(at + 28)
    entries.push({
      name: file.toString('utf8', at + 46, at + 46 + length),
      method: file.readUInt16LE(at + 10),
      packed: file.readUInt32LE(at + 20),
      unpacked: file.readUInt32LE(at + 24),
      offset: file.readUInt32LE(at + 42),
      directoryAt: at,
    })
    at += 46 + length + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
  }
  return entries
}
