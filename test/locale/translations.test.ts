/** No translation lags behind the English text: `npm run words` lists those that do. */
import { describe, expect, it } from 'vitest'
import {
  lagsOf,
  readRecord,
  recordTranslated,
  type Text,
  TRANSLATED,
  type TranslatedFrom,
  textsOf,
} from '../../tools/words/texts.ts'

it('every translation was made from the present English text', () => {
  const lags = lagsOf(readRecord(), textsOf('en'))
  expect(lags.map(({ language, key, english }) => `${language}: ${key}: ${english}`)).toEqual([])
})

it('the record has the keys of the English texts, and no other', () => {
  expect(Object.keys(readRecord()).sort()).toEqual([...textsOf('en').keys()].sort())
})

it.each(TRANSLATED)('%s has every text that English has', (language) => {
  expect([...textsOf(language).keys()]).toEqual([...textsOf('en').keys()])
})

describe('the record', () => {
  const english = new Map<string, Text>([
    ['a', 'Apples'],
    ['b', { one: '{n} pear', other: '{n} pears' }],
  ])
  const all = new Map(TRANSLATED.map((language) => [language, new Set(['a', 'b'])]))
  const made = recordTranslated({}, english, all)

  it('has one text where all languages were translated from the same', () => {
    expect(made).toEqual({ a: 'Apples', b: '{n} pear | {n} pears' })
    expect(lagsOf(made, english)).toEqual([])
  })

  it('shows that all languages lag when the English text changes, or one of its forms', () => {
    const reworded = new Map([
      ...english,
      ['a', 'Red apples'],
      ['b', { one: 'A pear', other: '{n} pears' }],
    ] as const)
    const lags = lagsOf(made, reworded)
    expect(lags.map(({ language }) => language)).toEqual([...TRANSLATED, ...TRANSLATED])
    expect(lags[0]).toEqual({ language: 'ro', key: 'a', from: 'Apples', english: 'Red apples' })
  })

  it('shows that a new text was never translated', () => {
    const lags = lagsOf(made, new Map([...english, ['c', 'Cherries'] as const]))
    expect(lags).toHaveLength(TRANSLATED.length)
    expect(lags[0]).toEqual({ language: 'ro', key: 'c', from: undefined, english: 'Cherries' })
  })

  it('follows one language alone, until all are there', () => {
    const reworded = new Map(english).set('a', 'Red apples')
    const german = recordTranslated(made, reworded, new Map([['de', new Set(['a'])]]))
    expect(german.a).toMatchObject({ de: 'Red apples', fr: 'Apples' })
    expect(lagsOf(german, reworded).map(({ language }) => language)).toEqual(
      TRANSLATED.filter((language) => language !== 'de'),
    )
    expect(recordTranslated(german, reworded, all)).toEqual({ a: 'Red apples', b: '{n} pear | {n} pears' })
  })

  it('drops what English no longer has, and does not take a name that every object has for a key', () => {
    expect(recordTranslated(made, new Map([['a', 'Apples']]), new Map())).toEqual({ a: 'Apples' })
    const inherited: TranslatedFrom = {}
    expect(lagsOf(inherited, new Map([['constructor', 'Builder']]))[0]?.from).toBeUndefined()
  })
})
