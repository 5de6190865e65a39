/** Reads the parts of a mapping from its tree, and collects all problems found. */
import { didYouMean } from '../../../errors/suggest.ts'
import { shown } from '../../rejects/problems.ts'
import type { MapEntry, MapNode, Scalar, TreeNode } from './yaml-tree.ts'

/** Beyond this number of problems, unknown names get no suggestions. */
const HINTS_MAX = 20

/** Each method reads a part, or adds a problem and returns undefined. */
export class TreeReader {
  readonly problems: string[] = []

  problem(at: string, message: string): undefined {
    this.problems.push(`${at}: ${message}`)
    return undefined
  }

  /** The entries of an object. Names that are not in `known` are problems. */
  map(node: TreeNode, what: string, known?: readonly string[]): MapNode | undefined {
    if (node.type !== 'map') return this.problem(node.at, `${what} must be an object of names and values`)
    for (const [key, { at }] of node.entries) {
      if (known === undefined || known.includes(key)) continue
      const close = this.problems.length > HINTS_MAX ? '' : didYouMean(key, known)
      const hint = close || `; expected one of ${known.join(', ')}`
      this.problem(at, `"${shown(key)}" is not known for ${what}${hint}`)
    }
    return node
  }

  scalar(entry: { readonly value: TreeNode } | undefined, what: string): Scalar | undefined {
    if (entry === undefined) return undefined
    if (entry.value.type === 'scalar') return entry.value.value
    return this.problem(entry.value.at, `${what} must be a single value`)
  }

  text(entry: { readonly value: TreeNode } | undefined, what: string): string | undefined {
    const value = this.scalar(entry, what)
    if (entry === undefined || value === undefined) return undefined
    if (value === null || value === '') return this.problem(entry.value.at, `${what} is empty`)
    return String(value)
  }

  /** A value that must be one of these words. */
  word<const Word extends string>(
    entry: MapEntry | undefined,
    what: string,
    words: readonly Word[],
  ): Word | undefined {
    const given = this.text(entry, what)
    const found = words.find((word) => word === given)
    if (entry !== undefined && given !== undefined && found === undefined) {
      this.problem(entry.value.at, `${what} is "${shown(given)}"; expected one of ${words.join(', ')}`)
    }
    return found
  }

  /** A single value or a list of values, as a list. */
  list(entry: MapEntry | undefined): readonly TreeNode[] {
    if (entry === undefined) return []
    return entry.value.type === 'list' ? entry.value.items : [entry.value]
  }

  texts(entry: MapEntry | undefined, what: string): { readonly at: string; readonly text: string }[] {
    return this.list(entry).flatMap((value) => {
      const text = this.text({ value }, what)
      return text === undefined ? [] : [{ at: value.at, text }]
    })
  }
}
