/** What was found, by group with its count; what was not searched; and what is wrong. */
import { type ComponentChild, h } from 'preact'
import type { SearchAnswer } from '../../../client/src/index.ts'
import { numberText } from '../../../src/documents/numbers.ts'
import { nameOfOrder } from '../../../src/documents/order-name.ts'
import type { WordKey } from '../../../src/documents/words.ts'
import { timeNow, today } from '../base/now.ts'
import { presenceText } from '../base/presence.ts'
import { language, words } from '../base/signed-in.ts'
import { fullName } from '../guest/guest-name.ts'
import { type Choice, type FoundGuest, type FoundOrder, groupOf, hoursOf } from './choices.ts'
import { marked } from './marked.ts'

interface FoundProps {
  readonly isShown: boolean
  readonly isTooShort: boolean
  readonly isWaiting: boolean
  readonly answer: SearchAnswer | undefined
  readonly problem: string | undefined
  readonly q: string
  readonly choices: readonly Choice[]
  readonly at: number
  readonly onChoose: (choice: Choice) => void
}

const GROUPS = [
  ['here', 'searchHere'],
  ['expected', 'arrive'],
  ['other', 'searchOtherDays'],
  ['similar', 'searchSimilar'],
  ['orders', 'orders'],
] as const satisfies readonly (readonly [Choice['group'], WordKey])[]

export function Found(props: FoundProps): ComponentChild {
  const t = words.value
  const { isShown, isTooShort, isWaiting, answer, problem, choices } = props
  const status = statusText(props)
  return h('div', { class: 'found', hidden: !isShown }, [
    h(
      'p',
      { role: 'status', class: choices.length > 0 && !isWaiting ? 'vh' : 'soft' },
      isShown ? status : '',
    ),
    problem !== undefined && h('p', { class: 'bad' }, h('b', null, problem)),
    h(
      'div',
      { id: 'found', role: 'listbox', 'aria-label': t('searchFound'), 'aria-busy': isWaiting },
      isTooShort ? [] : GROUPS.map(([group, title]) => h(Group, { ...props, group, title, key: group })),
    ),
    !isTooShort && problem === undefined && answer !== undefined && h(Missing, { answer }),
  ])
}

function statusText({ isTooShort, isWaiting, answer, problem }: FoundProps): string {
  const t = words.value
  if (isTooShort) return t('searchTooShort')
  if (problem !== undefined) return ''
  if (isWaiting || answer === undefined) return t('loading')
  const { guests, orders } = answer
  const counts = [
    guests === null ? '' : `${t('guests')}: ${countText(guests)}`,
    orders === null ? '' : `${t('orders')}: ${countText(orders)}`,
  ]
  return (guests?.total ?? 0) + (orders?.total ?? 0) === 0
    ? t('searchNothing')
    : counts.filter(Boolean).join(', ')
}

/** A number that is a minimum says so. */
const countText = ({ total, complete }: { readonly total: number; readonly complete: boolean }) =>
  complete
    ? numberText(total, language.value)
    : words.value('searchAtLeast', { n: numberText(total, language.value) })

function Group({
  group,
  title,
  choices,
  at,
  q,
  onChoose,
}: FoundProps & { readonly group: Choice['group']; readonly title: WordKey }): ComponentChild {
  const t = words.value
  const own = choices.flatMap((choice, index) => (choice.group === group ? [{ choice, index }] : []))
  if (own.length === 0) return null
  return h('div', { role: 'group', 'aria-labelledby': `found-${group}` }, [
    h('p', { class: 'gr', id: `found-${group}`, role: 'presentation' }, `${t(title)} · ${own.length}`),
    ...own.map(({ choice, index }) =>
      h(
        'div',
        {
          id: `found-${index}`,
          role: 'option',
          'aria-selected': index === at,
          ref:
            index === at
              ? (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })
              : undefined,
          // The field has the focus until something is chosen.
          onMouseDown: (event: Event) => event.preventDefault(),
          onClick: () => onChoose(choice),
        },
        choice.group === 'orders' ? orderLine(choice.order, q) : guestLine(choice.guest, q),
      ),
    ),
  ])
}

function guestLine(guest: FoundGuest, q: string): ComponentChild {
  const t = words.value
  const { room, startDate, endDate, when, status, matched } = guest
  // A value that only repeats the name is left out.
  const isByName = matched.some(({ by }) => by === 'name' || by === 'similarName')
  const values = matched.flatMap(({ by, value }) =>
    value === null || by === 'room' || (isByName && by === 'email') ? [] : [value],
  )
  const place = room ?? t('noRoom')
  const days = { from: startDate, until: endDate }
  const now = { day: today(), time: timeNow() }
  const group = groupOf(guest, now)
  const untilText = t('searchUntil', { room: place, until: endDate })
  const TEXTS = {
    here: untilText,
    expected: `${presenceText(t, hoursOf(guest.ids), now.day, now)}, ${untilText}`,
    coming: t('searchComes', { ...days, room: place }),
    past: t('searchWasHere', { ...days, room: place }),
    inactive: `${status}, ${startDate} – ${endDate}`,
  }
  // One who has left today was here.
  const said = group === 'other' ? (when === 'here' ? 'past' : when) : group === 'expected' ? group : 'here'
  return [
    h('span', null, [
      marked(fullName(guest), q),
      values.length > 0 && h('span', { class: 'value' }, [' ', marked(values.join(', '), q)]),
    ]),
    ' ',
    h('span', null, TEXTS[said]),
  ]
}

function orderLine(order: FoundOrder, q: string): ComponentChild {
  const t = words.value
  const { guestNames, guests, paymentStatus, status } = order
  const more = guests - guestNames.length
  const names = guests === 0 ? t('searchNoGuests') : guestNames.join(', ')
  return [
    h('span', null, [
      marked(`${nameOfOrder(order)}, ${names}`, q),
      more > 0 && ` ${t('searchAndMore', { n: numberText(more, language.value) })}`,
    ]),
    ' ',
    h('span', null, paymentStatus ?? status),
  ]
}

/** What is not in the list: groups that the key may not read, and more than are shown. */
function Missing({ answer }: { readonly answer: SearchAnswer }): ComponentChild {
  const t = words.value
  const { guests, orders, withheld } = answer
  const cut = [
    { title: t('guests'), of: guests },
    { title: t('orders'), of: orders },
  ].flatMap(({ title, of }) =>
    of !== null && of.total > of.data.length
      ? [t('searchCut', { what: title, n: of.data.length, total: countText(of) })]
      : [],
  )
  const not = withheld.map(({ group }) => t(group)).join(', ')
  return [
    ...cut.map((text) => h('p', { class: 'note' }, text)),
    not !== '' && h('p', { class: 'note withheld' }, t('searchNotSearched', { what: not })),
  ]
}
