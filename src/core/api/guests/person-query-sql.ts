/** Customers with a requested name, e-mail address, date of birth or personal number. */
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { CenterId } from '../../records/centers/center.ts'
import type { Wanted } from './match-likeness.ts'

/** The readings of the requested name, as a JSON array; null if no name is requested. */
export const readingsAsked = (name: string | undefined): Sql =>
  name === undefined ? sql`null::json` : sql`to_json(name_readings(${name}::text, true))`

/** The readings of the name of a customer `c`, for `nameAgreement`; null if no name is requested. */
export const readingsOf = (name: string | undefined): Sql =>
  name === undefined
    ? sql`null::text[]`
    : sql`name_readings(concat_ws(' ', c.first_name, c.last_name), ${/\p{Script=Arabic}/u.test(name)}::boolean)`

/** A condition on a customer `c`. Uses `customers_by_email`. */
export const hasEmail = (email: string): Sql =>
  sql`lower(c.email collate "C") = lower(${email}::text collate "C")`

/** The identifiers of the customers `c` that meet a condition. */
export const having = (condition: Sql, center: CenterId): Sql => sql`
        select c.id from customers c where c.center_id = ${center} and ${condition}`

/**
 * Customers whose name matches the query. Uses `customers_by_name`: each key of that index begins with the center, so
 * the index alone finds them. The center is compared in another collation than the column's, because the planner would
 * otherwise also read the primary key of every customer of the center. Before the tables are analyzed, when it expects
 * a handful of customers, it would also fold all their names instead of using the index.
 */
export const named = (query: Sql, center: CenterId): Sql => sql`
        select c.id from customers c
        where c.center_id = ${center} collate "POSIX"
          and name_index(c.center_id, c.first_name, c.last_name) @@ ${query}`

/**
 * Finds customers with all words of the name. Names with the family name first are written without a space, and stored with
 * one: `王小明` is 王 and 小明, and so is `小明王`.
 */
export const nameQuery = (center: CenterId, name: string): Sql =>
  anyWay(waysStored(name).map((way) => sql`name_query(${center}, ${way})`))

/** The same, with typing errors. */
const nameNear = (center: CenterId, name: string): Sql =>
  anyWay(waysStored(name).map((way) => sql`name_near(${center}, ${way})`))

const anyWay = (queries: readonly Sql[]): Sql =>
  queries.length === 1 ? sql`${queries[0]}` : sql`(${join([...queries], ' || ')})`

/** The name, and the ways in which it may be stored with spaces or without. */
function waysStored(name: string): string[] {
  const words = name.trim().split(/[\s・·=＝]+/u)
  if (!words.every((word) => UNSPACED.test(word))) {
    const spaced = name.replaceAll(LETTERS, (word) =>
      OF_ONE_NAME.test(word) ? word : word.replace(RUN_TOGETHER, '$1 $2'),
    )
    return spaced === name ? [name] : [name, spaced]
  }
  const letters = [...words.join('')]
  const whole = [words.join(''), words.toReversed().join('')]
  if (words.length > 1 || letters.length > LETTERS_MAX) return [name, ...whole]
  return [
    name,
    ...letters
      .slice(1)
      .map((_, at) => `${letters.slice(0, at + 1).join('')} ${letters.slice(at + 1).join('')}`),
  ]
}

/** Words of scripts that need no spaces. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]+$/u
const LETTERS = /\p{L}+/gu
/** `NagyIstván` */
const RUN_TOGETHER = /^(\p{Lu}\p{Ll}{2,})(\p{Lu}\p{Ll}{2,})$/u
/** The name of a MacDonald. */
const OF_ONE_NAME = /^(?:Mac|Fitz|Van|Von|Del)/
/** Letters of a whole name in such a script. */
const LETTERS_MAX = 8

/** The identifiers of the customers who have one of the values, or a similar name. Uses the indexes of customers. */
export function anyOf({ name, days, email, pinHash }: Wanted, center: CenterId): Sql {
  const asked = [
    ...(name === undefined ? [] : [named(nameNear(center, name), center)]),
    ...(days === undefined ? [] : [having(sql`c.dob = any(${days}::date[])`, center)]),
    ...(email === undefined ? [] : [having(hasEmail(email), center)]),
    ...(pinHash === undefined ? [] : [having(sql`pin_hash(c.pin) = ${pinHash}`, center)]),
  ]
  return join(asked, ' union all ')
}

/** An order of customers: exact matches first. */
export interface ExactFirst {
  /** the sets in the `with` of the statement; none if no value is requested */
  readonly sets: readonly Sql[]
  /**
   * The first terms of its `order by`: for each requested value, whether the customer's differs. @param customer the
   * column with the customer's identifier
   */
  others(customer: Sql): Sql[]
}

/**
 * Customers with exactly the requested value come first; the most significant value decides first. They are found along
 * the indexes of customers: folding the names of 16,000 customers with a similar name, to sort them, took six seconds.
 */
export function exactFirst({ name, email, dob, pinHash }: Wanted, center: CenterId): ExactFirst {
  const exact = [
    ...(pinHash === undefined
      ? []
      : [{ set: 'same_pin', ids: having(sql`pin_hash(c.pin) = ${pinHash}`, center) }]),
    ...(email === undefined ? [] : [{ set: 'same_email', ids: having(hasEmail(email), center) }]),
    ...(dob === undefined ? [] : [{ set: 'same_dob', ids: having(sql`c.dob = ${dob}`, center) }]),
    ...(name === undefined ? [] : [{ set: 'same_name', ids: named(nameQuery(center, name), center) }]),
  ]
  return {
    sets: exact.map(({ set, ids }) => sql`${raw(set)} as materialized (${ids})`),
    others: (customer) =>
      exact.map(({ set }) => sql`(${customer} in (select id from ${raw(set)})) is not true`),
  }
}
