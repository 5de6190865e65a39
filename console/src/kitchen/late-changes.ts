/** Changes after the cut-off of a meal: counted, by room, until somebody says that the kitchen has seen them. */
import { type ComponentChild, h } from 'preact'
import { useState } from 'preact/hooks'
import type { MealSheetAnswer } from '../../../client/src/index.ts'
import { MEALS, type Meal } from '../../../src/documents/portions.ts'
import { countRooms } from '../../../src/documents/short-names.ts'
import { inSentence } from '../../../src/documents/words.ts'
import { minute } from '../base/minute.ts'
import { language, person, words } from '../base/signed-in.ts'
import { roomText, whenOf } from './change-words.ts'
import { mayConfirm } from './print-day.ts'
import { namesOf } from './reason-words.ts'

export type Late = NonNullable<MealSheetAnswer['late']>

/** `dinner 2`, for each meal with late changes. */
const counts = ({ meals }: Late): string =>
  MEALS.flatMap((meal) => {
    const changes = meals[meal]?.changes ?? 0
    return changes === 0 ? [] : [`${inSentence(words.value(meal), language.value)} ${changes}`]
  }).join(', ')

/** Meals whose cut-off has passed, without anything to compare with. */
const unknownMeals = ({ meals }: Late): Meal[] =>
  MEALS.filter((meal) => {
    const of = meals[meal]
    return of != null && of.changes === null && Date.parse(of.cutOff) <= minute.value
  })

/** The latest moment since when changes are known, if it is a minute or more after a cut-off. */
function knownSince({ meals }: Late): string | undefined {
  const late = MEALS.flatMap((meal) => {
    const of = meals[meal]
    if (of == null || of.since === null || of.acknowledgedAt !== null) return []
    // The service looks each minute.
    return Date.parse(of.since) - Date.parse(of.cutOff) > 2 * 60_000 ? [of.since] : []
  })
  return late.toSorted().at(-1)
}

/** What is late, in short sentences; empty if nothing is. */
export function lateTexts(late: Late): string[] {
  const t = words.value
  const list = counts(late)
  const unknown = unknownMeals(late)
  const since = knownSince(late)
  return [
    ...(list === '' ? [] : [t('lateWhy', { list })]),
    ...(unknown.length === 0 ? [] : [`${namesOf(unknown)}: ${t('lateNotKnown')}`]),
    ...(since === undefined ? [] : [t('lateSince', { time: whenOf(since) })]),
  ]
}

/** Those who changed the same meals are one line: a group of 30 is not 30 lines. */
function byMeals(guests: Late['guests']): { readonly meals: string; readonly rooms: string }[] {
  const groups = new Map<string, string[]>()
  for (const { room, meals } of guests) {
    const names = namesOf(meals)
    groups.set(names, [...(groups.get(names) ?? []), roomText(room)])
  }
  return [...groups].map(([meals, rooms]) => ({ meals, rooms: counted(rooms).join(', ') }))
}

/** A room with several guests once, with their number. */
const counted = (rooms: readonly string[]): string[] =>
  [...countRooms(rooms)].map(([room, count]) => (count === 1 ? room : `${room} ×${count}`))

export interface LateProps {
  readonly day: string
  readonly answer: MealSheetAnswer | undefined
  /** after they were acknowledged, or if there is more to see */
  onDone(): void
}

export function LateChanges({ day, answer, onDone }: LateProps): ComponentChild {
  const t = words.value
  const [said, say] = useState<'notAcknowledged' | 'changedMeanwhile'>()
  const [isBusy, setBusy] = useState(false)
  const late = answer?.late
  if (late === undefined) return null
  const texts = lateTexts(late)
  const acknowledged = MEALS.flatMap((meal) => late.meals[meal]?.acknowledgedAt ?? [])
    .toSorted()
    .at(-1)
  if (texts.length === 0 && acknowledged === undefined) return null
  const acknowledge = () => {
    setBusy(true)
    say(undefined)
    acknowledgeSeen(day, late)
      .then(
        (isDone) => say(isDone ? undefined : 'changedMeanwhile'),
        () => say('notAcknowledged'),
      )
      .finally(() => {
        setBusy(false)
        onDone()
      })
  }
  return h('section', { class: 'since late', 'aria-labelledby': 'late' }, [
    h('h2', { id: 'late' }, t('lateChanges')),
    texts.map((text) => h('p', { class: 'chg' }, text)),
    late.guests.length > 0 &&
      h(
        'ul',
        null,
        byMeals(late.guests).map(({ meals, rooms }) => h('li', { key: meals }, `${meals}: ${rooms}`)),
      ),
    acknowledged !== undefined &&
      h('p', { class: 'soft' }, t('acknowledged', { time: whenOf(acknowledged) })),
    late.guests.length > 0 &&
      mayConfirm() &&
      h('p', null, h('button', { type: 'button', disabled: isBusy, onClick: acknowledge }, t('acknowledge'))),
    said && h('p', { class: 'err', role: 'alert' }, t(said)),
  ])
}

/**
 * Stores the day, and acknowledges what is stored if it is what was shown.
 * @returns false if more has changed in the meantime
 */
async function acknowledgeSeen(day: string, seen: Late): Promise<boolean> {
  const { sojourn } = person.value!
  const { sheet } = await sojourn.act('store-sheet', { day })
  const { late, changes } = await sojourn.meals.sheet(day, { sheet })
  const isSame = JSON.stringify(late?.guests) === JSON.stringify(seen.guests)
  if (!isSame || changes.guests.length > 0) return false
  await sojourn.act('acknowledge-changes', { day, sheet })
  return true
}
