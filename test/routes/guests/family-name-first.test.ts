/** Guests whose languages write the family name first, looked for as people write them: `q`, `GET /search` and `GET /guests/match`. */
import { beforeAll, describe, expect, it } from 'vitest'
import { nameSimilarity } from '../../../src/core/api/guests/match-names.ts'
import { guestIds, startTestApi, type TestCenter } from '../../support/api.ts'
import { guest, session } from '../../support/world.ts'

const YEAR = 'startDate=2025-01-01&endDate=2025-12-31'
const PEOPLE = {
  chen: { firstName: '美玲', lastName: '陈' },
  ouyang: { firstName: '娜', lastName: '欧阳' },
  // As a list without a space has it.
  whole: { firstName: null, lastName: '李建国' },
  tanaka: { firstName: '花子', lastName: '田中' },
  suzuki: { firstName: 'さくら', lastName: '鈴木' },
  kovacs: { firstName: 'Zsófia', lastName: 'Kovács' },
  tran: { firstName: 'Thị Hoa', lastName: 'Trần' },
} as const

let api: TestCenter
beforeAll(async () => {
  const service = await startTestApi({ now: '2025-01-11T12:00:00Z' })
  api = await service.newCenter([
    session('s1', '2025-01-10T14:00', '2025-01-15T10:00'),
    ...Object.entries(PEOPLE).flatMap(([id, names]) => guest(id, { sessionIds: ['s1'] }, names)),
  ])
})

const WRITTEN = [
  ['陈美玲', 'chen'],
  ['美玲陈', 'chen'],
  ['陈 美玲', 'chen'],
  ['欧阳娜', 'ouyang'],
  ['李 建国', 'whole'],
  ['建国 李', 'whole'],
  ['李建国', 'whole'],
  ['田中花子', 'tanaka'],
  ['花子 田中', 'tanaka'],
  ['鈴木さくら', 'suzuki'],
  ['Kovács Zsófia', 'kovacs'],
  ['KovácsZsófia', 'kovacs'],
  ['Tran Thi Hoa', 'tran'],
  ['Hoa Trần', 'tran'],
] as const

describe.each(WRITTEN)('%s', (name, id) => {
  const asked = encodeURIComponent(name)

  it('is found by q and by a search, and nobody else', async () => {
    expect(await guestIds(api, `${YEAR}&q=${asked}`)).toEqual([id])
    const { body, text } = await api.get(`/v1/search?q=${asked}`)
    expect(
      (body.guests as { data: { id: string }[] }).data.map((one) => one.id),
      text,
    ).toEqual([id])
  })

  it('is the first match', async () => {
    const { body, text } = await api.get(`/v1/guests/match?${YEAR}&name=${asked}`)
    const [first] = body.data as unknown as readonly { id: string; score: number }[]
    expect(first, text).toMatchObject({ id })
    expect(first?.score).toBeGreaterThanOrEqual(0.85)
  })
})

it('does not find another name by the same letters', async () => {
  expect(await guestIds(api, `${YEAR}&q=${encodeURIComponent('玲美陈')}`)).toEqual([])
  expect(await guestIds(api, `${YEAR}&q=${encodeURIComponent('田中太郎')}`)).toEqual([])
  expect(nameSimilarity('anna bo', 'boanna')).toBe(1)
  expect(nameSimilarity('anna bo', 'bnaaon')).toBeLessThan(0.8)
})
