/** Whether a guest has paid, in words. Not known and not permitted look different, and neither looks like paid. */
import { type ComponentChild, h } from 'preact'
import { words } from '../base/signed-in.ts'
import type { Paid } from './paid.ts'

export function paidText({ state, label }: Paid): ComponentChild {
  if (state === undefined) return h('span', { class: 'withheld' }, words.value('notPermitted'))
  if (state === null) return h('span', { class: 'soft' }, words.value('paidNotKnown'))
  return state === 'paid' ? label : h('b', null, label)
}
