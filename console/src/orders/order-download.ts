/** The orders of the page as a file: the same period and filters, a row for each order or for each item. */
import { type ComponentChild, h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Problem, problemOf } from '../base/problem.ts'
import { language, may, patientSojourn, words } from '../base/signed-in.ts'
import { Menu } from '../frame/menu.ts'
import { sayProblem } from '../frame/states.ts'
import { readWhole } from '../guests/download.ts'
import { save } from '../guests/save-file.ts'
import type { OrderFilters } from './order-rows.ts'
import { nameOfPeriod, type Period } from './period.ts'

export interface OrderDownloadProps {
  readonly period: Period
  readonly filters: OrderFilters
}

const FORMATS = ['xlsx', 'csv'] as const
const ROWS = [
  ['orders', 'rowPerOrder'],
  ['items', 'rowPerItem'],
  ['payments', 'rowPerPayment'],
] as const

const NAMES = { orders: 'orders', items: 'order-items', payments: 'order-payments' } as const

export function OrderDownload({ period, filters }: OrderDownloadProps): ComponentChild {
  const t = words.value
  const [isRunning, setRunning] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const ends = useRef<AbortController>(undefined)
  useEffect(() => () => ends.current?.abort(), [])

  async function run(format: (typeof FORMATS)[number], rows: (typeof ROWS)[number][0]): Promise<void> {
    const mine = new AbortController()
    ends.current = mine
    setProblem(undefined)
    setRunning(true)
    try {
      const asked = { ...period, ...given(filters), includeGuestNames: true, format, rows }
      const file = await patientSojourn().orders.file(asked, { signal: mine.signal })
      save(
        await readWhole(file, () => undefined),
        `${NAMES[rows]}-${period.startDate}-${period.endDate}.${format}`,
      )
    } catch (error) {
      if (!mine.signal.aborted) setProblem(problemOf(error, Date.now()))
    }
    setRunning(false)
  }

  return h(Menu, { title: t('download') }, [
    h('p', null, t('downloadOfPeriod', { days: nameOfPeriod(t, period, language.value) })),
    ROWS.map(([rows, word]) =>
      h('fieldset', { key: rows }, [
        h('legend', null, t(word)),
        rows === 'payments' && !may('guests.financial')
          ? h('p', { class: 'withheld' }, t('paymentsNotPermitted'))
          : h(
              'p',
              { class: 'acts start' },
              FORMATS.map((format) =>
                h(
                  'button',
                  {
                    type: 'button',
                    key: format,
                    disabled: isRunning,
                    'aria-label': `${t(word)}, ${format.toUpperCase()}`,
                    onClick: () => void run(format, rows),
                  },
                  format.toUpperCase(),
                ),
              ),
            ),
      ]),
    ),
    isRunning && h('p', { role: 'status' }, t('downloading')),
    h('p', { class: 'soft small' }, t('headingsInLanguage')),
    problem && h('div', { class: 'say bad', role: 'alert' }, sayProblem(t, problem)),
  ])
}

const given = ({ group, status, paymentStatus }: OrderFilters) => ({
  ...(group === undefined ? {} : { group }),
  ...(status === undefined ? {} : { status }),
  ...(paymentStatus === undefined ? {} : { paymentStatus }),
})
