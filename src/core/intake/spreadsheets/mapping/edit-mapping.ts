/** Changes the text of a mapping: the answer of a question, or the field of a column. Comments and order stay. */
import { type Document, isMap, isScalar, isSeq, parseDocument, YAMLMap, YAMLSeq } from 'yaml'
import { compared } from '../../../records/fields/diet-values.ts'
import { InputError } from '../../input-error.ts'
import type { KindName } from '../../kinds/kind.ts'
import { shown } from '../../rejects/problems.ts'
import type { DietMeaning } from './mapping.ts'
import { foldWord } from './words.ts'
import { readTree } from './yaml-tree.ts'

/** A question of a mapping, with its answers. */
export interface AskedQuestion {
  /** The position of its table in the mapping, and its own there, counted from 0. */
  readonly table: number
  readonly question: number
  readonly ask: string
  readonly answers: readonly {
    readonly answer: string
    /** what the cells then mean; undefined where the mapping does not say it */
    readonly means: string | undefined
  }[]
  /** undefined if it is open */
  readonly answer: string | undefined
}

const CHECK = /^\s*check:\s*/

/** @throws {InputError} if it is no mapping */
export function questionsOf(text: string, name: string): AskedQuestion[] {
  const document = documentOf(text, name)
  return tablesOf(document).flatMap((map, table) => {
    const list = map.get('questions', true)
    return (isSeq(list) ? list.items : []).flatMap((item, question): AskedQuestion[] => {
      if (!isMap(item)) return []
      const answers = item.get('answers', true)
      const given = item.get('answer')
      return [
        {
          table,
          question,
          ask: String(item.get('ask') ?? ''),
          answers: (isMap(answers) ? answers.items : []).map(({ key, value }) => ({
            answer: String(isScalar(key) ? key.value : key),
            means: isMap(value) || isScalar(value) ? value.comment?.replace(CHECK, '').trim() : undefined,
          })),
          answer: given == null || given === '' || given === '?' ? undefined : String(given),
        },
      ]
    })
  })
}

/** @throws {InputError} if there is no such question or answer */
export function answerQuestion(
  text: string,
  name: string,
  { table, question, answer }: { readonly table: number; readonly question: number; readonly answer: string },
): string {
  const document = documentOf(text, name)
  const list = tablesOf(document)[table]?.get('questions', true)
  const item = isSeq(list) ? list.items[question] : undefined
  if (!isMap(item)) throw new InputError(`${name} has no question ${question + 1}`)
  const answers = item.get('answers', true)
  const known = isMap(answers) ? answers.items.map(({ key }) => String(isScalar(key) ? key.value : key)) : []
  if (!known.includes(answer)) {
    throw new InputError(
      `answer is "${shown(answer)}"; expected ${known.map((word) => `"${shown(word)}"`).join(' or ')}`,
    )
  }
  item.set('answer', document.createNode(answer))
  return written(document)
}

/**
 * Says which field a column becomes. Whatever the column was alone before, it is no longer.
 * @param field `booking.startDate`; undefined: none
 * @param format the formats of its dates, or the decimal separator, if they are chosen
 * @throws {InputError}
 */
export function setColumn(
  text: string,
  name: string,
  change: {
    readonly table: number
    readonly column: string
    readonly kind: KindName | undefined
    readonly field: string | undefined
    readonly format?: Readonly<Record<string, string>>
  },
): string {
  const document = documentOf(text, name)
  const map = tablesOf(document)[change.table]
  if (map === undefined) throw new InputError(`${name} has no table ${change.table + 1}`)
  const records = recordsOf(map)
  for (const [, record] of records) {
    for (const { key, value } of [...record.items]) {
      const own = String(isScalar(key) ? key.value : key)
      const isThis = records.some(
        ([kind, one]) => one === record && kind === change.kind && own === change.field,
      )
      if (!isThis && isOnly(value, change.column)) record.delete(key)
    }
  }
  if (change.kind !== undefined && change.field !== undefined) {
    let record = records.find(([kind]) => kind === change.kind)?.[1]
    if (record === undefined) {
      record = new YAMLMap()
      const all = map.get('records', true)
      if (isMap(all)) all.set(change.kind, record)
      else if (isSeq(all)) {
        record.set('kind', change.kind)
        all.add(record)
      } else map.set('records', document.createNode({ [change.kind]: record }))
    }
    const before = record.get(change.field, true)
    const isSame = isOnly(before, change.column)
    if (isSame && isMap(before)) {
      for (const [key, value] of Object.entries(change.format ?? {})) before.set(key, value)
    } else if (!isSame || change.format !== undefined) {
      const source = change.format === undefined ? change.column : { column: change.column, ...change.format }
      record.set(change.field, document.createNode(source, { flow: true }))
    }
  }
  return written(document)
}

