/** The schemas of the answers: a field is always there, unless the request has to ask for it. */
import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../src/parts.ts'

/** What comes only where it was asked for, or where there are several. */
const ASKED_FOR = [
  'guestNames',
  'orderNumber',
  'currency',
  'guests',
  'guestCounts',
  'labels',
  'checks',
  'payments',
  'guestList',
  'listed',
  'roomWas',
  'sessionIds',
]

/** What comes only if a center uses it, so that the answers of others do not change (ruling 43). */
const CONFIGURED = ['mealEnds', 'standardTimes', 'additional', 'without', 'kind', 'asked', 'late']

/** Paths of properties that an answer may leave out, `data[].name`. */
function optional(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties, required, items, additionalProperties } = schema as Record<string, unknown>
  const names = Object.keys(properties ?? {})
  const missing = names.filter((name) => !Array.isArray(required) || !required.includes(name))
  return [
    ...missing.map((name) => `${path}${name}`),
    ...Object.entries(properties ?? {}).flatMap(([name, inner]) => optional(inner, `${path}${name}.`)),
    ...optional(items, `${path.replace(/\.$/, '')}[].`),
    ...optional(additionalProperties, `${path}*.`),
  ]
}

describe('the answer', () => {
  // A guest's fields are those that the request named, so its schema can promise `ids` alone.
  it.each(OPERATIONS.filter(({ name }) => name !== 'listGuests').map((one) => [one.name, one] as const))(
    'ruling 41: of %s has every field always, but those that are asked for',
    (_, { response }) => {
      const known = [...ASKED_FOR, ...CONFIGURED]
      const left = optional(response).filter((path) => !known.includes(path.replace(/^.*[.\]]/, '')))
      expect(left).toEqual([])
    },
  )

  it('finds what is left out, however deep', () => {
    const inner = { type: 'object', properties: { a: {}, b: {} }, required: ['a'] }
    const schema = { type: 'object', properties: { list: { items: inner } }, required: ['list'] }
    expect(optional(schema)).toEqual(['list[].b'])
    expect(optional({ additionalProperties: inner })).toEqual(['*.b'])
  })
})
