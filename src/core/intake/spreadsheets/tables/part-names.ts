/**
 * Corrects the names of the parts of an XLSX file. Parts are named by their relations, without regard to case (OPC), and some
 * programs write a backslash between folders. The library looks for the exact names.
 */
import { inflateRawSync } from 'node:zlib'
import { directoryOf, type Entry } from './zip-sizes.ts'

/** No list of relations is longer. */
const RELATIONS_BYTES_MAX = 1024 * 1024
const DEFLATED = 8

/**
 * Renames the parts in place, where a relation names them in another case or with other separators.
 * @param file a ZIP file whose entries were measured; its names are changed
 * @returns whether it has the main part of a workbook
 */
export function withPartNames(file: Buffer): boolean {
  for (const entry of directoryOf(file) ?? []) {
    if (entry.name.includes('\\')) rename(file, entry, entry.name.replaceAll('\\', '/'))
  }
  const entries = directoryOf(file) ?? []
  const main =
    targetsOf(file, entries, '_rels/.rels').find(([type]) => type.endsWith('/officeDocument'))?.[1] ??
    'xl/workbook.xml'
  const found = find(file, entries, main)
  if (found === undefined) return false
  const folder = main.slice(0, main.lastIndexOf('/') + 1)
  const relations = `${folder}_rels/${main.slice(folder.length)}.rels`
  for (const [, target] of targetsOf(file, entries, relations)) {
    find(file, entries, target.startsWith('/') ? target.slice(1) : `${folder}${target}`)
  }
  return true
}

/** The entry of a part, which is renamed if it differs only in case. */
function find(file: Buffer, entries: readonly Entry[], name: string): Entry | undefined {
  const exact = entries.find((entry) => entry.name === name)
  if (exact !== undefined) return exact
  const alike = entries.find((entry) => entry.name.toLowerCase() === name.toLowerCase())
  if (alike !== undefined) rename(file, alike, name)
  return alike
}

function rename(file: Buffer, { offset, directoryAt }: Entry, name: string): void {
  // The name has the same length, in the directory and before the data.
  file.write(name, directoryAt + 46, 'utf8')
  file.write(name, offset + 30, 'utf8')
}

/** Types and targets of the relations in a part; none if it is missing. */
function targetsOf(file: Buffer, entries: readonly Entry[], name: string): (readonly [string, string])[] {
  const entry = find(file, entries, name)
  if (entry === undefined || entry.unpacked > RELATIONS_BYTES_MAX) return []
  const start =
    entry.offset + 30 + file.readUInt16LE(entry.offset + 26) + file.readUInt16LE(entry.offset + 28)
  const packed = file.subarray(start, start + entry.packed)
  const text = (
    entry.method === DEFLATED ? inflateRawSync(packed, { maxOutputLength: RELATIONS_BYTES_MAX }) : packed
  ).toString('utf8')
  return [...text.matchAll(/<Relationship\b[^<>]{0,2000}>/g)].flatMap(([element]) => {
    const attribute = (key: string) =>
      new Map(
        [...element.matchAll(/\b(\w{1,20})="([^"]{0,1000})"/g)].map(([, k = '', v = '']) => [k, v]),
      ).get(key)
    const [type, target] = [attribute('Type'), attribute('Target')]
    return type === undefined || target === undefined || attribute('TargetMode') === 'External'
      ? []
      : [[type, target.replace(/^\.\//, '')] as const]
  })
}
