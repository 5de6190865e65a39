import { type BehaviourGroup, behaviour } from '../behaviour.ts'
import { AMERICAN_DATE, DOTTED_DATE, fields, must, page, same } from '../expectations.ts'
import { REQUESTS } from './paths.ts'

export const language: BehaviourGroup = {
  title: 'Language',
  behaviours: [
    behaviour(
      'Dates are DD.MM.YYYY in ro and no, MM/DD/YYYY in every other language.',
      async (site, discovery) => {
        const { query } = await discovery.rangeWithGuests()
        const url = `/v1/guests?${query}&length=1&project=startDate`
        for (const tag of ['ro', 'no', 'nb-NO', 'nn']) {
          const [guest] = page(await site.get(url, { 'x-locale': tag }), url).data
          must(DOTTED_DATE.test(String(guest?.startDate)), `in ${tag} a date is ${guest?.startDate}`)
        }
        for (const tag of ['en', 'de', 'fr-CA', 'DA', 'pt_BR']) {
          const [guest] = page(await site.get(url, { 'x-locale': tag }), url).data
          must(AMERICAN_DATE.test(String(guest?.startDate)), `in ${tag} a date is ${guest?.startDate}`)
        }
      },
    ),
    behaviour('Labels are in the language asked for, ids are not.', async (site, discovery) => {
      const { query } = await discovery.rangeWithGuests()
      const url = `/v1/guests?${query}&length=1`
      const [english] = page(await site.get(url, { 'x-locale': 'en' }), url).data
      const [greek] = page(await site.get(url, { 'x-locale': 'el' }), url).data
      must(/[\u0370-\u03ff]/.test(String(greek?.role)), `in Greek a role is ${greek?.role}`)
      same(greek?.ids, english?.ids, 'ids')
      same(fields(greek?.ids, 'ids').role === english?.role, false, 'the raw role as its label')
    }),
    behaviour('Content-Language says which language was used, and Vary names X-LOCALE.', async (site) => {
      for (const [tag, used] of [
        ['ro', 'ro'],
        ['nb', 'no'],
        ['pt-BR', 'pt-BR'],
        ['pt-PT', 'pt'],
        ['xx-unknown', 'en'],
      ] as const) {
        const answer = await site.get(`/v1${REQUESTS[0]}`, { 'x-locale': tag })
        same(answer.headers.get('content-language'), used, `Content-Language of ${tag}`)
        must(/x-locale/i.test(answer.headers.get('vary') ?? ''), 'Vary does not name X-LOCALE')
      }
    }),
    behaviour(
      'Without X-LOCALE, or with what is no language tag, the center’s own language is answered; Accept-Language is not looked at.',
      async (site) => {
        const own = (await site.get(`/v1${REQUESTS[0]}`)).headers.get('content-language')
        const malformed = await site.get(`/v1${REQUESTS[0]}`, { 'x-locale': '*' })
        same(malformed.headers.get('content-language'), own, 'Content-Language of a malformed tag')
        const other = await site.get(`/v1${REQUESTS[0]}`, { 'accept-language': own === 'fi' ? 'hu' : 'fi' })
        same(other.headers.get('content-language'), own, 'Content-Language under Accept-Language')
      },
    ),
  ],
}
