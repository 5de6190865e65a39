/**
 * Who is signed in, and in which language: a key that this tab keeps until it is closed or signed out, or one with which
 * the device stays signed in, for all its tabs.
 */
import { batch, computed, signal } from '@preact/signals-core'
import { type Field, type Me, Sojourn } from '../../../client/src/index.ts'
import { type Catalogue, type Words, wordsOf } from '../../../src/documents/words.ts'
import type { StreamMessage } from './change-stream.ts'
import { browserClock } from './clock.ts'
import type { Device } from './device.ts'
import { createIdle, type Idle } from './idle.ts'
import { route } from './location.ts'
import { minute } from './minute.ts'
import { type Problem, problemOf } from './problem.ts'
import type { CopyEnd } from './remembered-device.ts'
import { catalogueOf, firstLanguage, rememberLanguage } from './spoken.ts'
import { createStore, type Store } from './store.ts'
import { joinTabs, type Tabs } from './tabs.ts'
import { checkVersion } from './version.ts'

const KEY = 'sojourn-key'

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
/** Whether the key that was refused was accepted before. */
export const wasAccepted = signal(false)

/** Whether this tab is signed in with the key with which the device stays signed in. */
export const isStayingDevice = signal(false)
/** Why the copy of such a device was deleted; undefined while it may be stored. */
export const copyWasDeleted = signal<CopyEnd | undefined>(undefined)
/** Has the key of a device that stays signed in. */
const STAY = 'sojourn-stay'
let device: Device | undefined

/** Its code is loaded only where it is used. */
async function openDevice(): Promise<Device> {
  const { openDevice } = await import('./device.ts')
  device ??= openDevice({ service: serviceUrl(), name: STAY })
  return device
}

/** The device, in a tab that is signed in with its key. */
export const stayingDevice = (): Device | undefined => (isStayingDevice.peek() ? device : undefined)

/** A service that does not answer may keep a request waiting for long. */
const COPY_AFTER_MS = 4000

export const language = signal('en')
const catalogue = signal<Catalogue | undefined>(undefined)
export const words = computed<Words>(() =>
  catalogue.value === undefined ? () => '' : wordsOf(catalogue.value, language.value),
)

/** Whether the words of the language are there. */
export const hasWords = computed(() => catalogue.value !== undefined)

/** Where the service is: the page's own folder. */
export const serviceUrl = (): string => new URL('.', location.href).href

/** The page of the console itself. */
export const consoleUrl = (): string => new URL('console', serviceUrl()).href

/** For what may take its time and is not shown, such as a file: a request that has to wait is sent up to five times. */
export const patientSojourn = (): Sojourn =>
  new Sojourn({
    url: serviceUrl(),
    key: keyHere() ?? '',
    locale: language.value,
    fetch: (input, init) => fetch(input, { ...init, cache: 'no-store' }),
  })

/** Whether a version is asked for when the stream opens: not with the page itself, which is of the newest one. */
let hasFollowed = false
let tabs: Tabs | undefined
let cancelAgain = () => {}
/** the key that this tab uses */
let usedKey: string | undefined
/** what ends with it */
let stopWatching = () => {}

/** Whether somebody was signed out because nobody used the console. */
export const wasSignedOut = signal(false)

/** What the service set, in the page that it serves. */
const settingOf = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''

/** Whether the installation lets devices stay signed in. */
export const mayStay = (): boolean => settingOf('sojourn-devices-stay') === 'true'

/** The key of this tab, or that of the device. */
const keyHere = (): string | null => sessionStorage.getItem(KEY) ?? device?.key() ?? null

/** Pages that a center may leave open all day. The wall names nobody; the kitchen's pages name guests on demand. */
const WALL = 'kitchen/wall'
const KITCHEN = /^kitchen(\/|$)/
/** What a kitchen's key may read at most. A key that may read more is signed out also on the kitchen's pages. */
const KITCHEN_SCOPES: readonly Me['key']['scopes'][number][] = ['meals', 'meals.confirm', 'sessions']

/** What an administrator may do is offered for 15 minutes after the last use, whatever the service has set. */
export const ADMINISTRATION_MINUTES = 15
const isOfAdministration = () => person.peek()?.me.key.scopes.includes('administration') ?? false

function isStaying(): boolean {
  const { path } = route.peek()
  if (isOfAdministration()) return false
  if (isStayingDevice.peek()) return true
  if (settingOf('sojourn-kitchen-stays') !== 'true') return false
  if (path === WALL) return true
  const scopes = person.peek()?.me.key.scopes ?? []
  const isKitchens = scopes.length > 0 && scopes.every((scope) => KITCHEN_SCOPES.includes(scope))
  // Without a path, the first page of such a key is the kitchen.
  return isKitchens && (path === '' || KITCHEN.test(path))
}