export interface WordMeaning {
  /** its name in the mapping */
  readonly diet: string
  readonly word: string
  /** undefined: unknown, which the kitchen sees before all diets */
  readonly meaning: DietMeaning | undefined
}

/** Says what words of diets mean, in every table that has the diet. @throws {InputError} if no table has it */
export function setMeanings(text: string, name: string, meanings: readonly WordMeaning[]): string {
  const document = documentOf(text, name)
  const tables = tablesOf(document)
  for (const { diet, word, meaning } of meanings) {
    const own = tables.flatMap((table) => {
      const found = table.getIn(['diets', diet], true)
      return isMap(found) ? [found] : []
    })
    if (own.length === 0) throw new InputError(`${name} has no diet ${shown(diet)}`)
    for (const entry of own) {
      const given = entry.get('values', true)
      const values = isMap(given) ? given : new YAMLMap()
      values.flow = true
      if (!isMap(given)) entry.set('values', values)
      values.items = values.items.filter(({ key }) => compared(keyText(key)) !== compared(word))
      if (meaning !== undefined) values.set(word === 'true' ? true : word, meaning)
    }
  }
  return written(document)
}

const keyText = (key: unknown): string => String(isScalar(key) ? key.value : key)

/** What a mapping says of the whole file. */
const OF_FILE: ReadonlySet<string> = new Set(['encoding', 'delimiter'])

/**
 * Reads one more sheet: a mapping of one table gets a list of tables.
 * @param added a mapping of one table
 * @throws {InputError}
 */
export function addTable(text: string, name: string, added: string): string {
  const document = documentOf(text, name)
  const { contents } = document
  const table = parseDocument(added, { prettyErrors: false }).contents
  if (!isMap(contents) || !isMap(table)) throw new InputError(`${name} is no mapping`)
  const tables = contents.get('tables', true)
  if (isSeq(tables)) tables.add(table)
  else {
    const own = new YAMLMap()
    own.items = contents.items.filter(({ key }) => !OF_FILE.has(String(key)))
    contents.items = contents.items.filter(({ key }) => OF_FILE.has(String(key)))
    const all = new YAMLSeq()
    all.items = [own, table]
    contents.set('tables', all)
  }
  return written(document)
}

/** Leaves a sheet out. @throws {InputError} if it is the only one, or there is none */
export function removeTable(text: string, name: string, table: number): string {
  const document = documentOf(text, name)
  const tables = isMap(document.contents) ? document.contents.get('tables', true) : undefined
  if (!isSeq(tables) || tables.items.length < 2 || tables.items[table] === undefined)
    throw new InputError(`${name} reads no other sheet`)
  tables.delete(table)
  return written(document)
}

function documentOf(text: string, name: string): Document {
  // Checks its size, depth and syntax.
  readTree(text, name)
  return parseDocument(text, { prettyErrors: false, uniqueKeys: false })
}

const written = (document: Document) => document.toString({ lineWidth: 0, flowCollectionPadding: false })

function tablesOf({ contents }: Document): YAMLMap[] {
  if (!isMap(contents)) return []
  const tables = contents.get('tables', true)
  return isSeq(tables) ? tables.items.filter((item) => isMap(item)) : [contents]
}

/** Each record with its kind. */
function recordsOf(table: YAMLMap): [string, YAMLMap][] {
  const records = table.get('records', true)
  if (isSeq(records)) {
    return records.items.flatMap((item): [string, YAMLMap][] =>
      isMap(item) ? [[String(item.get('kind') ?? ''), item]] : [],
    )
  }
  if (!isMap(records)) return []
  return records.items.flatMap(({ key, value }): [string, YAMLMap][] =>
    isMap(value) ? [[String(isScalar(key) ? key.value : key), value]] : [],
  )
}

/** Whether a field is made of this column and of no other. */
function isOnly(value: unknown, column: string): boolean {
  const named = isMap(value) ? value.get('column') : isScalar(value) ? value.value : value
  const isWhole = !isMap(value) || (!value.has('columns') && !value.has('identifier'))
  return isWhole && typeof named === 'string' && foldWord(named) === foldWord(column)
}
