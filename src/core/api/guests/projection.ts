/** Reads `project`: names become fields of the registry and of the center's own custom fields. */
import { LRUCache } from 'lru-cache'
import type { FoundProblem } from '../../errors/api-error.ts'
import { didYouMean, SEARCHED_MAX } from '../../errors/suggest.ts'
import { formatLocalDate, isLocalDate } from '../../locale/dates.ts'
import type { Center } from '../../records/centers/center.ts'
import { asItIs, field, type GuestField } from '../../records/fields/field.ts'
import { DEFAULT_FIELD_NAMES, FIELD_GROUPS, GUEST_FIELDS } from '../../records/fields/guest-fields.ts'
import { BOOLEAN, DAY, NUMBER, STRING } from '../../records/fields/value-kinds.ts'
import type { RequiredScope } from '../../request/operation.ts'
import { quote } from '../../request/parameters.ts'

export interface Projection {
  /** each field once, in the registry's order, custom fields last: the same for `a,b` and `b,a` */
  readonly fields: readonly GuestField[]
  /** whether the request named the fields; if so, `ids` contains the raw values of the humanized ones */
  readonly named: boolean
  /** whether `ids` has only raw values of these fields, and not role, status and sessions (ruling 45) */
  readonly isUnderPseudonyms?: true
}

const byName = new Map(GUEST_FIELDS.map((entry) => [entry.name, entry]))
const positions = new Map(GUEST_FIELDS.map((entry, position) => [entry.name, position]))

const DEFAULT_PROJECTION: Projection = {
  fields: DEFAULT_FIELD_NAMES.flatMap((name) => byName.get(name) ?? []),
  named: false,
}

export const META_PREFIX = 'meta.'
const IDS = 'ids'

/** Every name that `project` accepts, for suggestions and documentation. */
export const PROJECTABLE_NAMES: readonly string[] = [...byName.keys(), ...FIELD_GROUPS, IDS]

/**
 * The scopes that the fields need, with the names of the fields that need them. Unknown names need no scope: they are
 * refused as parameters, after the scopes (ruling 7).
 */
export function scopesOfNames(names: readonly string[]): RequiredScope[] {
  return names.flatMap((name) => {
    if (name.startsWith(META_PREFIX)) return [scopeOfCustomField(name)]
    const scope =
      byName.get(name)?.scope ?? GUEST_FIELDS.find((entry) => entry.name.startsWith(`${name}.`))?.scope
    return scope === undefined ? [] : [{ scope, what: name }]
  })
}

/** A key may have access to a custom field without the scope. */
const scopeOfCustomField = (name: string): RequiredScope => ({
  scope: 'guests.personal',
  what: shownKey(name),
  customField: name.slice(META_PREFIX.length),
})

/** The name of a custom field is the client's own text until it is known that the center defines it. */
const shownKey = (name: string) => (/^[\w.-]{1,60}$/.test(name) ? name : quote(name))

export interface ReadProjection {
  readonly projection: Projection
  readonly requiredScopes: readonly RequiredScope[]
  readonly problems: readonly FoundProblem[]
}

/** A projection takes some kilobytes with its presenter and its SQL; one of all fields takes fifty. */
const REMEMBERED_MAX = 200
/** Longer lists are not cached. */
const REMEMBERED_LENGTH_MAX = 2000

/** Valid lists of names that mean the same in every center. */
const remembered = new LRUCache<string, ReadProjection>({ max: REMEMBERED_MAX })

/**
 * @param names the entries of `project`; undefined if it was not sent (ruling 20) @returns the projection, the scopes
 * that it needs, and a problem for each name that is not projectable
 */
export function readProjection(names: readonly string[] | undefined, center: Center): ReadProjection {
  if (names === undefined) return { projection: DEFAULT_PROJECTION, requiredScopes: [], problems: [] }
  const list = names.join()
  let read = remembered.get(list)
  if (read === undefined) {
    read = readNames(names, center)
    const isAlikeEverywhere =
      read.problems.length === 0 && !names.some((name) => name.startsWith(META_PREFIX))
    if (isAlikeEverywhere && list.length <= REMEMBERED_LENGTH_MAX) remembered.set(list, read)
  }
  return read
}

