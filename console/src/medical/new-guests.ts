/** The doctor's first page: who arrives on a day, with age, allergies, program, doctor and therapist. Medical data is on the page of each guest. */
import { type ComponentChild, h } from 'preact'
import type { Sojourn } from '../../../client/src/index.ts'
import { isDay, weekday, writtenDay } from '../../../src/documents/days.ts'
import { numberText } from '../../../src/documents/numbers.ts'
import type { ListedGuest } from '../../../src/documents/portions.ts'
import { notUnderstood } from '../base/address.ts'
import type { PageProps } from '../base/page.ts'
import { useResource } from '../base/resource.ts'
import { language, may, person, words } from '../base/signed-in.ts'
import { useTitle } from '../base/title.ts'
import { DataFoot, OldData } from '../frame/data-age.ts'
import { NotUnderstood } from '../frame/not-understood.ts'
import { State } from '../frame/states.ts'
import { dietText } from '../guest/diet-text.ts'
import { linkedGuest } from '../guest/guest-link.ts'
import { isReadable, nameOf, pageOf, type Stay, stayOf, textAt } from '../guest/stays-reading.ts'
import { namesOf } from '../guests/columns.ts'
import type { Row } from '../guests/values.ts'
import { DietsNotice, DietsUnset } from '../kitchen/diets-shown.ts'
import { today } from '../kitchen/kitchen-reading.ts'
import { DayLinks } from '../today/day-links.ts'

/** No medical fields: the page of a guest reads them when the user opens them. */
const FIELDS = ['id', 'firstName', 'lastName', 'startDate', 'endDate', 'age', 'acc.roomId', 'programId']
const TEAM = ['doctorName', 'therapistName'] as const
const PAGE = 'new-guests'
const PAGE_LENGTH = 100

async function readArrivals(sojourn: Sojourn, day: string, signal: AbortSignal) {
  const fields = (person.value?.fields ?? []).filter(
    ({ name, readable }) =>
      readable && ([...FIELDS, ...TEAM].includes(name as never) || name.startsWith('meta.')),
  )
  const project = namesOf(fields)
  const arrivals = async () => {
    const stays: Stay[] = []
    const query = { arriving: day, active: true, project, length: pageOf(PAGE_LENGTH) }
    for await (const row of sojourn.guests.all(
      { ...query, sort: ['lastName', 'firstName'] as const },
      { signal },
    ))
      stays.push(stayOf(row as Row))
    return stays
  }
  const [stays, { total: others }, portions] = await Promise.all([
    arrivals(),
    sojourn.guests.list(
      { arriving: day, active: false, project: project.slice(0, 1), length: 1 },
      { signal },
    ),
    may('meals')
      ? sojourn.meals.portions(
          { startDate: day, endDate: day, includeGuests: true, includeReasons: true },
          { signal },
        )
      : undefined,
  ])
  return { stays, others, portions }
}

type Arrivals = Awaited<ReturnType<typeof readArrivals>>

export function NewGuests({ query }: PageProps): ComponentChild {
  const t = words.value
  const asked = query.day ?? ''
  const day = isDay(asked) ? asked : today()
  const reader = useResource((sojourn, signal) => readArrivals(sojourn, day, signal), [day])
  const reading = reader.state.value
  const { value } = reading
  useTitle(`${t('newGuests')} ${writtenDay(day, language.value)}`)
  return h('div', null, [
    h('div', { class: 'head' }, [
      h('div', null, [
        h('h1', null, [
          t('newGuests'),
          ' ',
          h('span', null, `${weekday(t, day)} ${writtenDay(day, language.value)}`),
        ]),
        h(DayLinks, { path: PAGE, day }),
      ]),
      h(
        'div',
        { class: 'acts' },
        h(
          'button',
          { type: 'button', class: 'btn', disabled: value === undefined, onClick: () => globalThis.print() },
          t('print'),
        ),
      ),
    ]),
    h(NotUnderstood, { parts: notUnderstood(query, { day: isDay }) }),
    h(State, { reading, reader }),
    value && h(OldData, { kind: 'bookings' }),
    value === undefined && reading.problem === undefined
      ? h('p', { class: 'soft', role: 'status' }, t('loading'))
      : null,
    value && h(Table, { of: value }),
    h(
      DataFoot,
      { reading, kind: 'bookings' },
      value && [
        h('span', null, t('readIsRecorded')),
        h('span', null, t('leftOutAre', { n: numberText(value.others, language.value) })),
      ],
    ),
  ])
}

function Table({ of: { stays, portions } }: { readonly of: Arrivals }): ComponentChild {
  const t = words.value
  const label = (name: string) => person.value?.fields.find((field) => field.name === name)?.label ?? name
  if (stays.length === 0) return h('p', { class: 'say' }, h('b', null, t('nobodyArrives')))
  const heads = [
    t('guest'),
    t('age'),
    t('room'),
    t('hour'),
    t('dietsAndAllergies'),
    t('program'),
    ...TEAM.map(label),
  ]
  const listed = new Map(
    portions?.days.flatMap(({ guestList = [] }) => guestList).map((guest) => [guest.id, guest]),
  )
  return h('section', { class: 'block' }, [
    portions === undefined
      ? h('p', { class: 'say bad' }, h('b', null, t('mealsNotPermitted')))
      : [h(DietsNotice, { diets: portions.diets, on: 'page' }), h(DietsUnset, { diets: portions.diets })],
    h('p', null, t('guestsListed', { n: numberText(stays.length, language.value) })),
    h(
      'div',
      { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': t('newGuests') },
      h('table', { class: 'lines' }, [
        h('caption', { class: 'vh' }, t('newGuests')),
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            heads.map((head) => h('th', { scope: 'col' }, head)),
          ),
        ),
        h(
          'tbody',
          null,
          stays.map((stay) => h(Line, { key: stay.id, stay, portions, guest: listed.get(stay.id) })),
        ),
      ]),
    ),
  ])
}

interface LineProps extends Pick<Arrivals, 'portions'> {
  readonly stay: Stay
  /** undefined if nothing is cooked for the guest */
  readonly guest: ListedGuest | undefined
}

function Line({ stay, portions, guest }: LineProps): ComponentChild {
  const t = words.value
  const cell = (text: string, missing: string) =>
    h('td', { class: text === '' ? 'soft' : undefined }, text === '' ? missing : text)
  const team = (name: string) =>
    isReadable(name) ? cell(textAt(stay, name), t('noneOnRecord')) : h('td', null, t('notPermitted'))
  return h('tr', null, [
    h('th', { scope: 'row' }, linkedGuest(stay.id, nameOf(stay) || stay.id)),
    isReadable('age') ? cell(textAt(stay, 'age'), '–') : h('td', { class: 'withheld' }, t('notPermitted')),
    cell(textAt(stay, 'acc.roomId'), t('noRoom')),
    cell(stay.arrivesAt ?? '', t('hourNotKnown')),
    h('td', null, portions === undefined ? t('notPermitted') : dietsOf(portions, guest, stay)),
    cell(textAt(stay, 'programId'), t('noProgram')),
    ...TEAM.map(team),
  ])
}

/** Each diet field with its name: an allergy that was not asked for is not "none". */
function dietsOf(
  { diets }: NonNullable<Arrivals['portions']>,
  guest: ListedGuest | undefined,
  stay: Stay,
): ComponentChild {
  if (diets.fields.length === 0) return '–'
  return diets.fields.flatMap(({ field, label }, at) => [
    at > 0 && h('br', null),
    h('span', { class: 'soft small' }, `${label}: `),
    dietText(field, guest, stay),
  ])
}
