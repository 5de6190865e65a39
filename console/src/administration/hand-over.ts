/** Hands a key to a device: a link that works once, as a QR code, and whether a device has used it. */
import { type ComponentChild, h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { browserClock } from '../base/clock.ts'
import { useResource } from '../base/resource.ts'
import { person, serviceUrl, words } from '../base/signed-in.ts'
import { momentOf } from '../frame/states.ts'
import { useAutofocus } from './autofocus.ts'
import { Ask, type FormProps, useAttempt, Wrong } from './key-forms.ts'
import { QrCode } from './qr-code.ts'

const VALID = [
  [15, 'minutes15'],
  [120, 'hours2'],
  [1440, 'aDay'],
  [10080, 'aWeek'],
] as const
/** As a person who has just scanned a code waits. */
const AGAIN_MS = 3000

export interface HandedOver {
  readonly link: string
  readonly expiresAt: string
  readonly url: string
}

/** Makes the link. */
export async function handOver(key: string, validMinutes: number): Promise<HandedOver | undefined> {
  const { link, expiresAt, url } = await person.value!.sojourn.act('create-device-link', {
    key,
    validMinutes,
  })
  // Without PUBLIC_URL, the service does not know where browsers reach it; this one does.
  return url === null ? undefined : { link, expiresAt, url: new URL(url, serviceUrl()).href }
}

/** Asks for how long the link works, then shows it. */
export function DeviceForm({ of, onCancel, onChanged }: FormProps): ComponentChild {
  const t = words.value
  const [minutes, setMinutes] = useState<number>(VALID[0][0])
  const [made, setMade] = useState<HandedOver>()
  const attempt = useAttempt()
  const first = useAutofocus<HTMLSelectElement>()
  const close = () => {
    onCancel()
    onChanged('')
  }
  if (made !== undefined) return h(DeviceReady, { made, name: of.name, onClose: close })
  const submit = () => attempt.run(() => handOver(of.publicKey, minutes), setMade)
  return h(Ask, { onSubmit: submit, onCancel, action: t('makeDeviceLink'), attempt }, [
    h('p', null, t('deviceLinkAsks', { name: of.name })),
    of.lastUsedAt !== null && h('p', { class: 'say chgd' }, h('b', null, t('deviceLinkReplaces'))),
    h('label', { class: 'fl' }, [
      t('deviceLinkValid'),
      h(
        'select',
        {
          ref: first,
          value: String(minutes),
          onChange: (event: Event) => {
            if (event.currentTarget instanceof HTMLSelectElement)
              setMinutes(Number(event.currentTarget.value))
          },
        },
        VALID.map(([n, word]) => h('option', { value: String(n), selected: n === minutes }, t(word))),
      ),
    ]),
  ])
}

interface DeviceReadyProps {
  readonly made: HandedOver
  readonly name: string
  onClose(): void
}

export function DeviceReady({ made, name, onClose }: DeviceReadyProps): ComponentChild {
  const t = words.value
  const [said, say] = useState('')
  const [isRevoked, setRevoked] = useState(false)
  const attempt = useAttempt()
  const first = useAutofocus<HTMLHeadingElement>()
  const reader = useResource(
    (sojourn, signal) => sojourn.administration.devices({ ended: true }, { signal }),
    [],
  )
  const reading = reader.state.value
  const status = reading.value?.data.find(({ id }) => id === made.link)?.status ?? 'waiting'
  useEffect(
    () =>
      reading.isReading || status !== 'waiting' || isRevoked
        ? undefined
        : browserClock.after(AGAIN_MS, reader.refresh),
    [reading],
  )
  const copy = () => {
    // Pages of plain http, other than this machine's own, have no clipboard.
    const written = navigator.clipboard?.writeText(made.url) ?? Promise.reject(new Error('no clipboard'))
    written.then(
      () => say(t('copied')),
      () => say(t('notCopied')),
    )
  }
  const revoke = () =>
    attempt.run(
      () => person.value!.sojourn.act('revoke-device-link', { link: made.link }),
      () => setRevoked(true),
    )
  const state = isRevoked ? 'deviceLinkEnded' : DEVICE_STATES[status]
  const isWaiting = status === 'waiting' && !isRevoked
  return h('div', { class: 'ready' }, [
    h('h2', { tabIndex: -1, ref: first }, t('keyReady', { name })),
    isWaiting && [
      h('p', null, t('deviceLinkScan')),
      h(QrCode, { text: made.url, label: t('deviceLinkQr', { name }) }),
      h('p', { class: 'once code' }, made.url),
      h('p', null, t('deviceLinkOnce', { time: momentOf(made.expiresAt) })),
    ],
    h('p', { role: 'status' }, h('b', null, t(state))),
    h('p', { class: 'both no-print' }, [
      isWaiting && [
        h('button', { type: 'button', class: 'first', onClick: copy }, t('copyLink')),
        h('button', { type: 'button', onClick: () => globalThis.print() }, t('print')),
        h('button', { type: 'button', disabled: attempt.isBusy, onClick: revoke }, t('revokeLink')),
      ],
      h('button', { type: 'button', onClick: onClose }, t('close')),
    ]),
    h('p', { role: 'status', class: 'soft' }, said),
    h(Wrong, { problem: attempt.problem }),
  ])
}

export const DEVICE_STATES = {
  waiting: 'deviceLinkWaits',
  used: 'deviceLinkUsed',
  expired: 'deviceLinkEnded',
  ended: 'deviceKeyEnded',
} as const
