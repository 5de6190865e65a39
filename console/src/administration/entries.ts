/** What the sections of the administration have in common: a list of entries, their buttons, and the button for another one. */
import { type ComponentChild, h } from 'preact'
import { words } from '../base/signed-in.ts'

/**
 * A list, or a sentence if it is empty.
 * @param items undefined while they are read, or if they could not be read
 * @param none the sentence
 * @param entry the `li` of an item
 */
export function entries<T>(
  items: readonly T[] | undefined,
  { isFailed, none, entry }: { isFailed: boolean; none: string; entry(item: T): ComponentChild },
): ComponentChild {
  if (items === undefined) return !isFailed && h('p', { class: 'soft' }, words.value('loading'))
  return items.length === 0 ? h('p', null, none) : h('ul', { class: 'entries' }, items.map(entry))
}

/** Says that only the first entries are shown. */
export const partShown = ({ data, total }: { readonly data: readonly unknown[]; readonly total: number }) =>
  data.length < total && h('p', { class: 'say' }, words.value('firstOfAll', { n: data.length, total }))

/** A button of an entry. A screen reader hears whose it is. */
export const entryButton = (text: string, name: string, onClick: () => void, disabled = false) =>
  h('button', { type: 'button', disabled, onClick }, [text, h('span', { class: 'vh' }, ` ${name}`)])

/** The button that opens a form. */
export const openButton = (text: string, onClick: () => void) =>
  h('p', { class: 'no-print' }, h('button', { type: 'button', onClick }, text))
