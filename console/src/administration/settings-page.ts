/** Settings of the center: meal times, diets and allergies, statuses of orders, kinds of contradictions, language, booking numbers. Each form is one action. */
import { type ComponentChild, h } from 'preact'
import { useState } from 'preact/hooks'
import type { CenterSettings } from '../../../client/src/index.ts'
import { LANGUAGE_NAMES, type WordKey } from '../../../src/documents/words.ts'
import { notUnderstood } from '../base/address.ts'
import type { PageProps } from '../base/page.ts'
import { useResource } from '../base/resource.ts'
import { to } from '../base/routes.ts'
import { language, person, words } from '../base/signed-in.ts'
import { useTitle } from '../base/title.ts'
import { NotUnderstood } from '../frame/not-understood.ts'
import { Foot, State } from '../frame/states.ts'
import { DietSettings } from './diet-settings.ts'
import { Field } from './fields.ts'
import { MealSettings } from './meal-settings.ts'
import { change, listOf, Saving, type SettingsProps } from './saving.ts'

export function SettingsPage({ query }: PageProps): ComponentChild {
  const t = words.value
  const { me } = person.value!
  const [said, say] = useState('')
  const reader = useResource((sojourn, signal) => sojourn.administration.settings({ signal }), [])
  const reading = reader.state.value
  const of = reading.value
  useTitle(t('centerSettings'))
  const onSaved = () => {
    say('')
    queueMicrotask(() => say(t('viewSaved')))
    reader.refresh()
  }
  return h('div', { class: 'administration' }, [
    h('div', { class: 'head' }, [
      h('div', null, [
        h('h1', null, [t('centerSettings'), ' ', h('span', null, me.center.name)]),
        h('p', { class: 'sub' }, h('a', { href: to('administration') }, t('administration'))),
      ]),
    ]),
    h(NotUnderstood, { parts: notUnderstood(query, {}) }),
    h(State, { reading, reader }),
    h('p', { role: 'status' }, said !== '' && h('b', null, said)),
    of &&
      [MealSettings, DietSettings, OrderSettings, KindSettings, NumberSettings].map((form) =>
        h(form, { of, onSaved }),
      ),
    h(Foot, { reading, isStill: true }, h('span', null, t('pageIsRecorded'))),
  ])
}

const STATUS_WORDS = {
  valid: 'groupValid',
  open: 'groupOpen',
  void: 'groupVoid',
  refunded: 'paidBack',
} as const satisfies Readonly<Record<string, WordKey>>
/** A word that is inside a sentence elsewhere. */
const asTitle = (word: string) => word.charAt(0).toLocaleUpperCase(language.value) + word.slice(1)
const STATUS_LISTS = ['valid', 'open', 'void', 'refunded'] as const

function OrderSettings({ of: { orderRules }, onSaved }: SettingsProps): ComponentChild {
  const t = words.value
  const textsOf = (lists: CenterSettings['orderRules']['orderStatuses']) =>
    Object.fromEntries(STATUS_LISTS.map((list) => [list, lists[list].join(', ')]))
  const [texts, setTexts] = useState({
    orderStatuses: textsOf(orderRules.orderStatuses),
    paymentStatuses: textsOf(orderRules.paymentStatuses),
  })
  const listsOf = (kind: keyof typeof texts) =>
    Object.fromEntries(STATUS_LISTS.map((list) => [list, listOf(texts[kind][list] ?? '')]))
  const save = () =>
    change({
      orderRules: { orderStatuses: listsOf('orderStatuses'), paymentStatuses: listsOf('paymentStatuses') },
    })
  return h(Saving, { id: 'set-orders', title: t('orders'), save, onSaved }, [
    h('p', { class: 'small soft' }, t('statusList')),
    (['orderStatuses', 'paymentStatuses'] as const).map((kind) =>
      h('fieldset', null, [
        h('legend', null, t(kind === 'orderStatuses' ? 'status' : 'payment')),
        STATUS_LISTS.map((list) =>
          h(Field, {
            label: asTitle(t(STATUS_WORDS[list])),
            value: texts[kind][list] ?? '',
            set: (next: string) => setTexts({ ...texts, [kind]: { ...texts[kind], [list]: next } }),
          }),
        ),
      ]),
    ),
  ])
}

type Kinds = CenterSettings['contradictionKinds']

const KIND_WORDS: Readonly<Record<keyof Kinds, WordKey>> = {
  samePersonTwice: 'kindSamePersonTwice',
  overlappingStays: 'kindOverlappingStays',
  roomOverfull: 'kindRoomOverfull',
  sessionsAtOneTime: 'kindSessionsAtOneTime',
  allergiesDiffer: 'kindAllergiesDiffer',
  arrivedWithoutIdentifier: 'kindArrivedWithoutIdentifier',
  departedInFuture: 'kindDepartedInFuture',
  depositTwice: 'kindDepositTwice',
  stayOutsideSession: 'kindStayOutsideSession',
  orderDoesNotAddUp: 'kindOrderDoesNotAddUp',
  paymentDoesNotFit: 'kindPaymentDoesNotFit',
  guestWithoutOrder: 'kindGuestWithoutOrder',
  orderWithoutGuests: 'kindOrderWithoutGuests',
}

function KindSettings({ of: { contradictionKinds }, onSaved }: SettingsProps): ComponentChild {
  const t = words.value
  const [kinds, setKinds] = useState<Kinds>(contradictionKinds)
  const names = Object.keys(KIND_WORDS).filter((name): name is keyof Kinds => Object.hasOwn(KIND_WORDS, name))
  const save = () => change({ contradictionKinds: kinds })
  return h(
    Saving,
    { id: 'set-kinds', title: t('contradictions'), save, onSaved },
    names.map((kind) =>
      checkbox(t(KIND_WORDS[kind]), kinds[kind], () => setKinds({ ...kinds, [kind]: !kinds[kind] })),
    ),
  )
}

const checkbox = (text: string, checked: boolean, onChange: () => void): ComponentChild =>
  h('label', { class: 'pick' }, [h('input', { type: 'checkbox', checked, onChange }), h('span', null, text)])

function NumberSettings({ of, onSaved }: SettingsProps): ComponentChild {
  const t = words.value
  const [locale, setLocale] = useState(of.locale)
  const [isAutomatic, setAutomatic] = useState(of.automaticBookingIds)
  const [session, setSession] = useState<string>(of.bookingIdSession)
  const [format, setFormat] = useState(of.bookingIdFormat)
  const save = () =>
    change({
      locale,
      automaticBookingIds: isAutomatic,
      bookingIdSession: session,
      bookingIdFormat: format,
    })
  return h(Saving, { id: 'set-numbers', title: `${t('language')}, ${t('bookingNumber')}`, save, onSaved }, [
    h(Field, {
      label: t('language'),
      value: locale,
      set: setLocale,
      // A center may have a region of a language, `de-AT`.
      options: [...new Set([of.locale, ...of.languages])].map((one) => [one, nameOfLanguage(one)] as const),
    }),
    checkbox(t('automaticNumbers'), isAutomatic, () => setAutomatic(!isAutomatic)),
    h(Field, { label: t('numberPattern'), value: format, set: setFormat, required: true }),
    h(Field, {
      label: t('session'),
      value: session,
      set: setSession,
      options: [
        ['number', t('number')],
        ['name', t('name')],
      ],
    }),
  ])
}

const nameOfLanguage = (tag: string): string => LANGUAGE_NAMES[tag] ?? tag
