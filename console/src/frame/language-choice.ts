/** The choice of the language, on the page before signing in and in the menu. */
import { type ComponentChild, h } from 'preact'
import { LANGUAGE_NAMES } from '../../../src/documents/words.ts'
import { chooseLanguage, language, words } from '../base/signed-in.ts'

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
