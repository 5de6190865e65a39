/** Finds out, over the interface alone, what a deployment has that behaviours can be shown on. */
import { type Fields, isFields, list, NotShown, page, status } from './expectations.ts'
import type { Site } from './site.ts'

/** Before and after everything a center has. */
export const EVER = 'startDate=1900-01-01&endDate=2999-12-31'

export interface Discovery {
  sessions(): Promise<readonly Fields[]>
  /** a session that has guests, and how many */
  sessionWithGuests(): Promise<{ id: string; total: number }>
  /** a range of moments with at least two guests in it, more where there are */
  rangeWithGuests(): Promise<{ query: string; from: string; to: string; total: number }>
  /** a range of days with orders in it, at most a year, and its orders */
  rangeWithOrders(): Promise<{ query: string; orders: readonly Fields[] }>
}

/** So many of the center's latest sessions are tried for guests, so that the search stays short. */
const SESSIONS_TRIED = 10
const DAY_MS = 86_400_000

export function discover(site: Site): Discovery {
  return {
    sessions: once(async () => {
      const { data } = page(await site.get(`/v1/sessions?${EVER}`), 'GET /sessions')
      if (data.length === 0) throw new NotShown('the center has no sessions')
      return data
    }),
    sessionWithGuests: once(async () => {
      const { data, total } = page(await site.get(`/v1/sessions?${EVER}&length=1`), 'GET /sessions')
      if (data.length === 0) throw new NotShown('the center has no sessions')
      let best: { id: string; total: number } | undefined
      for (let back = 0; back < Math.min(total, SESSIONS_TRIED); back++) {
        // From the middle outwards: the last ones may lie in the future and be empty.
        const step = back % 2 === 0 ? back / 2 : -(back + 1) / 2
        const start = Math.min(total, Math.max(1, Math.ceil(total / 2) + step))
        const [session] = page(
          await site.get(`/v1/sessions?${EVER}&length=1&start=${start}`),
          'GET /sessions',
        ).data
        if (session === undefined) continue
        const id = String(session._id)
        const found = page(await site.get(`/v1/guests?sessionId=${id}&length=1`), 'GET /guests').total
        if (best === undefined || found > best.total) best = { id, total: found }
        if (best.total >= 5) break
      }
      if (best === undefined || best.total === 0) throw new NotShown('no session was found that has guests')
      return best
    }),
    rangeWithGuests: once(async () => {
      const everybody = page(await site.get(`/v1/guests?${EVER}&length=1`), 'GET /guests').total
      if (everybody < 2) throw new NotShown('the center has fewer than two guests')
      const middle = Math.ceil(everybody / 2)
      const [guest] = page(
        await site.get(`/v1/guests?${EVER}&length=1&start=${middle}&project=startDate,endDate`),
        'GET /guests',
      ).data
      const ids = isFields(guest?.ids) ? guest.ids : {}
      const start = Date.parse(String(ids.startDate))
      for (const days of [15, 60, 400, 4000]) {
        const from = new Date(start - days * DAY_MS).toISOString()
        const to = new Date(start + days * DAY_MS).toISOString()
        const query = `startDate=${from}&endDate=${to}`
        const { total } = page(await site.get(`/v1/guests?${query}&length=1`), 'GET /guests')
        if (total >= 2) return { query, from, to, total }
      }
      throw new NotShown('no range was found that has two guests')
    }),
    rangeWithOrders: once(async () => {
      const anchors = [Date.now()]
      const sessions = await site.get(`/v1/sessions?${EVER}&length=1`)
      if (sessions.status === 200) {
        const { total } = page(sessions, 'GET /sessions')
        for (const start of new Set([Math.ceil(total / 2), total, 1])) {
          if (start < 1) continue
          const [session] = page(
            await site.get(`/v1/sessions?${EVER}&length=1&start=${start}`),
            'GET /sessions',
          ).data
          if (session !== undefined) anchors.push(Date.parse(String(session.startDate)))
        }
      }
      for (const anchor of anchors) {
        for (const days of [30, 365]) {
          const day = (at: number) => new Date(at).toISOString().slice(0, 10)
          const query = `startDate=${day(anchor - days * DAY_MS)}&endDate=${day(anchor)}`
          const answer = await site.get(`/v1/orders?${query}`)
          status(answer, 200, 'GET /orders')
          const orders = list(answer.json, 'GET /orders').filter(isFields)
          if (orders.length > 0) return { query, orders }
        }
      }
      throw new NotShown('no orders were found around today or around any session')
    }),
  }
}

/** The same search for all who ask, run once, failures too. */
function once<T>(search: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | undefined
  return () => {
    found ??= search()
    return found
  }
}