function readNames(names: readonly string[], center: Center): ReadProjection {
  const problems: FoundProblem[] = []
  const chosen = new Map<string, GuestField>()
  for (const name of new Set(names)) {
    // Part of every answer. Clients name it because they list what an example answer shows (ruling 9).
    if (name === IDS) continue
    const found = fieldsNamed(name, center)
    if (found === undefined)
      problems.push({ parameter: 'project', message: () => unknownField(name, center) })
    else for (const entry of found) chosen.set(entry.name, entry)
  }
  const fields = [...chosen.values()].sort(
    (a, b) =>
      (positions.get(a.name) ?? positions.size) - (positions.get(b.name) ?? positions.size) ||
      (a.name < b.name ? -1 : 1),
  )
  return { projection: { fields, named: true }, requiredScopes: scopesOfNames(names), problems }
}

function fieldsNamed(name: string, center: Center): readonly GuestField[] | undefined {
  const entry = byName.get(name)
  if (entry !== undefined) return [entry]
  if ((FIELD_GROUPS as readonly string[]).includes(name)) {
    return GUEST_FIELDS.filter((candidate) => candidate.name.startsWith(`${name}.`))
  }
  if (name.startsWith(META_PREFIX)) {
    const meta = metaFieldOf(center, name.slice(META_PREFIX.length))
    return meta === undefined ? undefined : [meta]
  }
  return undefined
}

/** The fields for all custom fields of a center, by key. */
export const metaFieldsOf = (center: Center): GuestField[] =>
  [...center.metaFields.keys()].flatMap((key) => metaFieldOf(center, key) ?? [])

/** The field for a custom field; undefined if the center does not define it (ruling 26). */
function metaFieldOf(center: Center, key: string): GuestField | undefined {
  const meta = center.metaFields.get(key)
  if (meta === undefined) return undefined
  const definition = {
    scope: 'guests.personal',
    group: 'Custom meta fields',
    description: meta.label ?? key,
    sources: [{ from: 'custom', owner: meta.owner, key }],
  } as const
  const path = [META_PREFIX.slice(0, -1), key]
  if (meta.type === 'date') {
    const shown = field(`${META_PREFIX}${key}`, {
      ...definition,
      schema: STRING,
      example: '01/15/2025',
      show: ({ language }, day) =>
        typeof day === 'string' && isLocalDate(day) ? formatLocalDate(language, day) : day,
      raw: { schema: DAY, example: '2025-01-15', value: (_, day) => day },
    })
    return { ...shown, path }
  }
  const schema = { string: STRING, number: NUMBER, boolean: BOOLEAN }[meta.type]
  const shown = field(`${META_PREFIX}${key}`, {
    ...definition,
    schema,
    example: null,
    show: asItIs,
  })
  return { ...shown, path }
}

function unknownField(name: string, center: Center): string {
  const below = GUEST_FIELDS.filter((entry) => entry.name.startsWith(`${name}.`)).map((entry) => entry.name)
  if (below.length > 0) {
    return `${quote(name)} is a group of fields and cannot be named as a whole. Name its fields: ${below.join(', ')}.`
  }
  if (name.startsWith(META_PREFIX)) {
    const keys = [...center.metaFields.keys().take(SEARCHED_MAX)].map((key) => `${META_PREFIX}${key}`)
    const known = keys.length === 0 ? 'none' : keys.slice(0, 50).join(', ')
    return `${quote(name)} is not a custom field of this center${didYouMean(name, keys) || `; it defines ${known}.`}`
  }
  const end = center.metaFields.has(name)
    ? `. A custom field needs its prefix: ${META_PREFIX}${name}.`
    : '. GET /fields lists all fields.'
  return `${quote(name)} is not a projectable field${didYouMean(name, PROJECTABLE_NAMES) || end}`
}
