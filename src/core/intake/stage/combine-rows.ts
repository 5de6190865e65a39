/** Combines the rows of tables that make one record, and finds those that contradict each other. */

import type { JsonObject } from '../kinds/kind.ts'
import type { FieldProblem } from '../rejects/problems.ts'
import type { Slices } from '../slices.ts'
import { termsFor } from '../spreadsheets/mapping/terms.ts'
import { RowsOfRecord } from './contradictions.ts'
import type { RepeatedRow, Stage } from './stage.ts'

/** The rows of one record in one file, of which only the positions are retained. */
interface Group {
  readonly row: RepeatedRow
  readonly rows: RowsOfRecord
  readonly seqs: number[]
  problem: FieldProblem | undefined
}

/**
 * @param refuse is called for rows that contradict each other, with the same problem for each of them
 */
export async function combineRows(
  stage: Stage,
  slices: Slices,
  refuse: (refusals: ReadonlyMap<number, readonly FieldProblem[]>) => Promise<void>,
): Promise<void> {
  let group: Group | undefined
  let refusals = new Map<number, readonly FieldProblem[]>()
  const end = ({ seqs, problem }: Group) => {
    if (problem !== undefined) for (const seq of seqs) refusals.set(seq, [problem])
  }
  for await (const rows of stage.repeatedRows()) {
    const bodies: { seq: number; body: string }[] = []
    for (const row of rows) {
      slices.do(() => {
        if (group === undefined || !continues(group.row, row)) {
          if (group !== undefined) end(group)
          group = { row, rows: new RowsOfRecord(), seqs: [], problem: undefined }
        }
        group.seqs.push(row.seq)
        const record = JSON.parse(row.body) as JsonObject
        const { origin } = row
        const { isChanged, problem } = group.rows.add(
          record,
          { line: row.line, sheet: origin.sheet },
          (field) => termsFor(origin.terms, { field })?.rows,
        )
        group.problem ??= problem
        if (isChanged) bodies.push({ seq: row.seq, body: JSON.stringify(record) })
      })
      if (slices.isOver) await slices.letOthersRun()
    }
    await stage.rewrite(bodies)
    await refuse(refusals)
    refusals = new Map()
  }
  if (group !== undefined) end(group)
  await refuse(refusals)
}

/** Rows of two files are a sequence of changes, and so are rows with versions. */
const continues = (one: RepeatedRow, other: RepeatedRow): boolean =>
  one.first_seq === other.first_seq && one.origin.file === other.origin.file && one.version === other.version
