/** Folded below the plates: who skips, with rooms, and the portions by role, program and room. */
import { type ComponentChild, h } from 'preact'
import { useState } from 'preact/hooks'
import { MEALS, type PortionsByMeal, type PortionsDay, skippingAt } from '../../../src/documents/portions.ts'
import { words } from '../base/signed-in.ts'
import { State } from '../frame/states.ts'
import { linkedGuest } from '../guest/guest-link.ts'
import { useKitchen } from './kitchen-reading.ts'
import { MealColumns } from './meal-table.ts'
import { reasonTexts } from './reason-words.ts'

/** Names are read only when somebody opens them: each reading is in the audit trail. */
export function WhoSkips({ day }: { readonly day: string }): ComponentChild {
  const [isOpen, setOpen] = useState(false)
  const toggle = (event: Event) => {
    if (event.currentTarget instanceof HTMLDetailsElement) setOpen(event.currentTarget.open)
  }
  return h('details', { class: 'more', onToggle: toggle }, [
    h('summary', null, words.value('whoSkips')),
    isOpen && h(Names, { day }),
  ])
}

function Names({ day }: { readonly day: string }): ComponentChild {
  const t = words.value
  const reader = useKitchen({ from: day, days: 1, withGuests: true })
  const reading = reader.state.value
  const shown = reading.value?.days[0]
  return h('div', null, [
    h(State, { reading, reader }),
    shown === undefined
      ? reading.problem === undefined && h('p', { class: 'soft', role: 'status' }, t('loading'))
      : h(
          'div',
          { class: 'names' },
          MEALS.map((meal) => {
            const guests = skippingAt(shown, meal)
            return h('section', null, [
              h('h2', null, `${t(meal)} · ${guests.length}`),
              h(
                'ul',
                null,
                guests.map(({ id, name, room }) =>
                  h('li', null, [
                    h('span', { class: room === null ? 'soft' : undefined }, room ?? t('noRoom')),
                    h('span', null, linkedGuest(id, name ?? '')),
                  ]),
                ),
              ),
            ])
          }),
        ),
  ])
}

/** Everybody in the house who does not eat a meal for another reason than a skip. */
export function WhoEatsNot({ day }: { readonly day: string }): ComponentChild {
  const [isOpen, setOpen] = useState(false)
  const toggle = (event: Event) => {
    if (event.currentTarget instanceof HTMLDetailsElement) setOpen(event.currentTarget.open)
  }
  return h('details', { class: 'more', onToggle: toggle }, [
    h('summary', null, words.value('whoEatsNot')),
    isOpen && h(Reasons, { day }),
  ])
}

function Reasons({ day }: { readonly day: string }): ComponentChild {
  const t = words.value
  const reader = useKitchen({ from: day, days: 1, withGuests: true })
  const reading = reader.state.value
  const shown = reading.value?.days[0]
  const guests = (shown?.guestList ?? []).flatMap((guest) => {
    const reasons = reasonTexts(guest)
    return reasons.length === 0 ? [] : [{ ...guest, reasons }]
  })
  const isWaiting = shown === undefined && reading.problem === undefined
  return h('div', { class: 'names' }, [
    h(State, { reading, reader }),
    isWaiting && h('p', { class: 'soft', role: 'status' }, t('loading')),
    shown !== undefined && guests.length === 0 && h('p', null, t('nobodyWithout')),
    h(
      'ul',
      null,
      guests.map(({ id, name, room, reasons }) =>
        h('li', { key: id }, [
          h('span', { class: room === null ? 'soft' : undefined }, room ?? t('noRoom')),
          h('span', null, [linkedGuest(id, name ?? ''), `: ${reasons.join('; ')}`]),
        ]),
      ),
    ),
  ])
}

interface LabelledRow extends PortionsByMeal {
  readonly label: string
  /** whether it is the row of those without */
  readonly isSilent: boolean
}

export function ByRows({ day }: { readonly day: PortionsDay }): ComponentChild[] {
  const t = words.value
  return [
    h(Fold, { title: t('byRole'), rows: day.byRole.map((row) => ({ ...row, isSilent: false })) }),
    h(Fold, {
      title: t('byProgram'),
      rows: day.byProgram.map((row) => ({ ...row, isSilent: row.program === null })),
    }),
    h(Fold, { title: t('byRoom'), rows: day.byRoom.map((row) => ({ ...row, isSilent: row.room === null })) }),
  ]
}

function Fold({
  title,
  rows,
}: {
  readonly title: string
  readonly rows: readonly LabelledRow[]
}): ComponentChild {
  const t = words.value
  return h('details', { class: 'more' }, [
    h('summary', null, title),
    h('table', { class: 'meals' }, [
      h('caption', { class: 'vh' }, title),
      h(MealColumns, null),
      h(
        'thead',
        null,
        h('tr', { class: 'vh-row' }, [
          h('th', { scope: 'col' }, h('span', { class: 'vh' }, title)),
          ...MEALS.map((meal) => h('th', { scope: 'col' }, h('span', { class: 'vh' }, t(meal)))),
        ]),
      ),
      h(
        'tbody',
        null,
        rows.map((row) =>
          h('tr', { class: 'l' }, [
            h('th', { scope: 'row' }, h('span', { class: row.isSilent ? 'soft' : undefined }, row.label)),
            ...MEALS.map((meal) => h('td', { class: row[meal] === 0 ? 'zero' : undefined }, row[meal])),
          ]),
        ),
      ),
    ]),
  ])
}
