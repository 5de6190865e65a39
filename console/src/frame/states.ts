/** What stands beside a page's content when something is not as usual. */
import { type ComponentChild, type ComponentChildren, h } from 'preact'
import { useEffect } from 'preact/hooks'
import { localTime } from '../base/days.ts'
import type { Problem } from '../base/problem.ts'
import type { Reader, Reading } from '../base/reading.ts'
import { forget, person, signOut, words } from '../base/signed-in.ts'
import type { Words } from '../base/words.ts'

const zone = () => person.value?.me.center.timezone ?? 'UTC'
export const timeOf = (moment: number | string): string => localTime(moment, zone()).time

/** The sentence about a problem, for a person, and below it what an administrator needs. */
export function sayProblem(t: Words, problem: Problem): ComponentChild {
  return h('div', null, [
    h('b', null, sentence(t, problem)),
    isUnclear(problem) && h(Code, { code: problem.code }),
  ])
}

const isUnclear = ({ kind }: Problem) => kind === 'failed'

function sentence(t: Words, problem: Problem): string {
  switch (problem.kind) {
    case 'offline':
      return t('offline', { time: timeOf(problem.since) })
    case 'limited':
      return t('limited', { time: timeOf(problem.againAt ?? problem.since) })
    case 'ended':
      return t('keyEnded')
    case 'forbidden':
      return t('notForKey')
    case 'refused':
      return problem.message
    case 'failed':
      return t('failed')
  }
}

const Code = ({ code }: { readonly code: string }) =>
  h('p', { class: 'small soft' }, [words.value('forAdministrator'), ' ', h('span', { class: 'code' }, code)])

interface StateProps {
  readonly reading: Reading<unknown>
  readonly reader: Pick<Reader<unknown>, 'refresh'>
}

/** The problem of a page, if it has one: polite where the page goes on by itself. */
export function State({ reading, reader }: StateProps): ComponentChild {
  const t = words.value
  const { problem } = reading
  const hasEnded = problem?.kind === 'ended'
  useEffect(() => {
    if (hasEnded) forget()
  }, [hasEnded])
  if (problem === undefined) return null
  const isGoingOn = problem.kind === 'offline' || problem.kind === 'limited'
  return h('div', { class: `say ${isGoingOn ? 'chgd' : 'bad'}`, role: isGoingOn ? 'status' : 'alert' }, [
    sayProblem(t, problem),
    hasEnded && h('button', { type: 'button', onClick: signOut }, t('signInAgain')),
    problem.kind === 'failed' &&
      h('button', { type: 'button', onClick: () => reader.refresh() }, t('tryAgain')),
  ])
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
  const t = words.value
  const { value, problem, asOf } = reading
  const follows = problem === undefined && isStill !== true
  // Not before there is something above it, which would move it.
  if (value === undefined) return null
  const text = t(follows ? 'asOf' : 'asOfOnly', { time: timeOf(asOf) })
  // Only a problem is announced: the time alone changes every half minute.
  return h('footer', { class: 'foot' }, [h('span', { class: 'fresh' }, text), children])
}
