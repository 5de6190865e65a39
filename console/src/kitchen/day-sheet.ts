/** The sheet of a day, which is numbered when somebody prints it. */
import { type ComponentChild, h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { isDay } from '../base/days.ts'
import type { Reader } from '../base/reading.ts'
import { to } from '../base/routes.ts'
import { person } from '../base/signed-in.ts'
import type { PageProps } from '../frame/pages.ts'
import { State } from '../frame/states.ts'
import { DayPaper } from './day-paper.ts'
import { type DayAndSheet, today, useDayAndSheet } from './kitchen-reading.ts'
import { SheetBar, usePaper } from './sheet-bar.ts'
import { isCurrent, takenSheet } from './sheet-marks.ts'

export function DaySheet({ query }: PageProps): ComponentChild {
  const asked = query.day ?? ''
  const date = isDay(asked) ? asked : today()
  const reader = useDayAndSheet({ from: date, days: 1, withGuests: true })
  const reading = reader.state.value
  const day = reading.value?.portions.days[0]
  const printSheet = usePrinting(date, reader)
  usePaper()
  return h('div', null, [
    h(SheetBar, {
      back: to('kitchen', { day: date === today() ? undefined : date }),
      isReady: day !== undefined,
      print: printSheet,
    }),
    h(State, { reading, reader }),
    day &&
      reading.value &&
      h(DayPaper, {
        day,
        diets: reading.value.portions.diets,
        asOf: reading.asOf,
        number: numberOf(reading.value),
      }),
  ])
}

/** Of the newest sheet, while it says the same as what is shown. */
function numberOf(value: DayAndSheet | undefined): number | undefined {
  const sheet = takenSheet(value?.sheet)
  return sheet !== undefined && isCurrent(sheet) ? sheet.sheet : undefined
}

/**
 * The sheet is taken when somebody prints: who only looks must not become what all others compare with. Without a
 * connection it is printed all the same, without a number.
 */
function usePrinting(date: string, reader: Reader<DayAndSheet>): () => void {
  const [isTaken, setTaken] = useState(false)
  const reading = reader.state.value
  const take = () => person.value!.sojourn.meals.sheet(date).catch(() => undefined)
  const printSheet = () =>
    void take().then(() => {
      // With its number, once that is read.
      reader.refresh()
      setTaken(true)
    })
  useEffect(() => {
    if (!isTaken || reading.isReading) return
    setTaken(false)
    print()
  }, [isTaken, reading])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'p' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      printSheet()
    }
    // From the browser's menu it has no number, but later changes are held against it.
    const onPrint = () => {
      if (numberOf(reader.state.peek().value) === undefined) void take()
    }
    addEventListener('keydown', onKey)
    addEventListener('beforeprint', onPrint)
    return () => {
      removeEventListener('keydown', onKey)
      removeEventListener('beforeprint', onPrint)
    }
  }, [reader])
  return printSheet
}
