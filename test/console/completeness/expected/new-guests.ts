/** What the doctor's first page must show: everybody who arrives on the day, with age, room, diets and staff, and how many are left out. */
import type { MealPortionsAnswer } from '../../../../client/src/openapi.ts'
import { TODAY } from '../random-center.ts'
import { all, type Expectation, fact, may } from './expecting.ts'

interface Row {
  readonly id: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly age?: number | null
  readonly acc: { readonly roomId: string | null } | null
  readonly doctorName: string | null
  readonly therapistName: string | null
}

export const newGuests: Expectation = async (expecting) => {
  const { api, of, say, written } = expecting
  const day = of.query.day ?? TODAY
  const mayKnowAge = may(expecting, 'guests.personal')
  const asked = `arriving=${day}&project=id,firstName,lastName,acc.roomId,doctorName,therapistName${mayKnowAge ? ',age' : ''}`
  const rows: Row[] = []
  for (let page = 1; ; page += 1) {
    const { data, total } = await api.get<{ data: Row[]; total: number }>(
      `/guests?${asked}&active=true&sort=lastName,firstName&length=20&start=${page}`,
    )
    rows.push(...data)
    if (page * 20 >= total) break
  }
  const { total: others } = await api.get<{ total: number }>(`/guests?${asked}&active=false&length=1`)
  const portions = may(expecting, 'meals')
    ? await api.get<MealPortionsAnswer>(`/meals/portions?startDate=${day}&endDate=${day}&includeGuests=true`)
    : undefined
  const listed = new Map(
    portions?.days.flatMap(({ guestList = [] }) => guestList).map((guest) => [guest.id, guest]),
  )
  const isSome = rows.length > 0
  return [
    all(
      fact('how many are left out', [say('leftOutAre', { n: written.number(others) })]),
      fact('who is listed', [
        isSome ? say('guestsListed', { n: written.number(rows.length) }) : say('nobodyArrives'),
      ]),
      ...(isSome && portions === undefined
        ? [fact('that diets are not shown', [say('mealsNotPermitted')])]
        : []),
    ),
    all(
      ...rows.map((row) =>
        fact('a guest who arrives', [
          [row.firstName, row.lastName].filter(Boolean).join(' ') || row.id,
          mayKnowAge ? String(row.age ?? '–') : say('notPermitted'),
          row.acc?.roomId ?? say('noRoom'),
          // Field by field, as the center has them.
          ...(portions?.diets.fields ?? []).flatMap(({ field }) =>
            (listed.get(row.id)?.diets ?? [])
              .filter((diet) => diet.field === field)
              .map(({ label }) => label),
          ),
          row.doctorName ?? say('noneOnRecord'),
          row.therapistName ?? say('noneOnRecord'),
        ]),
      ),
    ),
  ]
}
