/** Everything that is stored about a person, with labels in the language of the center; as a file, and on paper. */
import { type ComponentChild, h } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Actions } from '../../../client/src/openapi.ts'
import { KINDS } from '../../../src/documents/contradiction-kinds.ts'
import type { WordKey } from '../../../src/documents/words.ts'
import { wordOfRead } from '../administration/reads-section.ts'
import { words } from '../base/signed-in.ts'
import { save } from '../guests/save-file.ts'

export type Shown = Actions['show-person']['answer']
type Section = NonNullable<Shown['sections']>[number]

const ABOUT: Readonly<Record<Section['about'], WordKey>> = {
  person: 'guest',
  stay: 'stays',
  session: 'sessions',
  order: 'orders',
  kitchenSheet: 'rightsLists',
  contradiction: 'contradictions',
}

export function StoredPerson({ of }: { readonly of: Shown & { readonly name: string } }): ComponentChild {
  const t = words.value
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const language = of.language ?? undefined
  const download = () =>
    save(
      new Blob([`${JSON.stringify(of.data, null, 2)}\n`], { type: 'application/json' }),
      `${t('rights')}.json`,
    )
  return h('div', null, [
    h('div', { class: 'head' }, [
      h('div', null, [
        h('h2', { ref: heading, tabIndex: -1 }, of.name),
        h('p', { class: 'sub' }, t('rightsStored')),
      ]),
      h('div', { class: 'acts no-print' }, [
        h('button', { type: 'button', class: 'btn', onClick: download }, t('rightsDownload')),
        h('button', { type: 'button', class: 'btn', onClick: () => globalThis.print() }, t('print')),
      ]),
    ]),
    ...(Object.keys(ABOUT) as Section['about'][]).map((about) =>
      h(Block, { title: t(ABOUT[about]), key: about }, [
        ...(of.sections ?? [])
          .filter((section) => section.about === about)
          .map((section) => part(section, language)),
      ]),
    ),
    h(Block, { title: t('whoReadWhat') }, [
      (of.reads ?? []).length > 0 &&
        h(Rows, {
          rows: (of.reads ?? []).map(({ at, key, operation }) => [
            at,
            `${key} · ${t(wordOfRead(operation))}`,
          ]),
        }),
    ]),
    h(Block, { title: t('rightsChanges') }, [
      (of.changes ?? []).length > 0 &&
        h(Rows, {
          rows: (of.changes ?? []).map(({ at, kind, fields }) => [
            at,
            `${t(kind === 'order' ? 'order' : 'guest')}${fields === '' ? '' : `: ${fields}`}`,
          ]),
        }),
    ]),
  ])
}

/** One with nothing in it says so. */
function Block({
  title,
  children,
}: {
  readonly title: string
  readonly children?: ComponentChild
}): ComponentChild {
  const parts = [children].flat().filter(Boolean)
  return h('section', { class: 'block' }, [
    h('h3', null, title),
    parts.length === 0 ? h('p', { class: 'soft' }, words.value('none')) : parts,
  ])
}

function part({ about, title, rows }: Section, language: string | undefined): ComponentChild {
  const known = about === 'contradiction' && title in KINDS ? KINDS[title as keyof typeof KINDS] : undefined
  return h('div', { lang: language }, [
    about !== 'person' && h('h4', null, known === undefined ? title : words.value(known.name)),
    rows.length > 0 && h(Rows, { rows }),
  ])
}

const Rows = ({ rows }: { readonly rows: readonly (readonly string[])[] }): ComponentChild =>
  h(
    'table',
    { class: 'stored' },
    h(
      'tbody',
      null,
      rows.map(([label, value]) => h('tr', null, [h('th', { scope: 'row' }, label), h('td', null, value)])),
    ),
  )
