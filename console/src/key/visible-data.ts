/** What a key lets its holder see, and what it does not, as the service says. */
import { type ComponentChild, h } from 'preact'
import type { WordKey } from '../../../src/documents/words.ts'
import { words } from '../base/signed-in.ts'
import { SUBJECTS, type Subject } from './subject-words.ts'

export interface Seen {
  readonly sees: readonly Subject[]
  readonly seesNot: readonly Subject[]
}

interface SeesProps extends Seen {
  /** custom fields that it sees, if it does not see all of them */
  readonly fields?: readonly string[]
  /** further rows */
  readonly children?: ComponentChild
}

export function Sees({ sees, seesNot, fields = [], children }: SeesProps): ComponentChild {
  const others = (subject: Subject): WordKey | undefined =>
    subject === 'customFields' && fields.length > 0 ? 'seesOtherFields' : undefined
  return h('dl', { class: 'may' }, [
    row('deviceSees', subjectList(sees)),
    fields.length > 0 && row('deviceFields', fields.join(', ')),
    row('deviceSeesNot', subjectList(seesNot, others)),
    children,
  ])
}

/** A row of such a list. */
export const row = (word: WordKey, text: string): ComponentChild[] => [
  h('dt', null, h('b', null, words.value(word))),
  h('dd', null, text),
]

/** @param wordOf another word for a subject */
export const subjectList = (
  subjects: readonly Subject[],
  wordOf: (subject: Subject) => WordKey | undefined = () => undefined,
): string => {
  const t = words.value
  if (subjects.length === 0) return t('none')
  return subjects.map((subject) => t(wordOf(subject) ?? SUBJECTS[subject])).join('; ')
}