export const idle: Idle = createIdle({
  minutes: Number(settingOf('sojourn-idle-minutes')),
  minutesMax: () => (isOfAdministration() ? ADMINISTRATION_MINUTES : undefined),
  clock: browserClock,
  isStaying,
  storage: sessionStorage,
  tell: () => tabs?.used(),
  end() {
    // Other tabs of this key sign out by themselves: one of them may be a wall display.
    quit()
    wasSignedOut.value = true
  },
})

/**
 * Tries a key, and keeps it if the service takes it: in this tab, or on the device.
 * @param stay whether the device is to stay signed in; by default as it was with this key
 */
export async function signIn(key: string, stay = device?.key() === key): Promise<void> {
  leave()
  isSigningIn.value = true
  usedKey = key
  let staying = stay && mayStay() ? await openDevice().catch(() => undefined) : undefined
  const isKnown = key === keyHere()
  const found = await staying?.copyFor(key)
  const copy = typeof found === 'string' ? undefined : found
  copyWasDeleted.value = typeof found === 'string' ? found : undefined
  let isShownFromCopy = false
  const store = createStore({
    url: serviceUrl(),
    key,
    locale: language.value,
    contact() {
      staying?.contact(key)
      if (!isShownFromCopy) return
      isShownFromCopy = false
      void readMe(store).catch(() => {})
    },
    ...(copy === undefined ? {} : { copied: copy.answer, received: copy.days?.received ?? null }),
  })
  // Whichever request finds it: nothing of the key stays on the device.
  if (staying !== undefined) {
    stopWatching = store.trouble.subscribe((problem) => {
      if (problem?.kind === 'ended') forget()
    })
  }
  const follow = (me: Me) => {
    if (tabs !== undefined) return
    store.expectStream()
    tabs = joinTabs({
      url: serviceUrl(),
      key,
      clock: browserClock,
      isFollowing: followsSomething(me),
      tell: (message) => void hear(store, message),
      signedOut: quit,
      used: () => idle.usedElsewhere(),
    })
  }
  // At once, also if the service does not answer.
  if (isKnown && copy !== undefined) follow(copy.me)
  const enter = (read: Pick<Person, 'me' | 'fields'>) => {
    const isFirst = person.peek()?.store !== store
    batch(() => {
      person.value = { me: read.me, fields: read.fields, sojourn: store.sojourn, store }
      isStayingDevice.value = staying !== undefined
      refused.value = undefined
      wasSignedOut.value = false
    })
    if (isFirst) idle.begin()
  }
  /** What the device has, until the service answers. */
  const showCopy = () => {
    if (copy === undefined) return
    isShownFromCopy = true
    enter(copy)
  }
  const cancelCopy = browserClock.after(COPY_AFTER_MS, showCopy)
  try {
    const reading = store.sojourn.me().then((me) => {
      // Of a key that may be mistyped, each request counts; one that follows nothing would be refused again and again.
      if (usedKey === key) follow(me)
      return me
    })
    const [me, fields] = await Promise.all([reading, store.sojourn.fields()])
    isShownFromCopy = false
    // A key that manages others is forgotten with its tab.
    if (me.key.scopes.includes('administration')) staying = undefined
    if (staying === undefined) sessionStorage.setItem(KEY, key)
    else {
      staying.keep(key, me)
      sessionStorage.removeItem(KEY)
    }
    copyWasDeleted.value = undefined
    enter({ me, fields })
  } catch (error) {
    const problem = problemOf(error, Date.now())
    if (copy !== undefined && problem.againAt !== undefined) return showCopy()
    leave()
    // Shown from the copy until now.
    if (person.peek()?.store === store) person.value = undefined
    wasAccepted.value = isKnown
    const isOfDevice = device?.key() === key
    if (problem.kind === 'ended') forget(isOfDevice)
    // Its center does not allow access, or not from here.
    else if (isOfDevice && problem.kind === 'forbidden') void device?.removeCopy()
    refused.value = problem
    // A key of before is tried again by itself; who types one does that.
    isTriedAgain.value = isKnown && problem.againAt !== undefined
    if (isKnown && problem.againAt !== undefined) {
      cancelAgain = browserClock.after(problem.againAt - Date.now(), () => void signIn(key))
    }
  } finally {
    cancelCopy()
    isSigningIn.value = false
  }
}

/** Deletes the copy of a device when its time is over, also from memory and from the pages that are open. */
function endCopy(): void {
  const key = stayingDevice()?.key()
  if (key === undefined) return
  const before = copyWasDeleted.peek()
  copyWasDeleted.value = device?.look()
  if (copyWasDeleted.peek() === undefined || before !== undefined) return
  leave()
  person.value = undefined
  void signIn(key)
}

