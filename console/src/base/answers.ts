/**
 * The answers that this tab has read, in its memory and nowhere else. Each has the time at which it was right, and whether
 * something has changed since.
 */
import { isTouched, kindsOf, type Moved } from './outdated-answers.ts'

/** Characters of all answers together: a long list of a large center has five million. */
const CHARACTERS_MAX = 20_000_000

export interface CachedAnswer {
  readonly url: URL
  readonly text: string
  readonly headers: Headers
  /** when it was asked for, epoch milliseconds: it is right as of then */
  readonly askedAt: number
  /** whether something that it shows has changed since */
  readonly isTouched: boolean
  /** whether it is of the copy on this device, and was not read since */
  readonly isCopied?: boolean
}

/** A request on its way. */
export interface Asking {
  readonly url: URL
  readonly askedAt: number
  isTouched: boolean
}

export interface Answers {
  get(address: string): CachedAnswer | undefined
  /** Marks the begin of a request, so that a change that comes before its answer counts. */
  begin(address: string, now: number): Asking
  /** @param answer undefined if it brought nothing */
  end(address: string, asking: Asking, answer: Pick<CachedAnswer, 'text' | 'headers'> | undefined): void
  /** Adds what the copy on this device has, as what may have changed. */
  addCopied(address: string, answer: Pick<CachedAnswer, 'text' | 'headers' | 'askedAt'>): void
  touch(changes: readonly Moved[]): void
  /** Everything may have changed. */
  touchAll(): void
  clear(): void
}

export function createAnswers(charactersMax = CHARACTERS_MAX): Answers {
  // A Map keeps the order in which its keys were set: the first is the one used longest ago.
  const answers = new Map<string, CachedAnswer>()
  const asked = new Set<Asking>()
  let characters = 0
  const drop = (address: string) => {
    characters -= answers.get(address)?.text.length ?? 0
    answers.delete(address)
  }
  const touchIf = (isNow: (url: URL) => boolean) => {
    for (const asking of asked) if (isNow(asking.url)) asking.isTouched = true
    for (const [address, answer] of answers) {
      if (!answer.isTouched && isNow(answer.url)) answers.set(address, { ...answer, isTouched: true })
    }
  }
  return {
    get(address) {
      const answer = answers.get(address)
      if (answer === undefined) return undefined
      answers.delete(address)
      answers.set(address, answer)
      return answer
    },
    begin(address, now) {
      const asking = { url: new URL(address), askedAt: now, isTouched: false }
      asked.add(asking)
      return asking
    },
    end(address, asking, answer) {
      // After `clear` nothing of before may come back.
      if (!asked.delete(asking) || answer === undefined) return
      drop(address)
      answers.set(address, { ...answer, ...asking })
      characters += answer.text.length
      for (const oldest of answers.keys()) {
        if (characters <= charactersMax || oldest === address) break
        drop(oldest)
      }
    },
    addCopied(address, answer) {
      drop(address)
      answers.set(address, { ...answer, url: new URL(address), isTouched: true, isCopied: true })
      characters += answer.text.length
    },
    touch: (changes) => touchIf((url) => changes.some((change) => isTouched(url, change))),
    touchAll: () => touchIf((url) => kindsOf(url) !== undefined),
    clear() {
      answers.clear()
      asked.clear()
      characters = 0
    },
  }
}
