/** Guests whose names are written in one script, and looked for in another: `q` and `GET /guests/match`. */
import { beforeAll, describe, expect, it } from 'vitest'
import { nameAgreement } from '../../../src/core/api/guests/match-names.ts'
import { guestIds, startTestApi, type TestApi, type TestCenter } from '../../support/api.ts'
import { guest, session } from '../../support/world.ts'

const YEAR = 'startDate=2025-01-01&endDate=2025-12-31'
const PEOPLE = {
  zhivka: ['Живка', 'Цекова'],
  djuradj: ['Đurađ', 'Ćurčić'],
  eleftheria: ['Ελευθερία', 'Κουτσούμπα'],
  elizaveta: ['Елизавета', 'Ежова'],
  tariq: ['طارق', 'البغدادي'],
  khalid: ['Khalid', 'Masri'],
  petra: ['Petra', 'Ekhova'],
} as const

let service: TestApi
let api: TestCenter
beforeAll(async () => {
  service = await startTestApi()
  api = await service.newCenter([
    session('s1', '2025-01-10T14:00', '2025-01-15T10:00'),
    ...Object.entries(PEOPLE).flatMap(([id, [firstName, lastName]]) =>
      guest(id, { sessionIds: ['s1'] }, { firstName, lastName }),
    ),
  ])
})

const WAYS = [
  ['Zivka Cekova', 'zhivka'],
  ['Zhivka Tsekova', 'zhivka'],
  ['Djuradj Curcic', 'djuradj'],
  ['Ђурађ Ћурчић', 'djuradj'],
  ['Eleftheria Koutsoumpa', 'eleftheria'],
  ['Eleutheria Koutsoumba', 'eleftheria'],
  ['Yelizaveta Yezhova', 'elizaveta'],
  ['Elizaveta Ezhova', 'elizaveta'],
  ['Tareq Al-Baghdadi', 'tariq'],
  ['Tarek Baghdady', 'tariq'],
  ['خالد المصري', 'khalid'],
] as const

describe('a romanization by standard tables', () => {
  it.each(WAYS)('ruling 16: is found by q: %s', async (name, id) => {
    expect(await guestIds(api, `${YEAR}&q=${encodeURIComponent(name)}`)).toEqual([id])
    expect(await guestIds(api, `sessionId=s1&q=${encodeURIComponent(name)}`)).toEqual([id])
  })

  it.each(WAYS)('ruling 41: is found by match, first: %s', async (name, id) => {
    for (const where of [YEAR, 'sessionId=s1']) {
      const { body, text } = await api.get(`/v1/guests/match?${where}&name=${encodeURIComponent(name)}`)
      const [first] = body.data as unknown as readonly { id: string; score: number }[]
      expect(first, text).toMatchObject({ id })
      expect(first?.score).toBeGreaterThanOrEqual(0.8)
    }
  })

  it.each(['Jivka', 'Djurica', 'Elevtheria', 'Yolizaveta', 'Tamir', 'خليل', 'Jezerova', 'Ehova'])(
    'ruling 16: is not found by a near miss: %s',
    async (name) => {
      expect(await guestIds(api, `${YEAR}&q=${encodeURIComponent(name)}`)).toEqual([])
    },
  )

  it('ruling 41: scores below the same name in its own script, and consonants below that', async () => {
    const scoreOf = async (name: string) => {
      const { body } = await api.get(`/v1/guests/match?${YEAR}&name=${encodeURIComponent(name)}&length=1`)
      return (body.data as unknown as readonly { score: number }[])[0]?.score
    }
    expect(await scoreOf('Елизавета Ежова')).toBe(1)
    expect(await scoreOf('Yelizaveta Yezhova')).toBe(0.97)
    expect(await scoreOf('طارق البغدادي')).toBe(1)
    expect(await scoreOf('Tareq Baghdadi')).toBe(0.85)
  })
})

describe('names are compared', () => {
  it('by consonants between the two scripts only, each word once', () => {
    expect(nameAgreement(['ahmed', '^AHMD'], ['ahmd', '^AHMD'])).toBeLessThan(1)
    expect(nameAgreement(['sami', '^SM'], ['سامي', '~SM'])).toBe(0.85)
    expect(nameAgreement(['sami', '^SM'], ['سلمى', '~SLM'])).toBe(0)
    expect(nameAgreement(['al said', '^AL ^SD'], ['السيد', '~ALSD ~SD ~AL ~AS'])).toBe(0.85)
    expect(nameAgreement(['sami ali', '^SM ^AL'], ['سامي', '~SM'])).toBeCloseTo(0.68)
    expect(nameAgreement(['sami ali', '^SM ^AL'], ['سامي كريم', '~SM ~KRM'])).toBeCloseTo(0.43, 1)
    expect(nameAgreement(['jo', '^J'], ['جا', '~J'])).toBe(0)
  })
})
