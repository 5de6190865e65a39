/** The sheet of seven days, with names. */
import { type ComponentChild, h } from 'preact'
import { writtenDay } from '../../../src/documents/days.ts'
import type { PageProps } from '../base/page.ts'
import { to } from '../base/routes.ts'
import { language, words } from '../base/signed-in.ts'
import { useTitle } from '../base/title.ts'
import { State } from '../frame/states.ts'
import { today, useKitchen } from './kitchen-reading.ts'
import { DAYS, firstOf } from './seven-days.ts'
import { SheetBar, usePaper } from './sheet-bar.ts'
import { WeekPaper } from './week-paper.ts'

export function WeekSheet({ query }: PageProps): ComponentChild {
  const from = firstOf(query)
  const reader = useKitchen({ from, days: DAYS, withGuests: true })
  const reading = reader.state.value
  const { value, asOf } = reading
  useTitle(`${words.value('printWeek')}, ${writtenDay(from, language.value)}`)
  usePaper()
  return h('div', null, [
    h(SheetBar, {
      back: to('kitchen/week', { from: from === today() ? undefined : from }),
      isReady: value !== undefined,
    }),
    h(State, { reading, reader }),
    value && h('main', { id: 'main' }, h(WeekPaper, { ...value, from, asOf })),
  ])
}
