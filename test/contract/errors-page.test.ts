/** docs/errors.md held to the catalogue: `docs` of an error body leads to the section of its code. */
import { describe, expect, it } from 'vitest'
import { ERROR_CATALOGUE } from '../../src/core/errors/catalogue.ts'
import { pageText } from '../support/doc-examples.ts'

const [, ...pieces] = pageText('docs/errors.md').split(/^### /m)
const sections = pieces.map((piece) => {
  const [code = '', ...lines] = piece.split('\n')
  return { code, text: lines.join('\n') }
})

describe('the page of errors', () => {
  it('has a section for every code, and for nothing else', () => {
    expect(sections.map(({ code }) => code)).toEqual(Object.keys(ERROR_CATALOGUE))
  })

  it.each(sections)('says of $code what happened, how to fix it and what others did wrong', ({ text }) => {
    const parts = [...text.matchAll(/^\*\*([^*]+)\.\*\*(?: \w|\n\n\* .)/gm)].map(([, heading]) => heading)
    expect(parts).toEqual(['What happened', 'How to fix it', 'Common mistakes'])
  })
})
