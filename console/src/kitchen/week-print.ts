/** What the browser prints of the page of seven days: the sheet of the week, on which nothing is lost. */
import { type ComponentChild, h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { MealPortionsAnswer } from '../../../client/src/index.ts'
import type { Reading } from '../base/reading.ts'
import { copyAge } from '../frame/states.ts'
import { useKitchen } from './kitchen-reading.ts'
import { DAYS } from './seven-days.ts'
import { WeekPaper } from './week-paper.ts'

interface WeekPrintProps {
  readonly from: string
  /** what the page shows, without names */
  readonly reading: Reading<MealPortionsAnswer>
}

/**
 * With Ctrl+P, the names are read first, as for the sheet: each reading of them is in the audit trail, so a page that
 * only shows numbers does not read them. From the browser's menu it is printed without names, and says so.
 */
export function WeekPrint({ from, reading }: WeekPrintProps): ComponentChild {
  const [isNamed, setNamed] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'p' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setNamed(true)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  const { value, asOf } = reading
  if (isNamed) return h(NamedWeek, { from, reading, onPrinted: () => setNamed(false) })
  return (
    value && h('div', { class: 'print-only' }, h(WeekPaper, { ...value, from, asOf, age: copyAge(reading) }))
  )
}

function NamedWeek({
  from,
  reading,
  onPrinted,
}: WeekPrintProps & { readonly onPrinted: () => void }): ComponentChild {
  const named = useKitchen({ from, days: DAYS, withGuests: true }).state.value
  const isReady = !named.isReading && (named.value !== undefined || named.problem !== undefined)
  useEffect(() => {
    if (!isReady) return
    print()
    onPrinted()
  }, [isReady])
  // Without a connection, what the page has.
  const shown = named.value === undefined ? reading : named
  const { value, asOf } = shown
  return (
    value && h('div', { class: 'print-only' }, h(WeekPaper, { ...value, from, asOf, age: copyAge(shown) }))
  )
}
