/** A field for any day, in the form that the browser has for days. */
import { type ComponentChild, h } from 'preact'
import { isDay } from '../../../src/documents/days.ts'
import { words } from './signed-in.ts'

export interface DayFieldProps {
  readonly day: string
  readonly onDay: (day: string) => void
}

export const DayField = ({ day, onDay }: DayFieldProps): ComponentChild =>
  h('label', { class: 'day-field' }, [
    h('span', { class: 'vh' }, words.value('anotherDay')),
    h('input', {
      type: 'date',
      value: day,
      onChange: ({ currentTarget }: Event) => {
        if (currentTarget instanceof HTMLInputElement && isDay(currentTarget.value))
          onDay(currentTarget.value)
      },
    }),
  ])
