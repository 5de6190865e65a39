/** What is above every page: the center, the pages that the key opens, the search, and a menu with what is used once. */
import { type ComponentChild, h } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Page } from '../base/page.ts'
import { isStayingDevice, may, person, signOut, words } from '../base/signed-in.ts'
import { SearchField } from '../search/search-field.ts'
import { LanguageChoice } from './language-choice.ts'
import { Menu } from './menu.ts'
import { PAGES } from './pages.ts'

const ROUNDING_PX = 0.5

/** Every key has it, so it is in the menu. */
const KEY_PATH = 'key'

export function Bar({ at }: { readonly at: Page | undefined }): ComponentChild {
  const t = words.value
  const open = PAGES.filter(({ isInBar, isOpen, path }) => isInBar && isOpen() && path !== KEY_PATH)
  const header = useRef<HTMLElement>(null)
  const fitting = useFitting(header, open.map(({ path }) => path).join())
  const [inLine, inMenu] = [open.slice(0, fitting), open.slice(fitting)]
  const me = person.value?.me
  const linkTo = ({ path, title }: Pick<Page, 'path' | 'title'>) => {
    const isCurrent = at !== undefined && (at.path === path || at.path.startsWith(`${path}/`))
    return h('a', { href: `#/${path}`, 'aria-current': isCurrent ? 'page' : undefined }, t(title))
  }
  const pages = (some: readonly Page[], label: 'pages' | 'menu' = 'pages') =>
    some.length > 0 &&
    h('nav', { 'aria-label': t(label) }, [
      h(
        'ul',
        null,
        some.map((page) => h('li', { key: page.path }, linkTo(page))),
      ),
    ])
  return h('header', { class: 'bar', ref: header }, [
    h('p', { class: 'center', title: me?.center.name }, me?.center.name),
    pages(inLine),
    (may('guests') || may('orders')) && h(SearchField, null),
    h('div', { class: 'end' }, [
      h(Menu, { title: inMenu.length > 0 ? t('menu') : (me?.key.name ?? ''), isPlain: true }, [
        inMenu.length > 0 && h('p', { class: 'soft small' }, `${me?.center.name}, ${me?.key.name}`),
        pages(inMenu, 'menu'),
        linkTo({ path: KEY_PATH, title: 'thisKey' }),
        h(LanguageChoice, { isHidden: false }),
        h(
          'button',
          { type: 'button', class: 'plain', onClick: signOut },
          t(isStayingDevice.value ? 'signOutDevice' : 'signOut'),
        ),
      ]),
    ]),
  ])
}

/**
 * How many pages the line has room for: a language may have long words, and a key many pages. All are drawn first, and those
 * that fit are counted before the browser paints.
 * @param pages what the line has, so that it is measured again when that changes
 * @returns undefined until it was measured
 */
function useFitting(header: { readonly current: HTMLElement | null }, pages: string): number | undefined {
  const [measured, setMeasured] = useState<{ readonly pages: string; readonly fitting: number }>()
  const fitting = measured?.pages === pages ? measured.fitting : undefined
  useLayoutEffect(() => {
    if (fitting !== undefined) return
    setMeasured({ pages, fitting: header.current === null ? 0 : countFitting(header.current) })
  }, [fitting, pages])
  useEffect(() => {
    if (header.current === null) return
    const observer = new ResizeObserver(() => setMeasured(undefined))
    observer.observe(header.current)
    return () => observer.disconnect()
  }, [])
  return fitting
}

/** Whatever can be narrower already is, where the line is too long. */
function countFitting(header: HTMLElement): number {
  const { right } = header.getBoundingClientRect()
  const end = right - Number.parseFloat(getComputedStyle(header).paddingInlineEnd)
  const over = Math.max(0, (header.lastElementChild?.getBoundingClientRect().right ?? end) - end)
  // Narrow windows show none of them in the line.
  const shown = [...header.querySelectorAll<HTMLElement>(':scope > nav li')]
    .filter(({ offsetParent }) => offsetParent !== null)
    .map((item) => item.getBoundingClientRect().right)
  const last = (shown.at(-1) ?? 0) - over
  return shown.filter((edge) => edge <= last + ROUNDING_PX).length
}
