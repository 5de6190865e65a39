/** The diets on a wall, where nothing scrolls: measured, and laid out so that none is cut. */
import { type ComponentChild, h, type RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type DietRow, dietRank, MEALS } from '../../../src/documents/portions.ts'
import { language, words } from '../base/signed-in.ts'
import { DietLine, MealColumns, type MealTableProps, whenOf } from './meal-table.ts'
import { withVanished } from './sheet-marks.ts'
import { layOutWall, MORE, type WallPage, type WallRow } from './wall-layout.ts'

/** One column up to so many rows; then two, with smaller plates and type down to what is readable at two metres. */
const ONE_COLUMN_MAX = 8
const SIZES = ['', 'some', 'many', 'many smaller', 'many smallest'] as const
const FIRST_OF_TWO_COLUMNS = 2
/** Rows have borders, and heights are not whole pixels. */
const SLACK_PX = 4
/** Time to read a page. */
const PAGE_MS = 12_000

/** An unknown value may be an allergy, so it is never left out. */
const kindOf = ({ field, allergy, kind }: DietRow): WallRow['kind'] =>
  field === null ? 'silent' : allergy || kind === 'unknown' ? 'allergy' : 'diet'

/** Unknown values and allergies first, those without a diet on record last. */
export const wallRows = ({ sheet, day }: Pick<MealTableProps, 'sheet' | 'day'>): DietRow[] =>
  withVanished(sheet, day?.byDiet ?? []).sort((a, b) => dietRank(a) - dietRank(b))

export interface WallFit {
  /** class of the wall */
  readonly size: string
  readonly columns: 1 | 2
  /** undefined while it is measured, which nobody sees */
  readonly pages: readonly WallPage[] | undefined
  /** of the room for the diets, and of what is below it */
  readonly room: RefObject<HTMLDivElement | null>
  readonly below: RefObject<HTMLDivElement | null>
}

/** Finds the largest type with which all rows fit. It begins again when the rows, the screen or the text below change. */
export function useWallFit(rows: readonly DietRow[]): WallFit {
  const room = useRef<HTMLDivElement>(null)
  const below = useRef<HTMLDivElement>(null)
  const first = rows.length > ONE_COLUMN_MAX ? FIRST_OF_TWO_COLUMNS : 0
  const [found, setFound] = useState<{ about: string; level: number; pages?: readonly WallPage[] }>()
  const [, measureAgain] = useState(0)
  useEffect(() => {
    const again = () => measureAgain((count) => count + 1)
    const observer = new ResizeObserver(again)
    if (below.current !== null) observer.observe(below.current)
    addEventListener('resize', again)
    return () => {
      observer.disconnect()
      removeEventListener('resize', again)
    }
  }, [])
  const level = found?.level ?? first
  const columns = level < FIRST_OF_TWO_COLUMNS ? 1 : 2
  // Before the browser paints, so that nobody sees the attempts.
  useLayoutEffect(() => {
    if (room.current === null) return
    const size = [innerWidth, innerHeight, below.current?.offsetHeight]
    const about = JSON.stringify([rows, language.value, size])
    if (found?.about !== about) return setFound({ about, level: first })
    if (found.pages !== undefined) return
    const isLast = level === SIZES.length - 1
    const pages = layOutWall(...measure(room.current, rows, columns, isLast))
    setFound(pages === undefined ? { about, level: level + 1 } : { about, level, pages })
  })
  return { size: SIZES[level] ?? '', columns, pages: found?.pages, room, below }
}

function measure(
  room: HTMLElement,
  rows: readonly DietRow[],
  columns: 1 | 2,
  isLast: boolean,
): Parameters<typeof layOutWall> {
  const heightOf = (selector: string) => room.querySelector(selector)?.getBoundingClientRect().height ?? 0
  const measured = rows.map((row, index) => ({
    kind: kindOf(row),
    height: heightOf(`[data-row="${index}"]`),
  }))
  const available = room.clientHeight - heightOf('thead') - SLACK_PX
  return [measured, { available, columns, moreHeight: heightOf(`[data-row="${MORE}"]`), isLast }]
}

type WallDietsProps = MealTableProps & { readonly rows: readonly DietRow[]; readonly fit: WallFit }

export function WallDiets({ rows, fit, ...table }: WallDietsProps): ComponentChild {
  const { pages, columns } = fit
  const shown = usePage(pages?.length ?? 1)
  const all = rows.map((_, index) => index)
  // All rows in columns of the right width, and the line that counts, to be measured.
  const half = Math.ceil(all.length / columns)
  const attempt = { columns: [all.slice(0, half), [...all.slice(half), MORE]].slice(0, columns), more: [] }
  const page = pages?.[shown] ?? attempt
  return h(
    'div',
    { class: 'diets', ref: fit.room },
    rows.length > 0 &&
      page.columns.map((items, at) =>
        h('table', { class: columns === 1 ? 'meals' : undefined, key: at }, [
          h('caption', { class: 'vh' }, words.value('dietsAndAllergies')),
          h(MealColumns, null),
          columns === 2 && h(Head, { ...table, shown, pageCount: pages?.length ?? 1, isFirst: at === 0 }),
          h(
            'tbody',
            null,
            items.map((index) => {
              const row = rows[index]
              if (row !== undefined) return h(DietLine, { ...table, row, index, key: `${index}` })
              return h(MoreLine, { ...table, rows: page.more.flatMap((one) => rows[one] ?? []), key: 'more' })
            }),
          ),
        ]),
      ),
  )
}

interface HeadProps extends MealTableProps {
  readonly shown: number
  readonly pageCount: number
  readonly isFirst: boolean
}

function Head({ shown, pageCount, isFirst, ...table }: HeadProps): ComponentChild {
  const t = words.value
  return h(
    'thead',
    null,
    h('tr', null, [
      h(
        'th',
        { scope: 'col' },
        pageCount > 1 && isFirst
          ? h(
              'b',
              { class: 'page-number' },
              `${t('dietsAndAllergies')}: ${t('pageOf', { n: shown + 1, total: pageCount })}`,
            )
          : h('span', { class: 'vh' }, t('diet')),
      ),
      ...MEALS.map((meal) => h('th', { scope: 'col', class: whenOf(table, meal) }, t(meal))),
    ]),
  )
}

/** Diets for which there is no room, never an allergy: how many, with their portions. */
function MoreLine({
  rows,
  ...table
}: MealTableProps & { readonly rows: readonly DietRow[] }): ComponentChild {
  return h('tr', { class: 'l more', 'data-row': MORE }, [
    h('th', { scope: 'row' }, words.value('moreDiets', { n: rows.length })),
    ...MEALS.map((meal) =>
      h(
        'td',
        { class: whenOf(table, meal) },
        rows.reduce((sum, row) => sum + row[meal], 0),
      ),
    ),
  ])
}

/** @returns which of so many pages it is now */
function usePage(pageCount: number): number {
  const [shown, setShown] = useState(0)
  useEffect(() => {
    if (pageCount < 2) return
    const timer = setInterval(() => setShown((now) => now + 1), PAGE_MS)
    return () => clearInterval(timer)
  }, [pageCount])
  return shown % pageCount
}
