/** The mail server: a connection of its own that encrypts and logs in, and sends nothing. */
import type { Config } from '../../core/config/config.ts'
import { notOk, ok, type Result } from './result.ts'

export async function checkMail({ smtpUrl: server, notifyTo }: Config): Promise<Result[]> {
  if (server === undefined) {
    if (notifyTo.length === 0) return [ok('mail', 'No e-mail is sent (SMTP_URL is not set).')]
    return [
      notOk(
        'mail',
        'NOTIFY_TO is set and SMTP_URL is not: nobody is notified of problems.',
        'Set SMTP_URL and MAIL_FROM, or remove NOTIFY_TO.',
      ),
    ]
  }
  const { tryMailServer } = await import('../mail/send-mail.ts')
  const reason = await tryMailServer({ server })
  const place = `${server.host}:${server.port}`
  if (reason === undefined)
    return [
      ok('mail', `${place} accepts the connection${server.user === undefined ? '' : ' and the password'}.`),
    ]
  const [code = ''] = reason.split(' ')
  return [
    notOk(
      'mail',
      `The mail server ${place} cannot be used (${reason}).`,
      REMEDIES[code] ?? 'Correct SMTP_URL, or let this machine connect to the server.',
    ),
  ]
}

/** By the code of the mail library. */
const REMEDIES: Readonly<Record<string, string>> = {
  EAUTH: 'Correct user and password in SMTP_URL.',
  ETLS: 'The server offers no STARTTLS, or its certificate is not accepted: use smtps:// with port 465, or correct the certificate.',
  ESOCKET: 'Start the server, correct host and port in SMTP_URL, or correct its certificate.',
  ECONNECTION: 'Start the server, or correct host and port in SMTP_URL.',
  ECONNREFUSED: 'Start the server, or correct host and port in SMTP_URL.',
  EDNS: 'Correct the host in SMTP_URL.',
  ETIMEDOUT: 'Let this machine connect to the server: a firewall may be in between.',
}
