import { type BehaviourGroup, behaviour } from '../behaviour.ts'
import type { Discovery } from '../discovery.ts'
import {
  exactly,
  type Fields,
  fields,
  ISO_DAY,
  ISO_MOMENT,
  list,
  must,
  page,
  refusesParameters,
  same,
  strings,
} from '../expectations.ts'
import type { Site } from '../site.ts'

const DEFAULT_FIELDS = [
  'firstName',
  'lastName',
  'email',
  'startDate',
  'endDate',
  'status',
  'role',
  'skippingMeals',
]
const ROLES = ['patient', 'companion', 'guest']
const STATUSES = [
  ...['registered', 'waitingList', 'review', 'confirmed', 'arrived', 'paid', 'cancelled', 'voided'],
  ...['registeredOnline', 'offer', 'departed'],
]

const ids = (guests: readonly Fields[]) => guests.map((guest) => String(guest.id))
const idsOf = (guest: Fields) => fields(guest.ids, 'ids')

/** Up to so many guests are read: enough for several pages, and few requests. */
const READ_MAX = 60

async function guests(site: Site, query: string) {
  return page(await site.get(`/v1/guests?${query}`), `GET /guests?${query}`)
}

/** A range small enough to be read: its first guests only, where there are many. */
async function allPages(site: Site, discovery: Discovery) {
  const range = await discovery.rangeWithGuests()
  const first = await guests(site, `${range.query}&length=${READ_MAX}&project=id,startDate,endDate`)
  return { ...range, first: first.data }
}

