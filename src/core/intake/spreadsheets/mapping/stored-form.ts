/**
 * A mapping as it is stored with its center, where every intake key reads it: without comments, and with the chosen answers in
 * place of the questions. Comments, questions and the answers that were not chosen quote cells of the file.
 */
import { InputError } from '../../input-error.ts'
import { isObject } from '../../rejects/problems.ts'
import { NO_DIET_WORDS } from './mapping.ts'
import { answerQuestions } from './questions.ts'
import { TreeReader } from './tree-reader.ts'
import { writeYaml } from './write-yaml.ts'
import { MAPPING_BYTES_MAX, type MapNode, type TreeNode } from './yaml-tree.ts'

/** Whether a word of a diet is stored. @param key of the custom field */
export type IsDietWordStored = (key: string, word: string) => boolean

/**
 * @param root a valid mapping without open questions: it was parsed before, because parsing takes long
 * @throws {InputError} if it is too long to be stored
 */
export function storedForm(root: TreeNode, isStored: IsDietWordStored): string {
  if (root.type !== 'map') throw new Error('a mapping is an object')
  const settled = (table: MapNode): Record<string, unknown> => {
    const { diets, tables, ...rest } = plainMap(answerQuestions(new TreeReader(), table, false).answered)
    return {
      ...rest,
      ...(diets !== undefined && { diets: withStored(diets, isStored) }),
      ...(tables !== undefined && { tables }),
    }
  }
  const tables = root.entries.get('tables')?.value
  const form = settled(root)
  if (tables?.type === 'list') {
    form.tables = tables.items.map((table) => (table.type === 'map' ? settled(table) : plain(table)))
  }
  return written(form)
}

/**
 * A value to a line is easier to read, but its indentation may make a mapping of 64 kB, as people and programs write them within
 * brackets, too long for the database and for the next import.
 */
function written(form: Record<string, unknown>): string {
  const lines = writeYaml(form, 'lines')
  if (fits(lines)) return lines
  const dense = writeYaml(form, 'dense')
  if (fits(dense)) return dense
  throw new InputError(
    `The mapping is longer than ${MAPPING_BYTES_MAX / 1024} kB as it is stored, with a copy in place of each alias, which is the most a mapping may have`,
  )
}

const fits = (text: string) => Buffer.byteLength(text) <= MAPPING_BYTES_MAX

const plainMap = ({ entries }: MapNode): Record<string, unknown> =>
  Object.fromEntries([...entries].map(([key, { value }]) => [key, plain(value)]))

function plain(node: TreeNode): unknown {
  if (node.type === 'list') return node.items.map(plain)
  return node.type === 'map' ? plainMap(node) : node.value
}

function withStored(diets: unknown, isStored: IsDietWordStored): unknown {
  if (!isObject(diets)) return diets
  return Object.fromEntries(
    Object.entries(diets).map(([key, diet]) => {
      if (!isObject(diet) || !isObject(diet.values)) return [key, diet]
      const left = Object.entries(diet.values).filter(([word]) => isStored(key, word))
      return [key, { ...diet, values: left.length === 0 ? NO_DIET_WORDS : Object.fromEntries(left) }]
    }),
  )
}
