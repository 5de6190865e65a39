/** `GET /administration/reports`: kitchen sheets and lists that are sent by themselves. */

import { uncachedPlan } from '../../../core/acts/list-page.ts'
import { defineOperation, type Operation } from '../../../core/request/operation.ts'
import { readParameters, refusalOf } from '../../../core/request/parameters.ts'
import { recordedQuestion } from '../../links/question.ts'
import { selectReportsWithRuns } from './acts-sql.ts'
import { REPORTS_SCHEMA } from './report-schema.ts'

const RUNS_SHOWN = 3

/** @param operations that a report can ask; it is one of them itself, so they are known once it is asked */
export const createListReports = (operations: () => readonly Operation[]): Operation =>
  defineOperation({
    name: 'listReports',
    summary: 'Reports of the center',
    description: `The reports that are sent by themselves: what each has, where it is sent and when, and what became of the last ${RUNS_SHOWN}. What names a person in a query is hidden.`,
    paths: ['/administration/reports'],
    scope: 'administration',
    dependsOn: [],
    parameters: {},
    response: REPORTS_SCHEMA,

    parse({ center, query }) {
      const refusal = refusalOf(readParameters({}, query).problems)
      if (refusal !== undefined) return { requiredScopes: [], refusal }
      return uncachedPlan(
        '[]',
        selectReportsWithRuns(center.id, RUNS_SHOWN),
        ([reports]: readonly [readonly { readonly query: string | null }[]]) => ({
          data: reports.map((report) => ({
            ...report,
            query: report.query === null ? null : recordedQuestion(report.query, operations()),
          })),
        }),
      )
    },
  })
