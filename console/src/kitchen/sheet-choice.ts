/** Which of the day's sheets is on the wall: said in words, and chosen by a key that may. */
import { type ComponentChild, h } from 'preact'
import { useState } from 'preact/hooks'
import type { MealSheetAnswer } from '../../../client/src/index.ts'
import { person, words } from '../base/signed-in.ts'
import { whenOf } from './change-words.ts'
import { mayConfirm } from './print-day.ts'

/** Says it to the service, for all screens. @param number null: none is on the wall */
export const confirmOnWall = (day: string, number: number | null): Promise<unknown> =>
  person.value!.sojourn.act('confirm-sheet', { day, sheet: number })

export interface ChoiceProps {
  readonly day: string
  readonly answer: MealSheetAnswer
  /** after the choice was stored */
  onChosen(): void
}

/** Of a day without sheets there is nothing to choose. */
export function SheetChoice({ day, answer, onChosen }: ChoiceProps): ComponentChild {
  const t = words.value
  const [chosen, choose] = useState<number | null>()
  const [isFailed, setFailed] = useState(false)
  const { onWall, sheets } = answer
  if (sheets.length === 0 || !mayConfirm()) return null
  const now = chosen === undefined ? onWall.sheet : chosen
  const pick = (number: number | null) => {
    choose(number)
    setFailed(false)
    confirmOnWall(day, number)
      .then(onChosen, () => setFailed(true))
      .finally(() => choose(undefined))
  }
  const option = (number: number | null, label: string, hint?: string) =>
    h('label', { class: 'pick', key: number ?? 'none' }, [
      h('input', {
        type: 'radio',
        name: 'on-wall',
        checked: now === number,
        disabled: chosen !== undefined,
        onChange: () => pick(number),
      }),
      h('span', null, [h('b', null, label), hint && h('span', { class: 'soft' }, hint)]),
    ])
  return h('details', { class: 'more' }, [
    h('summary', null, t('whichOnWall')),
    h('fieldset', { class: 'plain' }, [
      h('legend', { class: 'vh' }, t('whichOnWall')),
      sheets.map(({ sheet, takenAt }) => option(sheet, t('sheetNumber', { n: sheet }), whenOf(takenAt))),
      option(null, t('noSheetOnWall'), t('noSheetOnWallWhy')),
    ]),
    isFailed && h('p', { class: 'err', role: 'alert' }, t('notConfirmed')),
  ])
}

/** What there is to say without a sheet to compare with: none, chosen so, or not known. */
export function NoSheet({ answer }: { readonly answer: MealSheetAnswer | undefined }): ComponentChild {
  const t = words.value
  const [head, why] =
    answer === undefined
      ? (['sheetNotKnown', 'sheetNotKnownWhy'] as const)
      : answer.sheets.length === 0
        ? (['noSheet', 'noSheetWhy'] as const)
        : (['noSheetOnWall', 'noSheetOnWallWhy'] as const)
  return [h('h2', null, t(head)), h('p', { class: 'soft' }, t(why))]
}
