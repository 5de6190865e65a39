/**
 * `GET /guests` for a key that reads under pseudonyms (ruling 45): what of a request it may have, which is said once,
 * and refused otherwise before the parameters are checked.
 *
 * The order is that of every list: start of the stay, then the booking's identifier. It never depends on a name.
 */
import { type ApiError, errors } from '../../errors/api-error.ts'
import type { Center } from '../../records/centers/center.ts'
import { ALLOWED } from '../../records/centers/pseudonyms.ts'
import type { GuestField } from '../../records/fields/field.ts'
import { FIELD_GROUPS, GUEST_FIELDS } from '../../records/fields/guest-fields.ts'
import { quote, type SentParameters } from '../../request/parameters.ts'
import { sortedName } from '../../request/sort.ts'
import { META_PREFIX, type Projection, type ReadProjection, readProjection } from './projection.ts'
import { SORT_NAMES } from './sort-sql.ts'

/** Dates and sessions, pages, and what only says how the same values are written. All others are refused. */
const PARAMETERS: ReadonlySet<string> = new Set([
  ...['startDate', 'endDate', 'arriving', 'departing', 'inHouse'],
  ...['sessionId', 'sessionIds', 'sessionIdsExclude'],
  ...['project', 'sort', 'start', 'length', 'snapshot'],
  ...['format', 'values', 'delimiter', 'decimal', 'bom'],
])

/** What can be filtered by anyway. The order of any other field would show more than its values may. */
const SORTED_BY: ReadonlySet<string> = new Set(['startDate', 'endDate'])

const IDENTIFIERS: ReadonlySet<string> = new Set(['id', 'customerId'])

/** Whether such a key may read the field. */
export const isReadUnderPseudonyms = ({ name, scope }: Pick<GuestField, 'name' | 'scope'>): boolean =>
  IDENTIFIERS.has(name) || scope === 'guests.medical'

/** The fields that it may not. */
const refused: ReadonlySet<string> = new Set([
  ...GUEST_FIELDS.filter((field) => !isReadUnderPseudonyms(field)).map(({ name }) => name),
  ...FIELD_GROUPS,
])

/** One object for each projection, because the presenter is cached by it. */
const known = new WeakMap<Projection, Projection>()

/** @returns with a refusal if the request has anything else than what is allowed, or no `project` */
export function readUnderPseudonyms(
  sent: SentParameters,
  center: Center,
): ReadProjection & { readonly refusal: ApiError | undefined } {
  const names = sent.get('project')
  const given = [
    ...[...sent.keys()].map(String).filter((name) => !PARAMETERS.has(name)),
    ...(sent.get('sort') ?? []).filter(isRefusedSort).map((name) => `sort=${name}`),
    ...(names === undefined ? ['the fields of an answer without project'] : names.filter(isRefusedField)),
  ]
  const { projection, problems } = readProjection(names, center)
  return {
    projection: underPseudonyms(projection),
    // Also for a request without medical fields: the trail names the records of what needs this scope.
    requiredScopes: [{ scope: 'guests.medical', what: 'project' }],
    problems,
    refusal: given.length === 0 ? undefined : errors.underPseudonyms(given.map(shown), ALLOWED),
  }
}

function underPseudonyms(projection: Projection): Projection {
  const made = known.get(projection) ?? { ...projection, isUnderPseudonyms: true }
  known.set(projection, made)
  return made
}

/** Names that do not exist are problems of the parameter. */
const isRefusedSort = (text: string): boolean => {
  const name = sortedName(text)
  return (SORT_NAMES as readonly string[]).includes(name) && !SORTED_BY.has(name)
}

const isRefusedField = (name: string): boolean => refused.has(name) || name.startsWith(META_PREFIX)

/** The name of a custom field is the client's own text. */
const shown = (name: string): string => (name.startsWith(META_PREFIX) ? quote(name) : name)
