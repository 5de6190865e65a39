/**
 * The questions of a mapping: what a file leaves open, each with the answers that are possible. An answer is a merge patch
 * of the table's mapping, so whatever a mapping can declare can be asked. While a question that matters is open, nothing is
 * imported.
 */
import { InputError } from '../../input-error.ts'
import { shown } from '../../rejects/problems.ts'
import type { TreeReader } from './tree-reader.ts'
import type { MapEntry, MapNode, TreeNode } from './yaml-tree.ts'

const QUESTION_KEYS = ['ask', 'answers', 'answer']
/** Nobody answers more, and a mapping has at most 64 kB. */
const QUESTIONS_MAX = 100

/** A question that the mapping does not answer. */
export interface OpenQuestion {
  /** `guests.yaml:3:5`: where the answer goes. */
  readonly at: string
  readonly ask: string
  readonly answers: readonly string[]
}

/**
 * Applies the answers of a table's questions to its mapping.
 * @param isAssumed whether open questions are answered by their first answer, to try a proposal
 * @returns the mapping as answered, and the questions that are open
 */
export function answerQuestions(
  reader: TreeReader,
  table: MapNode,
  isAssumed: boolean,
): { readonly answered: MapNode; readonly open: readonly OpenQuestion[] } {
  const entry = table.entries.get('questions')
  const open: OpenQuestion[] = []
  let answered: MapNode = withoutQuestions(table)
  const asked = reader.list(entry)
  if (entry !== undefined && asked.length > QUESTIONS_MAX) {
    reader.problem(entry.value.at, `there are more than ${QUESTIONS_MAX} questions`)
  }
  for (const node of asked.slice(0, QUESTIONS_MAX)) {
    const map = reader.map(node, 'a question', QUESTION_KEYS)
    const ask = map && reader.text(map.entries.get('ask'), 'ask')
    const choices = map?.entries.get('answers')
    if (map === undefined || ask === undefined || choices === undefined) {
      if (map !== undefined) reader.problem(node.at, 'a question needs ask, and answers to choose from')
      continue
    }
    const answers = reader.map(choices.value, 'answers')
    if (answers === undefined) continue
    const answer = map.entries.get('answer')
    const given = reader.scalar(answer, 'answer')
    const isOpen = given === undefined || given === null || given === '' || given === '?'
    const chosen = isOpen ? (isAssumed ? [...answers.entries.keys()][0] : undefined) : String(given)
    if (chosen === undefined) {
      open.push({ at: answer?.value.at ?? node.at, ask, answers: [...answers.entries.keys()] })
      continue
    }
    const patch = answers.entries.get(chosen)
    if (patch === undefined) {
      const known = [...answers.entries.keys()].map((word) => `"${shown(word)}"`).join(' or ')
      reader.problem(answer?.value.at ?? node.at, `answer is "${shown(chosen)}"; expected ${known}`)
    } else if (!isEmpty(patch.value)) {
      const merged = merge(answered, patch.value)
      if (merged.type === 'map') answered = merged
      else reader.problem(patch.value.at, 'an answer must be an object with parts of the mapping')
    }
  }
  return { answered, open }
}

/** @throws {InputError} that lists the questions, with their answers, if there are any */
export function refuseOpen(open: readonly OpenQuestion[], name: string): void {
  if (open.length === 0) return
  const listed = open.map(
    ({ at, ask, answers }) =>
      `${at}: ${shownText(ask)} Write as answer: ${answers.map((answer) => JSON.stringify(shown(answer))).join(' or ')}.`,
  )
  const count = open.length === 1 ? 'a question is' : `${open.length} questions are`
  throw new InputError(
    [
      `${name}: ${count} open, so nothing is imported. Answer in the mapping, after "answer:".`,
      ...listed,
    ].join('\n'),
  )
}

const shownText = (text: string) =>
  (text.length > 400 ? `${text.slice(0, 400)}…` : text).replaceAll(/\s+/g, ' ')

const isEmpty = (node: TreeNode) => node.type === 'scalar' && node.value === null

function withoutQuestions(table: MapNode): MapNode {
  const entries = new Map(table.entries)
  entries.delete('questions')
  return { ...table, entries }
}

/** RFC 7396: objects are merged, null removes, anything else replaces. */
function merge(target: TreeNode, patch: TreeNode): TreeNode {
  if (patch.type !== 'map') return patch
  const entries = new Map<string, MapEntry>(target.type === 'map' ? target.entries : [])
  for (const [key, entry] of patch.entries) {
    const before = entries.get(key)
    if (isEmpty(entry.value)) entries.delete(key)
    else
      entries.set(key, before === undefined ? entry : { ...before, value: merge(before.value, entry.value) })
  }
  return { ...(target.type === 'map' ? target : patch), entries }
}
