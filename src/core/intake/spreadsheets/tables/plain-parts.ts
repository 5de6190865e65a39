/**
 * Rewrites parts of a workbook of which the library returns more or less than the text of a cell: phonetic guides (XLSX), which
 * are no text of the cell, and errors (ODS), which are marked by the type of the cell and have a name in the program's language.
 * Tabs without cells, such as a chart of its own, are left out of the list of sheets: the library finds no sheet there.
 */
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import { directoryOf, type Entry, endOf, isSheet, OTHER_TAB } from './zip-sizes.ts'

/** Begins the text of a cell whose formula failed; a character for private use, which no cell has. */
export const ERROR_MARK = '\ue0e5'
const MARK = Buffer.from(ERROR_MARK).toString('latin1')
const DEFLATED = 8

/** @param file whose entries were measured */
export function withPlainParts(file: Buffer): Buffer {
  const tabs = otherTabs(file)
  return rewrite(file, (name) => {
    const ids = tabs.get(name)
    if (ids !== undefined) return (xml) => withoutTabs(xml, ids)
    return isSheet(name) ? withoutPhonetics : name === 'content.xml' ? withErrorMarks : undefined
  })
}

/** By the name of a part that lists sheets: the relations of its tabs that have no cells. */
function otherTabs(file: Buffer): ReadonlyMap<string, ReadonlySet<string>> {
  const tabs = new Map<string, ReadonlySet<string>>()
  for (const entry of directoryOf(file) ?? []) {
    const [, folder = '', part] = /^(.*\/)?_rels\/([^/]+\.xml)\.rels$/i.exec(entry.name) ?? []
    if (part === undefined) continue
    const elements = textOf(file, entry).match(/<(?:\w{1,20}:)?Relationship\b[^<>]{0,2000}>/g) ?? []
    const ids = elements
      .filter((element) => OTHER_TAB.test(element))
      .flatMap((element) => /\bId="([^"]{1,200})"/.exec(element)?.[1] ?? [])
    if (ids.length > 0) tabs.set(`${folder}${part}`, new Set(ids))
  }
  return tabs
}

const withoutTabs = (xml: string, ids: ReadonlySet<string>): string =>
  xml.replaceAll(
    /<(?:\w{1,20}:)?sheet\b[^<>]{0,2000}?:id="([^"<>]{1,200})"[^<>]{0,2000}>(?:\s{0,10}<\/(?:\w{1,20}:)?sheet>)?/g,
    (element, id: string) => (ids.has(id) ? '' : element),
  )

/** Without `<rPh>…</rPh>`. */
function withoutPhonetics(xml: string): string {
  const parts: string[] = []
  const begin = /<((?:\w{1,20}:)?rPh)[\s>]/g
  let from = 0
  for (let match = begin.exec(xml); match !== null; match = begin.exec(xml)) {
    const end = `</${match[1]}>`
    const at = xml.indexOf(end, match.index)
    if (at < 0) break
    parts.push(xml.slice(from, match.index))
    from = at + end.length
    begin.lastIndex = from
  }
  return [...parts, xml.slice(from)].join('')
}

const ERROR_TYPE = 'calcext:value-type="error"'

/** With a mark before the text of each cell of the type `error`. */
function withErrorMarks(xml: string): string {
  const parts: string[] = []
  let from = 0
  for (let at = xml.indexOf(ERROR_TYPE); at >= 0; at = xml.indexOf(ERROR_TYPE, from)) {
    const open = xml.indexOf('>', at)
    const close = xml.indexOf('</table:', open)
    if (open < 0 || close < 0) break
    const text = /<text:p(?:\s[^<>]*)?>/.exec(xml.slice(open, close))
    const isInside = text !== null && !text[0].endsWith('/>')
    const before = isInside ? open + text.index + text[0].length : open + 1
    const isEmpty = xml[open - 1] === '/'
    parts.push(xml.slice(from, before), isInside ? MARK : isEmpty ? '' : `<text:p>${MARK}</text:p>`)
    from = before
  }
  return [...parts, xml.slice(from)].join('')
}

/**
 * A ZIP file with changed entries, which come after the others.
 * @param change by name, how its text (bytes as Latin-1) changes; undefined for entries that stay
 */
function rewrite(file: Buffer, change: (name: string) => ((text: string) => string) | undefined): Buffer {
  const entries = directoryOf(file)
  const end = endOf(file)
  if (entries === undefined || end === undefined) return file
  const begin = file.readUInt32LE(end + 16)
  const directory = Buffer.from(file.subarray(begin, end))
  const added: Buffer[] = []
  let next = begin
  for (const entry of entries) {
    const changed = change(entry.name)?.(textOf(file, entry))
    if (changed === undefined) continue
    const bytes = Buffer.from(changed, 'latin1')
    const packed = deflateRawSync(bytes)
    const name = Buffer.from(entry.name)
    const head = Buffer.from(file.subarray(entry.offset, entry.offset + 30))
    // Sizes are here, and not after the data.
    const describe = (buffer: Buffer, at: number) => {
      buffer.writeUInt16LE(buffer.readUInt16LE(at) & ~8, at)
      buffer.writeUInt16LE(DEFLATED, at + 2)
      buffer.writeUInt32LE(crc32(bytes), at + 8)
      buffer.writeUInt32LE(packed.length, at + 12)
      buffer.writeUInt32LE(bytes.length, at + 16)
    }
    describe(head, 6)
    head.writeUInt16LE(name.length, 26)
    head.writeUInt16LE(0, 28)
    describe(directory, entry.directoryAt - begin + 8)
    directory.writeUInt32LE(next, entry.directoryAt - begin + 42)
    added.push(head, name, packed)
    next += head.length + name.length + packed.length
  }
  const last = Buffer.from(file.subarray(end))
  last.writeUInt32LE(next, 16)
  return Buffer.concat([file.subarray(0, begin), ...added, directory, last])
}

/** The text of an entry, whose characters beyond ASCII are bytes. */
export function textOf(file: Buffer, { offset, packed, unpacked, method }: Entry): string {
  const start = offset + 30 + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28)
  const data = file.subarray(start, start + packed)
  return (method === DEFLATED ? inflateRawSync(data, { maxOutputLength: unpacked }) : data).toString('latin1')
}
