/** A center's profile: its own record and the custom fields it defines, as every operation needs them. */
import sql from 'sql-template-tag'
import type { Queryable } from '../../database/database.ts'
import { type Language, parseLanguage } from '../../locale/languages.ts'
import { type ContradictionKinds, readContradictionKinds } from './contradiction-kinds.ts'
import { type MealRules, readMealRules } from './meal-rules.ts'
import { type OrderRules, readOrderRules } from './order-rules.ts'

declare const centerIdBrand: unique symbol

/**
 * The identifier of the center a request may read. Branded, so that no other text can stand in its place:
 * every query takes it first, and only the gate (from a key) and the commands (from their option) make one.
 */
export type CenterId = string & { readonly [centerIdBrand]: true }

export const centerId = (id: string) => id as CenterId

export interface MetaField {
  readonly key: string
  readonly label: string | null
  readonly type: 'string' | 'number' | 'boolean' | 'date'
  readonly owner: 'customer' | 'booking'
}

export interface Center {
  readonly id: CenterId
  readonly name: string
  readonly addressLine1: string | null
  readonly addressLine2: string | null
  readonly email: string | null
  readonly phone: string | null
  /** IANA name */
  readonly timezone: string
  /** ISO 4217 */
  readonly currency: string
  /** the language of its locale */
  readonly language: Language
  readonly maximumPageLength: number
  /** whether keys with `guests.medical` and without `guests` may read under pseudonyms (ruling 45) */
  readonly pseudonymousReads: boolean
  readonly mealReportExcludedStatuses: readonly string[]
  readonly mealRules: MealRules
  readonly automaticBookingIds: boolean
  readonly contradictionKinds: ContradictionKinds
  /** which statuses of orders are valid, open or void (ruling 51) */
  readonly orderRules: OrderRules
  readonly metaFields: ReadonlyMap<string, MetaField>
  /** whether its database is older than PostgreSQL 18, and finds many keys of a center only one by one */
  readonly isInOlderDatabase?: boolean
}

interface CenterRow {
  name: string
  address_line1: string | null
  address_line2: string | null
  email: string | null
  phone: string | null
  timezone: string
  currency: string
  locale: string
  maximum_page_length: number
  pseudonymous_reads: boolean
  meal_report_excluded_statuses: string[]
  meal_rules: unknown
  automatic_booking_ids: boolean
  contradiction_kinds: unknown
  order_rules: unknown
  meta_fields: MetaField[]
  is_in_older_database: boolean
}

/** Reads a center's profile, or undefined where there is no such center. */
export async function readCenter(database: Queryable, id: CenterId): Promise<Center | undefined> {
  const [row] = await database.query<CenterRow>(sql`
    select c.name, c.address_line1, c.address_line2, c.email, c.phone, c.timezone, c.currency, c.locale,
      c.maximum_page_length, c.pseudonymous_reads, c.meal_report_excluded_statuses, c.meal_rules,
      c.automatic_booking_ids,
      c.contradiction_kinds, c.order_rules,
      coalesce(
        (select jsonb_agg(jsonb_build_object('key', m.key, 'label', m.label, 'type', m.type, 'owner', m.owner) order by m.key)
         from meta_fields m where m.center_id = c.center_id),
        '[]'
      ) as meta_fields,
      current_setting('server_version_num')::int < 180000 as is_in_older_database
    from centers c
    where c.center_id = ${id}`)
  if (row === undefined) return undefined
  return {
    id,
    name: row.name,
    addressLine1: row.address_line1,
    addressLine2: row.address_line2,
    email: row.email,
    phone: row.phone,
    timezone: row.timezone,
    currency: row.currency,
    language: parseLanguage(row.locale) ?? 'en',
    maximumPageLength: row.maximum_page_length,
    pseudonymousReads: row.pseudonymous_reads,
    mealReportExcludedStatuses: row.meal_report_excluded_statuses,
    mealRules: readMealRules(row.meal_rules),
    automaticBookingIds: row.automatic_booking_ids,
    contradictionKinds: readContradictionKinds(row.contradiction_kinds),
    orderRules: readOrderRules(row.order_rules),
    metaFields: new Map(row.meta_fields.map((field) => [field.key, field])),
    isInOlderDatabase: row.is_in_older_database,
  }
}
