/** What is not on this page: what the key may not read, and what the page does not read. */
import { type ComponentChild, h } from 'preact'
import type { Me } from '../../../client/src/index.ts'
import type { WordKey } from '../../../src/documents/words.ts'
import { may, words } from '../base/signed-in.ts'

type Scope = Me['key']['scopes'][number]

const PARTS: readonly (readonly [Scope, WordKey])[] = [
  ['guests.personal', 'scopePersonal'],
  ['meals', 'scopeMeals'],
  ['orders', 'scopeOrders'],
  ['guests.financial', 'scopeFinancial'],
  ['guests.paid', 'scopePaid'],
  ['contradictions', 'scopeContradictions'],
  ['guests.medical', 'scopeMedical'],
]

export function NotShown(): ComponentChild {
  const t = words.value
  const missing = PARTS.filter(([scope]) => !may(scope))
  return h('section', { class: 'block' }, [
    h('h2', null, t('notOnThisPage')),
    missing.length > 0 &&
      h('div', null, [
        h(
          'ul',
          null,
          missing.map(([scope, name]) =>
            h('li', { class: 'withheld', key: scope }, [
              `${t('notPermittedTo')} ${t(name)} `,
              h('span', { class: 'code soft small' }, scope),
            ]),
          ),
        ),
        h('p', { class: 'small soft' }, t('mayBeOnRecord')),
      ]),
    missing.length === 0 && h('p', null, t('none')),
  ])
}
