/** On the wall: the newest changes since the sheet, as many as fit, and the number of the others. */
import { type ComponentChild, h } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { minute } from '../base/minute.ts'
import { words } from '../base/signed-in.ts'
import { groupChanges, guestsIn } from './change-groups.ts'
import { lineText, whenOf } from './change-words.ts'
import type { TakenSheet } from './sheet-marks.ts'

/** More lines would take the place of diets. */
const LINES_MAX = 3
const GROUPS_MAX = 8

export function WallChanges({ sheet }: { readonly sheet: TakenSheet }): ComponentChild {
  const t = words.value
  const groups = groupChanges(sheet.changes.guests)
  const element = useRef<HTMLParagraphElement>(null)
  const most = Math.min(groups.length, GROUPS_MAX)
  const [count, setCount] = useState(most)
  const about = JSON.stringify([groups.map(lineText), minute.value])
  const isNew = useRef(about)
  useLayoutEffect(() => {
    const now = element.current
    if (now === null) return
    if (isNew.current !== about) {
      isNew.current = about
      setCount(most)
      return
    }
    // At least one, however long it is: the page makes room for it.
    if (count > 1 && linesOf(now) > LINES_MAX) setCount(count - 1)
  }, [about, count, most])
  const shown = groups.slice(0, count)
  const others = guestsIn(groups.slice(count))
  return h('p', { class: 'wall-since', ref: element }, [
    h('span', { class: groups.length > 0 ? 'chg' : 'soft' }, [
      t('sinceSheet', { time: whenOf(sheet.takenAt) }),
      groups.length === 0 && `: ${t('noChange')}`,
    ]),
    shown.map((group) => h('span', { key: group.key }, ` ${lineText(group)}.`)),
    others > 0 && h('span', { class: 'others' }, ` ${t('moreChanges', { n: others })}.`),
    sheet.diets.withheld.length > 0 && ` ${t('changesWithoutDiets')}`,
  ])
}

function linesOf(element: HTMLElement): number {
  const { lineHeight } = getComputedStyle(element)
  return Math.round(element.scrollHeight / Number.parseFloat(lineHeight))
}
