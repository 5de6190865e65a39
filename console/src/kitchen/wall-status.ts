/** How old the numbers on the wall are: next to its clock, where nothing can push it off. */
import { type ComponentChild, h } from 'preact'
import { minute } from '../base/minute.ts'
import type { Problem } from '../base/problem.ts'
import type { Reading } from '../base/reading.ts'
import { words } from '../base/signed-in.ts'
import { ageOf, DataAge } from '../frame/data-age.ts'
import { copyAge, freshText, momentOf, sentence } from '../frame/states.ts'

interface WallStatusProps {
  readonly reading: Reading<unknown>
  readonly isStale: boolean
}

export function WallStatus({ reading, isStale }: WallStatusProps): ComponentChild {
  const { value, asOf, problem } = reading
  const t = words.value
  const age = copyAge(reading)
  if (age !== undefined) return h('span', { class: 'chg copy' }, age)
  if (problem === undefined && !isStale) {
    if (value === undefined) return h('span', null, t('loading'))
    // The age of the data is in the last line. If it is late, it is more important than that of the page.
    const ofData = ageOf('bookings')
    const isOld = ofData === 'late' || ofData === 'silent'
    if (isOld) return h('span', { role: 'status' }, h(DataAge, { kind: 'bookings' }))
    return h('span', null, freshText(asOf, false))
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
  if (problem === undefined || problem.kind === 'offline') {
    return t('noNews', { time: momentOf(asOf ?? problem?.since ?? minute.value) })
  }
  if (problem.kind !== 'refused' && problem.kind !== 'failed') return sentence(t, problem)
  return [t('failed'), asOf === undefined ? '' : t('asOfOnly', { time: momentOf(asOf) })].join(' ')
}
