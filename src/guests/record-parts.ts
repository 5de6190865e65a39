/** What is the same in the JSON of every record of a list: its names, in their order. */

export interface RecordParts {
  /** in the order in which the values stand; `of` is the position of the value's path */
  readonly values: readonly { readonly before: Buffer; readonly of: number }[]
  readonly end: Buffer
}

/**
 * @param paths of the values: names of nested objects. Where two are the same, the last one's value is shown.
 * @returns the parts of an object that was given values at these paths, in this order
 */
export function partsOfRecord(paths: readonly (readonly string[])[]): RecordParts {
  const record: Record<string, unknown> = {}
  for (const [of, path] of paths.entries()) assign(record, path, `${MARK}${of}${MARK}`)
  const texts = JSON.stringify(record).split(MARKED)
  const values: { before: Buffer; of: number }[] = []
  for (let at = 0; at < texts.length - 1; at += 2) {
    values.push({ before: Buffer.from(texts[at] ?? ''), of: Number(texts[at + 1]) })
  }
  return { values, end: Buffer.from(texts.at(-1) ?? '') }
}

/** In no name: PostgreSQL's texts cannot hold it. */
const MARK = '\0'
const MARKED = /"\\u0000(\d+)\\u0000"/

/** A dotted name comes back nested (ruling 21). */
function assign(into: Record<string, unknown>, path: readonly string[], value: string): void {
  let target = into
  for (const parent of path.slice(0, -1)) {
    target[parent] ??= {}
    target = target[parent] as Record<string, unknown>
  }
  target[path.at(-1) ?? ''] = value
}
