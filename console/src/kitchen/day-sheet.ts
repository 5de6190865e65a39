/** The sheet of a day, which is numbered when somebody prints it, and compared with once somebody says that it is on the wall. */
import { type ComponentChild, h } from 'preact'
import { useEffect } from 'preact/hooks'
import { isDay, writtenDay } from '../../../src/documents/days.ts'
import { go, settle } from '../base/location.ts'
import type { PageProps } from '../base/page.ts'
import { to } from '../base/routes.ts'
import { language, words } from '../base/signed-in.ts'
import { useTitle } from '../base/title.ts'
import { State } from '../frame/states.ts'
import { DayPaper } from './day-paper.ts'
import { today, useDayAndSheet } from './kitchen-reading.ts'
import { mayConfirm, usePrintDay } from './print-day.ts'
import { SheetBar, usePaper } from './sheet-bar.ts'
import { NoNumber, SheetQuestion } from './sheet-question.ts'

export function DaySheet({ query }: PageProps): ComponentChild {
  const asked = query.day ?? ''
  const date = isDay(asked) ? asked : today()
  const reader = useDayAndSheet({ from: date, days: 1, withGuests: true })
  const reading = reader.state.value
  useTitle(`${words.value('printDay')}, ${writtenDay(date, language.value)}`)
  const { value, asOf } = reading
  const printing = usePrintDay(date, value && { portions: value.portions, asOf })
  const shown = printing.printed ?? (value && { portions: value.portions, asOf, number: undefined })
  const day = shown?.portions.days[0]
  usePaper()
  // A person who asked to print gets the dialog as soon as there is something to print, and once.
  const isReady = value !== undefined
  useEffect(() => {
    if (!isReady || query.print === undefined) return
    settle('kitchen/day-sheet', { day: date }, {})
    printing.print()
  }, [isReady, query.print])
  const back = { day: date === today() ? undefined : date }
  return h('div', null, [
    h(SheetBar, {
      back: to('kitchen', back),
      isReady: isReady && !printing.isBusy,
      print: printing.print,
    }),
    printing.isAsking &&
      printing.printed?.number !== undefined &&
      h(SheetQuestion, {
        day: date,
        number: printing.printed.number,
        before: value?.sheet,
        onAnswer: (isOnWall) => {
          printing.end()
          reader.refresh()
          if (isOnWall) go('kitchen', back.day === undefined ? {} : { day: back.day }, {})
        },
        onAgain: printing.print,
      }),
    h(NoNumber, { why: printing.withoutNumber ?? (mayConfirm() ? undefined : 'mayNotConfirm') }),
    h(State, { reading, reader }),
    day && shown && h(DayPaper, { day, diets: shown.portions.diets, asOf: shown.asOf, number: shown.number }),
  ])
}
