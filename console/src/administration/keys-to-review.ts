/** The keys that a person must check, with the reason. */
import { type ComponentChild, h } from 'preact'
import type { CenterKey } from '../../../client/src/index.ts'
import { addDays, localTime, writtenDay } from '../../../src/documents/days.ts'
import { language, person, words } from '../base/signed-in.ts'

const UNUSED_DAYS = 90
const ENDS_DAYS = 14

export const zone = (): string => person.value?.me.center.timezone ?? 'UTC'
export const dayOf = (moment: string): string => localTime(moment, zone()).day
export const today = (): string => localTime(Date.now(), zone()).day

/** Why a key needs a look, as sentences; none for most. */
export function reasonsOf(key: CenterKey): string[] {
  const t = words.value
  const written = (day: string) => writtenDay(day, language.value)
  const usedOn = dayOf(key.lastUsedAt ?? key.createdAt)
  return [
    ...(key.responsible === null ? [t('keyNobodyResponsible')] : []),
    ...(key.reviewOn !== null && key.reviewOn < today()
      ? [t('keyReviewPassed', { day: written(key.reviewOn) })]
      : []),
    ...(usedOn < addDays(today(), -UNUSED_DAYS)
      ? [
          key.lastUsedAt === null
            ? t('keyNeverUsedSince', { day: written(usedOn) })
            : t('keyNotUsedSince', { day: written(usedOn) }),
        ]
      : []),
    ...(key.expiresAt !== null && dayOf(key.expiresAt) <= addDays(today(), ENDS_DAYS)
      ? [t('keyEndsOn', { day: written(dayOf(key.expiresAt)) })]
      : []),
  ]
}

export function KeysToReview({ keys }: { readonly keys: readonly CenterKey[] }): ComponentChild {
  const t = words.value
  const found = keys
    .map((key) => ({ key, reasons: reasonsOf(key) }))
    .filter(({ reasons }) => reasons.length > 0)
  if (found.length === 0) return null
  return h('section', { class: 'block wrong' }, [
    h('h2', null, t('keysNeedLook', { n: found.length })),
    h(
      'ul',
      null,
      found.map(({ key, reasons }) =>
        h('li', { key: key.publicKey }, [h('b', null, key.name), `: ${reasons.join('; ')}`]),
      ),
    ),
  ])
}
