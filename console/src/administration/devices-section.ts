/** The links that hand keys to devices: which wait, and which device has used one. */
import { type ComponentChild, h } from 'preact'
import { useState } from 'preact/hooks'
import type { CenterDevice, CenterKey } from '../../../client/src/index.ts'
import { useResource } from '../base/resource.ts'
import { person, words } from '../base/signed-in.ts'
import { momentOf, State } from '../frame/states.ts'
import { entries, entryButton, partShown } from './entries.ts'
import { DEVICE_STATES } from './hand-over.ts'
import { RevokeForm, useAttempt, Wrong } from './key-forms.ts'

interface DevicesProps {
  readonly keys: readonly CenterKey[]
  onDone(text: string): void
}

export function DevicesSection({ keys, onDone }: DevicesProps): ComponentChild {
  const t = words.value
  const { me } = person.value!
  const [revoking, setRevoking] = useState<string>()
  const attempt = useAttempt()
  const length = Math.min(100, me.center.maximumPageLength)
  const reader = useResource(
    // Also after a key was revoked or a link was made, which changes the keys.
    (sojourn, signal) => sojourn.administration.devices({ length }, { signal }),
    [keys],
  )
  const reading = reader.state.value
  const devices = reading.value
  const end = (device: CenterDevice) =>
    attempt.run(
      () => person.value!.sojourn.act('revoke-device-link', { link: device.id }),
      () => {
        reader.refresh()
        onDone(t('deviceLinkRevoked', { name: device.name }))
      },
    )
  return h('section', { class: 'block' }, [
    h('h2', { id: 'adm-devices', tabIndex: -1 }, t('devices')),
    h(State, { reading, reader }),
    h('p', { class: 'small soft' }, t('devicesRules')),
    entries(devices?.data, {
      isFailed: reading.problem !== undefined,
      none: t('noDevices'),
      entry(device) {
        const key = keys.find(({ publicKey }) => publicKey === device.publicKey)
        const isWaiting = device.status === 'waiting'
        return h('li', { key: device.id }, [
          h('h3', null, device.name),
          h('p', null, [
            h('b', null, t(DEVICE_STATES[device.status])),
            ' ',
            device.usedAt === null
              ? t('deviceUntil', { time: momentOf(device.expiresAt) })
              : momentOf(device.usedAt),
          ]),
          h('p', { class: 'code soft' }, device.publicKey),
          h('p', { class: 'both no-print' }, [
            isWaiting && entryButton(t('revokeLink'), device.name, () => end(device), attempt.isBusy),
            key !== undefined && entryButton(t('revokeDevice'), device.name, () => setRevoking(device.id)),
          ]),
          revoking === device.id &&
            key !== undefined &&
            h(RevokeForm, {
              of: key,
              onCancel: () => setRevoking(undefined),
              onChanged: onDone,
              onDone(text: string) {
                setRevoking(undefined)
                onDone(text)
              },
            }),
        ])
      },
    }),
    devices && partShown(devices),
    h(Wrong, { problem: attempt.problem }),
  ])
}
