/** Opened from the row of a diet: the guests who have it, with rooms and meals, in the same three columns. */
import { type ComponentChild, h } from 'preact'
import { type DietRow, dietKey, type ListedGuest, MEALS } from '../../../src/documents/portions.ts'
import { words } from '../base/signed-in.ts'
import { State } from '../frame/states.ts'
import { linkedGuest } from '../guest/guest-link.ts'
import { useKitchen } from './kitchen-reading.ts'

/** Whether the guest is counted in the row of this diet. */
export function hasDiet(guest: ListedGuest, row: DietRow): boolean {
  if (row.field !== null) return guest.diets.some((diet) => dietKey(diet) === dietKey(row))
  if (row.kind === 'none') return guest.asked === true && guest.diets.length === 0
  return guest.asked === false
}

/** Names are read only when somebody opens them: each reading is in the audit trail. */
export function DietPeople({ day, row }: { readonly day: string; readonly row: DietRow }): ComponentChild {
  const reader = useKitchen({ from: day, days: 1, withGuests: true })
  const reading = reader.state.value
  const shown = reading.value?.days[0]
  const t = words.value
  if (shown === undefined) {
    const waits = reading.problem === undefined && h('span', { class: 'soft', role: 'status' }, t('loading'))
    return h('tr', { class: 'who' }, h('td', { colSpan: 4 }, [h(State, { reading, reader }), waits]))
  }
  const list = shown.guestList ?? []
  const additional = row.kind === 'notAsked' || row.field === null ? list.filter(isWithOthers) : []
  return [
    ...list.filter((guest) => hasDiet(guest, row)).map((guest) => h(GuestLine, { guest, key: guest.id })),
    ...(row.kind === 'none' ? [] : additional).map((guest) =>
      h(OthersLine, { guest, key: `with ${guest.id}` }),
    ),
  ]
}

const isWithOthers = ({ additional = 0 }: ListedGuest) => additional > 0

/** @param more what follows the name */
const Who = ({ guest, more = '' }: { readonly guest: ListedGuest; readonly more?: string }) => {
  const { id, name: own, room } = guest
  return h('th', { scope: 'row' }, [
    h('span', { class: room === null ? 'soft' : undefined }, room ?? words.value('noRoom')),
    ' ',
    linkedGuest(id, own ?? ''),
    more,
  ])
}

const GuestLine = ({ guest }: { readonly guest: ListedGuest }) =>
  h('tr', { class: 'l who' }, [
    h(Who, { guest }),
    ...MEALS.map((meal) => {
      const eats = guest.eats.includes(meal)
      return h('td', { class: eats ? undefined : 'zero' }, eats ? 1 : 0)
    }),
  ])

/** People without a name, whose diet is not known. */
const OthersLine = ({ guest }: { readonly guest: ListedGuest }) => {
  const { additional = 0, eats } = guest
  return h('tr', { class: 'l who' }, [
    h(Who, { guest, more: `, ${words.value('andWithoutName', { n: additional })}` }),
    ...MEALS.map((meal) => {
      const plates = eats.includes(meal) ? additional : 0
      return h('td', { class: plates === 0 ? 'zero' : undefined }, plates)
    }),
  ])
}
