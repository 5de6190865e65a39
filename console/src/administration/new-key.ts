/** A new key: who uses it, what it may read, who answers for it. Its secret is shown once, on this page. */
import { type ComponentChild, h } from 'preact'
import { useState } from 'preact/hooks'
import type { WordKey } from '../../../src/documents/words.ts'
import { notUnderstood } from '../base/address.ts'
import { go } from '../base/location.ts'
import type { PageProps } from '../base/page.ts'
import { useResource } from '../base/resource.ts'
import { to } from '../base/routes.ts'
import { person, words } from '../base/signed-in.ts'
import { useTitle } from '../base/title.ts'
import { NotUnderstood } from '../frame/not-understood.ts'
import { State } from '../frame/states.ts'
import { SCOPES } from '../key/scope-words.ts'
import { type Seen, Sees, subjectList } from '../key/visible-data.ts'
import { DeviceReady, type HandedOver, handOver } from './hand-over.ts'
import { Ask, useAttempt } from './key-forms.ts'
import { type Keys, readKeys } from './keys-reading.ts'
import { type Made, Ready } from './new-secrets.ts'

const NAME_MAX = 200
const PAGE = 'administration'

/** What the presets are called. Another one is called as the service calls it. */
const PRESET_WORDS: Readonly<Record<string, WordKey>> = {
  kitchen: 'kitchen',
  wall: 'wallDisplay',
  desk: 'presetDesk',
  reception: 'presetDesk',
  doctor: 'presetDoctor',
  laboratory: 'presetLaboratory',
  finance: 'presetFinance',
  housekeeping: 'presetHousekeeping',
  office: 'presetOffice',
  everything: 'presetEverything',
}
/** These need the diets of the center. */
const WITH_DIETS: readonly string[] = ['kitchen', 'wall']

export function NewKey({ query }: PageProps): ComponentChild {
  const t = words.value
  const { me } = person.value!
  const reader = useResource((sojourn, signal) => readKeys(sojourn, me.center.maximumPageLength, signal), [])
  const reading = reader.state.value
  const [made, setMade] = useState<MadeKey>()
  useTitle(t('newKey'))
  return h('div', { class: 'administration narrow-form' }, [
    h('div', { class: 'head' }, [
      h('div', null, [
        h('h1', null, t('newKey')),
        h('p', { class: 'sub' }, h('a', { href: to(PAGE) }, t('administration'))),
      ]),
    ]),
    h(NotUnderstood, { parts: notUnderstood(query, {}) }),
    h(State, { reading, reader }),
    made === undefined
      ? reading.value &&
        h(NewKeyForm, {
          keys: reading.value,
          onMade: setMade,
        })
      : made.device === undefined
        ? h(Ready, { ...made, onClose: () => go(PAGE, {}, {}) })
        : h(DeviceReady, { made: made.device, name: made.name, onClose: () => go(PAGE, {}, {}) }),
  ])
}

interface MadeKey {
  readonly made: Made
  readonly name: string
  /** the link that hands it to a device, if it is for one */
  readonly device: HandedOver | undefined
}

interface NewKeyFormProps {
  readonly keys: Keys
  onMade(key: MadeKey): void
}

type Granted = Keys['grants'][number]

const OWN = 'own choice'
/** A person with the device is nearby. */
const DEVICE_MINUTES = 15

