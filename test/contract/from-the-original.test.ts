/** docs/from-the-original.md held to the rulings, both ways, and to the operations. */
import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../src/app.ts'
import { pageText } from '../support/doc-examples.ts'
import { RULINGS } from '../support/rulings.ts'

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

  it('names the resource of every operation, among what is the same or what is new', () => {
    const resources = OPERATIONS.flatMap(({ paths }) => paths.map((path) => path.split('/')[1]))
    for (const resource of new Set(resources)) expect(page).toContain(`/${resource}`)
  })
})
