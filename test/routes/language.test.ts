/** Rulings 35 to 37 on every operation. */
import { beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../src/core/locale/languages.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { OPERATION_RECORDS, OPERATION_REQUESTS } from '../support/operations.ts'
import { guest, order } from '../support/world.ts'

const URL = '/v1/guests?sessionId=s1&project=role,startDate'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ records: OPERATION_RECORDS })
})

describe('200', () => {
  it.each([
    ['ro', 'ro'],
    ['RO', 'ro'],
    ['ro-RO', 'ro'],
    ['ro_MD', 'ro'],
    ['nb', 'no'],
    ['nn', 'no'],
    ['nb-NO', 'no'],
    ['NN_no', 'no'],
    ['no', 'no'],
    ['pt', 'pt'],
    ['pt-PT', 'pt'],
    ['pt_br', 'pt-BR'],
    ['de-Latn-CH', 'de'],
    ['en-GB', 'en'],
  ])('ruling 35: X-LOCALE %s is answered in %s', async (tag, language) => {
    const answer = await api.get(URL, { 'x-locale': tag })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-language']).toBe(language)
    const plain = await api.get(URL, { 'x-locale': language })
    expect(answer.text).toBe(plain.text)
  })
  it.each(['xx', 'zz-ZZ', 'klingon', 'ja', 'zh_Hant_TW'])(
    'ruling 35: X-LOCALE %j is a language that is not supported, and English is answered',
    async (tag) => {
      const romanian = await api.newCenter(OPERATION_RECORDS, { locale: 'ro' })
      const answer = await romanian.get(URL, { 'x-locale': tag })
      expect(answer.status).toBe(200)
      expect(answer.headers['content-language']).toBe('en')
      expect(answer.text).toBe((await romanian.get(URL, { 'x-locale': 'en' })).text)
    },
  )
  it.each(['', 'ro;q=1', 'ro, en', 'en,ro;q=0.5', '*', '1', 'r', '../ro', 'ro\u00e9', 'x'.repeat(3000)])(
    'ruling 35: X-LOCALE %j is malformed, and the center’s own locale is used',
    async (tag) => {
      const romanian = await api.newCenter(OPERATION_RECORDS, { locale: 'ro' })
      const answer = await romanian.get(URL, { 'x-locale': tag })
      expect(answer.status).toBe(200)
      expect(answer.headers['content-language']).toBe('ro')
    },
  )
  it('ruling 35: without X-LOCALE the center’s own locale is used, en unless set', async () => {
    expect((await api.get(URL)).headers['content-language']).toBe('en')
    const norwegian = await api.newCenter(OPERATION_RECORDS, { locale: 'nb-NO' })
    const answer = await norwegian.get(URL)
    expect(answer.headers['content-language']).toBe('no')
    expect(answer.body.data[0]).toMatchObject({ startDate: '06.01.2025' })
  })
  it('ruling 35: Accept-Language is not looked at', async () => {
    const answer = await api.get(URL, { 'accept-language': 'ro' })
    expect(answer.headers['content-language']).toBe('en')
    expect(answer.headers.vary).not.toMatch(/accept-language/i)
  })
  it.each(OPERATION_REQUESTS)(
    'ruling 35: $path says its language, and Vary names the header',
    async ({ url }) => {
      const answer = await api.get(url, { 'x-locale': 'de' })
      expect(answer.headers['content-language']).toBe('de')
      expect(String(answer.headers.vary).split(/, */)).toContain('X-LOCALE')
    },
  )
  it.each(LANGUAGES)(
    'interface, humanized responses: in %s every label and date is answered',
    async (language) => {
      const answer = await api.get('/v1/guests?sessionId=s1', { 'x-locale': language })
      const [record] = answer.body.data
      const romanOrNorwegian = language === 'ro' || language === 'no'
      expect(record?.startDate).toBe(romanOrNorwegian ? '06.01.2025' : '01/06/2025')
      expect(record?.status).toMatch(/\p{L}/u)
      expect(record?.ids).toMatchObject({ role: 'patient', status: 'confirmed' })
    },
  )
  it('interface, humanized responses: labels differ by language and raw values do not', async () => {
    const shown = async (language: string) => (await api.get(URL, { 'x-locale': language })).body.data[0]
    expect((await shown('ro'))?.role).toBe('Pacient')
    expect((await shown('no'))?.role).toBe('Pasient')
    expect((await shown('ro'))?.ids.role).toBe('patient')
  })
  it('ruling 37: a gender or order status without a label is shown readable', async () => {
    const own = await api.newCenter([
      order('o', { status: 'half_paid' }),
      ...guest('g', { orderUuid: 'o' }, { gender: 'non_binary' }),
    ])
    const url = '/v1/guests?startDate=2025-01-01&endDate=2025-01-31&project=gender,orderStatus'
    const answer = await own.get(url, { 'x-locale': 'de' })
    expect(answer.body.data[0]).toMatchObject({
      gender: 'Non binary',
      orderStatus: 'Half paid',
      ids: { gender: 'non_binary', orderStatus: 'half_paid' },
    })
  })
})
