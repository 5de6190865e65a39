/** Answers retained with their `ETag`, so that a 304 need not be sent again: the ones used last, up to a size. */
export interface CachedAnswer {
  readonly etag: string
  readonly text: string
  readonly headers: Headers
}

export interface CachedAnswers {
  get(address: string): CachedAnswer | undefined
  set(address: string, answer: CachedAnswer): void
}

/** @param charactersMax of all texts together; an answer larger than a quarter of that is not retained */
export function cacheAnswers(charactersMax: number): CachedAnswers {
  // A Map keeps the order in which its keys were set: the first is the one used longest ago.
  const answers = new Map<string, CachedAnswer>()
  let characters = 0
  const drop = (address: string) => {
    characters -= answers.get(address)?.text.length ?? 0
    answers.delete(address)
  }
  return {
    get(address) {
      const answer = answers.get(address)
      if (answer === undefined) return undefined
      answers.delete(address)
      answers.set(address, answer)
      return answer
    },
    set(address, answer) {
      drop(address)
      if (answer.text.length > charactersMax / 4) return
      answers.set(address, answer)
      characters += answer.text.length
      for (const oldest of answers.keys()) {
        if (characters <= charactersMax) break
        drop(oldest)
      }
    },
  }
}
