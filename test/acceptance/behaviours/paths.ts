import { type BehaviourGroup, behaviour } from '../behaviour.ts'
import { EVER } from '../discovery.ts'
import { must, refused, same, status } from '../expectations.ts'

/** A request of each operation that needs no data to be answered. */
export const REQUESTS = [
  '/guests?sessionId=acceptance-nowhere',
  '/guests/meal-skipping-report?sessionId=acceptance-nowhere',
  '/orders?startDate=1900-01-01&endDate=1900-01-02',
  `/sessions?${EVER}`,
] as const

export const paths: BehaviourGroup = {
  title: 'Paths and methods',
  behaviours: [
    behaviour('Every path answers with and without /v1, alike.', async (site) => {
      for (const request of REQUESTS) {
        const prefixed = await site.get(`/v1${request}`)
        status(prefixed, 200, `GET /v1${request}`)
        same((await site.get(request)).text, prefixed.text, `GET ${request}`)
      }
    }),
    behaviour('The report answers at /guests/meal-skipping too.', async (site) => {
      const query = 'sessionId=acceptance-nowhere'
      const report = await site.get(`/v1/guests/meal-skipping-report?${query}`)
      status(report, 200, 'the report')
      same((await site.get(`/v1/guests/meal-skipping?${query}`)).text, report.text, 'the other path')
    }),
    behaviour('HEAD answers what GET does, without a body.', async (site) => {
      const request = `/v1${REQUESTS[0]}`
      const get = await site.get(request)
      const own = site.credentials.three ?? { authorization: `Bearer ${site.credentials.apiKey}` }
      const head = await site.ask(request, { ...own }, 'HEAD')
      same([head.status, head.text], [get.status, ''], `HEAD ${request}`)
    }),
    behaviour('Any other method is a 405 that allows GET and HEAD.', async (site) => {
      const own = site.credentials.three ?? { authorization: `Bearer ${site.credentials.apiKey}` }
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const answer = await site.ask(`/v1${REQUESTS[0]}`, { ...own }, method)
        refused(answer, 405, 'METHOD_NOT_ALLOWED', method)
        must(/GET/.test(answer.headers.get('allow') ?? ''), `${method}: Allow does not name GET`)
      }
    }),
    behaviour('An unknown path is a 404 in the error body.', async (site) => {
      refused(await site.get('/v1/acceptance-nothing-here'), 404, 'NOT_FOUND', 'an unknown path')
    }),
    behaviour('Answers are UTF-8 JSON.', async (site) => {
      for (const request of REQUESTS) {
        const answer = await site.get(`/v1${request}`)
        same(
          answer.headers.get('content-type'),
          'application/json; charset=utf-8',
          `Content-Type of ${request}`,
        )
        must(answer.json !== undefined, `${request} is no JSON`)
      }
    }),
  ],
}
