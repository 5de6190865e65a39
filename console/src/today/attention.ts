/** What the desk has to look at: contradictions about the guests of the day, and guests without a room. */
import { type ComponentChild, h } from 'preact'
import { KINDS } from '../../../src/documents/contradiction-kinds.ts'
import { to } from '../base/routes.ts'
import { words } from '../base/signed-in.ts'
import { type Contradictions, withheldNumber } from '../contradictions/contradictions-reading.ts'
import { linkedRecord, nameOfRecord } from '../contradictions/record-link.ts'
import type { DayGuest } from './day-guests.ts'

interface AttentionProps {
  readonly guests: readonly DayGuest[]
  /** undefined if the key may not read them */
  readonly contradictions: Contradictions | undefined
}

export function Attention({ guests, contradictions }: AttentionProps): ComponentChild {
  const t = words.value
  const withoutRoom = guests.filter(({ room }) => room === null).length
  const found = contradictions === undefined ? [] : entriesAbout(guests, contradictions)
  const withheld = withheldNumber(contradictions?.withheld ?? [])
  return h('section', { class: found.length + withoutRoom > 0 ? 'block wrong' : 'block' }, [
    h('h2', null, t('lookAtThis')),
    h('ul', null, [
      withoutRoom > 0 && h('li', null, h('b', null, t('withoutRoom', { n: withoutRoom }))),
      ...found.map(({ id, kind, named }) =>
        h('li', { key: id }, [
          h('b', null, t(KINDS[kind].name)),
          ...named.flatMap((record, at) => [at === 0 ? ': ' : ', ', linkedRecord(record)]),
        ]),
      ),
    ]),
    contradictions === undefined
      ? h('p', { class: 'soft small' }, t('contradictionsNotPermittedHere'))
      : [
          found.length === 0 &&
            h(
              'p',
              { class: 'soft' },
              t(contradictions.complete ? 'nothingAboutGuests' : 'contradictionsIncomplete'),
            ),
          withheld !== 0 &&
            h('p', { class: 'small' }, h('b', null, t('contradictionsWithheld', { n: withheld ?? '–' }))),
          contradictions.hasMore && h('p', { class: 'small' }, h('b', null, t('moreContradictions'))),
          h('p', null, h('a', { href: to('contradictions') }, t('contradictions'))),
        ],
  ])
}

/** Of guests, rooms and orders of the day. */
function entriesAbout(guests: readonly DayGuest[], { groups }: Contradictions) {
  const ids = new Set(
    guests.flatMap(({ id, roomId, orderUuid }) => [`guest ${id}`, `room ${roomId}`, `order ${orderUuid}`]),
  )
  return groups
    .flatMap(({ entries }) => entries)
    .filter(({ evidence }) => evidence.records.some(({ kind, id }) => ids.has(`${kind} ${id}`)))
    .map(({ id, kind, evidence }) => ({
      id,
      kind,
      named: [...new Map(evidence.records.map((record) => [nameOfRecord(record), record])).values()],
    }))
}
