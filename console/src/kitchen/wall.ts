/** The display on the kitchen's wall: nobody touches it, nothing scrolls, and it names nobody. */
import { type ComponentChild, h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Sojourn } from '../../../client/src/index.ts'
import { addDays, localTime, weekday, writtenDay } from '../../../src/documents/days.ts'
import { MEALS, type Meal, type PortionsDay } from '../../../src/documents/portions.ts'
import { minute } from '../base/minute.ts'
import { useResource } from '../base/resource.ts'
import { language, person, words } from '../base/signed-in.ts'
import { DataAge } from '../frame/data-age.ts'
import { momentOf } from '../frame/states.ts'
import { DietsNotice } from './diets-shown.ts'
import { type DayAndSheet, readDayAndSheet, timeNow, today, zone } from './kitchen-reading.ts'
import { lateTexts } from './late-changes.ts'
import { MealTable, type MealTableProps } from './meal-table.ts'
import { nextMeal } from './meal-times.ts'
import { takenSheet } from './sheet-marks.ts'
import { WallChanges } from './wall-changes.ts'
import { useWallFit, WallDiets, wallRows } from './wall-diets.ts'
import { WallStatus } from './wall-status.ts'

/** Two minutes without a message, and the wall says so. */
const STALE_MS = 120_000
/** Days ahead that it knows when the connection is lost, which are as many as are read at once. */
const DAYS = 7
/** Time for somebody to bring another key. */
const SAID_BEFORE_MS = 14 * 86_400_000
const HOUR_MS = 3_600_000
/** Pixels that everything moves each hour, so that nothing burns in. */
const SHIFTS = [0, 2, 4, 2] as const

export function Wall(): ComponentChild {
  const t = words.value
  const name = language.value
  const reader = useResource(readWall, [], { isPermanent: true })
  const { value, asOf, problem, isCopied } = reader.state.value
  useEffect(stayAwake, [])
  const times = value?.portions.rules.mealTimes
  const next = times && nextMeal(times, timeNow())
  // After dinner the next breakfast counts.
  const date = shownDate(times)
  const isTomorrow = date !== today()
  // Not at the first sight of it, which has just been read.
  const shownBefore = useRef(date)
  useEffect(() => {
    if (shownBefore.current !== date) reader.refresh()
    shownBefore.current = date
  }, [date])
  const of = (wanted: string) => value?.portions.days.find((day) => day.date === wanted)
  const following = of(addDays(date, 1))
  const sheet = takenSheet(value?.sheet)
  const isStale =
    value !== undefined && (problem !== undefined || isCopied === true || minute.value - asOf > STALE_MS)
  const heading = `${weekday(t, date)} ${writtenDay(date, name)}`
  const shift = SHIFTS[Math.floor(minute.value / HOUR_MS) % SHIFTS.length]
  const isSheetOfDay = sheet?.day.date === date
  // Also of a day without a sheet: its state at a cut-off is stored by the service.
  const late = value?.sheet.day.date === date && value.sheet.late ? lateTexts(value.sheet.late) : undefined
  const table: MealTableProps = {
    day: of(date),
    kind: 'wall',
    diets: value?.portions.diets,
    sheet: isSheetOfDay ? sheet : undefined,
    caption: `${t('portionsToCook')}: ${heading}`,
    next: isTomorrow ? 'breakfast' : next,
  }
  const rows = wallRows(table)
  const fit = useWallFit(rows)
  return h(
    'div',
    { class: `wall ${fit.size}` },
    h('main', { id: 'main', style: { transform: `translate(${shift}px, ${shift}px)` } }, [
      h('div', { class: 'top' }, [
        h('h1', null, [weekday(t, date), ' ', h('span', null, writtenDay(date, name))]),
        h('p', { class: 'at' }, [
          h('b', null, isTomorrow ? `${t('tomorrow')} · ${timeNow()}` : timeNow()),
          h('br', null),
          h(WallStatus, { reading: reader.state.value, isStale }),
        ]),
      ]),
      h(DietsNotice, { diets: value?.portions.diets, on: 'wall' }),
      h(MealTable, table),
      h(WallDiets, { ...table, rows, fit }),
      h('div', { class: 'low', ref: fit.below }, [
        isStale &&
          (problem !== undefined || isCopied) &&
          h('p', { class: 'full' }, t('mayHaveChanged', { time: momentOf(asOf) })),
        late !== undefined &&
          late.length > 0 &&
          h('p', { class: 'full chg' }, `${t('lateChanges')}: ${late.join(' ')}`),
        isSheetOfDay && sheet !== undefined && h(WallChanges, { sheet }),
        h('p', { class: isSheetOfDay ? undefined : 'full' }, [
          h('b', null, weekday(t, addDays(date, 1))),
          ...MEALS.flatMap((meal) => [
            `\u2002 ${t(meal)} `,
            h('b', null, portionsText(following?.meals[meal])),
          ]),
        ]),
      ]),
      h('p', { class: 'fresh' }, [
        h(KeyEnds, null),
        h('span', null, [
          person.value?.me.center.name,
          next === undefined ? '' : ` · ${t('nextMeal', { meal: t(next) })}`,
          ' · ',
          h(DataAge, { kind: 'bookings' }),
        ]),
      ]),
    ]),
  )
}

/** A dash if it is not known. */
const portionsText = (meal: PortionsDay['meals'][Meal] | undefined): string =>
  meal === undefined ? '–' : meal.served ? String(meal.portions) : words.value('notServed')

/** Nobody looks at the page of the key, so the wall says in time that it needs another one. */
function KeyEnds(): ComponentChild {
  const { sojourn, me } = person.value!
  const [expiresAt, setExpiresAt] = useState(me.key.expiresAt)
  const hour = Math.floor(minute.value / HOUR_MS)
  const askedIn = useRef(hour)
  useEffect(() => {
    // When it signed in, it was asked for.
    if (askedIn.current === hour) return
    askedIn.current = hour
    // A key that is replaced ends later than when it signed in here. Without an answer: in an hour.
    sojourn.me().then(
      ({ key }) => setExpiresAt(key.expiresAt),
      () => {},
    )
  }, [hour])
  if (expiresAt === null || Date.parse(expiresAt) - minute.value > SAID_BEFORE_MS) return null
  const { day, time } = localTime(expiresAt, zone())
  const date = `${writtenDay(day, language.value)} ${time}`
  return h('span', { class: 'chg' }, `${words.value('thisKey')}: ${words.value('expires', { date })}`)
}

type MealTimes = DayAndSheet['portions']['rules']['mealTimes']

const shownDate = (times: MealTimes | undefined): string =>
  times !== undefined && nextMeal(times, timeNow()) === undefined ? addDays(today(), 1) : today()

/** From the day that it is when it reads: what it knew before midnight is not forgotten after it. */
async function readWall(sojourn: Sojourn, signal: AbortSignal): Promise<DayAndSheet> {
  const asked = { from: today(), days: DAYS, withGuests: false }
  const read = await readDayAndSheet(sojourn, asked, today(), signal)
  const date = shownDate(read.portions.rules.mealTimes)
  if (date === today()) return read
  const sheet = await sojourn.meals.sheet(date, { sheet: 'wall' }, { signal })
  return { ...read, sheet }
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
