/** How old the data of an answer is (ruling 46), in a sentence: a model tells a person as current what it reads. */
import { receivedFacts } from '../../core/access/data-age.ts'

/** @param header `Data-Received` of the answer */
export function ageOfData(header: string | undefined): string {
  const facts = receivedFacts(header ?? '')
  if (facts.length === 0) return 'How old this data is, is not known.'
  const parts = facts.map(({ kind, at, late, dueAt }) => {
    const last = at === null ? 'never' : at
    return late ? `${kind} ${last}, late since ${dueAt}: what changed since is missing` : `${kind} ${last}`
  })
  return `Last received: ${parts.join('; ')}.`
}
