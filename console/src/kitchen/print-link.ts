/** Opens the sheet of a day, with the print dialog at once. Opened in another tab, the sheet has a button for that. */
import { type ComponentChild, h } from 'preact'
import { go } from '../base/location.ts'
import { to } from '../base/routes.ts'

export interface PrintDayProps {
  readonly day: string
  readonly label: string
  readonly isFirst?: boolean
}

export const PrintDay = ({ day, label, isFirst }: PrintDayProps): ComponentChild =>
  h(
    'a',
    {
      class: isFirst ? 'btn first' : 'btn',
      href: to('kitchen/day-sheet', { day }),
      onClick(event: MouseEvent) {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        go('kitchen/day-sheet', { day }, { print: 'now' })
      },
    },
    label,
  )
