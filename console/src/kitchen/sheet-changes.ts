/** Next to the day: what has changed since the sheet. */
import { type ComponentChild, h } from 'preact'
import type { MealSheetAnswer } from '../../../client/src/index.ts'
import { words } from '../base/signed-in.ts'
import { type ChangeGroup, groupChanges, guestsIn } from './change-groups.ts'
import { mealsText, otherTexts, whenOf, whoText } from './change-words.ts'
import { DietName } from './meal-table.ts'
import { PrintDay } from './print-link.ts'
import { NoSheet, SheetChoice } from './sheet-choice.ts'
import { type GuestChange, isCurrent, signed, takenSheet } from './sheet-marks.ts'

/** After an import there may be hundreds: the table has their sum, and the others are folded. */
const SHOWN_MAX = 12

interface SinceProps {
  readonly date: string
  /** undefined until it is read */
  readonly answer: MealSheetAnswer | undefined
  /** after another sheet was chosen */
  onChosen(): void
}

export function Since({ date, answer, onChosen }: SinceProps): ComponentChild {
  const t = words.value
  const sheet = takenSheet(answer)
  const choice = answer && h(SheetChoice, { day: date, answer, onChosen, key: date })
  if (sheet === undefined) return h('section', { class: 'since' }, [h(NoSheet, { answer }), choice])
  const groups = groupChanges(sheet.changes.guests)
  const others = groups.slice(SHOWN_MAX)
  return h('section', { class: 'since' }, [
    h('h2', null, t('sinceSheet', { time: whenOf(sheet.takenAt) })),
    h('p', { class: 'soft' }, [
      h('b', { class: 'sheet-number' }, t('sheetNumber', { n: sheet.sheet })),
      ' · ',
      isCurrent(sheet) ? t('noChange') : t('sinceSheetWhy'),
    ]),
    groups.length > 0 && h(Lines, { groups: groups.slice(0, SHOWN_MAX) }),
    others.length > 0 &&
      h('details', { class: 'rest' }, [
        h('summary', null, t('moreChanges', { n: guestsIn(others) })),
        h(Lines, { groups: others }),
      ]),
    sheet.diets.withheld.length > 0 && h('p', { class: 'soft' }, t('changesWithoutDiets')),
    choice,
    h('p', null, h(PrintDay, { day: date, label: t('printAgain') })),
  ])
}

const Lines = ({ groups }: { readonly groups: readonly ChangeGroup[] }) =>
  h(
    'ol',
    null,
    groups.map((group) => h(Line, { group, key: group.key })),
  )

function Line({ group }: { readonly group: ChangeGroup }): ComponentChild {
  const { changedAt, changes } = group
  return h('li', null, [
    changedAt === null ? h('span', null, '–') : h('time', { dateTime: changedAt }, whenOf(changedAt)),
    h('div', null, [
      h(What, { group }),
      changes.length > 1 &&
        h('details', { class: 'rest' }, [
          h('summary', null, words.value('allByRoom', { n: changes.length })),
          h(
            'ul',
            null,
            changes.map((change) => h('li', { key: change.guestId }, h(What, { group: alone(change) }))),
          ),
        ]),
    ]),
  ])
}

/** The meals first, or who it is if their number is the same. */
function What({ group }: { readonly group: ChangeGroup }): ComponentChild[] {
  const meals = mealsText(group)
  const who = whoText(group)
  const rest = [...(meals === '' ? [] : [who]), ...otherTexts(group)]
  return [
    h('b', null, meals === '' ? who : meals),
    rest.length > 0 && h('p', null, rest.join(' · ')),
    ...group.diets.map(({ diet, by }) => h('p', null, [h(DietName, { row: diet }), ` ${signed(by)}`])),
  ]
}

const alone = (change: GuestChange): ChangeGroup => groupChanges([change])[0]!
