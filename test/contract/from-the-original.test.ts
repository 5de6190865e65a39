/** docs/from-the-original.md held to the rulings, both ways, and to the operations. */
import { describe, expect, it } from 'vitest'
import { ORDER_LIST_SCHEMA, ORDER_SCHEMA } from '../../src/core/api/orders/order-schema.ts'
import { listSessions } from '../../src/core/api/sessions/list-sessions.ts'
import { OPERATIONS } from '../../src/parts.ts'
import { pageText } from '../support/doc-examples.ts'
import { RULINGS } from '../support/rulings.ts'

interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}
const LISTED_ORDER = (ORDER_LIST_SCHEMA as Schema).items ?? {}
const SESSION_ITEM = (listSessions.response as Schema).properties?.data?.items ?? {}

/** The names of the strings that may be null, also of objects in it, but for `ids` and what is asked for. */
const nullableOf = ({ properties = {} }: Schema): string[] =>
  Object.entries(properties).flatMap(([name, value]) => {
    if (['ids', 'labels', 'checks', 'payments'].includes(name)) return []
    if (value.properties !== undefined) return nullableOf(value)
    return [value.type].flat().join() === 'string,null' ? [name] : []
  })

const page = pageText('docs/from-the-original.md')

describe('the page for those who come from the original', () => {
  it('says of every ruling what holds here, and of nothing else', () => {
    const named = [...page.matchAll(/^\| (\d+a?) \| \S.+\. \|$/gm)].map(([, number]) => `ruling ${number}`)
    expect(named.toSorted()).toEqual(RULINGS.toSorted())
  })

  it('refers only to rulings that there are', () => {
    const named = [...page.matchAll(/\[([\d, a]+)\](?!\()/g)].flatMap(([, numbers = '']) =>
      numbers.split(', '),
    )
    expect(named.length).toBeGreaterThan(10)
    for (const number of named) expect(RULINGS).toContain(`ruling ${number}`)
  })

  it('names every field of a single order and of a session that may be null', () => {
    const strings = page.split('\n').find((line) => line.includes('**Strings that may be `null`**')) ?? ''
    const named = (from: string) =>
      [...(strings.split(from)[1]?.split(/\. |\. \|/)[0] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name)
    const one = nullableOf(ORDER_SCHEMA as Schema)
    expect(named('Of one order: ').toSorted()).toEqual(
      [...one.filter((name) => name !== 'orderNumber'), 'billingAddress'].toSorted(),
    )
    expect(named('Of a session: ').toSorted()).toEqual(nullableOf(SESSION_ITEM).toSorted())
    expect(named('Of the list of orders: ').toSorted()).toEqual(nullableOf(LISTED_ORDER).toSorted())
  })

  it('names the resource of every operation, among what is the same or what is new', () => {
    const resources = OPERATIONS.flatMap(({ paths }) => paths.map((path) => path.split('/')[1]))
    for (const resource of new Set(resources)) expect(page).toContain(`/${resource}`)
  })
})
