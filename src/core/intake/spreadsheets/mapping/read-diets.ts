/** Reads the diets of a mapping: the custom fields that the kitchen reads, and what their words mean. */
import { compared, isSplit } from '../../../records/fields/diet-values.ts'
import { shown } from '../../rejects/problems.ts'
import { DIET_MEANINGS, type DietMapping, type DietMeaning, type RecordMapping } from './mapping.ts'
import type { TreeReader } from './tree-reader.ts'
import type { MapEntry, MapNode, TreeNode } from './yaml-tree.ts'

const DIET_KEYS = ['label', 'values']

/** @param records those of the table, which have the fields */
export function readDiets(
  reader: TreeReader,
  entry: MapEntry | undefined,
  records: readonly RecordMapping[],
): DietMapping[] {
  const map = entry && reader.map(entry.value, 'diets')
  return [...(map?.entries ?? [])].flatMap(
    ([key, { at, value }]) => dietOf(reader, key, at, value, records) ?? [],
  )
}

function dietOf(
  reader: TreeReader,
  key: string,
  at: string,
  node: TreeNode,
  records: readonly RecordMapping[],
): DietMapping | undefined {
  const map = reader.map(node, `the diet ${shown(key)}`, DIET_KEYS)
  const owner = records.find(
    ({ kind, fields }) =>
      (kind === 'customer' || kind === 'booking') && fields.some(({ name }) => name === `meta.${key}`),
  )
  const source = owner?.fields.find(({ name }) => name === `meta.${key}`)?.source
  if (owner === undefined || source === undefined) {
    return reader.problem(
      at,
      `diets has "${shown(key)}", and no customer or booking of this table has the field meta.${shown(key)}`,
    )
  }
  const type = source.from === 'cells' ? (source.type ?? 'text') : 'text'
  if (type !== 'text' && type !== 'boolean') {
    return reader.problem(at, `the diet ${shown(key)} is read as a ${type}; expected text or boolean`)
  }
  if (map === undefined) return undefined
  return {
    key,
    of: owner.kind === 'customer' ? 'customer' : 'booking',
    type: type === 'text' ? 'string' : 'boolean',
    label: reader.text(map.entries.get('label'), 'label'),
    values: valuesOf(reader, map, type === 'boolean'),
  }
}

function valuesOf(reader: TreeReader, map: MapNode, isBoolean: boolean): ReadonlyMap<string, DietMeaning> {
  const given = map.entries.get('values')
  const entries =
    (given && reader.map(given.value, 'values of a diet'))?.entries ?? new Map<string, MapEntry>()
  const seen = new Map<string, string>()
  const values = new Map<string, DietMeaning>()
  for (const [text, entry] of entries) {
    const meaning = reader.word(entry, `the meaning of "${shown(text)}"`, DIET_MEANINGS)
    const same = seen.get(compared(text))
    seen.set(compared(text), text)
    if (isBoolean && (text !== 'true' || meaning === 'none')) {
      reader.problem(entry.at, 'values of a diet that is true or false are {true: diet} or {true: allergy}')
    } else if (isSplit(text)) {
      reader.problem(
        entry.at,
        `"${shown(text)}" has a separator, at which the text of a diet is split; write each part by itself`,
      )
    } else if (same !== undefined) {
      reader.problem(
        entry.at,
        `"${shown(text)}" is the same as "${shown(same)}", compared without case and accents`,
      )
    } else if (meaning !== undefined) values.set(text, meaning)
  }
  return values
}
