import { type BehaviourGroup, behaviour } from '../behaviour.ts'
import {
  exactly,
  type Fields,
  fields,
  ISO_DAY,
  list,
  must,
  page,
  same,
  status,
  strings,
} from '../expectations.ts'
import type { Site } from '../site.ts'

const PATH = '/v1/guests/meal-skipping-report'
const MEALS = ['breakfast', 'lunch', 'dinner']

async function report(
  site: Site,
  query: string,
): Promise<{ summary: Fields; byDate: Fields; byGuest: Fields }> {
  const answer = await site.get(`${PATH}?${query}`)
  status(answer, 200, `the report of ${query}`)
  const body = fields(answer.json, 'the report')
  exactly(body, ['summary', 'byDate', 'byGuest'], 'the report')
  const summary = fields(body.summary, 'summary')
  exactly(summary, ['totalGuests', 'guestsWithSkipping', 'datesWithSkipping', 'mealsAffected'], 'summary')
  return { summary, byDate: fields(body.byDate, 'byDate'), byGuest: fields(body.byGuest, 'byGuest') }
}

/** Every skip as a line, from one half of the report. */
function skipsByDate(byDate: Fields): string[] {
  return Object.entries(byDate).flatMap(([date, value]) => {
    must(ISO_DAY.test(date), `${date} is no day`)
    const meals = fields(value, date)
    same(Object.keys(meals), MEALS, `the meals of ${date}`)
    return Object.entries(meals).flatMap(([meal, counted]) => {
      const { count, guests } = fields(counted, meal)
      const all = list(guests, 'guests').map((guest) => fields(guest, 'a guest'))
      same(count, all.length, `count of ${meal} on ${date}`)
      return all.map((guest) => `${date} ${meal} ${guest.id} ${guest.name}`)
    })
  })
}

function skipsByGuest(byGuest: Fields): string[] {
  return Object.entries(byGuest).flatMap(([id, value]) => {
    const guest = fields(value, id)
    const skips = list(guest.skippedMeals, 'skippedMeals').flatMap((item) => {
      const { date, meals } = fields(item, 'a day')
      return strings(meals, 'meals').map((meal) => ({ date, meal }))
    })
    for (const [meal, total] of [
      ['breakfast', guest.totalSkippedBreakfast],
      ['lunch', guest.totalSkippedLunch],
      ['dinner', guest.totalSkippedDinner],
    ]) {
      same(total, skips.filter((skip) => skip.meal === meal).length, `the total of ${meal} of ${id}`)
    }
    return skips.map(({ date, meal }) => `${date} ${meal} ${id} ${guest.name}`)
  })
}

export const reportBehaviours: BehaviourGroup = {
  title: 'The meal-skipping report',
  behaviours: [
    behaviour('Its three parts agree in every number.', async (site, discovery) => {
      const { id } = await discovery.sessionWithGuests()
      const { summary, byDate, byGuest } = await report(site, `sessionId=${id}`)
      const skips = skipsByDate(byDate)
      same(skipsByGuest(byGuest).sort(), skips.toSorted(), 'byDate and byGuest')
      same(summary.guestsWithSkipping, Object.keys(byGuest).length, 'guestsWithSkipping')
      same(summary.datesWithSkipping, Object.keys(byDate), 'datesWithSkipping')
      same(Object.keys(byDate), Object.keys(byDate).sort(), 'the order of days')
      same(
        summary.mealsAffected,
        MEALS.filter((meal) => skips.some((skip) => skip.includes(` ${meal} `))),
        'mealsAffected',
      )
    }),
    behaviour(
      'It counts no more guests than the session has, and names only those.',
      async (site, discovery) => {
        const { id, total } = await discovery.sessionWithGuests()
        const { summary, byGuest } = await report(site, `sessionId=${id}`)
        must(
          Number(summary.totalGuests) <= total,
          `the report counts ${summary.totalGuests} of ${total} guests`,
        )
        if (total > 100) return
        const { data } = page(
          await site.get(`/v1/guests?sessionId=${id}&project=id,name&length=${total}`),
          'GET /guests',
        )
        const names = new Map(data.map((guest) => [String(guest.id), guest.name]))
        for (const [guest, value] of Object.entries(byGuest)) {
          same(fields(value, guest).name, names.get(guest), `the name of ${guest}`)
        }
      },
    ),
    behaviour('With dates it holds days inside them only.', async (site, discovery) => {
      const range = await discovery.rangeWithGuests()
      const [first, last] = [range.from.slice(0, 10), range.to.slice(0, 10)]
      const { byDate, byGuest } = await report(site, `startDate=${first}&endDate=${last}`)
      for (const day of Object.keys(byDate)) must(day >= first && day <= last, `${day} is outside the range`)
      same(skipsByGuest(byGuest).sort(), skipsByDate(byDate).sort(), 'byDate and byGuest')
    }),
    behaviour('With a session and dates both apply.', async (site, discovery) => {
      const { id } = await discovery.sessionWithGuests()
      const whole = await report(site, `sessionId=${id}`)
      const days = strings(whole.summary.datesWithSkipping, 'datesWithSkipping')
      const day = days[Math.floor(days.length / 2)] ?? '2025-01-01'
      const { byDate } = await report(site, `sessionId=${id}&startDate=${day}&endDate=${day}`)
      same(byDate, day in whole.byDate ? { [day]: whole.byDate[day] } : {}, `the report of ${day}`)
    }),
    behaviour('Without guests it is all zero and empty.', async (site) => {
      same(
        await report(site, 'sessionId=acceptance-nowhere'),
        {
          summary: { totalGuests: 0, guestsWithSkipping: 0, datesWithSkipping: [], mealsAffected: [] },
          byDate: {},
          byGuest: {},
        },
        'the report of nobody',
      )
    }),
  ],
}