function NewKeyForm({ keys: { grants, presets, subjects }, onMade }: NewKeyFormProps): ComponentChild {
  const t = words.value
  const attempt = useAttempt()
  const [name, setName] = useState('')
  const [responsible, setResponsible] = useState('')
  const [preset, setPreset] = useState('')
  const [own, setOwn] = useState<readonly Granted[]>([])
  const [diets, setDiets] = useState(true)
  const [isForDevice, setForDevice] = useState(false)
  const [expiresOn, setExpiresOn] = useState('')
  const [reviewOn, setReviewOn] = useState('')
  const chosen = preset === OWN ? own : (presets.find((one) => one.name === preset)?.scopes ?? [])
  const mayGiveDiets = grants.includes('guests.personal')
  const hasDiets =
    mayGiveDiets &&
    (chosen.includes('meals') || chosen.includes('guests')) &&
    !chosen.includes('guests.personal')
  const seen = seenWith(subjects, chosen, hasDiets && diets)
  const orNull = (text: string) => (text.trim() === '' ? null : text)
  const submit = () =>
    attempt.run(async () => {
      const made = await person.value!.sojourn.act('create-key', {
        name,
        scopes: [...chosen],
        diets: hasDiets && diets,
        responsible: orNull(responsible),
        reviewOn: orNull(reviewOn),
        expiresOn: orNull(expiresOn),
        allowedAddresses: [],
      })
      const device = isForDevice ? await handOver(made.publicKey, DEVICE_MINUTES) : undefined
      return { made, name, device }
    }, onMade)
  const text = (label: string, value: string, set: (next: string) => void, more: object = {}) =>
    h('label', { class: 'fl' }, [
      label,
      h('input', {
        value,
        maxLength: NAME_MAX,
        autocomplete: 'off',
        onInput: (event: Event) => {
          if (event.currentTarget instanceof HTMLInputElement) set(event.currentTarget.value)
        },
        ...more,
      }),
    ])
  const radio = (value: string, title: string, explained: ComponentChild) =>
    h('label', { class: 'pick' }, [
      h('input', {
        type: 'radio',
        name: 'preset',
        required: true,
        value,
        checked: preset === value,
        onChange: () => {
          setPreset(value)
          setDiets(WITH_DIETS.includes(value))
        },
      }),
      h('span', null, [h('b', null, title), explained]),
    ])
  return h(Ask, { onSubmit: submit, onCancel: () => go(PAGE, {}, {}), action: t('createKey'), attempt }, [
    text(t('keyName'), name, setName, { required: true, pattern: '.*\\S.*' }),
    text(t('responsible'), responsible, setResponsible),
    h('fieldset', null, [
      h('legend', null, t('mayRead')),
      presets.map((one) => {
        const word = PRESET_WORDS[one.name]
        return radio(
          one.name,
          word === undefined ? one.name : t(word),
          h(
            'span',
            { class: 'soft' },
            subjectList(seenWith(subjects, one.scopes, WITH_DIETS.includes(one.name) && mayGiveDiets).sees),
          ),
        )
      }),
      radio(OWN, t('ownChoice'), null),
      preset === OWN &&
        h(
          'div',
          { class: 'own' },
          grants.map((scope) =>
            h('label', { class: 'pick' }, [
              h('input', {
                type: 'checkbox',
                checked: own.includes(scope),
                onChange: () =>
                  setOwn(own.includes(scope) ? own.filter((one) => one !== scope) : [...own, scope]),
              }),
              h('span', null, [
                h('span', { class: 'code' }, scope),
                ' ',
                h('span', { class: 'soft' }, t(SCOPES[scope])),
              ]),
            ]),
          ),
        ),
      hasDiets &&
        h('label', { class: 'pick' }, [
          h('input', { type: 'checkbox', checked: diets, onChange: () => setDiets(!diets) }),
          h('span', null, t('withDiets')),
        ]),
    ]),
    chosen.length > 0 && h('div', { role: 'status' }, h(Sees, seen)),
    h('fieldset', null, [
      h('legend', null, t('handedOver')),
      [false, true].map((isDevice) =>
        h('label', { class: 'pick' }, [
          h('input', {
            type: 'radio',
            name: 'way',
            checked: isForDevice === isDevice,
            onChange: () => setForDevice(isDevice),
          }),
          h('span', null, t(isDevice ? 'handedByLink' : 'handedAsText')),
        ]),
      ),
    ]),
    text(t('endsOnOrNever'), expiresOn, setExpiresOn, { type: 'date' }),
    text(t('reviewBy'), reviewOn, setReviewOn, { type: 'date' }),
    !grants.includes('guests.medical') && h('p', { class: 'small soft' }, t('grantsNoMedical')),
  ])
}

/** What the holder of a key with these scopes sees. @param diets whether it is given the diets of the center */
function seenWith(rules: Keys['subjects'], chosen: readonly Granted[], diets: boolean): Seen {
  const isSeen = ({ subject, scopes }: (typeof rules)[number]) =>
    (diets && subject === 'diets') ||
    scopes.some((set) => set.every((scope) => chosen.some((one) => one === scope)))
  return {
    sees: rules.filter(isSeen).map(({ subject }) => subject),
    seesNot: rules.filter((rule) => !isSeen(rule)).map(({ subject }) => subject),
  }
}
