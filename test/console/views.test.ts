/** Saved views, and days relative to today in the addresses of lists. */
import { describe, expect, it } from 'vitest'
import {
  hasDays,
  isRelativeAddress,
  relativeAddress,
  relativeDay,
} from '../../console/src/base/relative-days.ts'
import { addressOf, leftOutOf, readQuestion } from '../../console/src/guests/question.ts'
import {
  readViews,
  type SavedView,
  VIEWS_MAX,
  withView,
  writeViews,
} from '../../console/src/views/stored-views.ts'
import { relativeDay as ofService } from '../../src/core/request/relative-days.ts'

const TODAY = '2026-11-21'

describe('relative days', () => {
  const words = ['today', 'tomorrow', 'yesterday', 'week-start', 'week-end', 'month-start', 'month-end']
  words.push('year-start', 'year-end', 'someday', 'constructor', '')
  const steps = [
    '',
    '+1',
    '-1',
    '+40',
    '-400',
    '+3d',
    '-2w',
    '+5w',
    '+1m',
    '-1m',
    '-14m',
    '+1y',
    '-9999y',
    '+9999y',
  ]
  steps.push(' 2', '+12345', '+1x')
  const days = ['2026-11-21', '2024-02-29', '2026-01-31', '2026-12-31', '2023-01-01']

  it.each(days)('are the same as those of the service, on %s', (today) => {
    for (const word of words) {
      for (const step of steps) {
        expect([word + step, relativeDay(word + step, today)]).toEqual([
          word + step,
          ofService(word + step, today),
        ])
      }
    }
  })

  it('an address keeps its days as far from today as they are, and whole months as months', () => {
    const cases = [
      [{ inHouse: TODAY }, { inHouse: 'today' }],
      [
        { arriving: '2026-11-28', role: 'patient' },
        { arriving: 'today+7', role: 'patient' },
      ],
      [
        { startDate: '2026-10-01', endDate: '2026-10-31' },
        { startDate: 'month-start-1m', endDate: 'month-end-1m' },
      ],
      [
        { startDate: '2026-11-01', endDate: '2026-11-30' },
        { startDate: 'month-start', endDate: 'month-end' },
      ],
      [
        { startDate: '2026-11-01', endDate: '2026-11-29' },
        { startDate: 'today-20', endDate: 'today+8' },
      ],
    ] as const
    for (const [address, relative] of cases) {
      expect(relativeAddress(address, TODAY)).toEqual(relative)
      expect(isRelativeAddress(relative)).toBe(true)
      for (const [name, text] of Object.entries(relative)) {
        const given = (address as Readonly<Record<string, string>>)[name]
        expect(relativeDay(text, TODAY) ?? text).toBe(given)
      }
    }
    expect(hasDays({ sessionId: 's1' })).toBe(false)
    expect(isRelativeAddress({ inHouse: TODAY })).toBe(false)
  })

  it('the list of guests shows the day, and its address stays relative until another day is chosen', () => {
    const question = readQuestion({ inHouse: 'today' }, TODAY)
    expect(question).toMatchObject({ by: 'inHouse', day: TODAY })
    expect(addressOf(question, TODAY)).toEqual({ inHouse: 'today' })
    expect(addressOf({ ...question, role: ['patient'] }, TODAY)).toEqual({
      inHouse: 'today',
      role: 'patient',
    })
    expect(addressOf({ ...question, day: '2026-11-22' }, TODAY)).toEqual({ inHouse: '2026-11-22' })
    expect(readQuestion({ inHouse: 'today' }, '2026-11-22').day).toBe('2026-11-22')
    expect(leftOutOf({ inHouse: 'today', paid: 'open,partlyPaid' }, TODAY)).toEqual([])
    expect(leftOutOf({ inHouse: 'someday', paid: 'maybe' }, TODAY)).toEqual(['inHouse=someday', 'paid=maybe'])
    expect(leftOutOf({ startDate: 'month-end', endDate: 'month-start' }, TODAY)).toHaveLength(2)
    expect(
      addressOf(readQuestion({ startDate: 'month-start-1m', endDate: 'month-end-1m' }, TODAY), TODAY),
    ).toEqual({
      startDate: 'month-start-1m',
      endDate: 'month-end-1m',
    })
  })
})

describe('saved views', () => {
  const owner = { center: 'spa', appId: 'sjn_app_a' }
  const view: SavedView = {
    path: 'guests',
    name: 'Here today',
    query: { inHouse: 'today' },
    columns: ['name', 'paid'],
  }
  const memory = () => {
    const stored = new Map<string, string>()
    return {
      stored,
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, text: string) => void stored.set(name, text),
      removeItem: (name: string) => void stored.delete(name),
    }
  }

  it('are of one key of one center', () => {
    const own = memory()
    expect(writeViews(own, owner, [view])).toBe(true)
    expect(readViews(own, owner)).toEqual([view])
    for (const other of [
      { ...owner, center: 'lodge' },
      { ...owner, appId: 'sjn_app_b' },
      { center: 'spa sjn_app_a', appId: '' },
    ]) {
      expect(readViews(own, other)).toEqual([])
    }
    writeViews(own, owner, [])
    expect(own.stored.size).toBe(0)
  })

  it('one with the same name of the same page is replaced, and their number is bounded', () => {
    const other = { ...view, query: { arriving: 'today' } }
    expect(withView([view], other)).toEqual([other])
    expect(withView([view], { ...other, path: 'orders' })).toHaveLength(2)
    const many = Array.from({ length: VIEWS_MAX }, (_, at) => ({ ...view, name: `v${at}` }))
    expect(withView(many, view)).toBeUndefined()
    expect(withView([], { ...view, query: { sessionId: 'x'.repeat(3000) } })).toBeUndefined()
  })

  it.each([
    ['not JSON', '{'],
    ['no list', '{"path":"guests"}'],
    [
      'other shapes',
      '[null, 1, {"path":1}, {"path":"guests","name":""}, {"path":"guests","name":"a","query":null}]',
    ],
  ])('what is stored in another form is left out: %s', (_, text) => {
    const own = memory()
    writeViews(own, owner, [view])
    for (const name of own.stored.keys()) own.stored.set(name, text)
    expect(readViews(own, owner)).toEqual([])
  })

  it('values that are no texts are left out, and too many views are cut', () => {
    const own = memory()
    writeViews(own, owner, [view])
    const odd = { ...view, query: { inHouse: 'today', role: 5 }, columns: ['name', 5] }
    const many = JSON.stringify(
      Array.from({ length: VIEWS_MAX + 10 }, (_, at) => ({ ...odd, name: `v${at}` })),
    )
    for (const name of own.stored.keys()) own.stored.set(name, many)
    const read = readViews(own, owner)
    expect(read).toHaveLength(VIEWS_MAX)
    expect(read[0]).toEqual({ ...view, name: 'v0', columns: ['name'] })
  })

  it('a browser that stores nothing is said', () => {
    const full = {
      ...memory(),
      setItem: () => {
        throw new Error('quota')
      },
    }
    expect(writeViews(full, owner, [view])).toBe(false)
  })
})
