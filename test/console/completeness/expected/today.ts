/** What the desk's first page and its printed lists must show: everybody whose stay includes the day, and how many are left out. */
import { TODAY } from '../random-center.ts'
import { all, type Expectation, fact, may } from './expecting.ts'

interface Row {
  readonly name: string | null
  readonly bookingId: string | null
  readonly id: string
}

const listOf =
  (isPage: boolean): Expectation =>
  async (expecting) => {
    const { api, of, say, written } = expecting
    const asked = `inHouse=${of.query.day ?? TODAY}&project=id,name,bookingId`
    const rows: Row[] = []
    for (let page = 1; ; page += 1) {
      const { data, total } = await api.get<{ data: Row[]; total: number }>(
        `/guests?${asked}&active=true&length=20&start=${page}`,
      )
      rows.push(...data)
      if (page * 20 >= total) break
    }
    const { total: others } = await api.get<{ total: number }>(`/guests?${asked}&active=false&length=1`)
    const n = written.number
    return [
      all(
        fact('how many are in the house', [n(rows.length)]),
        fact('how many are left out', [say(isPage ? 'leftOutAre' : 'notOnList', { n: n(others) })]),
        ...(rows.length === 0 ? [fact('that nobody is here', [say('nobodyHere')])] : []),
      ),
      all(...rows.map(({ name, bookingId, id }) => fact('a guest of the day', [name ?? bookingId ?? id]))),
      all(
        ...(isPage && !may(expecting, 'guests.personal')
          ? [fact('that birthdays are not permitted', [say('birthdaysNotPermitted')])]
          : []),
        ...(isPage && !may(expecting, 'contradictions')
          ? [fact('that contradictions are not permitted', [say('contradictionsNotPermittedHere')])]
          : []),
      ),
    ]
  }

export const deskToday = listOf(true)
export const houseList = listOf(false)
