/** What does not fit about this guest: first on the page, with what was not looked at. */
import { type ComponentChild, h } from 'preact'
import { type Contradiction, KINDS } from '../../../src/documents/contradiction-kinds.ts'
import type { Names } from '../../../src/documents/evidence-text.ts'
import { fieldText, valueText, type Writing } from '../../../src/documents/evidence-text.ts'
import { useResource } from '../base/resource.ts'
import { language, may, person, words } from '../base/signed-in.ts'
import { withheldNumber } from '../contradictions/contradictions-reading.ts'
import { readNames } from '../contradictions/evidence-names.ts'
import { linkedRecord } from '../contradictions/record-link.ts'
import { State } from '../frame/states.ts'
import { pageOf, type Stay } from './stays-reading.ts'

const LISTED_MAX = 20

export function GuestContradictions({ stay }: { readonly stay: Stay }): ComponentChild {
  const t = words.value
  if (!may('contradictions')) return h('p', { class: 'soft small' }, t('contradictionsOfGuestNotPermitted'))
  return h(Read, { stay })
}

function Read({ stay }: { readonly stay: Stay }): ComponentChild {
  const t = words.value
  const reader = useResource(
    async (sojourn, signal) => {
      const length = pageOf(LISTED_MAX)
      const list = await sojourn.contradictions.list(
        { guestId: stay.id, dismissed: false, length },
        { signal },
      )
      return { ...list, names: await readNames(sojourn, list.data, { length, mayRead: may }, signal) }
    },
    [stay.id],
  )
  const reading = reader.state.value
  const found = reading.value
  const hidden = withheldNumber(found?.withheld ?? [])
  const notRead = found?.withheld.map(({ kind }) => t(KINDS[kind].name)) ?? []
  return h(
    'section',
    { class: (found?.total ?? 0) > 0 ? 'block wrong' : undefined, 'aria-label': t('contradictions') },
    [
      h(State, { reading, reader }),
      found === undefined &&
        reading.problem === undefined &&
        h('p', { class: 'soft', role: 'status' }, t('loading')),
      found && [
        found.total > 0 && h('h2', null, t('contradictionsOpen', { n: found.total })),
        found.data.map((of) => h(One, { of, stay, names: found.names, key: of.id })),
        found.total > found.data.length &&
          h(
            'p',
            { class: 'say chgd' },
            t('contradictionsListed', { n: found.data.length, total: found.total }),
          ),
        found.total === 0 &&
          h(
            'p',
            { class: 'soft small' },
            t(notRead.length > 0 ? 'contradictionsNoneReadable' : 'contradictionsNone'),
          ),
        !found.complete && h('p', { class: 'say chgd' }, h('b', null, t('contradictionsIncomplete'))),
        notRead.length > 0 &&
          h('p', { class: 'small withheld' }, [
            t('contradictionsWithheld', { n: hidden ?? '–' }),
            ': ',
            notRead.join(', '),
          ]),
      ],
    ],
  )
}

interface OneProps {
  readonly of: Contradiction
  readonly stay: Stay
  readonly names: Names
}

function One({ of, stay, names }: OneProps): ComponentChild {
  const t = words.value
  const writing: Writing = {
    ...{ t, language: language.value },
    zone: person.value?.me.center.timezone ?? 'UTC',
    fields: person.value?.fields ?? [],
    names,
  }
  const { records, compared } = of.evidence
  const others = records.filter(({ kind, id }) => kind !== 'guest' || id !== stay.id)
  return h('div', { class: 'contra' }, [
    h('h3', null, t(KINDS[of.kind].name)),
    others.length > 0 &&
      h(
        'p',
        null,
        others.flatMap((record, at) => [at > 0 && ', ', linkedRecord(record)]),
      ),
    h(
      'dl',
      { class: 'bits' },
      compared.flatMap((one) => [
        h('dt', null, fieldText(of, one.field, writing)),
        h('dd', null, one.values.map((_, at) => valueText(of, one, at, writing)).join(' / ')),
      ]),
    ),
  ])
}
