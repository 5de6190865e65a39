/** Who is signed in, and in which language: a key that this tab keeps until it is closed or signed out. */
import { batch, computed, signal } from '@preact/signals-core'
import { type Field, type Me, Sojourn } from '../../../client/src/index.ts'
import type { StreamNews } from './change-stream.ts'
import { createIdle, type Idle } from './idle.ts'
import { route } from './place.ts'
import { type Problem, problemOf } from './problem.ts'
import { browserClock } from './reading.ts'
import { createStore, type Store } from './store.ts'
import { joinTabs, type Tabs } from './tabs.ts'
import { checkVersion } from './version.ts'
import { type Catalogue, LANGUAGE_NAMES, type Words, wordsOf } from './words.ts'

const KEY = 'sojourn-key'
const LANGUAGE = 'sojourn-language'

export interface Person {
  readonly me: Me
  /** as the key and the language have them */
  readonly fields: readonly Field[]
  /** asks through the store */
  readonly sojourn: Sojourn
  readonly store: Store
}

export const person = signal<Person | undefined>(undefined)
/** Why nobody is signed in, where somebody wanted to be. */
export const refused = signal<Problem | undefined>(undefined)
/** Whether it is tried again by itself. */
export const isTriedAgain = signal(false)
export const isSigningIn = signal(false)

export const language = signal('en')
const catalogue = signal<Catalogue | undefined>(undefined)
export const words = computed<Words>(() =>
  catalogue.value === undefined ? () => '' : wordsOf(catalogue.value, language.value),
)

/** Where the service is: the page's own folder. */
export const serviceUrl = (): string => new URL('.', location.href).href

/** The page of the console itself. */
export const consoleUrl = (): string => new URL('console', serviceUrl()).href

/** For what may take its time and is not shown, such as a file: a request that has to wait is sent up to five times. */
export const patientSojourn = (): Sojourn =>
  new Sojourn({
    url: serviceUrl(),
    key: sessionStorage.getItem(KEY) ?? '',
    locale: language.value,
    fetch: (input, init) => fetch(input, { ...init, cache: 'no-store' }),
  })

/** Whether a version is asked for when the stream opens: not with the page itself, which is of the newest one. */
let hasFollowed = false
let tabs: Tabs | undefined
let cancelAgain = () => {}

/** Whether somebody was signed out because nobody used the console. */
export const wasSignedOut = signal(false)

/** What the service set, in the page that it serves. */
const settingOf = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''

/** Pages that a center may leave open all day. The wall names nobody; the kitchen's pages name guests on demand. */
const WALL = 'kitchen/wall'
const KITCHEN = /^kitchen(\/|$)/
/** What a kitchen's key may read at most. A key that may read more is signed out also on the kitchen's pages. */
const KITCHEN_SCOPES: readonly Me['key']['scopes'][number][] = ['meals', 'meals.confirm', 'sessions']

function isStaying(): boolean {
  const { path } = route.peek()
  if (settingOf('sojourn-kitchen-stays') !== 'true') return false
  if (path === WALL) return true
  const scopes = person.peek()?.me.key.scopes ?? []
  const isKitchens = scopes.length > 0 && scopes.every((scope) => KITCHEN_SCOPES.includes(scope))
  // Without a path, the first page of such a key is the kitchen.
  return isKitchens && (path === '' || KITCHEN.test(path))
}

export const idle: Idle = createIdle({
  minutes: Number(settingOf('sojourn-idle-minutes')),
  clock: browserClock,
  isStaying,
  kept: sessionStorage,
  tell: () => tabs?.used(),
  end() {
    // Other tabs of this key sign out by themselves: one of them may be a wall display.
    quit()
    wasSignedOut.value = true
  },
})

