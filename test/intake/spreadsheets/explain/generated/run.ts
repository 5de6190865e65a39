/**
 * How many generated files the unchanged proposal imports, and what it asks:
 * `node test/intake/spreadsheets/explain/generated/run.ts --files 2000 --seed 1`.
 */
import { parseArgs } from 'node:util'
import { AMBIGUITIES, type Ambiguity, type GeneratedFile, generateFile } from './generate-file.ts'
import { answer, answersOf, compare, proposalOf, questionsOf, waysToAnswer } from './read-as-proposed.ts'

export interface Counts {
  /** files that leave nothing open */
  files: number
  /** of these, imported correctly by the unchanged proposal without a question */
  complete: number
  /** imported wrongly without a question */
  wrong: string[]
  /** without a question, and something was not read */
  incomplete: string[]
  /** questions about files that leave nothing open */
  unnecessary: string[]
  /** of ambiguous files and of the others */
  questions: number
  /** files that leave something open */
  ambiguous: number
  /** of these, imported without a question */
  unasked: string[]
  /** files of either kind that no answers import completely and correctly */
  unanswerable: string[]
  /** refused, or ended by an error */
  failed: string[]
}

/** What an import does wrong on purpose, to show that the check sees it. */
export type Tamper = (proposal: string) => string

export async function runFiles(seed: number, files: number, tamper?: Tamper): Promise<Counts> {
  const counts: Counts = {
    files: 0,
    complete: 0,
    wrong: [],
    incomplete: [],
    unnecessary: [],
    questions: 0,
    ambiguous: 0,
    unasked: [],
    unanswerable: [],
    failed: [],
  }
  for (let at = 0; at < files; at += 1) {
    await runFile(await generateFile(seed + at), counts, tamper)
    // One ambiguous file next to two others.
    if (at % 2 !== 0) continue
    const open = await generateFile(seed + at, ambiguityAt(at))
    if (open.ambiguities.length > 0) await runFile(open, counts, tamper)
  }
  return counts
}

const ambiguityAt = (at: number): Ambiguity => AMBIGUITIES[(at / 2) % AMBIGUITIES.length]!

async function runFile(file: GeneratedFile, counts: Counts, tamper: Tamper = (same) => same): Promise<void> {
  const isOpen = file.ambiguities.length > 0
  const about = `${file.description}${isOpen ? ` (${file.ambiguities.join()})` : ''}`
  if (isOpen) counts.ambiguous += 1
  else counts.files += 1
  try {
    const proposal = tamper(await proposalOf(file))
    const questions = questionsOf(proposal)
    counts.questions += questions.length
    if (questions.length > 0) {
      if (!isOpen) counts.unnecessary.push(...questions.map((question) => `${about}: ${question}`))
      // Rows that contradict each other are named, and corrected in the file.
      const bytes = file.corrected === undefined ? file.bytes : await file.corrected()
      const best = await bestAnswers({ ...file, bytes }, proposal)
      if (best !== undefined) counts.unanswerable.push(`${about}: ${best}`)
      return
    }
    const { isComplete, wrong, missing, problems } = await compare(file, proposal)
    if (file.corrected !== undefined) {
      // Both rows are named, none of them is imported, and the corrected file is.
      const after = await compare({ ...file, bytes: await file.corrected() }, proposal)
      if (problems.length < 2 || wrong.length > 0) counts.unasked.push(`${about}: ${problems.join(' / ')}`)
      if (!after.isComplete)
        counts.unanswerable.push(`${about}: ${[...after.wrong, ...after.missing].join('; ')}`)
      return
    }
    const what = `${about}: ${[...wrong, ...missing, ...problems].slice(0, 4).join('; ').slice(0, 300)}`
    if (isOpen) counts.unasked.push(what)
    else if (isComplete) counts.complete += 1
    else if (wrong.length > 0) counts.wrong.push(what)
    else counts.incomplete.push(what)
  } catch (error) {
    counts.failed.push(`${about}: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}`)
  }
}

/** @returns undefined if the true answers import everything; else what is wrong or missing at best */
async function bestAnswers(file: GeneratedFile, proposal: string): Promise<string | undefined> {
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const way of waysToAnswer(answersOf(proposal)).slice(0, 256)) {
    const { isComplete, wrong, missing, problems } = await compare(file, answer(proposal, way))
    if (isComplete) return undefined
    const count = wrong.length * 100 + missing.length + problems.length
    if (count >= least) continue
    least = count
    best = `${way.join('/')}: ${[...wrong, ...missing, ...problems].slice(0, 3).join('; ')}`
  }
  return best
}

export function reportOf({ files, complete, ambiguous, questions, ...lists }: Counts, shown = 30): string {
  const share = (part: number, of: number) => `${((100 * part) / Math.max(of, 1)).toFixed(1)} %`
  return [
    ...Object.entries(lists).flatMap(([name, list]) => [
      `${name}: ${list.length}`,
      ...list.slice(0, shown).map((text) => `  ${text}`),
    ]),
    `${complete} of ${files} files that leave nothing open (${share(complete, files)}) are imported correctly without a question`,
    `${lists.unnecessary.length} of ${questions} questions (${share(lists.unnecessary.length, questions)}) are unnecessary`,
    `${ambiguous - lists.unasked.length} of ${ambiguous} files that leave something open are asked about or refused`,
    `${lists.wrong.length} files are imported wrongly without a question`,
  ].join('\n')
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      files: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      all: { type: 'boolean', default: false },
    },
  })
  const counts = await runFiles(Number(values.seed), Number(values.files))
  process.stdout.write(`${reportOf(counts, values.all ? 10_000 : 30)}\n`)
}
