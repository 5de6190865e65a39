/** The whole console: signed in or not, and the page of the place. */
import { type ComponentChild, type ComponentType, h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { route } from '../base/place.ts'
import { begin, language, person, words } from '../base/signed-in.ts'
import { pageTitle } from '../base/title.ts'
import { Bar } from './bar.ts'
import { PAGES, type Page, pageAt, pageOf } from './pages.ts'
import { SignIn } from './sign-in.ts'

export function App(): ComponentChild {
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    // Its code comes while the key is looked at; whether it may be opened is judged when both are there.
    pageOf(route.value.path)
      ?.load()
      .catch(() => {})
    void begin().then(() => setReady(true))
  }, [])
  if (!isReady) return h('main', { id: 'main', 'aria-busy': true })
  if (person.value === undefined) return h(SignIn, null)
  return h(Signed, { key: language.value })
}

function Signed(): ComponentChild {
  const t = words.value
  const { path, query } = route.value
  const page = pageAt(path)
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  const { me } = person.value!
  // Another page: a screen reader begins at its start, as with any link.
  const title = page && (pageTitle.value ?? t(page.title))
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · ${me.center.name}`
  }, [title])
  useEffect(() => {
    if (!isFirst.current) main.current?.focus()
    isFirst.current = false
  }, [path])
  const content = page === undefined ? h(NotFound, null) : h(Loaded, { page, query, key: page.path })
  if (page?.isBare) return content
  return h('div', null, [
    h('a', { class: 'skip-to', href: '#main', onClick: skipTo(main) }, t('skipTo')),
    h(Bar, { at: page }),
    h('main', { id: 'main', tabIndex: -1, ref: main }, content),
  ])
}

/** The part after `#` is the place in the console, so the link moves the focus itself. */
const skipTo = (main: { readonly current: HTMLElement | null }) => (event: Event) => {
  event.preventDefault()
  main.current?.focus()
}

/** A page's own code is read when it is opened. */
function Loaded({
  page,
  query,
}: {
  readonly page: Page
  readonly query: Readonly<Record<string, string>>
}): ComponentChild {
  const t = words.value
  const [found, setFound] = useState<{ view: ComponentType<{ query: typeof query }> } | 'failed'>()
  useEffect(() => {
    page.load().then(
      (view) => setFound({ view }),
      // Its address is that of a version that is no longer served, or nobody answers.
      () => setFound('failed'),
    )
  }, [page])
  if (!page.isOpen()) return h('p', { class: 'say' }, h('b', null, t('notForKey')))
  if (found === 'failed') {
    return h('p', { class: 'say bad', role: 'alert' }, [
      h('b', null, t('newVersion')),
      ' ',
      h('button', { type: 'button', onClick: () => location.reload() }, t('reload')),
    ])
  }
  if (found === undefined) return h('p', { class: 'soft', role: 'status' }, t('loading'))
  return h(found.view, { query })
}

function NotFound(): ComponentChild {
  const t = words.value
  const open = PAGES.find((page) => page.isInBar && page.isOpen())
  return h('p', { class: 'say' }, [
    h('b', null, t('notFound')),
    ' ',
    open && h('a', { href: `#/${open.path}` }, t(open.title)),
  ])
}
