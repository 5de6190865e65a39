/** Seven days from the one that is asked for, or from today: what the page and the sheet of the week share. */
import { type ComponentChild, h } from 'preact'
import { addDays, isDay, writtenDay } from '../../../src/documents/days.ts'
import { language, words } from '../base/signed-in.ts'
import { today } from './kitchen-reading.ts'

export const DAYS = 7

export const firstOf = ({ from = '' }: Readonly<Record<string, string>>): string =>
  isDay(from) ? from : today()

export const SevenDaysTitle = ({ from }: { readonly from: string }): ComponentChild =>
  h('h1', null, [
    words.value('sevenDays'),
    ' ',
    h(
      'span',
      null,
      `${writtenDay(from, language.value)} – ${writtenDay(addDays(from, DAYS - 1), language.value)}`,
    ),
  ])
