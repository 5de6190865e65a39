import { type BehaviourGroup, behaviour } from '../behaviour.ts'
import { must, same, status } from '../expectations.ts'
import { REQUESTS } from './paths.ts'

/** Data may change between two requests; then the pair is asked again. */
const TRIES = 5

export const freshness: BehaviourGroup = {
  title: 'Freshness',
  behaviours: [
    behaviour('An answer that has not changed is a 304 to its ETag.', async (site) => {
      for (const request of REQUESTS) {
        let last = 0
        for (let n = 0; n < TRIES && last !== 304; n++) {
          const answer = await site.get(`/v1${request}`)
          status(answer, 200, request)
          const etag = answer.headers.get('etag')
          must(etag !== null, `${request} has no ETag`)
          const again = await site.get(`/v1${request}`, { 'if-none-match': etag })
          last = again.status
          if (last === 304) same(again.text, '', `the body of a 304 to ${request}`)
        }
        same(last, 304, `If-None-Match on ${request}`)
      }
    }),
    behaviour('Another language has another ETag.', async (site) => {
      const tag = async (name: string) =>
        (await site.get(`/v1${REQUESTS[0]}`, { 'x-locale': name })).headers.get('etag')
      must((await tag('ro')) !== (await tag('de')), 'two languages share one ETag')
    }),
    behaviour('Nobody gets a 304 without credentials.', async (site) => {
      const etag = (await site.get(`/v1${REQUESTS[0]}`)).headers.get('etag') ?? '*'
      same(
        (await site.ask(`/v1${REQUESTS[0]}`, { 'if-none-match': etag })).status,
        401,
        'If-None-Match alone',
      )
    }),
  ],
}
