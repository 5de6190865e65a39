/** What stands above every page: the center, the pages that the key opens, the language, the way out. */
import { type ComponentChild, h } from 'preact'
import { chooseLanguage, language, may, person, signOut, words } from '../base/signed-in.ts'
import { LANGUAGE_NAMES } from '../base/words.ts'
import { SearchField } from '../search/search-field.ts'
import { PAGES, type Page } from './pages.ts'

export function Bar({ at }: { readonly at: Page | undefined }): ComponentChild {
  const t = words.value
  const open = PAGES.filter((page) => page.isInBar && page.isOpen())
  const isIn = (page: Page) =>
    at !== undefined && (at.path === page.path || at.path.startsWith(`${page.path}/`))
  return h('header', { class: 'bar' }, [
    h('p', { class: 'center' }, person.value?.me.center.name),
    h(
      'nav',
      { 'aria-label': t('pages') },
      h(
        'ul',
        null,
        open.map((page) =>
          h(
            'li',
            null,
            h(
              'a',
              { href: `#/${page.path}`, 'aria-current': isIn(page) ? 'page' : undefined },
              t(page.title),
            ),
          ),
        ),
      ),
    ),
    (may('guests') || may('orders')) && h(SearchField, null),
    h('div', { class: 'end' }, [
      h(LanguageChoice, { isHidden: true }),
      h('button', { type: 'button', class: 'plain', onClick: signOut }, t('signOut')),
    ]),
  ])
}

/** @param isHidden whether its label is only for screen readers */
export function LanguageChoice({ isHidden }: { readonly isHidden: boolean }): ComponentChild {
  return h('label', null, [
    h('span', { class: isHidden ? 'vh' : undefined }, words.value('language')),
    ' ',
    h(
      'select',
      {
        value: language.value,
        onChange: (event: Event) => {
          if (event.currentTarget instanceof HTMLSelectElement) void chooseLanguage(event.currentTarget.value)
        },
      },
      Object.entries(LANGUAGE_NAMES).map(([tag, name]) =>
        h('option', { value: tag, lang: tag, selected: tag === language.value }, name),
      ),
    ),
  ])
}
