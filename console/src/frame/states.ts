/** What is next to a page's content when something is not as usual. */
import { type ComponentChild, type ComponentChildren, h } from 'preact'
import { useEffect } from 'preact/hooks'
import { ageOf } from '../../../src/documents/data-age.ts'
import { localTime, writtenShort } from '../../../src/documents/days.ts'
import type { WordKey, Words } from '../../../src/documents/words.ts'
import { minute } from '../base/minute.ts'
import { isOver, type Problem } from '../base/problem.ts'
import type { Reader, Reading } from '../base/reading.ts'
import { forget, isStayingDevice, language, person, signOut, words } from '../base/signed-in.ts'
import type { Following } from '../base/store.ts'

const zone = () => person.value?.me.center.timezone ?? 'UTC'
export const timeOf = (moment: number | string): string => localTime(moment, zone()).time

/** 06:41, and of another day than today with its date: a page may be without a connection for days. */
export function momentOf(moment: number | string): string {
  const { day, time } = localTime(moment, zone())
  return day === localTime(Date.now(), zone()).day ? time : `${writtenShort(day, language.value)} ${time}`
}

/** The sentence about a problem, for a person, and below it what an administrator needs. */
export function sayProblem(t: Words, problem: Problem, more?: ComponentChild): ComponentChild {
  const { kind, message, code } = problem
  return h('div', null, [
    h('b', null, sentence(t, problem)),
    more && [' ', more],
    kind === 'failed' && h(ForAdministrator, { text: code }),
    // A key may lack a scope, its center may not allow access, or its address is not on the list.
    kind === 'forbidden' && h(ForAdministrator, { text: message }),
  ])
}

/** What is wrong, in one sentence that is true for it. */
export function sentence(t: Words, problem: Problem): string {
  switch (problem.kind) {
    case 'offline':
      return t('noConnection', { time: momentOf(problem.since) })
    case 'limited':
      return t('limited', { time: momentOf(problem.againAt ?? problem.since) })
    case 'ended':
      return endedText(t)
    case 'forbidden':
      return t('notForKey')
    case 'refused':
      return problem.message
    case 'failed':
      return t('failed')
  }
}

/** The service does not say why a key is no longer valid, but when it expires was known. */
export function endedText(t: Words): string {
  const expiresAt = person.value?.me.key.expiresAt ?? null
  if (expiresAt === null || Date.parse(expiresAt) > Date.now()) return t('keyEnded')
  return t('keyExpired', { time: momentOf(expiresAt) })
}

/** The service's own sentences and codes are in English. */
const ForAdministrator = ({ text }: { readonly text: string }) =>
  text !== '' &&
  h('p', { class: 'small soft' }, [
    words.value('forAdministrator'),
    ' ',
    h('span', { class: 'code', lang: 'en' }, text),
  ])

interface StateProps {
  readonly reading: Reading<unknown>
  readonly reader: Pick<Reader<unknown>, 'refresh'>
}

/** The problem of a page, if it has one: polite where the page goes on by itself. */
export function State({ reading, reader }: StateProps): ComponentChild {
  const t = words.value
  const { problem, value, asOf } = reading
  const hasEnded = problem?.kind === 'ended'
  useEffect(() => {
    if (hasEnded) forget()
  }, [hasEnded])
  const age = copyAge(reading)
  if (problem === undefined) return age === undefined ? null : h('p', { class: 'copy' }, age)
  const isGoingOn = problem.kind === 'offline' || problem.kind === 'limited'
  // What was not read is not known: neither none nor nothing new.
  const shown = value === undefined ? t('notLoaded') : t('mayBeOld', { time: momentOf(asOf) })
  const notice = h(
    'div',
    { class: `say ${isGoingOn ? 'chgd' : 'bad'}`, role: isGoingOn ? 'status' : 'alert' },
    [
      sayProblem(t, problem, isOver(problem) || problem.kind === 'refused' ? undefined : shown),
      hasEnded && h('button', { type: 'button', onClick: signOut }, t('signInAgain')),
      problem.kind === 'failed' &&
        h('button', { type: 'button', onClick: () => reader.refresh() }, t('tryAgain')),
    ],
  )
  return [age !== undefined && h('p', { class: 'copy' }, age), notice]
}

/**
 * How old it is what a device that stays signed in shows without a connection: what it has read, also if it was started
 * anew since. @returns undefined where there is a connection, or nothing to show
 */
export function copyAge({ value, asOf, problem, isCopied }: Reading<unknown>): string | undefined {
  const isAway = problem?.kind === 'offline' && isStayingDevice.value
  if (value === undefined || !(isCopied || isAway)) return undefined
  const isConnected = problem !== undefined && problem.kind !== 'offline'
  const said = { time: momentOf(asOf), age: ageOf(asOf, minute.value) }
  return words.value(isConnected ? 'copyNotCurrent' : 'copyNotConnected', said)
}

/** How a page learns of changes, said as it is. */
const FRESH: Readonly<Record<Following, WordKey>> = { stream: 'asOf', minute: 'asOfMinute', none: 'asOfOnly' }

/** Since when it is right, and how it learns of changes. @param isStill whether it does not */
export function freshText(asOf: number, isStill: boolean): string {
  const following = person.value?.store.following.value ?? 'none'
  return words.value(FRESH[isStill ? 'none' : following], { time: momentOf(asOf) })
}

/** The last line of a page: whether what it shows is right. */
export function Foot({
  reading,
  children,
  isStill,
}: {
  readonly reading: Reading<unknown>
  readonly children?: ComponentChildren
  /** what is shown is read once, and not followed */
  readonly isStill?: boolean
}): ComponentChild {
  const { value, problem, asOf, isCopied } = reading
  // Not before there is something above it, which would move it.
  if (value === undefined) return null
  const text = freshText(asOf, problem !== undefined || isStill === true || isCopied === true)
  // Only a problem is announced: the time alone changes every half minute.
  return h('footer', { class: 'foot' }, [h('span', { class: 'fresh' }, text), children])
}