/** What the key may read now, and until when it is valid. */
export async function readMe(store: Store): Promise<void> {
  const me = await store.sojourn.me()
  const now = person.peek()
  if (now?.store !== store) return
  if (usedKey !== undefined) stayingDevice()?.contact(usedKey, me)
  person.value = { ...now, me }
}

/** What the stream of changes tells, for all pages. */
async function hear(store: Store, message: StreamMessage): Promise<void> {
  switch (message.is) {
    case 'open':
      store.opened(message.isWithoutGap)
      // Where the stream was broken, the service may have been replaced.
      if (hasFollowed) await checkVersion(consoleUrl())
      hasFollowed = true
      return
    case 'changes':
      return store.changed(message.changes)
    case 'minute':
    case 'none':
      return store.lost(message.is)
    case 'ask':
      return store.refresh()
    case 'problem':
      store.lost('none')
      if (message.problem.kind === 'ended') forget()
      return store.fail(message.problem)
    case 'less':
      // Nothing of what it may not read any more stays, and the bar leads to what it still may.
      store.clear()
      store.refresh()
      await readMe(store).catch(() => {})
  }
}

/** Ends what goes on for the key, and forgets what was read with it. */
function leave(): void {
  cancelAgain()
  stopWatching()
  stopWatching = () => {}
  idle.stop()
  tabs?.end()
  tabs = undefined
  person.value?.store.close()
}

/** The key, what its holder looked at, and what the device has stored with it. */
export function forget(isStaying = isStayingDevice.peek()): void {
  sessionStorage.clear()
  if (!isStaying) return
  isStayingDevice.value = false
  device?.forget()
}

/** Another tab of this device has signed in, signed out, or found that the key has ended. */
async function hearStorage({ key: name }: StorageEvent): Promise<void> {
  if (name !== null && name !== STAY) return
  const key = (await openDevice()).key()
  if (key === undefined) {
    if (!isStayingDevice.peek()) return
    isStayingDevice.value = false
    // Where this tab knows that the key has ended, the page says so.
    if (person.peek()?.store.trouble.peek()?.kind !== 'ended') quit()
    return
  }
  const isForThis = isStayingDevice.peek() ? key !== usedKey : person.peek() === undefined
  if (isForThis && !isSigningIn.peek() && sessionStorage.getItem(KEY) === null) await signIn(key)
}

/** Opens the device if it stays signed in. Nothing stays on one that does not, or may not any more. */
async function lookAtDevice(): Promise<void> {
  if (localStorage.getItem(STAY) !== null) await forgetUnlessStaying()
  // A new browser takes 0.3 s to say what it has stored: the first page does not wait for it.
  else
    void hasStored()
      .then((isStored) => (isStored ? forgetUnlessStaying() : undefined))
      .catch(() => {})
}

const hasStored = async (): Promise<boolean> =>
  'caches' in globalThis && (await caches.keys()).some((name) => name.startsWith('sojourn-'))

async function forgetUnlessStaying(): Promise<void> {
  const { key, forget } = await openDevice()
  if (!mayStay() || key() === undefined) forget()
}

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
  const found = await catalogueOf(next)
  document.documentElement.lang = next
  batch(() => {
    language.value = next
    catalogue.value = found
  })
}

/** Changes the language, and reads anew what the service words. */
export async function chooseLanguage(next: string): Promise<void> {
  rememberLanguage(next)
  await speak(next)
  const key = keyHere()
  if (key !== null) await signIn(key)
}

/** A page that the browser has stored whole is shown again by "Back", also after its key was forgotten in another one. */
function forgetIfRestored({ persisted }: PageTransitionEvent): void {
  if (persisted && keyHere() === null) quit()
}

/** The language of before, or the browser's; the key of this tab, if there is one. */
export async function begin(): Promise<void> {
  addEventListener('pageshow', forgetIfRestored)
  addEventListener('storage', (event) => void hearStorage(event))
  // The machine may have slept, or the tab may have been restored, since somebody used it.
  if (idle.isOver()) {
    forget(false)
    wasSignedOut.value = true
  }
  // Its code comes with the page where the device has stored it.
  await lookAtDevice().catch(() => {})
  const key = keyHere()
  // At once: neither needs the other.
  language.value = firstLanguage
  await Promise.all([speak(language.value), key === null ? undefined : signIn(key)])
  minute.subscribe(endCopy)
}

/** Kinds of change are named as the scope that they need. */
const FOLLOWED: readonly Me['key']['scopes'][number][] = [
  'guests',
  'sessions',
  'orders',
  'meals',
  'contradictions',
]

const followsSomething = ({ key }: Me): boolean => key.scopes.some((scope) => FOLLOWED.includes(scope))

export const may = (scope: Me['key']['scopes'][number]): boolean =>
  person.value?.me.key.scopes.includes(scope) ?? false