/** Tries a key, and keeps it in this tab if the service takes it. */
export async function signIn(key: string): Promise<void> {
  leave()
  isSigningIn.value = true
  const store = createStore({ url: serviceUrl(), key, locale: language.value })
  const follow = () => {
    store.expectStream()
    tabs = joinTabs({
      url: serviceUrl(),
      key,
      clock: browserClock,
      tell: (news) => void hear(store, news),
      signedOut: quit,
      used: () => idle.usedElsewhere(),
    })
  }
  const isKnown = key === sessionStorage.getItem(KEY)
  // At once. Of a key that may be mistyped, each request counts.
  if (isKnown) follow()
  try {
    const [me, fields] = await Promise.all([store.sojourn.me(), store.sojourn.fields()])
    sessionStorage.setItem(KEY, key)
    if (!isKnown) follow()
    batch(() => {
      person.value = { me, fields, sojourn: store.sojourn, store }
      refused.value = undefined
      wasSignedOut.value = false
    })
    idle.begin()
  } catch (error) {
    leave()
    const problem = problemOf(error, Date.now())
    if (problem.kind === 'ended') forget()
    refused.value = problem
    // A key of before is tried again by itself; who types one does that.
    isTriedAgain.value = isKnown && problem.againAt !== undefined
    if (isKnown && problem.againAt !== undefined) {
      cancelAgain = browserClock.after(problem.againAt - Date.now(), () => void signIn(key))
    }
  } finally {
    isSigningIn.value = false
  }
}

/** What the stream of changes tells, for all pages. */
async function hear(store: Store, news: StreamNews): Promise<void> {
  switch (news.is) {
    case 'open':
      store.opened(news.isWithoutGap)
      // Where the stream was broken, the service may have been replaced.
      if (hasFollowed) await checkVersion(consoleUrl())
      hasFollowed = true
      return
    case 'changes':
      return store.changed(news.changes)
    case 'minute':
    case 'none':
      return store.lost(news.is)
    case 'ask':
      return store.refresh()
    case 'problem':
      store.lost('none')
      if (news.problem.kind === 'ended') forget()
      return store.fail(news.problem)
    case 'less':
      // Nothing of what it may not read any more stays, and the bar leads to what it still may.
      store.clear()
      store.refresh()
      await store.sojourn.me().then(
        (me) => {
          if (person.value?.store === store) person.value = { ...person.value, me }
        },
        () => {},
      )
  }
}

/** Ends what goes on for the key, and forgets what was read with it. */
function leave(): void {
  cancelAgain()
  idle.stop()
  tabs?.end()
  tabs = undefined
  person.value?.store.close()
}

/** The key, and what its holder looked at. */
export const forget = (): void => sessionStorage.clear()

/** Forgets the key, in all tabs that have it, and asks for one. */
export function signOut(): void {
  tabs?.signOut()
  quit()
}

function quit(): void {
  leave()
  forget()
  batch(() => {
    person.value = undefined
    refused.value = undefined
  })
}

async function speak(next: string): Promise<void> {
  const answer = await fetch(new URL(`../../../words/${next}.json`, import.meta.url))
  const found: Catalogue = await answer.json()
  document.documentElement.lang = next
  batch(() => {
    language.value = next
    catalogue.value = found
  })
}

/** Changes the language, and reads anew what the service words. */
export async function chooseLanguage(next: string): Promise<void> {
  localStorage.setItem(LANGUAGE, next)
  await speak(next)
  const key = sessionStorage.getItem(KEY)
  if (key !== null) await signIn(key)
}

/** A page that the browser has kept whole is shown again by "Back", also after its key was forgotten in another one. */
function forgetIfKept({ persisted }: PageTransitionEvent): void {
  if (persisted && sessionStorage.getItem(KEY) === null) quit()
}

/** The language of before, or the browser's; the key of this tab, if there is one. */
export async function begin(): Promise<void> {
  addEventListener('pageshow', forgetIfKept)
  const wanted = [localStorage.getItem(LANGUAGE) ?? '', ...navigator.languages]
  const known = wanted
    .flatMap((tag) => [tag, tag.slice(0, 2)])
    .map((tag) => (tag === 'nb' || tag === 'nn' ? 'no' : tag))
    .find((tag) => Object.hasOwn(LANGUAGE_NAMES, tag))
  // The machine may have slept, or the tab may have been restored, since somebody used it.
  if (idle.isOver()) {
    forget()
    wasSignedOut.value = true
  }
  const key = sessionStorage.getItem(KEY)
  // At once: neither needs the other.
  language.value = known ?? 'en'
  await Promise.all([speak(language.value), key === null ? undefined : signIn(key)])
}

export const may = (scope: Me['key']['scopes'][number]): boolean =>
  person.value?.me.key.scopes.includes(scope) ?? false
