/**
 * Where a one-time link for a device leads: it says what the device will see. Only the button uses the link, because mail
 * scanners open links as well.
 */
import { type ComponentChild, h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { localTime, writtenDay } from '../../../src/documents/days.ts'
import type { WordKey } from '../../../src/documents/words.ts'
import type { PageProps } from '../base/page.ts'
import { isSigningIn, language, mayStay, person, signIn, words } from '../base/signed-in.ts'
import { row, Sees } from '../key/visible-data.ts'
import { applyLink, type Described, isProblem, type LinkProblem, readLink } from './device-link.ts'

/** So that a request that is sent again is the same one. */
const newRepetition = () => [...crypto.getRandomValues(new Uint32Array(4))].join('-')

export function DevicePage({ query }: PageProps): ComponentChild {
  const t = words.value
  const token = query.link ?? ''
  const [answer, setAnswer] = useState<Described | LinkProblem>()
  const [problem, setProblem] = useState<LinkProblem>()
  const [isUsing, setUsing] = useState(false)
  const repetition = useRef(newRepetition())
  useEffect(() => {
    document.title = `${t('thisDevice')} · Sojourn`
    void readLink(token).then(setAnswer)
  }, [token])
  if (answer === undefined) return h('p', { class: 'soft', role: 'status' }, t('loading'))
  if (isProblem(answer)) return h(Refused, { problem: answer })
  const apply = async () => {
    setUsing(true)
    setProblem(undefined)
    const used = await applyLink(token, repetition.current)
    setUsing(false)
    if (isProblem(used)) return setProblem(used)
    // The link is used up, and is in no history.
    history.replaceState(null, '', '#/')
    await signIn(used.apiKey, true)
    dispatchEvent(new Event('hashchange'))
  }
  const { name, center, sees, seesNot, customFields } = answer
  const before = person.value?.me.key.name
  const timeOf = (moment: string) => {
    const { day, time } = localTime(moment, center.timezone)
    return `${writtenDay(day, language.value)} ${time}`
  }
  return h('div', { class: 'device' }, [
    h('h1', null, center.name),
    h('p', { class: 'sum' }, t('deviceBecomes', { name })),
    h(
      Sees,
      { sees, seesNot, fields: customFields },
      answer.keyExpiresAt !== null && row('deviceKeyEnds', timeOf(answer.keyExpiresAt)),
    ),
    before !== undefined &&
      h('p', { class: 'say chgd' }, h('b', null, t('deviceReplaces', { name: before }))),
    problem !== undefined && h(Refused, { problem }),
    h(
      'p',
      { class: 'acts' },
      h(
        'button',
        {
          class: 'first',
          type: 'button',
          disabled: isUsing || isSigningIn.value,
          onClick: () => void apply(),
        },
        t('deviceSignIn'),
      ),
    ),
    h('p', { class: 'soft' }, t(mayStay() ? 'deviceStays' : 'keyStays')),
    h('p', { class: 'soft' }, t('deviceUntil', { time: timeOf(answer.expiresAt) })),
  ])
}

const SAID: Readonly<Record<LinkProblem['kind'], WordKey>> = {
  unknown: 'deviceLinkUnknown',
  over: 'deviceLinkOver',
  refused: 'failed',
  offline: 'noConnectionNow',
}

function Refused({ problem: { kind, message } }: { readonly problem: LinkProblem }): ComponentChild {
  const t = words.value
  return h('div', { class: 'say bad', role: 'alert' }, [
    h('b', null, t(SAID[kind])),
    message !== '' &&
      h('p', { class: 'small soft' }, [t('forAdministrator'), ' ', h('span', { lang: 'en' }, message)]),
  ])
}
