/** The JSON that is the same in every record of a list: its names, in their order. */

export interface RecordParts {
  /** in the order of the values in the record; `of` is the position of the value's path */
  readonly values: readonly { readonly before: Buffer; readonly of: number }[]
  readonly end: Buffer
}

/**
 * @param paths of the values: names of nested objects. If two are the same, the value of the last one is shown.
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

/** Occurs in no name, because PostgreSQL's texts cannot contain it. */
const MARK = '\0'
const MARKED = /"\\u0000(\d+)\\u0000"/

/** A dotted name is nested (ruling 21). */
export function assign(into: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let target = into
  for (const parent of path.slice(0, -1)) {
    target[parent] ??= {}
    target = target[parent] as Record<string, unknown>
  }
  target[path.at(-1) ?? ''] = value
}
