/** What a key with some scopes sees, and what it does not see. */
import { type ComponentChild, h } from 'preact'
import { words } from '../base/signed-in.ts'
import type { WordKey } from '../base/words.ts'
import { SCOPES, type Scope } from './scope-words.ts'

interface SeesProps {
  readonly scopes: readonly Scope[]
  /** own fields of the center that it sees */
  readonly fields?: readonly string[]
  /** further rows */
  readonly children?: ComponentChild
}

export function Sees({ scopes, fields = [], children }: SeesProps): ComponentChild {
  const t = words.value
  const all = Object.keys(SCOPES).filter((scope): scope is Scope => Object.hasOwn(SCOPES, scope))
  const list = (some: readonly Scope[]) => some.map((scope) => t(SCOPES[scope])).join('; ')
  return h('dl', { class: 'may' }, [
    row('deviceSees', list(scopes)),
    fields.length > 0 && row('deviceFields', fields.join(', ')),
    row('deviceSeesNot', list(all.filter((scope) => !scopes.includes(scope)))),
    children,
  ])
}

/** A row of such a list. */
export const row = (word: WordKey, text: string): ComponentChild[] => [
  h('dt', null, h('b', null, words.value(word))),
  h('dd', null, text),
]
