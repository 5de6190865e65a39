/** What a page shows in its reader's language: the questions of a proposal, why a column is not used, and why a row is refused. */
import type { Language } from '../../locale/languages.ts'
import { say, type Written, write } from '../../locale/questions.ts'
import type { Said } from '../../locale/said.ts'
import type { AskedQuestion, TableDescription } from '../spreadsheets.ts'
import type { FileOutcome, RefusedRow } from './file-outcome.ts'

type Column = TableDescription['columns'][number]

export interface TableView extends Omit<TableDescription, 'columns'> {
  readonly columns: readonly (Omit<Column, 'reason'> & { readonly reason?: string })[]
}

export interface QuestionView extends Omit<AskedQuestion, 'answers'> {
  readonly answers: readonly (AskedQuestion['answers'][number] & { readonly says: string })[]
}

const placeOf = ({ sheet }: TableDescription, { name }: Column) => `${sheet ?? ''}\n${name}`

export const reasonsOf = (tables: readonly TableDescription[]): ReadonlyMap<string, Said> =>
  new Map(
    tables.flatMap((table) =>
      table.columns.flatMap((column) =>
        column.reason === undefined ? [] : [[placeOf(table, column), column.reason] as const],
      ),
    ),
  )

/** @param reasons those of the proposal; a column that a person has chosen a field for has none */
export const tablesIn = (
  tables: readonly TableDescription[],
  reasons: ReadonlyMap<string, Said>,
  language: Language,
): TableView[] =>
  tables.map((table) => ({
    ...table,
    columns: table.columns.map((column) => {
      const { reason: _, ...rest } = column
      const reason = column.fields.length > 0 ? undefined : reasons.get(placeOf(table, column))
      return { ...rest, ...(reason !== undefined && { reason: say(reason, language) }) }
    }),
  }))

/** @param says the texts of the proposal by their English ones; a question that a person wrote is shown as it is written */
export function questionsIn(
  questions: readonly AskedQuestion[],
  says: ReadonlyMap<string, Said>,
  language: Language,
): QuestionView[] {
  const inLanguage = (text: string) => say(says.get(text) ?? text, language)
  return questions.map(({ ask, answers, ...rest }) => ({
    ...rest,
    ask: inLanguage(ask),
    answers: answers.map(({ answer, means }) => ({
      answer,
      says: inLanguage(answer),
      means: means === undefined ? undefined : inLanguage(means),
    })),
  }))
}

export interface OutcomeView extends Omit<FileOutcome, 'refused'> {
  readonly refused: readonly RefusedRowView[]
}

interface RefusedRowView extends Omit<RefusedRow, 'problems'> {
  readonly problems: readonly (Written & { readonly columns: readonly string[] })[]
}

export const outcomeIn = (outcome: FileOutcome | null, language: Language): OutcomeView | null =>
  outcome && {
    ...outcome,
    refused: outcome.refused.map((row) => ({
      ...row,
      problems: row.problems.map(({ columns, says }) => ({ columns, ...write(says, language) })),
    })),
  }
