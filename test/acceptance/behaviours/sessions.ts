import { type BehaviourGroup, behaviour } from '../behaviour.ts'
import { EVER } from '../discovery.ts'
import { exactly, fields, ISO_MOMENT, list, must, page, same } from '../expectations.ts'

const FIELDS = [
  '_id',
  'name',
  'number',
  'text',
  'availablePrograms',
  'availableUnits',
  'startDate',
  'endDate',
]

export const sessions: BehaviourGroup = {
  title: 'GET /sessions',
  behaviours: [
    behaviour('A session has exactly the interface’s fields.', async (_, discovery) => {
      for (const session of await discovery.sessions()) {
        exactly(session, FIELDS, 'a session')
        must(ISO_MOMENT.test(String(session.startDate)), 'startDate is no ISO timestamp')
        must(ISO_MOMENT.test(String(session.endDate)), 'endDate is no ISO timestamp')
        for (const name of ['availablePrograms', 'availableUnits']) {
          for (const item of list(session[name], name)) exactly(fields(item, name), ['_id', 'name'], name)
        }
      }
    }),
    behaviour('Sessions stand by start, then by identifier.', async (_, discovery) => {
      const keys = (await discovery.sessions()).map((session) => `${session.startDate} ${session._id}`)
      same(keys, keys.toSorted(), 'the order')
    }),
    behaviour(
      'A session is found by its last moment and by its first, and not beyond.',
      async (site, discovery) => {
        const [session] = await discovery.sessions()
        const found = async (startDate: unknown, endDate: unknown) => {
          const query = `startDate=${startDate}&endDate=${endDate}&length=1`
          return page(await site.get(`/v1/sessions?${query}`), `GET /sessions?${query}`)
        }
        const [start, end] = [Date.parse(String(session?.startDate)), Date.parse(String(session?.endDate))]
        const iso = (at: number) => new Date(at).toISOString()
        must((await found(iso(end), iso(end))).total > 0, 'not found by its last moment')
        must((await found(iso(start), iso(start))).total > 0, 'not found by its first moment')
        // The first of all sessions: nothing lies before it.
        same((await found('1900-01-01', iso(start - 1))).total, 0, 'sessions before the first')
      },
    ),
    behaviour('Its pages joined are the list, and total is the same on each.', async (site, discovery) => {
      const all = await discovery.sessions()
      const some = all.slice(0, 4).map((session) => session._id)
      const joined: unknown[] = []
      let total: number | undefined
      for (let start = 1; start <= some.length; start++) {
        const next = page(await site.get(`/v1/sessions?${EVER}&length=1&start=${start}`), 'GET /sessions')
        total ??= next.total
        same(next.total, total, 'total')
        joined.push(next.data[0]?._id)
      }
      same(joined, some, 'the pages joined')
    }),
  ],
}
