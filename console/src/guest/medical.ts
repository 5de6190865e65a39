/**
 * Medical data of the shown stay: what the guest wrote, measurements on arrival and departure, the medical letter. It is read
 * when the user opens it, and not with the page, because others at a desk may see the page. Each read is in the audit trail.
 */
import { type ComponentChild, h } from 'preact'
import { useState } from 'preact/hooks'
import type { Field } from '../../../client/src/index.ts'
import type { FieldName } from '../../../client/src/projection.ts'
import { useResource } from '../base/resource.ts'
import { language, may, person, words } from '../base/signed-in.ts'
import { State } from '../frame/states.ts'
import { cellOf, type Row } from '../guests/values.ts'
import { zone } from '../kitchen/kitchen-reading.ts'
import { pageOf, type Stay } from './stays-reading.ts'

/** Stays of one person that overlap. */
const STAYS_MAX = 100

export function Medical({ stay }: { readonly stay: Stay }): ComponentChild {
  const t = words.value
  const [isOpen, setOpen] = useState(false)
  if (!may('guests.medical')) return null
  return h('section', { class: 'block' }, [
    h('h2', null, t('medicalData')),
    isOpen
      ? h(Values, { stay })
      : [
          h('p', { class: 'acts' }, [
            h('button', { type: 'button', class: 'first', onClick: () => setOpen(true) }, t('medicalShow')),
          ]),
          // Also on paper, where an empty section would look as if there were nothing.
          h('p', { class: 'small soft' }, t('medicalWhenOpened')),
        ],
  ])
}

/** In the order of the reference. */
const medicalFields = (): readonly Field[] =>
  person.value?.fields.filter(({ scope, readable }) => readable && scope === 'guests.medical') ?? []

function Values({ stay }: { readonly stay: Stay }): ComponentChild {
  const t = words.value
  const fields = medicalFields()
  const reader = useResource(
    async (sojourn, signal) => {
      const project = ['id', ...fields.map(({ name }) => name)] as FieldName[]
      const { data } = await sojourn.guests.list(
        {
          personOf: stay.id,
          startDate: stay.from,
          endDate: stay.until,
          project,
          length: pageOf(STAYS_MAX),
        },
        { signal },
      )
      return (data as unknown as readonly Row[]).find(({ id }) => id === stay.id)
    },
    [stay.id],
  )
  const reading = reader.state.value
  const row = reading.value
  const shown = { language: language.value, zone: zone(), words: t }
  return h('div', null, [
    h(State, { reading, reader }),
    row === undefined &&
      reading.problem === undefined &&
      h('p', { class: 'soft', role: 'status' }, t('loading')),
    row &&
      h(
        'dl',
        { class: 'bits' },
        fields.flatMap((field) => {
          const text = cellOf(row, field, shown)
          return [
            h('dt', null, field.label),
            h('dd', null, text === '' ? h('span', { class: 'soft' }, t('noneOnRecord')) : text),
          ]
        }),
      ),
  ])
}
