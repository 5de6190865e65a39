/** The whole console: signed in or not, and the page of the place. */
import { effect } from '@preact/signals-core'
import { type ComponentChild, type ComponentType, h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { USES } from '../base/idle.ts'
import { route } from '../base/place.ts'
import { begin, consoleUrl, idle, language, person, words } from '../base/signed-in.ts'
import { pageTitle } from '../base/title.ts'
import { checkVersion, hasNewVersion, type Version } from '../base/version.ts'
import { Bar } from './bar.ts'
import { PAGES, type Page, pageAt, pageOf } from './pages.ts'
import { SignIn } from './sign-in.ts'
import { momentOf } from './states.ts'

/** When the first page is there. */
const OTHERS_AFTER_MS = 1500

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
  useEffect(() => effect(nameTab), [])
  // Another page: a screen reader begins at its start, as with any link.
  useEffect(() => {
    if (!isFirst.current) main.current?.focus()
    isFirst.current = false
  }, [path])
  const content = page === undefined ? h(NotFound, null) : h(Loaded, { page, query, key: page.path })
  useEffect(loadOthers, [])
  useEffect(watchUse, [])
  // A wall display says so too, if the service wants it to be signed out.
  if (page?.isBare) {
    return page.path === 'kitchen/wall'
      ? [h(SoonSignedOut, null), content]
      : [h(SoonSignedOut, null), h(NewVersion, null), content]
  }
  return h('div', null, [
    h('a', { class: 'skip-to', href: '#main', onClick: skipTo(main) }, t('skipTo')),
    h(Bar, { at: page }),
    h('main', { id: 'main', tabIndex: -1, ref: main }, [
      h(SoonSignedOut, null),
      h(NewVersion, null),
      content,
    ]),
  ])
}

/** What the page says that it shows, else what it is called. */
function nameTab(): void {
  const page = pageAt(route.value.path)
  const title = page === undefined ? words.value('notFound') : (pageTitle.value ?? words.value(page.title))
  const center = person.value?.me.center.name
  if (center !== undefined) document.title = `${title} · ${center}`
}

/** The part after `#` is the place in the console, so the link moves the focus itself. */
const skipTo = (main: { readonly current: HTMLElement | null }) => (event: Event) => {
  event.preventDefault()
  main.current?.focus()
}

/** A page's own code is read when it is opened, or before, when there is nothing else to do. */
function Loaded({
  page,
  query,
}: {
  readonly page: Page
  readonly query: Readonly<Record<string, string>>
}): ComponentChild {
  const t = words.value
  const [found, setFound] = useState<
    { view: ComponentType<{ query: typeof query }> } | Exclude<Version, 'new'>
  >()
  useEffect(() => {
    page.load().then(
      (view) => setFound({ view }),
      // Nobody answers, or the address is that of a version that is no longer served, which the banner says.
      async () => setFound((await checkVersion(consoleUrl())) === 'offline' ? 'offline' : 'same'),
    )
  }, [page])
  if (!page.isOpen()) return h('p', { class: 'say' }, h('b', null, t('notForKey')))
  if (typeof found === 'string') {
    return h('p', { class: 'say bad', role: 'alert' }, [
      h('b', null, t(found === 'offline' ? 'noConnectionNow' : 'partNotLoaded')),
      ' ',
      h('button', { type: 'button', onClick: () => location.reload() }, t('reload')),
    ])
  }
  if (found === undefined) return h('p', { class: 'soft', role: 'status' }, t('loading'))
  return h(found.view, { query })
}

/** The version of this tab goes on working, so it is only said. */
function NewVersion(): ComponentChild {
  const t = words.value
  if (!hasNewVersion.value) return null
  return h('p', { class: 'say no-print', role: 'status' }, [
    h('b', null, t('newVersion')),
    ' ',
    h('button', { type: 'button', onClick: () => location.reload() }, t('reload')),
  ])
}

/** Says when nobody has used the console for so long that it signs out soon. */
function SoonSignedOut(): ComponentChild {
  const t = words.value
  const at = idle.endsAt.value
  if (at === undefined) return null
  return h('p', { class: 'say bad no-print', role: 'alert' }, [
    h('b', null, t('signedOutSoon', { time: momentOf(at) })),
    ' ',
    h('button', { type: 'button', onClick: () => idle.used() }, t('staySignedIn')),
  ])
}

function watchUse(): () => void {
  const ends = new AbortController()
  const options = { capture: true, passive: true, signal: ends.signal }
  for (const [name, how] of Object.entries(USES)) addEventListener(name, () => idle.used(how), options)
  // Timers of a hidden tab, and of a machine that sleeps, run late.
  const look = () => {
    if (document.visibilityState === 'visible') idle.look()
  }
  document.addEventListener('visibilitychange', look, options)
  return () => ends.abort()
}

/** So that a page opens also without a connection, and after a new version is served. */
function loadOthers(): () => void {
  const timer = setTimeout(() => {
    for (const page of PAGES) if (page.isOpen()) page.load().catch(() => {})
  }, OTHERS_AFTER_MS)
  return () => clearTimeout(timer)
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
