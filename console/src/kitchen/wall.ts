/** The display on the kitchen's wall: nobody touches it, nothing scrolls, and it names nobody. */
import { type ComponentChild, h } from 'preact'
import { useEffect } from 'preact/hooks'
import { addDays, weekday, writtenDay } from '../base/days.ts'
import { language, person, words } from '../base/signed-in.ts'
import { timeOf } from '../frame/states.ts'
import { minute, timeNow, today, useKitchen } from './kitchen-reading.ts'
import { MealTable } from './meal-table.ts'
import { nextMeal } from './meal-times.ts'
import { MEALS } from './portions.ts'

/** Two minutes without news, and the wall says so. */
const STALE_MS = 120_000
const HOUR_MS = 3_600_000
/** Pixels that everything moves each hour, so that nothing burns in. */
const SHIFTS = [0, 2, 4, 2] as const

export function Wall(): ComponentChild {
  const t = words.value
  const name = language.value
  const reader = useKitchen({ from: today(), days: 3, withGuests: false })
  const { value, asOf, problem } = reader.state.value
  useEffect(stayAwake, [])
  const next = value && nextMeal(value.rules.mealTimes, timeNow())
  // After dinner the next breakfast counts.
  const isTomorrow = value !== undefined && next === undefined
  const date = isTomorrow ? addDays(today(), 1) : today()
  const day = value?.days[isTomorrow ? 1 : 0]
  const following = value?.days[isTomorrow ? 2 : 1]
  const isStale = value !== undefined && (problem !== undefined || minute.value - asOf > STALE_MS)
  const heading = `${weekday(t, date)} ${writtenDay(date, name)}`
  const shift = SHIFTS[Math.floor(minute.value / HOUR_MS) % SHIFTS.length]
  return h(
    'div',
    { class: 'wall' },
    h('main', { id: 'main', style: { transform: `translate(${shift}px, ${shift}px)` } }, [
      h('div', { class: 'top' }, [
        h('h1', null, [weekday(t, date), ' ', h('span', null, writtenDay(date, name))]),
        h('p', null, isTomorrow ? t('tomorrow') : timeNow()),
      ]),
      h(MealTable, {
        day,
        kind: 'wall',
        caption: `${t('portionsToCook')}: ${heading}`,
        next: isTomorrow ? 'breakfast' : next,
      }),
      h(
        'div',
        { class: 'low' },
        problem !== undefined && (isStale || value === undefined)
          ? h('p', { class: 'full', role: 'status' }, [
              h(
                'span',
                { class: 'chg' },
                t(problem.kind === 'ended' ? 'keyEnded' : 'noNews', {
                  time: timeOf(value === undefined ? problem.since : asOf),
                }),
              ),
              ' ',
              value !== undefined && t('mayHaveChanged', { time: timeOf(asOf) }),
            ])
          : h('p', { class: 'full' }, [
              h('b', null, weekday(t, addDays(date, 1))),
              ...MEALS.flatMap((meal) => [
                `\u2002 ${t(meal)} `,
                h('b', null, following?.meals[meal].portions ?? '–'),
              ]),
            ]),
      ),
      h('p', { class: 'fresh' }, [
        h('span', null, [
          person.value?.me.center.name,
          next === undefined ? '' : ` · ${t('nextMeal', { meal: t(next) })}`,
        ]),
        h('span', null, value === undefined ? t('loading') : t('asOf', { time: timeOf(asOf) })),
      ]),
    ]),
  )
}

/** The screen of a box that nobody touches goes dark otherwise. Where the browser cannot, its own settings must. */
function stayAwake(): () => void {
  let held: WakeLockSentinel | undefined
  const take = () => {
    if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return
    navigator.wakeLock.request('screen').then(
      (lock) => {
        held = lock
      },
      () => {},
    )
  }
  take()
  document.addEventListener('visibilitychange', take)
  return () => {
    document.removeEventListener('visibilitychange', take)
    void held?.release()
  }
}
