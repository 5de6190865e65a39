/** The saved views of a list, in its bar: open one, save what is shown, rename and delete. */
import { type ComponentChild, h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { WordKey } from '../../../src/documents/words.ts'
import type { Query } from '../base/address.ts'
import { go } from '../base/location.ts'
import { hasDays, isRelativeAddress, relativeAddress } from '../base/relative-days.ts'
import { to } from '../base/routes.ts'
import { person, words } from '../base/signed-in.ts'
import { Menu } from '../frame/menu.ts'
import { today } from '../kitchen/kitchen-reading.ts'
import { NAME_MAX, readViews, type SavedView, withView, writeViews } from './stored-views.ts'

export interface SavedViewsProps {
  readonly path: string
  /** of what is shown, without what the page is asked for in addition to its address */
  readonly query: Query
  readonly columns?: readonly string[]
  /** shows the columns of a view */
  readonly onColumns?: (names: readonly string[]) => void
}

export function SavedViews({ path, query, columns, onColumns }: SavedViewsProps): ComponentChild {
  const t = words.value
  const { me } = person.value!
  const owner = { center: me.center.id, appId: me.key.appId }
  const [views, setViews] = useState(readViews(localStorage, owner))
  const [said, say] = useState<WordKey>()
  const [renamed, setRenamed] = useState<string>()
  const own = views.filter((view) => view.path === path)
  const keep = (next: readonly SavedView[] | undefined, word: WordKey) => {
    if (next === undefined) return say('tooManyViews')
    if (!writeViews(localStorage, owner, next)) return say('viewNotSaved')
    setViews(next)
    say(word)
  }
  const open = (view: SavedView) => (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (view.columns !== undefined) onColumns?.(view.columns)
    go(view.path, view.query, {})
  }
  const isShown = (view: SavedView) =>
    sameAddress(view.query, query) &&
    (view.columns === undefined || JSON.stringify(view.columns) === JSON.stringify(columns))
  return h('div', { class: 'views no-print' }, [
    own.length > 0 &&
      h(
        'nav',
        { 'aria-label': t('savedViews') },
        h(
          'ul',
          null,
          own.map((view) =>
            h(
              'li',
              { key: view.name },
              h(
                'a',
                {
                  href: to(view.path, view.query),
                  'aria-current': isShown(view) ? 'true' : undefined,
                  onClick: open(view),
                },
                view.name,
              ),
            ),
          ),
        ),
      ),
    h(Menu, { title: t('savedViews') }, [
      h(SaveForm, {
        query,
        onSave(name: string, shown: Query) {
          const view = { path, name, query: shown, ...(columns === undefined ? {} : { columns }) }
          keep(withView(views, view), 'viewSaved')
        },
      }),
      own.map((view) =>
        h(ViewLine, {
          key: view.name,
          view,
          isTaken: (name: string) => own.some((other) => other !== view && other.name === name),
          hasFocus: view.name === renamed,
          onRename(name: string) {
            setRenamed(name)
            keep(
              views.map((other) => (other === view ? { ...view, name } : other)),
              'viewRenamed',
            )
          },
          onDelete: () =>
            keep(
              views.filter((other) => other !== view),
              'viewDeleted',
            ),
        }),
      ),
      h('p', { class: 'small soft' }, t('viewsAreHere')),
      h('p', { role: 'status' }, said === undefined ? '' : t(said)),
    ]),
  ])
}

interface SaveFormProps {
  readonly query: Query
  readonly onSave: (name: string, query: Query) => void
}

function SaveForm({ query, onSave }: SaveFormProps): ComponentChild {
  const t = words.value
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement)) return
    const form = new FormData(event.currentTarget)
    const name = String(form.get('name')).trim()
    if (name === '') return
    onSave(name, form.get('relative') === null ? query : relativeAddress(query, today()))
    // The focus stays in the form.
    event.currentTarget.reset()
  }
  return h('form', { class: 'stack', onSubmit: submit }, [
    h('label', null, [
      t('viewName'),
      h('input', { name: 'name', required: true, maxLength: NAME_MAX, autocomplete: 'off' }),
    ]),
    hasDays(query) &&
      !isRelativeAddress(query) &&
      h('label', null, [
        h('input', { type: 'checkbox', name: 'relative' }),
        h('span', null, t('relativeToToday')),
      ]),
    h('button', { type: 'submit' }, t('saveView')),
  ])
}

interface ViewLineProps {
  readonly view: SavedView
  /** whether another view of the page has this name */
  readonly isTaken: (name: string) => boolean
  /** whether it has got this name just now, so that the focus stays in its field */
  readonly hasFocus: boolean
  readonly onRename: (name: string) => void
  readonly onDelete: () => void
}

function ViewLine({ view, isTaken, hasFocus, onRename, onDelete }: ViewLineProps): ComponentChild {
  const t = words.value
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (hasFocus) field.current?.focus()
  }, [])
  const [name, setName] = useState(view.name)
  const given = name.trim()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (given !== '' && given !== view.name && !isTaken(given)) onRename(given)
  }
  return h('form', { class: 'view', onSubmit: submit }, [
    h('input', {
      ref: field,
      'aria-label': `${t('viewName')}: ${view.name}`,
      value: name,
      required: true,
      maxLength: NAME_MAX,
      autocomplete: 'off',
      onInput: (event: Event) => {
        if (event.currentTarget instanceof HTMLInputElement) setName(event.currentTarget.value)
      },
    }),
    h(
      'button',
      { type: 'submit', class: 'plain', 'aria-label': `${t('renameView')}: ${view.name}` },
      t('renameView'),
    ),
    h(
      'button',
      {
        type: 'button',
        class: 'plain',
        'aria-label': `${t('deleteView')}: ${view.name}`,
        onClick(event: MouseEvent) {
          // What has the focus goes away: it is at the menu then.
          if (event.currentTarget instanceof Element) {
            event.currentTarget.closest('details')?.querySelector('summary')?.focus()
          }
          onDelete()
        },
      },
      t('deleteView'),
    ),
    isTaken(given) && h('p', { class: 'small err', role: 'alert' }, t('viewNameTaken')),
  ])
}

const sameAddress = (one: Query, other: Query): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, value]) => other[name] === value)
