import type { Metrics } from '../../core/monitoring/metrics.ts'
import { onceADay } from '../../core/monitoring/once-a-day.ts'
import type { Part } from '../../core/part.ts'
import type { MailOptions, SendMail } from '../mail/send-mail.ts'
import { createLookup } from '../webhooks/lookup.ts'
import { setNoticeAddressesAction } from './acts/set-notice-addresses.ts'
import { callHeartbeat } from './heartbeat.ts'
import { pruneNotices } from './prune-notices.ts'
import { createNotices, type NoticesNumbers } from './start-notices.ts'

/** Notifies people of problems of sources, by e-mail and webhook; the dead man’s switch. */
export const notices: Part = {
  name: 'notices',
  needs: ['mail', 'webhooks'],
  actions: [setNoticeAddressesAction],
  start({ app, options, database, databaseClock, metrics }) {
    if (!options.notifies) return
    const { smtpUrl: server, mailFrom: from, notifyTo = [], heartbeatUrl } = options
    const lookup = createLookup()
    const running = createNotices({
      database,
      clock: databaseClock,
      monotonic: options.monotonic ?? options.clock ?? performance.now.bind(performance),
      sendMail: server && from && loadedLater({ server, from }),
      addresses: notifyTo,
      beat:
        heartbeatUrl === undefined ? undefined : (signal) => callHeartbeat(heartbeatUrl, { lookup }, signal),
      log: app.log,
      every(ms, act) {
        const timer = setInterval(act, ms).unref()
        return () => clearInterval(timer)
      },
    })
    app.addHook('onClose', () => running.close())
    onceADay(app, 'old notices', () => pruneNotices(database))
    addMetrics(metrics, () => running.numbers)
  },
}

/** A service that has nothing to send does not load the library. */
const loadedLater =
  (options: MailOptions): SendMail =>
  async (mail, signal) =>
    (await import('../mail/send-mail.ts')).createSendMail(options)(mail, signal)

/** Of all centers together, without center or address. */
function addMetrics(metrics: Metrics, numbers: () => NoticesNumbers): void {
  metrics.gauge(
    'sojourn_source_problems_open',
    'Sources of which something keeps data from arriving',
    () => numbers().open,
  )
  metrics.gauge(
    'sojourn_notices_waiting',
    'E-mail about sources that the mail server has not accepted yet',
    () => numbers().waiting,
  )
  metrics.gauge(
    'sojourn_notices_waiting_seconds',
    'Age of the oldest of them',
    () => numbers().waiting_seconds,
  )
  metrics.counterBy(
    'sojourn_notice_attempts_total',
    'Attempts of this instance to send e-mail about sources, by outcome',
    'outcome',
    () => numbers().mails,
  )
  metrics.counterBy(
    'sojourn_heartbeats_total',
    'Calls of HEARTBEAT_URL by this instance, by outcome',
    'outcome',
    () => numbers().beats,
  )
}
