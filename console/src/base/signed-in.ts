/** Who is signed in, and in which language: a key that this tab keeps until it is closed or signed out. */
import { batch, computed, signal } from '@preact/signals-core'
import { type Field, type Me, Sojourn } from '../../../client/src/index.ts'
import { type Problem, problemOf } from './problem.ts'
import { type Catalogue, LANGUAGE_NAMES, type Words, wordsOf } from './words.ts'

const KEY = 'sojourn-key'
const LANGUAGE = 'sojourn-language'

export interface Person {
  readonly me: Me
  /** as the key and the language have them */
  readonly fields: readonly Field[]
  readonly sojourn: Sojourn
}

export const person = signal<Person | undefined>(undefined)
/** Why nobody is signed in, where somebody wanted to be. */
export const refused = signal<Problem | undefined>(undefined)
export const isSigningIn = signal(false)

export const language = signal('en')
const catalogue = signal<Catalogue | undefined>(undefined)
export const words = computed<Words>(() =>
  catalogue.value === undefined ? () => '' : wordsOf(catalogue.value, language.value),
)

/** Where the service is: the page's own folder. */
export const serviceUrl = (): string => new URL('.', location.href).href

/** @param attempts how often a request that has to wait is sent: a page shows why it waits, a download waits */
export const connectWith = (key: string, attempts: number): Sojourn =>
  new Sojourn({ url: serviceUrl(), key, locale: language.value, attempts })

/** For what may take its time. */
export const patientSojourn = (): Sojourn => connectWith(sessionStorage.getItem(KEY) ?? '', 5)

async function readPerson(key: string): Promise<Person> {
  const sojourn = connectWith(key, 1)
  const [me, fields] = await Promise.all([sojourn.me(), sojourn.fields()])
  return { me, fields, sojourn }
}

/** Tries a key, and keeps it in this tab if the service takes it. */
export async function signIn(key: string): Promise<void> {
  isSigningIn.value = true
  try {
    const found = await readPerson(key)
    sessionStorage.setItem(KEY, key)
    batch(() => {
      person.value = found
      refused.value = undefined
    })
  } catch (error) {
    const problem = problemOf(error, Date.now())
    if (problem.kind === 'ended') forget()
    refused.value = problem
  } finally {
    isSigningIn.value = false
  }
}

/** The key, and what its holder looked at. */
export const forget = (): void => sessionStorage.clear()

/** Forgets the key, and asks for one. */
export function signOut(): void {
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

/** The language of before, or the browser's; the key of this tab, if there is one. */
export async function begin(): Promise<void> {
  const wanted = [localStorage.getItem(LANGUAGE) ?? '', ...navigator.languages]
  const known = wanted
    .flatMap((tag) => [tag, tag.slice(0, 2)])
    .map((tag) => (tag === 'nb' || tag === 'nn' ? 'no' : tag))
    .find((tag) => Object.hasOwn(LANGUAGE_NAMES, tag))
  const key = sessionStorage.getItem(KEY)
  // At once: neither needs the other.
  language.value = known ?? 'en'
  await Promise.all([speak(language.value), key === null ? undefined : signIn(key)])
}

export const may = (scope: Me['key']['scopes'][number]): boolean =>
  person.value?.me.key.scopes.includes(scope) ?? false
