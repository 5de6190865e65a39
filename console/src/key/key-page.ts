/** What the key may read, what is left of its limits, how it was used, and what went wrong. */
import { type ComponentChild, h } from 'preact'
import type { Me, Usage } from '../../../client/src/index.ts'
import { localTime, writtenDay } from '../../../src/documents/days.ts'
import { numberText } from '../../../src/documents/numbers.ts'
import type { WordKey } from '../../../src/documents/words.ts'
import { useResource } from '../base/resource.ts'
import { language, person, words } from '../base/signed-in.ts'
import { useTitle } from '../base/title.ts'
import { Foot, State, timeOf } from '../frame/states.ts'
import { Sees } from './visible-data.ts'

export function KeyPage(): ComponentChild {
  const t = words.value
  const reader = useResource(async (sojourn, signal) => ({ usage: await sojourn.usage({}, { signal }) }), [])
  const { newest } = person.value!.store
  // Read when it signed in; what is left of the limits is on each answer.
  const me = person.value!.me
  const reading = reader.state.value
  const left = newest.value?.get('ratelimit') ?? ''
  useTitle(t('thisKey'))
  return h('div', null, [
    h('div', { class: 'head' }, [
      h('div', null, [
        h('h1', null, [t('thisKey'), ' ', h('span', null, me.key.name)]),
        h('p', { class: 'sub' }, [h('span', { class: 'code' }, me.key.publicKey), ' · ', expiry(me)]),
        me.key.allowedAddresses.length > 0 &&
          h('p', { class: 'sub' }, t('onlyFrom', { addresses: me.key.allowedAddresses.join(', ') })),
      ]),
      h(
        'div',
        { class: 'acts' },
        h('button', { type: 'button', onClick: () => reader.refresh() }, t('readAgain')),
      ),
    ]),
    h(State, { reading, reader }),
    // What a key may that is no longer valid is not known any more.
    reading.problem?.kind !== 'ended' &&
      h('div', { class: 'cols' }, [
        h('section', { class: 'block' }, [h('h2', null, t('mayRead')), h(MayRead, { me })]),
        h('div', null, [
          h('section', { class: 'block' }, [
            h('h2', null, t('limits')),
            me.limits.minute === null && me.limits.hour === null && h('p', null, t('noLimit')),
            h(Limit, {
              id: 'minute',
              label: 'thisMinute',
              window: me.limits.minute,
              left: leftOf(left, 'burst'),
            }),
            h(Limit, { id: 'hour', label: 'thisHour', window: me.limits.hour, left: leftOf(left, 'hourly') }),
          ]),
          // Without an answer it is not known how the key was used.
          (reading.value !== undefined || reading.problem === undefined) && [
            h(Days, { usage: reading.value?.usage }),
            h(Errors, { usage: reading.value?.usage }),
          ],
        ]),
      ]),
    h(Foot, { reading, isStill: true }),
  ])
}

function expiry({ key, center }: Me): string {
  if (key.expiresAt === null) return words.value('doesNotExpire')
  const { day, time } = localTime(key.expiresAt, center.timezone)
  return words.value('expires', { date: `${writtenDay(day, language.value)} ${time}` })
}

function MayRead({ me: { key } }: { readonly me: Me }): ComponentChild {
  const { sees, seesNot, customFields, scopes } = key
  return h(Sees, { sees, seesNot, fields: customFields }, [
    h('dt', null, h('b', null, words.value('keyScopes'))),
    h('dd', { class: 'code' }, scopes.join(', ')),
  ])
}

interface LimitProps {
  readonly id: string
  readonly label: WordKey
  readonly window: Me['limits']['minute']
  /** as the newest answer says */
  readonly left: number | undefined
}

/** `"burst";r=99;t=60, "hourly";r=999;t=3600` */
function leftOf(rateLimit: string, window: string): number | undefined {
  const found = new RegExp(`"${window}";r=(\\d+)`).exec(rateLimit)?.[1]
  return found === undefined ? undefined : Number(found)
}

function Limit({ id, label, window, left }: LimitProps): ComponentChild {
  const t = words.value
  const n = (value: number) => numberText(value, language.value)
  if (window === null) return null
  const used = window.requests - (left ?? window.remaining)
  return h('div', null, [
    h('p', { id: `limit-${id}` }, t(label, { used: n(used), limit: n(window.requests) })),
    h('meter', { 'aria-labelledby': `limit-${id}`, min: 0, max: window.requests, value: used }),
  ])
}

function Days({ usage }: { readonly usage: Usage | undefined }): ComponentChild {
  const t = words.value
  const byDay = new Map<string, number>()
  for (const { date, requests } of usage?.days ?? []) byDay.set(date, (byDay.get(date) ?? 0) + requests)
  const rows = [...byDay].slice(0, 7)
  return h('section', { class: 'block' }, [
    h('h2', null, t('requestsByDay')),
    rows.length === 0
      ? h('p', { class: 'soft' }, usage === undefined ? t('loading') : t('none'))
      : h('table', { class: 'lines' }, [
          h(
            'thead',
            null,
            h('tr', null, [
              h('th', { scope: 'col' }, t('day')),
              h('th', { scope: 'col', class: 'num' }, t('requests')),
            ]),
          ),
          h(
            'tbody',
            null,
            rows.map(([date, requests]) =>
              h('tr', null, [
                h('th', { scope: 'row' }, writtenDay(date, language.value)),
                h('td', { class: 'num' }, numberText(requests, language.value)),
              ]),
            ),
          ),
        ]),
  ])
}

function Errors({ usage }: { readonly usage: Usage | undefined }): ComponentChild {
  const t = words.value
  const zone = person.value!.me.center.timezone
  const errors = usage?.errors.slice(0, 20) ?? []
  return h('section', { class: 'block' }, [
    h('h2', null, t('lastErrors')),
    errors.length === 0
      ? h('p', { class: 'soft' }, usage === undefined ? t('loading') : t('none'))
      : h('table', { class: 'lines' }, [
          h(
            'thead',
            null,
            h('tr', null, [h('th', { scope: 'col' }, t('when')), h('th', { scope: 'col' }, t('what'))]),
          ),
          h(
            'tbody',
            null,
            errors.map((error) =>
              h('tr', null, [
                h(
                  'td',
                  null,
                  h(
                    'time',
                    { dateTime: error.lastAt },
                    `${writtenDay(localTime(error.lastAt, zone).day, language.value)} ${timeOf(error.lastAt)}`,
                  ),
                ),
                // The service's sentences are in English.
                h('td', null, [
                  h('span', { lang: 'en' }, `${error.status}: ${error.message}`),
                  h('br', null),
                  h('span', { class: 'code soft' }, `${error.code} ${error.endpoint} ${error.requestId}`),
                ]),
              ]),
            ),
          ),
        ]),
  ])
}
