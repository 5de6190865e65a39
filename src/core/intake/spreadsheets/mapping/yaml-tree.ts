/**
 * Parses YAML or JSON into a tree in which every value has its position, so that problems can be reported by line and
 * column.
 */
import {
  Composer,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  Parser,
} from 'yaml'
import { InputError } from '../../input-error.ts'

export type Scalar = string | number | boolean | null

interface Placed {
  /** `guests.yaml:12:14` */
  readonly at: string
}
export interface ScalarNode extends Placed {
  readonly type: 'scalar'
  readonly value: Scalar
}
export interface ListNode extends Placed {
  readonly type: 'list'
  readonly items: readonly TreeNode[]
}
export interface MapNode extends Placed {
  readonly type: 'map'
  readonly entries: ReadonlyMap<string, MapEntry>
}
export interface MapEntry extends Placed {
  readonly value: TreeNode
}
export type TreeNode = ScalarNode | ListNode | MapNode

/** Ten times the size of a mapping with two hundred columns. */
export const MAPPING_BYTES_MAX = 64 * 1024
/** Aliases may multiply the values in the text. */
const NODES_MAX = 20_000
const DEPTH_MAX = 20
/** Nobody reads more of them at once. */
const PROBLEMS_MAX = 10

/**
 * @param name the file's name, for messages
 * @throws {InputError} with the line and column of each problem
 */
export function readTree(text: string, name: string): TreeNode {
  if (Buffer.byteLength(text) > MAPPING_BYTES_MAX) {
    throw new InputError(
      `${name} is longer than ${MAPPING_BYTES_MAX / 1024} kB, which is the most a mapping may have`,
    )
  }
  tooDeep(text, name)
  const lines = new LineCounter()
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `${name}:${line}:${col}`
  }
  const problems: string[] = []
  const document = documentIn(text, lines, (offset, message) => {
    problems.push(`${at(offset)}: ${sentence(message)}`)
    return problems.length < PROBLEMS_MAX
  })
  if (document === undefined || problems.length > 0) throw new InputError(problems.join('\n'))

  let nodes = 0
  // Collected in the order of the text, because an alias refers to the last anchor before it. The library would search
  // the whole text.
  const anchors = new Map<string, ParsedNode>()
  const treeOf = (node: ParsedNode | null, offset: number, depth: number): TreeNode => {
    nodes += 1
    if (node !== null && !isAlias(node) && node.anchor !== undefined) anchors.set(node.anchor, node)
    const place = at(node?.range[0] ?? offset)
    if (nodes > NODES_MAX || depth > DEPTH_MAX)
      throw new InputError(`${place}: the mapping is too large from here on`)
    if (isAlias(node)) {
      const target = anchors.get(node.source)
      if (target === undefined) throw new InputError(`${place}: there is no anchor &${node.source}`)
      return treeOf(target, offset, depth + 1)
    }
    if (isMap(node)) {
      const entries = new Map<string, MapEntry>()
      for (const { key, value } of node.items) {
        const keyAt = at(key.range[0])
        const word = isScalar(key) ? String(scalarOf(key)) : undefined
        if (word === undefined) problems.push(`${keyAt}: a key must be a word`)
        else if (entries.has(word)) problems.push(`${keyAt}: "${word}" is given twice`)
        else entries.set(word, { at: keyAt, value: treeOf(value, key.range[1], depth + 1) })
      }
      return { type: 'map', at: place, entries }
    }
    if (isSeq(node)) {
      return { type: 'list', at: place, items: node.items.map((item) => treeOf(item, offset, depth + 1)) }
    }
    const value: unknown = isScalar(node) ? scalarOf(node) : null
    if (isValue(value)) return { type: 'scalar', at: place, value }
    return { type: 'scalar', at: place, value: String(value) }
  }
  const tree = treeOf(document.contents, 0, 0)
  if (problems.length > 0) throw new InputError(problems.slice(0, PROBLEMS_MAX).join('\n'))
  return tree
}

/** Ends the work of the library, which collects each of 32,000 errors. */
class Enough extends Error {}

/**
 * The first document of a text.
 * @param onError says whether to go on
 * @returns undefined if the errors were enough
 */
function documentIn(
  text: string,
  lines: LineCounter,
  onError: (offset: number, message: string) => boolean,
): Document.Parsed | undefined {
  let isEnough = false
  const note = (offset: number, message: string) => {
    // The library catches what is thrown within a collection, and reports it as one more error.
    if (!isEnough) isEnough = !onError(offset, message)
    if (isEnough) throw new Enough()
  }
  // The library's search for repeated keys takes quadratic time.
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false })
  // By its type the library's own property is private, and there is no other way to stop it.
  Object.assign(composer, {
    onError(
      source: number | [number, number] | { offset: number },
      _: string,
      message: string,
      isWarning?: boolean,
    ) {
      const offset = typeof source === 'number' ? source : 'offset' in source ? source.offset : source[0]
      if (!isWarning) note(offset, message)
    },
  })
  function* tokens() {
    for (const token of new Parser(lines.addNewLine).parse(text)) {
      if (token.type === 'error') note(token.offset, `${token.message}: ${JSON.stringify(token.source)}`)
      else yield token
    }
  }
  try {
    const [document, second] = composer.compose(tokens(), true, text.length)
    if (second !== undefined) note(second.range[0], 'there is more than one document')
    return document?.errors.every(({ pos, message }) => onError(pos[0], message)) ? document : undefined
  } catch (error) {
    if (error instanceof Enough) return undefined
    throw error
  }
}

// The parser recurses for each bracket.
function tooDeep(text: string, name: string): void {
  let depth = 0
  for (const character of text) {
    if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    if (depth > 200) throw new InputError(`${name} has too many brackets within each other`)
  }
}

/**
 * `01067`, `0x1F`, `1e3` and `1.0` are numbers in YAML, and identifiers, postal codes and words in a spreadsheet. A number that
 * is not written as JSON writes it stays text.
 */
function scalarOf({
  value,
  source,
}: {
  readonly value: unknown
  readonly source?: string | undefined
}): unknown {
  return typeof value !== 'number' || source === undefined || String(value) === source ? value : source
}

const isValue = (value: unknown): value is Scalar =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)

const sentence = (message: string) =>
  `${message.charAt(0).toLowerCase()}${message.slice(1)}`.split('\n', 1)[0] ?? ''
