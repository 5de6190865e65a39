import { randomUUID } from 'node:crypto'
import { printersOf } from '../../core/config/printers.ts'
import { onceADay } from '../../core/monitoring/once-a-day.ts'
import type { Part } from '../../core/part.ts'
import type { MailOptions, SendMail } from '../mail/send-mail.ts'
import { createSend } from '../webhooks/send.ts'
import { createAddressRule } from '../webhooks/target.ts'
import { addReportAction } from './acts/add-report.ts'
import { createListReports } from './acts/list-reports.ts'
import { removeReportAction } from './acts/remove-report.ts'
import { runReportAction } from './acts/run-report.ts'
import { createInside } from './ask-inside.ts'
import { openCopies } from './copies.ts'
import { pruneRuns } from './prune-runs.ts'
import { createReporter, type ReportNumbers } from './reporter.ts'

/** Scheduled reports: documents of the interface’s answers, and their way by e-mail, into folders, to printers and webhooks. */
export const reports: Part = {
  name: 'reports',
  needs: ['links', 'mail', 'webhooks'],
  operations: ({ operations }) => [createListReports(operations)],
  actions: [addReportAction, runReportAction, removeReportAction],
  serve({ app, options, database, databaseClock, gate, operations, handlerOf, metrics }) {
    if (options.sendsReports === undefined) return
    const { smtpUrl, mailFrom, webhooksKey, webhooksAllowedAddresses = [], reportsPrinters = [] } = options
    const { copiesFolder, drive } = options.sendsReports
    const inside = createInside({ gate, operations, handlerOf })
    const reporter = createReporter({
      database,
      inside,
      operations,
      clock: databaseClock,
      holder: randomUUID(),
      copies: openCopies(copiesFolder),
      ways: {
        folder: options.reportsFolder,
        printers: printersOf(reportsPrinters),
        sendMail:
          smtpUrl === undefined || mailFrom === undefined
            ? undefined
            : loadedLater({ server: smtpUrl, from: mailFrom }),
        webhooks:
          webhooksKey === undefined
            ? undefined
            : {
                database,
                key: webhooksKey,
                send: createSend({ allows: createAddressRule(webhooksAllowedAddresses) }),
                clock: databaseClock,
              },
      },
      log: app.log,
      every(ms, act) {
        if (drive !== undefined) return () => {}
        const timer = setInterval(act, ms).unref()
        return () => clearInterval(timer)
      },
    })
    drive?.(reporter)
    app.addHook('onClose', async () => {
      await reporter.close()
      await inside.close()
    })
    if (options.reportsDays !== undefined) {
      const { reportsDays } = options
      onceADay(app, 'old reports', () => pruneRuns(database, reportsDays))
    }
    metrics.counterBy(
      'sojourn_report_deliveries_total',
      'Attempts of this instance to give a report to a destination, by outcome',
      'outcome',
      () => reporter.outcomes,
    )
    for (const [field, name, help] of GAUGES) metrics.gauge(name, help, () => reporter.numbers[field])
  },
}

const GAUGES: readonly (readonly [field: keyof ReportNumbers, name: string, help: string])[] = [
  ['reports', 'sojourn_reports', 'Scheduled reports'],
  ['late', 'sojourn_reports_late', 'Reports that were tried and are not sent to every destination yet'],
  ['missed', 'sojourn_reports_missed', 'Reports of the last 24 hours that were missed or refused'],
  ['oldest_seconds', 'sojourn_reports_oldest_seconds', 'Age of the oldest report that is due and not sent'],
]

/** A service that has nothing to send does not load the library. */
const loadedLater =
  (options: MailOptions): SendMail =>
  async (mail, signal) =>
    (await import('../mail/send-mail.ts')).createSendMail(options)(mail, signal)
