/**
 * Measures the decompressed size of a ZIP file before it is parsed, first by its directory and then by decompressing: a
 * file of half a megabyte may contain gigabytes, and its directory may be wrong.
 */
import { Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { InputError } from '../input-error.ts'

interface Entry {
  readonly name: string
  readonly method: number
  readonly packed: number
  readonly unpacked: number
  readonly offset: number
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
  /** Whether a sheet of an XLSX file has a formula without a result. */
  readonly hasOpenFormulas: boolean
}

const isSheet = (name: string) => /^xl\/worksheets\/[^/]+\.xml$/i.test(name)

/**
 * @param name the file's name, for messages
 * @throws {InputError} if it is not a ZIP file, or larger than `bytesMax` when decompressed
 */
export async function checkZip(file: Buffer, name: string, bytesMax: number): Promise<ZipFacts> {
  const entries = directoryOf(file)
  if (entries === undefined) throw new InputError(`${name} is damaged: its directory cannot be read`)
  const declared = entries.reduce((sum, { unpacked }) => sum + unpacked, 0)
  if (declared > bytesMax || entries.some(({ packed }) => packed === ELSEWHERE)) tooLarge(name, bytesMax)
  let hasOpenFormulas = false
  // All entries are measured: a workbook names the entries of its parts, so any name may be used.
  for (const entry of entries) {
    if (await measure(file, entry, name)) hasOpenFormulas = true
  }
  return { names: entries.map((entry) => entry.name), hasOpenFormulas }
}

function tooLarge(name: string, bytesMax: number): never {
  const megabytes = Math.round(bytesMax / 1024 / 1024)
  throw new InputError(`${name} unpacks to more than ${megabytes} MB; export it as CSV, or in several files`)
}

/**
 * Decompresses an entry and discards the result.
 * @returns whether it is a sheet with a formula without a result
 */
async function measure(file: Buffer, entry: Entry, name: string): Promise<boolean> {
  const broken = () =>
    new InputError(`${name} is damaged: ${entry.name} cannot be unpacked as it is declared`)
  const { offset, packed, unpacked, method } = entry
  if (offset + 30 > file.length || file.readUInt32LE(offset) !== LOCAL) throw broken()
  const start = offset + 30 + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28)
  const data = file.subarray(start, start + packed)
  if (method !== DEFLATED) {
    if (data.length !== unpacked) throw broken()
    return isSheet(entry.name) && NO_RESULT.test(data.toString('latin1'))
  }
  let size = 0
  let tail = ''
  let hasOpenFormulas = false
  try {
    for await (const chunk of Readable.from([data]).pipe(createInflateRaw())) {
      size += (chunk as Buffer).length
      if (size > unpacked) break
      if (hasOpenFormulas || !isSheet(entry.name)) continue
      const text = tail + (chunk as Buffer).toString('latin1')
      hasOpenFormulas = NO_RESULT.test(text)
      tail = text.slice(-TAIL)
    }
  } catch {
    throw broken()
  }
  if (size !== unpacked) throw broken()
  return hasOpenFormulas
}

function directoryOf(file: Buffer): Entry[] | undefined {
  const last = file.length - 22
  let end = last
  while (end >= Math.max(0, last - 65_535) && file.readUInt32LE(end) !== END) end -= 1
  if (end < 0 || file.readUInt32LE(end) !== END) return undefined
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
    })
    at += 46 + length + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
  }
  return entries
}
