/** What the lists of the administration have in common: their parameters, and that they are read for each request. */
import type { Sql } from 'sql-template-tag'
import type { ApiError } from '../errors/api-error.ts'
import type { Plan, Rows } from '../request/operation.ts'
import { DEFAULT_PAGE_LENGTH, type Page, readPage } from '../request/paging.ts'
import { booleanParameter, countParameter } from '../request/parameter-kinds.ts'
import { type RawQuery, readParameters, refusalOf } from '../request/parameters.ts'
import type { PartOfList } from './acts-sql.ts'

/** @param what the list has, such as `keys` */
export const listParameters = (what: string, ended: string) =>
  ({
    ended: booleanParameter({ description: ended }),
    start: countParameter({ name: 'start', description: 'Page number, counted from 1.', default: 1 }),
    length: countParameter({
      name: 'length',
      description: `Maximum number of ${what} per page, up to the center's maximum.`,
      default: DEFAULT_PAGE_LENGTH,
    }),
  }) as const

export type ListReading =
  | { readonly refusal: ApiError }
  | { readonly page: Page; readonly part: PartOfList; readonly normalForm: string }

export function readList(
  parameters: ReturnType<typeof listParameters>,
  query: RawQuery,
  maximumPageLength: number,
): ListReading {
  const { values, sent, problems } = readParameters(parameters, query)
  const { page, problems: more } = readPage(values, sent, maximumPageLength)
  const refusal = refusalOf([...problems, ...more])
  if (refusal !== undefined) return { refusal }
  const { ended } = values
  const { start, length } = page
  return {
    page,
    part: { offset: (start - 1) * length, limit: length, ended },
    normalForm: JSON.stringify([ended, start, length]),
  }
}

/**
 * A plan whose answer is never cached: what the administration lists changes without a commit of the center's records. It shows
 * no guest, so no record is in the trail.
 * @param statement which returns one row
 * @param bodyOf the answer from this row
 * @param pageOf for a list in pages
 */
export function uncachedPlan<Row, Body extends object>(
  normalForm: string,
  statement: Sql,
  bodyOf: (row: Row) => Body,
  pageOf?: (body: Body) => Page & { readonly total: number },
): Plan {
  return {
    requiredScopes: [],
    normalForm,
    statement,
    dependencies: undefined,
    cacheMs: 0,
    present(rows: Rows) {
      const body = bodyOf(rows[0] as Row)
      return {
        body: JSON.stringify(body),
        ...(pageOf && { page: pageOf(body) }),
        revision: undefined,
        records: { count: 0, ids: [] },
      }
    },
  }
}
