/** Which reasons of refused rows are English in every language: a new one is translated, or is listed here knowingly. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { write } from '../../src/core/locale/questions.ts'
import type { Sentence } from '../../src/core/locale/said.ts'

const ROOT = join(import.meta.dirname, '..', '..', 'src')

/** `onlyEnglish('…')` and `{ english: '…' }`: the place, and the text as it is written in the source. */
const untranslated = () =>
  readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && name !== join('core', 'locale', 'said.ts'))
    .sort()
    .flatMap((name) =>
      [
        ...readFileSync(join(ROOT, name), 'utf8').matchAll(
          /(?:\bonlyEnglish\(|\benglish:)\s*('(?:[^'\\]|\\.)*'|`[^`]*`|[^\n,)]+)/g,
        ),
      ].map(([, text]) => `${name}: ${text}`),
    )

it('what is not translated is listed', async () => {
  await expect(`${untranslated().join('\n')}\n`).toMatchFileSnapshot('only-english.txt')
})

describe('a reason', () => {
  const expected = (given: Sentence): Sentence => ({
    key: 'expected',
    values: { given, expected: { key: 'takesInteger', values: { minimum: 1, maximum: 9 } } },
  })

  it('is in the language of its reader, with that language', () => {
    const number = expected({ key: 'isNumber' })
    expect(write(number, 'it')).toEqual({
      text: 'è un numero; previsto: un numero intero da 1 a 9',
      lang: 'it',
    })
    expect(write(number, 'no').lang).toBe('nb')
    expect(write(number, 'en')).toEqual({
      text: 'is a number; expected a whole number from 1 to 9',
      lang: 'en',
    })
  })

  it('is English as a whole if a part of it is not translated, however deep', () => {
    const object = expected({ english: 'is an object' })
    const list: Sentence = { key: 'takesOneOf', values: { words: { list: ['a', object], by: ', ' } } }
    expect([write(object, 'pl'), write(list, 'pl')]).toEqual([
      { text: 'is an object; expected a whole number from 1 to 9', lang: 'en' },
      { text: 'one of a, is an object; expected a whole number from 1 to 9', lang: 'en' },
    ])
  })
})
