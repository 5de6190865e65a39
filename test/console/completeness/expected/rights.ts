/** What the page of a person's rights must show of the person who was found first: every value that is stored, who read it, and what changed. */
import { all, type Expectation, fact } from './expecting.ts'

const TITLES = {
  person: 'guest',
  stay: 'stays',
  session: 'sessions',
  order: 'orders',
  kitchenSheet: 'rightsLists',
  contradiction: 'contradictions',
} as const

export const rights: Expectation = async ({ api, of, say }) => {
  const name = of.query.name ?? ''
  const { found } = await api.act('find-person', { name, dob: null, email: null })
  const [first] = found ?? []
  if (first === undefined) throw new Error('nobody has a name that a guest of the center has')
  const shown = await api.act('show-person', { customer: first.customerId })
  const {
    sections = [],
    reads = [],
    changes = [],
  } = shown as {
    readonly [Part in keyof typeof shown]: NonNullable<(typeof shown)[Part]>
  }
  const kindText = (kind: string) => say(`kind${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`)
  return [
    all(fact('who it is', [[first.firstName, first.lastName].filter(Boolean).join(' ')])),
    all(
      ...Object.entries(TITLES).map(([about, title]) =>
        fact(`whether there is a ${about}`, [
          say(title),
          ...(sections.some((section) => section.about === about) ? [] : [say('none')]),
        ]),
      ),
    ),
    ...sections.map(({ about, title, rows }) =>
      all(
        ...(about === 'person'
          ? []
          : [fact(`a ${about}`, [about === 'contradiction' ? kindText(title) : title])]),
        ...rows.map((row) => fact(`a value of a ${about}`, row)),
      ),
    ),
    // The page itself has read it once more.
    all(...reads.map(({ at, key }) => fact('who read it', [at, key]))),
    all(...changes.map(({ at, fields }) => fact('a change', [at, fields]))),
  ]
}
