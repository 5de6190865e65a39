/** How diets are laid out on a wall: none is cut, and an allergy is never only counted. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { layOutWall, MORE, type WallPage, type WallRow } from '../../console/src/kitchen/wall-layout.ts'

const rows = (allergies: number, diets: number, height = 10): WallRow[] => [
  ...Array.from({ length: allergies }, () => ({ kind: 'allergy', height }) as const),
  ...Array.from({ length: diets }, () => ({ kind: 'diet', height }) as const),
  { kind: 'silent', height },
]
const room = { available: 60, columns: 2, moreHeight: 10, isLast: true } as const

describe('diets on a wall', () => {
  it('are in two columns of about one height if they fit, and in no other order', () => {
    expect(layOutWall(rows(3, 4), room)).toEqual([
      {
        columns: [
          [0, 1, 2, 3],
          [4, 5, 6, 7],
        ],
        more: [],
      },
    ])
    expect(layOutWall(rows(2, 2), { ...room, columns: 1 })).toEqual([
      { columns: [[0, 1, 2, 3, 4]], more: [] },
    ])
  })

  it('are laid out in smaller type before one is left out', () => {
    expect(layOutWall(rows(3, 9), { ...room, isLast: false })).toBeUndefined()
    expect(layOutWall(rows(0, 6), { ...room, columns: 1, isLast: false })).toBeUndefined()
  })

  it('are counted if they do not fit, never an allergy, nor those without one on record', () => {
    const [page, ...others] = layOutWall(rows(4, 20), room)!
    expect(others).toEqual([])
    expect(page!.columns.flat()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, MORE, 24])
    expect(page!.more).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23])
  })

  it('are on several pages if the allergies alone do not fit on one', () => {
    const pages = layOutWall(rows(15, 20), room)!
    expect(pages.map(({ columns }) => columns.flat().length)).toEqual([12, 12])
    expect(pages[0]!.more).toEqual([])
    expect(pages[1]!.columns.flat().slice(0, 4)).toEqual([12, 13, 14, 15])
  })

  it('whatever their heights are: each row is on a page or counted, once; allergies and those without are on a page', () => {
    const some = fc.record({
      kind: fc.constantFrom('allergy', 'diet'),
      height: fc.integer({ min: 5, max: 40 }),
    })
    fc.assert(
      fc.property(
        fc.array(some, { maxLength: 60 }),
        fc.integer({ min: 45, max: 300 }),
        (diets, available) => {
          const all: WallRow[] = [
            ...diets.filter(({ kind }) => kind === 'allergy'),
            ...diets.filter(({ kind }) => kind === 'diet'),
            { kind: 'silent', height: 12 },
          ]
          const pages = layOutWall(all, { ...room, available })!
          const shown = pages.flatMap(({ columns }) => columns.flat()).filter((index) => index !== MORE)
          const counted = pages.flatMap(({ more }) => more)
          expect([...shown, ...counted].sort((a, b) => a - b)).toEqual(all.map((_, index) => index))
          expect(counted.filter((index) => all[index]!.kind !== 'diet')).toEqual([])
          const heights = ({ columns }: WallPage) =>
            columns.map((items) =>
              items.reduce((sum, index) => sum + (index === MORE ? room.moreHeight : all[index]!.height), 0),
            )
          for (const page of pages) {
            // The line that counts is there exactly if something is counted.
            expect(page.columns.flat().includes(MORE)).toBe(page.more.length > 0)
            for (const height of heights(page)) expect(height).toBeLessThanOrEqual(available)
          }
        },
      ),
    )
  })
})
