/** The table of keys, and what can be done with each. */
import { type ComponentChild, h } from 'preact'
import { useState } from 'preact/hooks'
import type { CenterKey } from '../../../client/src/index.ts'
import { writtenDay } from '../../../src/documents/days.ts'
import { language, words } from '../base/signed-in.ts'
import { momentOf } from '../frame/states.ts'
import { entryButton } from './entries.ts'
import { DeviceForm } from './hand-over.ts'
import { DescribeForm, RevokeForm, RotateForm } from './key-forms.ts'
import type { Keys } from './keys-reading.ts'
import { dayOf, reasonsOf, today } from './keys-to-review.ts'

interface KeysProps {
  readonly keys: Keys | undefined
  /** after something was done; the text says what */
  onDone(text: string): void
}

/** The last one has the buttons. */
const COLUMNS = 7

type Act = 'describe' | 'device' | 'rotate' | 'revoke'
const FORMS = { describe: DescribeForm, device: DeviceForm, rotate: RotateForm, revoke: RevokeForm } as const

export function KeysSection({ keys, onDone }: KeysProps): ComponentChild {
  const t = words.value
  const [open, setOpen] = useState<{ readonly key: string; readonly act: Act }>()
  return h('section', { class: 'block' }, [
    h('h2', { id: 'adm-keys', tabIndex: -1 }, t('keys')),
    keys === undefined
      ? h('p', { class: 'soft' }, t('loading'))
      : h('table', { class: 'lines keyed', role: 'table' }, [
          h('caption', { class: 'vh' }, t('keys')),
          h(
            'thead',
            { role: 'rowgroup' },
            h(
              'tr',
              { role: 'row' },
              [
                t('name'),
                t('mayRead'),
                t('responsible'),
                t('lastUsed'),
                t('reviewBy'),
                t('endsOn'),
                t('actions'),
              ].map((text, at) =>
                h(
                  'th',
                  { scope: 'col', role: 'columnheader', class: at === COLUMNS - 1 ? 'no-print' : undefined },
                  text,
                ),
              ),
            ),
          ),
          h(
            'tbody',
            { role: 'rowgroup' },
            keys.data.flatMap((key) => {
              const isOpen = open?.key === key.publicKey
              return [
                h(KeyRow, {
                  key: key.publicKey,
                  of: key,
                  onAct: (act: Act) => setOpen({ key: key.publicKey, act }),
                }),
                isOpen &&
                  h('tr', { key: `${key.publicKey}-form`, role: 'row', class: 'no-print' }, [
                    h(
                      'td',
                      { colSpan: COLUMNS, role: 'cell' },
                      h(FORMS[open.act], {
                        of: key,
                        onCancel: () => setOpen(undefined),
                        onDone(text: string) {
                          setOpen(undefined)
                          onDone(text)
                        },
                        onChanged: onDone,
                      }),
                    ),
                  ]),
              ]
            }),
          ),
        ]),
    keys &&
      keys.data.length < keys.total &&
      h('p', { class: 'say' }, t('keysNotAll', { n: keys.data.length, total: keys.total })),
    h('p', { class: 'small soft' }, t('keysRules')),
  ])
}

function KeyRow({ of: key, onAct }: { readonly of: CenterKey; onAct(act: Act): void }): ComponentChild {
  const t = words.value
  const written = (day: string) => writtenDay(day, language.value)
  const isAdministration = key.scopes.includes('administration')
  const cell = (label: string, content: ComponentChild, isMarked = false) =>
    h('td', { role: 'cell', 'data-l': label }, h('span', { class: isMarked ? 'chg' : undefined }, content))
  const button = (act: Act, text: string) => entryButton(text, key.name, () => onAct(act))
  const isOld = reasonsOf(key).length > 0
  return h('tr', { role: 'row' }, [
    h('th', { scope: 'row', role: 'rowheader' }, [
      key.name,
      h('br', null),
      h('span', { class: 'code soft' }, key.appId),
    ]),
    cell(t('mayRead'), mayRead(key)),
    cell(t('responsible'), key.responsible ?? t('nobodyNamed'), key.responsible === null),
    cell(
      t('lastUsed'),
      key.lastUsedAt === null ? t('never') : momentOf(key.lastUsedAt),
      isOld && key.lastUsedAt === null,
    ),
    cell(
      t('reviewBy'),
      key.reviewOn === null
        ? t('noDate')
        : key.reviewOn < today()
          ? t('dayPassed', { day: written(key.reviewOn) })
          : written(key.reviewOn),
      key.reviewOn !== null && key.reviewOn < today(),
    ),
    cell(t('endsOn'), key.expiresAt === null ? t('neverEnds') : written(dayOf(key.expiresAt))),
    h(
      'td',
      { role: 'cell', 'data-l': t('actions'), class: 'no-print' },
      isAdministration
        ? h('span', { class: 'soft' }, t('onlyByCommand'))
        : h('span', { class: 'keepline' }, [
            button('describe', t('describe')),
            ' ',
            !key.intake && [button('device', t('toDevice')), ' ', button('rotate', t('rotate'))],
            ' ',
            button('revoke', t('revoke')),
          ]),
    ),
  ])
}

/** What it may read, in the names of scopes, which the next page explains. */
function mayRead(key: CenterKey): ComponentChild {
  const t = words.value
  if (key.intake) return t('bringsData')
  return [
    h('span', { class: 'code' }, key.scopes.join(', ')),
    key.customFields.length > 0 && ` · ${t('ownFields', { list: key.customFields.join(', ') })}`,
    key.grants.length > 0 && [
      h('br', null),
      t('mayGrant'),
      ' ',
      h('span', { class: 'code' }, key.grants.join(', ')),
    ],
  ]
}
