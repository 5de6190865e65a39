/** What every expectation has at hand: the API as the key of the page reads it, and how people write what it says. */
import { readFileSync } from 'node:fs'
import type { Field } from '../../../../client/src/openapi.ts'
import type { Case } from '../cases.ts'
import type { Fact, Facts } from '../facts.ts'
import type { Api } from '../service.ts'
import type { Written } from '../written.ts'

export interface Expecting {
  readonly api: Api
  readonly written: Written
  readonly of: Case
  /** as the key and the language have them */
  readonly fields: readonly Field[]
  /** a text of the console's catalogue */
  say(key: string, values?: Readonly<Record<string, string | number>>): string
}

export type Expectation = (expecting: Expecting) => Promise<Facts[]>

type Text = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>

/** @param language one of the console's own */
export function sayIn(language: string, { number }: Pick<Written, 'number'>): Expecting['say'] {
  const url = new URL(`../../../../console/words/${language}.json`, import.meta.url)
  const catalogue: Readonly<Record<string, Text>> = JSON.parse(readFileSync(url, 'utf8'))
  const rules = new Intl.PluralRules(PLURALS[language] ?? language)
  return (key, values = {}) => {
    const text = catalogue[key]
    if (text === undefined) throw new Error(`the catalogue of ${language} has no ${key}`)
    const form = typeof text === 'string' ? text : (text[rules.select(Number(values.n))] ?? text.other ?? '')
    return form.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name] ?? whole
      return typeof value === 'number' ? number(value) : value
    })
  }
}

/** Languages that count by another name. */
const PLURALS: Readonly<Record<string, string>> = { no: 'nb', pt: 'pt-PT' }

export const may = ({ of }: Expecting, scope: string): boolean => of.scopes.includes(scope)

/** Texts of one row. */
export const fact = (
  what: string,
  texts: readonly (string | number)[],
  within: readonly string[] = [],
): Fact => ({
  what,
  texts: texts.map(String),
  within,
})

/** An order without a number is called by the beginning of its identifier; its own page has all of it. */
export const orderName = (order: { readonly orderNumber: string | null; readonly uuid: string }): string =>
  order.orderNumber ?? (order.uuid.length > 12 ? order.uuid.slice(0, 8) : order.uuid)

/** Facts that the page may not leave out. */
export const all = (...facts: readonly Fact[]): Facts => ({ facts })
