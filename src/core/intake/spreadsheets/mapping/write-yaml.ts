/**
 * Writes an object as YAML. The library takes half a second for the 64 kB that a mapping may have, in which a service would answer
 * nobody; this takes some milliseconds.
 */
import { stringify } from 'yaml'

const OPTIONS = { lineWidth: 0, aliasDuplicateObjects: false } as const

/** Characters without a meaning, after a letter. */
const PLAIN = /^\p{L}[\p{L}\p{M}\p{N} ()._/-]*$/u
const PLAIN_END = /[\p{L}\p{M}\p{N})]$/u
/** Words that are booleans or null for some reader. */
const VALUES: ReadonlySet<string> = new Set(['true', 'false', 'null', 'yes', 'no', 'on', 'off', 'y', 'n'])
/** A longer key needs a form of its own, which the library writes. */
const KEY_LENGTH_MAX = 1000

type Style = 'lines' | 'dense'

/** @param style a value to a line, or everything within brackets, which is shorter */
export function writeYaml(value: Record<string, unknown>, style: Style): string {
  if (hasLongKey(value)) {
    const flow = { collectionStyle: 'flow', flowCollectionPadding: false } as const
    return stringify(value, style === 'lines' ? OPTIONS : { ...OPTIONS, ...flow })
  }
  return `${style === 'lines' ? block(value, '').trimStart() : flow(value)}\n`
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const hasLongKey = (value: unknown): boolean =>
  isObject(value) &&
  Object.entries(value).some(([key, within]) => key.length > KEY_LENGTH_MAX || hasLongKey(within))

const isEmpty = (value: object) => Object.keys(value).length === 0

/** Begins with a line break. */
function block(value: object, indent: string): string {
  return Object.entries(value)
    .map(([key, within]: [string, unknown]) => {
      const isItem = Array.isArray(value)
      const begin = `\n${indent}${isItem ? '-' : `${text(key)}:`}`
      if (!isObject(within) || isEmpty(within)) return `${begin} ${flow(within)}`
      const inner = block(within, `${indent}  `)
      return isItem ? `${begin} ${inner.trimStart()}` : `${begin}${inner}`
    })
    .join('')
}

function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  if (isObject(value))
    return `{${Object.entries(value)
      .map(([key, within]) => `${text(key)}: ${flow(within)}`)
      .join(', ')}}`
  return typeof value === 'string' ? text(value) : scalar(value)
}

/** A text of JSON is one of YAML. */
const text = (value: string) =>
  PLAIN.test(value) && PLAIN_END.test(value) && !VALUES.has(value.toLowerCase())
    ? value
    : JSON.stringify(value)

/** Of numbers, those that JSON does not have are written by the library. */
const scalar = (value: unknown) =>
  typeof value === 'number' && !Number.isFinite(value) ? stringify(value).trimEnd() : String(value)
