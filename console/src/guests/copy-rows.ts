/** A button that copies the rows of the table for a spreadsheet, and says how many of how many. */
import { type ComponentChild, h } from 'preact'
import { useState } from 'preact/hooks'
import type { Field } from '../../../client/src/index.ts'
import { numberText } from '../../../src/documents/numbers.ts'
import { language, person, words } from '../base/signed-in.ts'
import { zone } from '../kitchen/kitchen-reading.ts'
import type { Rows } from './rows.ts'
import { textOfRows } from './rows-text.ts'

interface CopyRowsProps {
  readonly of: Rows
  readonly columns: readonly Field[]
  /** names of columns that were chosen, readable or not */
  readonly chosen: readonly string[]
}

export function CopyRows({ of: { rows, total }, columns, chosen }: CopyRowsProps): ComponentChild {
  const t = words.value
  const [said, say] = useState('')
  const withheld = (person.value?.fields ?? []).filter(
    ({ name, readable }) => !readable && chosen.includes(name),
  )
  const n = (count: number) => numberText(count, language.value)
  const copy = () => {
    const text = textOfRows(rows, columns, { language: language.value, zone: zone(), words: t })
    // Pages of plain http, other than this machine's own, have no clipboard.
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))
    const missing =
      withheld.length === 0
        ? ''
        : ` ${t('columnsWithheld', { list: withheld.map(({ label }) => label).join(', ') })}`
    written.then(
      () => say(t('rowsCopied', { n: n(rows.length), total: n(total ?? rows.length) }) + missing),
      () => say(t('notCopied')),
    )
  }
  return [
    h('button', { type: 'button', class: 'btn', disabled: rows.length === 0, onClick: copy }, t('copyRows')),
    h('span', { role: 'status', class: 'soft' }, said),
  ]
}