export const guestBehaviours: BehaviourGroup = {
  title: 'GET /guests',
  behaviours: [
    behaviour('Without project a guest has exactly the default fields and ids.', async (site, discovery) => {
      const range = await discovery.rangeWithGuests()
      for (const guest of (await guests(site, range.query)).data) {
        exactly(guest, [...DEFAULT_FIELDS, 'ids'], 'a guest')
        const raw = idsOf(guest)
        must(ROLES.includes(String(raw.role)), `ids.role is ${raw.role}`)
        must(STATUSES.includes(String(raw.status)), `ids.status is ${raw.status}`)
        must(!('startDate' in raw) && !('endDate' in raw), 'ids has dates that were not named')
      }
    }),
    behaviour(
      'skippingMeals has breakfast, lunch and dinner, each a list of days.',
      async (site, discovery) => {
        const range = await discovery.rangeWithGuests()
        for (const guest of (await guests(site, range.query)).data) {
          const skipped = fields(guest.skippingMeals, 'skippingMeals')
          exactly(skipped, ['breakfast', 'lunch', 'dinner'], 'skippingMeals')
          for (const days of Object.values(skipped)) {
            for (const day of strings(days, 'skipped days')) must(ISO_DAY.test(day), `${day} is no day`)
          }
        }
      },
    ),
    behaviour(
      'With project a guest has exactly the named fields and ids, nested, null where absent.',
      async (site, discovery) => {
        const range = await discovery.rangeWithGuests()
        const project = 'firstName,acc.floor,orderNumber,startDate'
        for (const guest of (await guests(site, `${range.query}&project=${project}`)).data) {
          exactly(guest, ['firstName', 'acc', 'orderNumber', 'startDate', 'ids'], 'a projected guest')
          exactly(fields(guest.acc, 'acc'), ['floor'], 'acc')
          must(ISO_MOMENT.test(String(idsOf(guest).startDate)), 'ids.startDate is no ISO timestamp')
          must(!('endDate' in idsOf(guest)), 'ids.endDate was not named')
        }
      },
    ),
    behaviour('A group that is not in the list of fields is refused.', async (site, discovery) => {
      const range = await discovery.rangeWithGuests()
      refusesParameters(await site.get(`/v1/guests?${range.query}&project=acc`), ['project'], 'project=acc')
    }),
    behaviour(
      'Pages joined are the list in order, each guest once, total the same on each.',
      async (site, discovery) => {
        const { query, total, first } = await allPages(site, discovery)
        const length = Math.max(1, Math.ceil(first.length / 4))
        const joined: string[] = []
        for (let start = 1; joined.length < first.length; start++) {
          const next = await guests(site, `${query}&project=id&length=${length}&start=${start}`)
          same(next.total, total, `total on page ${start}`)
          must(next.data.length > 0, `page ${start} is empty before the end`)
          joined.push(...ids(next.data))
        }
        same(joined.slice(0, first.length), ids(first), 'the pages joined')
        same(new Set(joined).size, joined.length, 'guests without repeats')
      },
    ),
    behaviour('Guests stand by start of stay, then by identifier.', async (site, discovery) => {
      const { first } = await allPages(site, discovery)
      const keys = first.map((guest) => `${idsOf(guest).startDate} ${guest.id}`)
      same(keys, keys.toSorted(), 'the order')
    }),
    behaviour('Every stay answered lies in the range asked for.', async (site, discovery) => {
      const { first, from, to } = await allPages(site, discovery)
      for (const guest of first) {
        const { startDate, endDate } = idsOf(guest)
        must(String(startDate) <= to && String(endDate) >= from, `guest ${guest.id} is not in the range`)
      }
    }),
    behaviour('Two halves of a range hold together whom the whole holds.', async (site, discovery) => {
      const { query, from, to, total } = await discovery.rangeWithGuests()
      const middle = new Date((Date.parse(from) + Date.parse(to)) / 2)
      const after = new Date(middle.getTime() + 1).toISOString()
      const length = Math.min(100, Math.max(1, total))
      const halves = [`startDate=${from}&endDate=${middle.toISOString()}`, `startDate=${after}&endDate=${to}`]
      const found = await Promise.all(
        halves.map((half) => guests(site, `${half}&project=id&length=${length}`)),
      )
      const whole = await guests(site, `${query}&project=id&length=${length}`)
      const sum = found.reduce((all, half) => all + half.total, 0)
      must(sum >= whole.total, `the halves hold ${sum}, the whole ${whole.total}`)
      // Too many for one page each: then the totals alone speak.
      if (total > 100) return
      same(
        [...new Set(found.flatMap(({ data }) => ids(data)))].sort(),
        ids(whole.data).sort(),
        'the halves together',
      )
    }),
    behaviour('A page past the end is empty, with the true total.', async (site, discovery) => {
      const { query, total } = await discovery.rangeWithGuests()
      same(await guests(site, `${query}&start=999999`), { data: [], total }, 'a page past the end')
    }),
    behaviour('Link leads from page to page, with the other parameters.', async (site, discovery) => {
      const { query } = await discovery.rangeWithGuests()
      const path = `/v1/guests?${query}&length=1&project=id`
      const answer = await site.get(path)
      const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
      must(next !== undefined, 'there is no link to the next page')
      const target = new URL(next, `http://site${path}`)
      same(
        [target.searchParams.get('start'), target.searchParams.get('project')],
        ['2', 'id'],
        'the next page',
      )
      const second = page(await site.get(target.pathname + target.search), 'the next page')
      same(second.data.length, 1, 'guests on the next page')
      must(second.data[0]?.id !== page(answer, path).data[0]?.id, 'the next page repeats the first')
    }),
    behaviour('The roles and the states partition the guests.', async (site, discovery) => {
      const { query, total } = await discovery.rangeWithGuests()
      const count = async (filter: string) => (await guests(site, `${query}&length=1&${filter}`)).total
      let sum = 0
      for (const role of ROLES) sum += await count(`role=${role}`)
      same(sum, total, 'all roles together')
      sum = 0
      for (const status of STATUSES) sum += await count(`status=${status}`)
      same(sum, total, 'all states together')
    }),
    behaviour('sessionId finds the session’s guests, and each says so.', async (site, discovery) => {
      const session = await discovery.sessionWithGuests()
      for (const guest of (await guests(site, `sessionId=${session.id}`)).data) {
        const { sessionId, sessionIds } = idsOf(guest)
        const all = sessionIds === undefined ? [sessionId] : list(sessionIds, 'ids.sessionIds')
        must(all.includes(session.id), `a guest of ${session.id} has the sessions ${all}`)
        must(all[0] === sessionId, 'ids.sessionId is not the first')
      }
    }),
    behaviour(
      'sessionIds joins sessions, each guest once, and takes commas or repetition.',
      async (site, discovery) => {
        const { id, total } = await discovery.sessionWithGuests()
        same((await guests(site, `sessionIds=${id},${id}`)).total, total, 'the session twice')
        const commas = await guests(site, `sessionIds=${id},acceptance-nowhere&project=id`)
        same(
          await guests(site, `sessionIds=acceptance-nowhere&sessionIds=${id}&project=id`),
          commas,
          'repetition',
        )
        same(commas.total, total, 'the session and an unknown one')
      },
    ),
    behaviour('sessionIdsExclude leaves out exactly the session’s guests.', async (site, discovery) => {
      const { id } = await discovery.sessionWithGuests()
      const { query, total } = await discovery.rangeWithGuests()
      const within = (await guests(site, `${query}&sessionId=${id}&length=1`)).total
      same(
        (await guests(site, `${query}&sessionIdsExclude=${id}&length=1`)).total,
        total - within,
        'the others',
      )
      same((await guests(site, `sessionId=${id}&sessionIdsExclude=${id}`)).total, 0, 'both')
    }),
    behaviour('An unknown session is an empty page.', async (site) => {
      same(await guests(site, 'sessionId=acceptance-nowhere'), { data: [], total: 0 }, 'an unknown session')
    }),
  ],
}
