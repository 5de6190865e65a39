import { type BehaviourGroup, behaviour } from '../behaviour.ts'
import { must, refused, refusesParameters } from '../expectations.ts'
import { REQUESTS } from './paths.ts'

const JANUARY = 'startDate=2025-01-01&endDate=2025-01-31'

export const errors: BehaviourGroup = {
  title: 'Errors',
  behaviours: [
    behaviour('GET /guests without both dates or a session is a 400.', async (site) => {
      refusesParameters(await site.get('/v1/guests'), ['startDate'], 'GET /guests')
      refusesParameters(await site.get('/v1/guests?startDate=2025-01-01'), ['endDate'], 'GET /guests')
      refusesParameters(await site.get('/v1/guests?sessionIdsExclude=x'), ['startDate'], 'GET /guests')
    }),
    behaviour('The report without a session or both dates is INVALID_PARAMETER.', async (site) => {
      const path = '/v1/guests/meal-skipping-report'
      refusesParameters(await site.get(path), ['startDate'], path)
      refusesParameters(await site.get(`${path}?sessionId=x&startDate=2025-01-01`), ['endDate'], path)
    }),
    behaviour('GET /orders without a date is a 404, GET /sessions a 400.', async (site) => {
      refused(await site.get('/v1/orders?startDate=2025-01-01'), 404, 'NOT_FOUND', 'GET /orders')
      refusesParameters(await site.get('/v1/sessions?startDate=2025-01-01'), ['endDate'], 'GET /sessions')
    }),
    behaviour('An unknown parameter is refused by its name on every operation.', async (site) => {
      for (const request of REQUESTS) {
        refusesParameters(await site.get(`/v1${request}&colour=red`), ['colour'], request)
      }
    }),
    behaviour('An empty and a repeated parameter are refused.', async (site) => {
      refusesParameters(await site.get(`/v1/guests?${JANUARY}&role=`), ['role'], 'an empty role')
      refusesParameters(await site.get(`/v1/guests?${JANUARY}&start=1&start=1`), ['start'], 'start twice')
    }),
    behaviour('All problems of a request come in one answer.', async (site) => {
      const query = 'startDate=2025-02-30&endDate=2025-03-01&role=nobody&start=0&project=nothing&colour=red'
      const wanted = ['startDate', 'role', 'start', 'project', 'colour']
      refusesParameters(await site.get(`/v1/guests?${query}`), wanted, 'a request with five problems')
    }),
    behaviour('A name close to a known one is answered with it.', async (site) => {
      const answer = await site.get(`/v1/guests?${JANUARY}&project=first_name`)
      must(answer.text.includes('firstName'), 'first_name is not answered with firstName')
    }),
    behaviour('A day that does not exist, and a start after its end, are refused.', async (site) => {
      for (const path of ['guests', 'guests/meal-skipping-report', 'orders', 'sessions']) {
        const impossible = await site.get(`/v1/${path}?startDate=2025-02-30&endDate=2025-03-01`)
        refusesParameters(impossible, ['startDate'], path)
        const turned = await site.get(`/v1/${path}?startDate=2025-03-01&endDate=2025-02-01`)
        refused(turned, 400, 'INVALID_PARAMETER', path)
      }
    }),
    behaviour('GET /orders and the report take days only.', async (site) => {
      for (const path of ['guests/meal-skipping-report', 'orders']) {
        const answer = await site.get(`/v1/${path}?startDate=2025-01-01T00:00:00Z&endDate=2025-03-01`)
        refusesParameters(answer, ['startDate'], path)
      }
    }),
    behaviour('What is no date, number, name or identifier is a 400, never a 500.', async (site) => {
      for (const text of [
        '%00',
        'now',
        'infinity',
        '%ED%A0%80',
        '99999999999999999999',
        '2025-01-01T00:00:00%2B99:00',
        '%FF',
      ]) {
        refusesParameters(
          await site.get(`/v1/guests?startDate=${text}&endDate=2025-01-31`),
          ['startDate'],
          text,
        )
        refusesParameters(await site.get(`/v1/guests?${JANUARY}&length=${text}`), ['length'], text)
        refusesParameters(await site.get(`/v1/guests?${JANUARY}&status=${text}`), ['status'], text)
      }
    }),
    behaviour('length over the maximum and start=0 are refused with what is allowed.', async (site) => {
      const long = await site.get(`/v1/guests?${JANUARY}&length=999999`)
      refusesParameters(long, ['length'], 'length=999999')
      must(/maximum of \d+/.test(long.text), 'the maximum is not named')
      refusesParameters(await site.get(`/v1/guests?${JANUARY}&start=0`), ['start'], 'start=0')
    }),
  ],
}
