/** Sends a report by e-mail. Its Message-ID is the same in every attempt. */
import type { Mail, SendMail } from '../../mail/send-mail.ts'
import { fail, type Outcome, type ReportDelivery, SENT, wait } from './delivery.ts'

export async function toMail(
  send: SendMail | undefined,
  to: string,
  { id, title, remarks, rendered, fileName }: ReportDelivery,
  signal?: AbortSignal,
): Promise<Outcome> {
  if (send === undefined) return wait('SMTP_URL is not set.')
  const isText = rendered.extension === 'txt'
  const mail: Mail = {
    to: [to],
    subject: title,
    text: isText ? Buffer.from(rendered.bytes).toString() : `${[title, ...remarks].join('\n')}\n`,
    messageId: id,
    attachments: isText
      ? []
      : [
          {
            filename: `${fileName}.${rendered.extension}`,
            contentType: rendered.type,
            content: rendered.bytes,
          },
        ],
  }
  const { accepted, refused, reason } = await send(mail, signal)
  if (accepted.length > 0) return SENT
  if (refused.length > 0) return fail(`The mail server refused the address or the message: ${reason}.`)
  return wait(`The mail server did not take the message: ${reason}.`)
}
