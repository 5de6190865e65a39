/** How old the numbers on the wall are: next to its clock, where nothing can push it off. */
import { type ComponentChild, h } from 'preact'
import type { Problem } from '../base/problem.ts'
import type { Reading } from '../base/reading.ts'
import { words } from '../base/signed-in.ts'
import { timeOf } from '../frame/states.ts'
import { minute } from './kitchen-reading.ts'

interface WallStatusProps {
  readonly reading: Reading<unknown>
  readonly isStale: boolean
}

export function WallStatus({ reading, isStale }: WallStatusProps): ComponentChild {
  const { value, asOf, problem } = reading
  const t = words.value
  if (problem === undefined && !isStale) {
    return h('span', null, value === undefined ? t('loading') : t('asOf', { time: timeOf(asOf) }))
  }
  return h(
    'span',
    { class: 'chg', role: 'status' },
    statusText(problem, value === undefined ? undefined : asOf),
  )
}

/** @param asOf undefined: nothing was ever read */
function statusText(problem: Problem | undefined, asOf: number | undefined): string {
  const t = words.value
  switch (problem?.kind) {
    case 'ended':
      return t('keyEnded')
    case 'forbidden':
      return t('notForKey')
    case 'limited':
      return t('limited', { time: timeOf(problem.againAt ?? problem.since) })
    case 'refused':
    case 'failed':
      return [t('failed'), asOf === undefined ? '' : t('asOfOnly', { time: timeOf(asOf) })].join(' ')
    default:
      return t('noNews', { time: timeOf(asOf ?? problem?.since ?? minute.value) })
  }
}
