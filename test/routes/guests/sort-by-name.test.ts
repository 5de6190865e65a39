/** The order of guests by room and program: by the name that is shown, a number in it as a number. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestCenter } from '../../support/api.ts'
import { stay, term } from '../../support/world.ts'

const YEAR = 'startDate=2025-01-01&endDate=2025-12-31'

let api: TestCenter
beforeAll(async () => {
  const service = await startTestApi()
  api = await service.newCenter([
    term('room', 'r-2', 'Room 2', { names: { ro: 'Camera 30' } }),
    term('room', 'r-10', 'room 10', { names: { ro: 'Camera 4' } }),
    term('program', 'a', 'Éveil'),
    term('program', 'b', 'Detox', { names: { ro: 'Zen' } }),
    ...stay('ten', '2025-01-10', '2025-01-16', { acc: { roomId: 'r-10' }, programId: 'a' }),
    ...stay('two', '2025-01-11', '2025-01-16', { acc: { roomId: 'r-2' }, programId: 'b' }),
    ...stay('cabin', '2025-01-12', '2025-01-16', { acc: { roomId: 'Cabin' }, programId: 'Fasting' }),
    ...stay('none', '2025-01-09', '2025-01-16'),
    ...stay('also-two', '2025-01-13', '2025-01-16', { acc: { roomId: 'r-2' } }),
    ...stay('moves', '2025-01-14', '2025-01-20', {
      acc: { roomId: 'r-10' },
      accSegments: [
        { from: '2025-01-14', until: '2025-01-16', roomId: 'Annex 7b' },
        { from: '2025-01-16', until: '2025-01-20', roomId: 'r-10' },
      ],
    }),
  ])
})

const ordered = async (query: string, headers: Record<string, string> = {}) => {
  const { status, text, body } = await api.get(`/v1/guests?${query}&project=id`, headers)
  expect(status, text).toBe(200)
  return body.data.map(({ id }) => id)
}

describe('200', () => {
  it.each([
    ['acc.roomId', ['moves', 'cabin', 'two', 'also-two', 'ten', 'none']],
    ['-acc.roomId', ['ten', 'two', 'also-two', 'cabin', 'moves', 'none']],
    ['acc.roomId,-startDate', ['moves', 'cabin', 'also-two', 'two', 'ten', 'none']],
    ['programId', ['two', 'ten', 'cabin', 'none', 'also-two', 'moves']],
    ['-programId', ['cabin', 'ten', 'two', 'none', 'also-two', 'moves']],
  ])('ruling 18: by %s, 2 before 10, what has no value last, in pages too', async (sort, ids) => {
    expect(await ordered(`${YEAR}&sort=${sort}`)).toEqual(ids)
    const pages = []
    for (const start of [1, 2, 3])
      pages.push(...(await ordered(`${YEAR}&sort=${sort}&length=2&start=${start}`)))
    expect(pages).toEqual(ids)
  })

  it('in the language of the answer, as its names are shown', async () => {
    expect(await ordered(`${YEAR}&sort=acc.roomId`, { 'x-locale': 'ro' })).toEqual([
      ...['moves', 'cabin', 'ten', 'two', 'also-two', 'none'],
    ])
    expect(await ordered(`${YEAR}&sort=programId`, { 'x-locale': 'ro' })).toEqual([
      ...['ten', 'cabin', 'two', 'none', 'also-two', 'moves'],
    ])
  })

  it('by the room of the day that the list shows', async () => {
    expect(await ordered('inHouse=2025-01-16&sort=acc.roomId')).toEqual([
      ...['cabin', 'two', 'also-two', 'ten', 'moves', 'none'],
    ])
  })

  it('a file has the same order', async () => {
    const file = await api.get(`/v1/guests?${YEAR}&sort=acc.roomId&project=id&format=ndjson`)
    const ids = file.text
      .trim()
      .split('\n')
      .flatMap((line) => JSON.parse(line).id ?? [])
    expect(ids).toEqual(['moves', 'cabin', 'two', 'also-two', 'ten', 'none'])
  })
})
