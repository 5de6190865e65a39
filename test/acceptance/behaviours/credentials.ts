import { type BehaviourGroup, behaviour } from '../behaviour.ts'
import { must, NotShown, refused, same, status } from '../expectations.ts'
import { REQUESTS } from './paths.ts'

const [REQUEST] = REQUESTS

export const credentials: BehaviourGroup = {
  title: 'Credentials',
  behaviours: [
    behaviour('Every operation without credentials is a 401 with a Bearer challenge.', async (site) => {
      for (const request of [...REQUESTS, '/orders/acceptance']) {
        const answer = await site.ask(`/v1${request}`, {})
        refused(answer, 401, 'UNAUTHORIZED', request)
        must(
          /^Bearer/.test(answer.headers.get('www-authenticate') ?? ''),
          `${request}: there is no challenge`,
        )
      }
    }),
    behaviour('Requests with the same forms of credentials get the same body.', async (site) => {
      const bodyOf = async (headers: Record<string, string>) => {
        const { requestId: _, ...body } = refused(
          await site.ask(`/v1${REQUEST}`, headers),
          401,
          'UNAUTHORIZED',
          REQUEST,
        )
        return body
      }
      const malformed = await bodyOf({ authorization: 'Bearer sjn_key_acceptance' })
      same(await bodyOf({ authorization: 'Basic eDp5' }), malformed, 'the body')
      const three = { 'x-api-app-id': 'a', 'x-api-public-key': 'b', 'x-api-secret-key': 'c' }
      const { three: own } = site.credentials
      const wrong = own === undefined ? three : { ...own, 'x-api-secret-key': 'c' }
      same(await bodyOf(wrong), await bodyOf(three), 'the body')
    }),
    behaviour('Credentials in the query string are no credentials.', async (site) => {
      const key = site.credentials.apiKey ?? 'none'
      refused(
        await site.ask(`/v1${REQUEST}&api_key=${encodeURIComponent(key)}`, {}),
        401,
        'UNAUTHORIZED',
        REQUEST,
      )
    }),
    behaviour('The three headers are answered.', async (site) => {
      if (site.credentials.three === undefined) throw new NotShown('the three headers were not given')
      status(await site.ask(`/v1${REQUEST}`, { ...site.credentials.three }), 200, REQUEST)
    }),
    behaviour('Two of the three headers are not enough.', async (site) => {
      if (site.credentials.three === undefined) throw new NotShown('the three headers were not given')
      for (const name of Object.keys(site.credentials.three)) {
        const rest = Object.entries(site.credentials.three).filter(([known]) => known !== name)
        refused(
          await site.ask(`/v1${REQUEST}`, Object.fromEntries(rest)),
          401,
          'UNAUTHORIZED',
          `without ${name}`,
        )
      }
    }),
    behaviour('Authorization: Bearer is answered.', async (site) => {
      const { apiKey } = site.credentials
      if (apiKey === undefined) throw new NotShown('the key’s single-string form was not given')
      status(await site.ask(`/v1${REQUEST}`, { authorization: `Bearer ${apiKey}` }), 200, REQUEST)
    }),
    behaviour('Both schemes are answered alike, and together.', async (site) => {
      const { three, apiKey } = site.credentials
      if (three === undefined || apiKey === undefined)
        throw new NotShown('only one form of the key was given')
      const first = await site.ask(`/v1${REQUEST}`, { ...three })
      const second = await site.ask(`/v1${REQUEST}`, { authorization: `Bearer ${apiKey}` })
      const both = await site.ask(`/v1${REQUEST}`, { ...three, authorization: `Bearer ${apiKey}` })
      same([second.text, both.text], [first.text, first.text], 'the answers')
    }),
    behaviour('Answers are stored by no shared cache, errors too.', async (site) => {
      for (const answer of [await site.get(`/v1${REQUEST}`), await site.ask(`/v1${REQUEST}`, {})]) {
        must(
          /private|no-store/.test(answer.headers.get('cache-control') ?? ''),
          'Cache-Control lets it be shared',
        )
        must(/x-api-secret-key/i.test(answer.headers.get('vary') ?? ''), 'Vary does not name the credentials')
      }
    }),
    behaviour('Answers tell what is left of the key’s limits.', async (site) => {
      const answer = await site.get(`/v1${REQUEST}`)
      status(answer, 200, REQUEST)
      const [policy, left] = [answer.headers.get('ratelimit-policy'), answer.headers.get('ratelimit')]
      if (policy === null && left === null) throw new NotShown('the key has no limits')
      must(/;q=\d+;w=\d+/.test(policy ?? ''), 'RateLimit-Policy names no quota and window')
      must(/;r=\d+;t=\d+/.test(left ?? ''), 'RateLimit names no rest and reset')
    }),
  ],
}
