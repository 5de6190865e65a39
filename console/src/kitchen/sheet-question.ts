/** Asks whether a printed sheet is on the wall. Nothing is compared with it before somebody says so. */
import { type ComponentChild, h } from 'preact'
import { useState } from 'preact/hooks'
import type { MealSheetAnswer } from '../../../client/src/index.ts'
import { words } from '../base/signed-in.ts'
import { whenOf } from './change-words.ts'
import type { WithoutNumber } from './print-day.ts'
import { confirmOnWall } from './sheet-choice.ts'

export interface QuestionProps {
  readonly day: string
  /** of the printed sheet */
  readonly number: number
  /** the sheet that is compared with until then */
  readonly before: MealSheetAnswer | undefined
  /** @param isOnWall whether the sheet is on the wall now */
  onAnswer(isOnWall: boolean): void
  onAgain(): void
}

export function SheetQuestion({ day, number, before, onAnswer, onAgain }: QuestionProps): ComponentChild {
  const t = words.value
  const [isFailed, setFailed] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const confirm = () => {
    setBusy(true)
    confirmOnWall(day, number).then(
      () => onAnswer(true),
      () => {
        setBusy(false)
        setFailed(true)
      },
    )
  }
  return h('section', { class: 'ask no-print', 'aria-labelledby': 'on-wall' }, [
    h('fieldset', { disabled: isBusy }, [
      h('legend', { id: 'on-wall' }, t('sheetSent', { n: number })),
      h('p', { class: 'soft' }, untilThen(before)),
      isFailed && h('p', { class: 'err', role: 'alert' }, t('notConfirmed')),
      h('p', { class: 'acts' }, [
        h('button', { type: 'button', class: 'first', onClick: confirm }, t('yesOnWall')),
        h('button', { type: 'button', onClick: () => onAnswer(false) }, t('notPrinted')),
        h('button', { type: 'button', onClick: onAgain }, t('printAgain')),
      ]),
    ]),
  ])
}

function untilThen(before: MealSheetAnswer | undefined): string {
  const t = words.value
  if (before === undefined) return t('untilAnswered')
  if (before.sheet === null || before.takenAt === null) return t('untilAnsweredNone')
  return t('untilAnsweredSheet', { n: before.sheet, time: whenOf(before.takenAt) })
}

const WHY = {
  mayNotConfirm: 'mayNotConfirm',
  notNumbered: 'notNumbered',
  fromTheMenu: 'fromTheMenu',
} as const

/** Why the paper has no number, in words. */
export function NoNumber({ why }: { readonly why: WithoutNumber | undefined }): ComponentChild {
  return why && h('p', { class: 'ask no-print', role: 'status' }, words.value(WHY[why]))
}
