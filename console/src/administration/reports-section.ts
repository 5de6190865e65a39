/** Kitchen sheets and lists that are sent by themselves. */
import { type ComponentChild, h } from 'preact'
import { useState } from 'preact/hooks'
import type { CenterKey, CenterReport } from '../../../client/src/index.ts'
import type { WordKey } from '../../../src/documents/words.ts'
import { useResource } from '../base/resource.ts'
import { person, words } from '../base/signed-in.ts'
import { momentOf, State } from '../frame/states.ts'
import { entries, entryButton, openButton } from './entries.ts'
import { AskRemoval } from './fields.ts'
import { useAttempt, Wrong } from './key-forms.ts'
import { daysText } from './report-days.ts'
import { REPORT_KINDS, ReportForm } from './report-form.ts'

interface ReportsProps {
  readonly keys: readonly CenterKey[]
  onDone(text: string): void
}

const STATES: Readonly<Record<CenterReport['runs'][number]['state'], WordKey>> = {
  due: 'runDue',
  sent: 'runSent',
  missed: 'runMissed',
  refused: 'runRefused',
}

export function ReportsSection({ keys, onDone }: ReportsProps): ComponentChild {
  const t = words.value
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<string>()
  const reader = useResource(
    // A report without a key is not sent.
    (sojourn, signal) => sojourn.administration.reports({ signal }),
    [keys],
  )
  const reading = reader.state.value
  const reports = reading.value
  const done = (text: string) => {
    setAdding(false)
    setRemoving(undefined)
    reader.refresh()
    onDone(text)
  }
  return h('section', { class: 'block' }, [
    h('h2', { id: 'adm-reports', tabIndex: -1 }, t('reports')),
    h(State, { reading, reader }),
    entries(reports, {
      isFailed: reading.problem !== undefined,
      none: t('noReports'),
      entry: (report) =>
        h('li', { key: report.id }, [
          h(Entry, { report, keys, onRemove: () => setRemoving(report.id), onDone: done }),
          removing === report.id &&
            h(AskRemoval, {
              question: t('removeReportAsks', { name: report.name }),
              action: t('remove'),
              work: () => person.value!.sojourn.act('remove-report', { report: report.id }),
              onCancel: () => setRemoving(undefined),
              onDone: () => done(t('reportRemoved', { name: report.name })),
            }),
        ]),
    }),
    isAdding
      ? h(ReportForm, { keys, onCancel: () => setAdding(false), onDone: done })
      : openButton(t('addReport'), () => setAdding(true)),
  ])
}

interface EntryProps {
  readonly report: CenterReport
  readonly keys: readonly CenterKey[]
  onRemove(): void
  onDone(text: string): void
}

function Entry({ report, keys, onRemove, onDone }: EntryProps): ComponentChild {
  const t = words.value
  const attempt = useAttempt()
  const { name, kind, query, format, times, days, destinations, nextAt, hasKey, runs, appId } = report
  const of = keys.find((key) => key.appId === appId)?.name ?? appId
  const run = () =>
    attempt.run(
      () => person.value!.sojourn.act('run-report', { report: report.id }),
      () => onDone(t('reportRuns', { name })),
    )
  return h('div', { class: 'entry' }, [
    h('h3', null, name),
    h('p', null, `${t(REPORT_KINDS[kind])} · ${format} · ${t('linkOfKey', { name: of })}`),
    query !== null && h('p', { class: 'code' }, query),
    h('p', null, `${times.join(', ')}, ${daysText(t, days)} → ${destinations.join(', ')}`),
    h(
      'p',
      null,
      hasKey ? t('reportNext', { time: momentOf(nextAt) }) : h('b', { class: 'chg' }, t('linkStopped')),
    ),
    runs.length > 0 &&
      h(
        'ul',
        { class: 'small' },
        runs.map(({ scheduledAt, state, isCopy, problem, destinations: parts }) =>
          h('li', { key: scheduledAt }, [
            h('time', { dateTime: scheduledAt }, momentOf(scheduledAt)),
            ': ',
            state === 'sent' ? t(STATES[state]) : h('b', { class: 'chg' }, t(STATES[state])),
            isCopy && ` ${t('runCopy')}`,
            // The service's sentences are in English.
            [problem, ...parts.map((part) => part.problem && `${part.destination}: ${part.problem}`)].map(
              (text) => text && h('span', { class: 'soft', lang: 'en' }, ` ${text}`),
            ),
          ]),
        ),
      ),
    h('p', { class: 'both no-print' }, [
      entryButton(t('runReport'), name, run, attempt.isBusy || !hasKey),
      entryButton(t('remove'), name, onRemove),
    ]),
    h(Wrong, { problem: attempt.problem }),
  ])
}
