/** A person's rights: find a person, and show, export or erase what is stored. Neither the address nor the browser stores any of it. */
import { type ComponentChild, h } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Actions } from '../../../client/src/openapi.ts'
import { notUnderstood } from '../base/address.ts'
import type { PageProps } from '../base/page.ts'
import { problemOf } from '../base/problem.ts'
import { person, words } from '../base/signed-in.ts'
import { useTitle } from '../base/title.ts'
import { NotUnderstood } from '../frame/not-understood.ts'
import { sentence } from '../frame/states.ts'
import { fullName } from '../guest/guest-name.ts'
import { ErasePerson } from './erase-person.ts'
import { type Shown, StoredPerson } from './stored-person.ts'

type Found = NonNullable<Actions['find-person']['answer']['found']>[number]

const DAY_FIRST = /^(\d{1,2})[-./ ]+(\d{1,2})[-./ ]+(\d{4})$/

/** What was typed: an address has an @, a date of birth only digits. Day and month may be exchanged, which the service tries. */
export function askedBy(typed: string): { name: string | null; dob: string | null; email: string | null } {
  const text = typed.trim()
  const [, day = '', month = '', year = ''] = DAY_FIRST.exec(text) ?? []
  const dob = year === '' ? text : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const isDay = /^\d{4}-\d\d-\d\d$/.test(dob)
  const isAddress = text.includes('@')
  return {
    name: isDay || isAddress ? null : text,
    dob: isDay ? dob : null,
    email: isAddress ? text : null,
  }
}

export function RightsPage({ query }: PageProps): ComponentChild {
  const t = words.value
  const { me, sojourn } = person.value!
  const [typed, setTyped] = useState('')
  const [found, setFound] = useState<readonly Found[]>()
  const [shown, setShown] = useState<Shown & { readonly name: string; readonly customer: string }>()
  const [said, say] = useState('')
  const [wrong, setWrong] = useState('')
  const [isBusy, setBusy] = useState(false)
  // An answer that was overtaken is not shown.
  const round = useRef(0)
  useTitle(t('rights'))

  const run = async <T>(work: () => Promise<T>, then: (answer: T) => void) => {
    round.current += 1
    const own = round.current
    setBusy(true)
    setWrong('')
    say('')
    try {
      const answer = await work()
      if (own === round.current) then(answer)
    } catch (error) {
      if (own === round.current) setWrong(sentence(words.peek(), problemOf(error, Date.now())))
    } finally {
      if (own === round.current) setBusy(false)
    }
  }
  const find = () =>
    run(
      () => sojourn.act('find-person', askedBy(typed)),
      (answer) => {
        setShown(undefined)
        setFound(answer.found ?? [])
      },
    )
  const show = (of: Found) =>
    run(
      () => sojourn.act('show-person', { customer: of.customerId }),
      (answer) => setShown({ ...answer, name: fullName(of), customer: of.customerId }),
    )
  const erased = () => {
    setShown(undefined)
    setFound(undefined)
    setTyped('')
    say(t('rightsErased'))
  }
  return h('div', { class: 'rights' }, [
    h('div', { class: 'head' }, [
      h('div', null, [h('h1', null, t('rights')), h('p', { class: 'sub' }, me.center.name)]),
    ]),
    h(NotUnderstood, { parts: notUnderstood(query, {}) }),
    h('p', { class: 'no-print' }, t('rightsAbout')),
    h(
      'form',
      {
        class: 'filters no-print',
        onSubmit(event: SubmitEvent) {
          event.preventDefault()
          void find()
        },
      },
      [
        h('label', null, [
          t('rightsWho'),
          h('input', {
            type: 'search',
            value: typed,
            required: true,
            maxLength: 200,
            autocomplete: 'off',
            spellcheck: false,
            onInput(event: Event) {
              if (event.currentTarget instanceof HTMLInputElement) setTyped(event.currentTarget.value)
            },
          }),
        ]),
        h('button', { class: 'btn', disabled: isBusy }, t('rightsFind')),
      ],
    ),
    h('p', { role: 'status' }, isBusy ? t('loading') : said),
    wrong !== '' && h('p', { class: 'say bad', role: 'alert' }, h('b', null, wrong)),
    shown === undefined && found !== undefined && h(FoundPeople, { found, onShow: show }),
    shown !== undefined && h(StoredPerson, { of: shown, key: shown.customer }),
    shown !== undefined &&
      h(ErasePerson, {
        customer: shown.customer,
        name: shown.name,
        onErased: erased,
        key: `e-${shown.customer}`,
      }),
  ])
}

function FoundPeople({
  found,
  onShow,
}: {
  readonly found: readonly Found[]
  readonly onShow: (of: Found) => void
}): ComponentChild {
  const t = words.value
  if (found.length === 0) return h('p', { class: 'say' }, h('b', null, t('searchNothing')))
  return h(
    'ul',
    { class: 'entries' },
    found.map((of) =>
      h('li', { class: 'entry', key: of.customerId }, [
        h('button', { type: 'button', class: 'btn', onClick: () => onShow(of) }, fullName(of)),
        ' ',
        h(
          'span',
          null,
          [of.dob, ...of.stays.map(({ arrival, departure }) => `${arrival} – ${departure}`)]
            .filter(Boolean)
            .join(' · '),
        ),
      ]),
    ),
  )
}
