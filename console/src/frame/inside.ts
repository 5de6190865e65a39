/** The console after signing in: the bar, and the page at the current address. */
import { effect } from '@preact/signals-core'
import { type ComponentChild, type ComponentType, h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { localTime, weekday, writtenDay } from '../../../src/documents/days.ts'
import { USES } from '../base/idle.ts'
import { followStorage } from '../base/intake-port.ts'
import { route } from '../base/location.ts'
import { minute } from '../base/minute.ts'
import type { Page, PageProps } from '../base/page.ts'
import { idle, isStayingDevice, language, person, signOut, words } from '../base/signed-in.ts'
import { pageTitle } from '../base/title.ts'
import { hasNewVersion } from '../base/version.ts'
import { DEVICE } from '../device/pages.ts'
import { writePageBoxes } from '../paper/page-boxes.ts'
import { Bar } from './bar.ts'
import { LanguageChoice } from './language-choice.ts'
import { NotLoaded, type WhyNotLoaded, whyNotLoaded } from './not-loaded.ts'
import { PAGES, pageAt, pageOf } from './pages.ts'
import { momentOf } from './states.ts'

/** When the first page has its data, also on a slow line. */
const OTHERS_AFTER_MS = 5000

/** Where a one-time link for a device leads, signed in or not. */
export function Device(): ComponentChild {
  return h('main', { id: 'main', class: 'narrow' }, [
    h(Loaded, { page: DEVICE, query: route.value.query }),
    h('p', null, h(LanguageChoice, { isHidden: false })),
  ])
}

/** With an intake key, which reads nothing: the import page alone. */
export function ImportAlone(): ComponentChild {
  const t = words.value
  const main = useRef<HTMLElement>(null)
  const [view, setView] = useState<{ Page: ComponentType<PageProps> }>()
  useEffect(() => {
    document.title = `${t('importTitle')} · Sojourn`
    void pageOf('import')
      ?.load()
      .then((Page) => setView({ Page }))
  }, [])
  useEffect(watchUse, [])
  return h('div', null, [
    h('a', { class: 'skip-to', href: '#main', onClick: skipTo(main) }, t('skipTo')),
    h('header', { class: 'bar' }, [
      h('p', { class: 'center' }, 'Sojourn'),
      h('div', { class: 'end alone' }, [
        h(LanguageChoice, { isHidden: true }),
        h('button', { type: 'button', class: 'plain', onClick: endImport }, t('signOut')),
      ]),
    ]),
    h('main', { id: 'main', tabIndex: -1, ref: main }, [
      h(SoonSignedOut, null),
      view === undefined
        ? h('p', { class: 'soft', role: 'status' }, t('loading'))
        : h(view.Page, { query: {} }),
    ]),
  ])
}

function endImport(): void {
  signOut()
  followStorage()
}

export function Signed(): ComponentChild {
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
  const isStaying = isStayingDevice.value
  useEffect(() => (isStaying ? loadAndKeepCopy() : undefined), [isStaying])
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

/** What the page says that it shows, else what it is called: in the tab, and on each printed sheet. */
function nameTab(): void {
  const page = pageAt(route.value.path)
  const title = page === undefined ? words.value('notFound') : (pageTitle.value ?? words.value(page.title))
  const center = person.value?.me.center
  if (center === undefined) return
  document.title = `${title} · ${center.name}`
  const { day, time } = localTime(minute.value, center.timezone)
  const printed = `${weekday(words.value, day)} ${writtenDay(day, language.value)} ${time}`
  writePageBoxes({ t: words.value, title: document.title, time: printed })
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
  const [found, setFound] = useState<{ view: ComponentType<PageProps> } | WhyNotLoaded>()
  useEffect(() => {
    page.load().then(
      (view) => setFound({ view }),
      async () => setFound(await whyNotLoaded()),
    )
  }, [page])
  if (!page.isOpen()) return h('p', { class: 'say' }, h('b', null, t('notForKey')))
  if (typeof found === 'string') return h(NotLoaded, { why: found })
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

/** A warning before the console signs out because nobody has used it. */
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

/** Its code is loaded only by devices that stay signed in. */
function loadAndKeepCopy(): () => void {
  let end: (() => void) | undefined
  let isOver = false
  import('../kitchen/copied-days.ts').then(
    ({ keepCopy }) => {
      if (!isOver) end = keepCopy()
    },
    // Without a connection there is nothing to copy.
    () => {},
  )
  return () => {
    isOver = true
    end?.()
  }
}

/** So that a page opens also without a connection, and after a new version is served. */
function loadOthers(): () => void {
  let isOver = false
  // One at a time, so that a page that the user opens waits for at most one of them.
  const load = async () => {
    for (const page of PAGES) if (!isOver && page.isOpen()) await page.load().catch(() => {})
  }
  const timer = setTimeout(load, OTHERS_AFTER_MS)
  return () => {
    isOver = true
    clearTimeout(timer)
  }
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
