/** The plan of a request without parameters that is answered from what is known of the key and its center. */
import type { Plan, Refusal } from '../../request/operation.ts'
import { type RawQuery, readParameters, refusalOf } from '../../request/parameters.ts'

/** @param body made when it is answered; nothing is read from the database for it */
export function planOfFacts(query: RawQuery, body: () => unknown): Plan | Refusal {
  const refusal = refusalOf(readParameters({}, query).problems)
  if (refusal !== undefined) return { requiredScopes: [], refusal }
  return {
    requiredScopes: [],
    normalForm: '[]',
    statement: undefined,
    // The center's profile, which every answer depends on, has the custom fields.
    dependencies: [],
    present: () => ({
      body: JSON.stringify(body()),
      revision: undefined,
      records: { count: 0, ids: [] },
    }),
  }
}
