/**
 * Sends e-mail: notices of problems, and reports. One function for all of them, so that encryption, limits of time and
 * what may appear in a log are decided once.
 */
import { createTransport, type NodemailerError } from 'nodemailer'
import type { Mailbox, MailServer } from '../../core/config/mail-kinds.ts'
import { readable, visibleLines } from '../../core/errors/visible.ts'

export interface MailAttachment {
  readonly filename: string
  /** `application/pdf` */
  readonly contentType: string
  readonly content: Uint8Array
}

export interface Mail {
  /** addresses without names; at least one */
  readonly to: readonly string[]
  /** one line */
  readonly subject: string
  /** plain text, lines separated by `\n` */
  readonly text: string
  readonly attachments?: readonly MailAttachment[]
  /**
   * Identifies the message, and is the same in every attempt, so a mailbox that gets it twice can recognize it:
   * letters, digits, dots and hyphens, before the `@` of its Message-ID.
   */
  readonly messageId: string
}

/** What became of one attempt. Each address is in exactly one of the lists. */
export interface MailOutcome {
  /** The server took the message for these addresses. It must not be sent to them again. */
  readonly accepted: readonly string[]
  /**
   * The server will not take this message for these addresses. Only the message or an address is meant: a password, a
   * certificate or a sender that the server does not accept is corrected by people, and the message is then sent late.
   */
  readonly refused: readonly string[]
  /** To be tried again later. */
  readonly postponed: readonly string[]
  /**
   * Why not all were accepted, for the log: the code of the library, and the server's status if there was one, such as
   * `EENVELOPE 550`. Never with the text of the server's answer, which may repeat addresses.
   */
  readonly reason: string | undefined
}

/** Attempts to send a message once. Never rejects. */
export type SendMail = (mail: Mail, signal?: AbortSignal) => Promise<MailOutcome>

export interface MailOptions {
  readonly server: MailServer
  readonly from: Mailbox
  /** certificates that are trusted in addition to those of the system, in PEM form */
  readonly ca?: string
  readonly timeoutMs?: number
}

/** Of a whole attempt. A mail server may take a minute to check a message with attachments. */
const TIMEOUT_MS = 120_000
const CONNECTION_MS = 15_000
/** Without a byte from the server. */
const SILENT_MS = 60_000
/** Of one answer of the server, which is a few lines. */
const ANSWER_BYTES_MAX = 65_536

const transportTo = ({ server, ca }: Pick<MailOptions, 'server' | 'ca'>, silentMs: number) =>
  createTransport({
    host: server.host,
    port: server.port,
    secure: server.tls === 'implicit',
    requireTLS: server.tls === 'starttls',
    ignoreTLS: server.tls === 'none',
    ...(server.user !== undefined && { auth: { user: server.user, pass: server.password ?? '' } }),
    tls: { minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
    connectionTimeout: CONNECTION_MS,
    greetingTimeout: CONNECTION_MS,
    dnsTimeout: CONNECTION_MS,
    socketTimeout: silentMs,
    maxResponseSize: ANSWER_BYTES_MAX,
    // A mail server of the same machine.
    allowInternalNetworkInterfaces: true,
    // Its log would have addresses and contents.
    logger: false,
    // Content is given as bytes. A path or a URL in its place would be read from this machine.
    disableFileAccess: true,
    disableUrlAccess: true,
  })

/**
 * Connects to the server, encrypts and logs in as for an e-mail, and sends none.
 * @returns why that failed, as the reason of an outcome; undefined if it did not
 */
export async function tryMailServer(
  options: Pick<MailOptions, 'server' | 'ca'>,
): Promise<string | undefined> {
  const transport = transportTo(options, CONNECTION_MS)
  try {
    await transport.verify()
    return undefined
  } catch (error) {
    return reasonOf(error as NodemailerError)
  } finally {
    transport.close()
  }
}

/** Creates the function that sends e-mail. Each attempt has a connection of its own. */
export function createSendMail({ server, from, ca, timeoutMs = TIMEOUT_MS }: MailOptions): SendMail {
  const transport = transportTo({ server, ...(ca !== undefined && { ca }) }, SILENT_MS)
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  return async ({ to, subject, text, attachments = [], messageId }, signal) => {
    const deadline = AbortSignal.timeout(timeoutMs)
    try {
      const { rejected, rejectedErrors = [] } = await transport.sendMail({
        from: from.name === undefined ? from.address : { name: from.name, address: from.address },
        to: [...to],
        subject: readable(subject).replace(/\s+/g, ' '),
        text: visibleLines(text),
        messageId: `<${messageId}@${domain}>`,
        // No automatic reply is sent to a machine (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        attachments: attachments.map(({ filename, contentType, content }) => ({
          filename,
          contentType,
          content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
        })),
        signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
      })
      const others = new Set(rejected)
      return {
        accepted: to.filter((address) => !others.has(address)),
        ...rejectedOf(
          to.filter((address) => others.has(address)),
          rejectedErrors,
        ),
      }
    } catch (error) {
      // The library rejects with its own kind of error, whose code says what failed.
      const failure = error as NodemailerError
      const each = failure.rejectedErrors ?? []
      if (each.length > 0) return { accepted: [], ...rejectedOf(to, each) }
      const isRefused = failure.permanent === true && failure.code === 'EMESSAGE'
      return {
        accepted: [],
        refused: isRefused ? to : [],
        postponed: isRefused ? [] : to,
        reason: reasonOf(failure),
      }
    }
  }
}

function rejectedOf(
  addresses: readonly string[],
  failures: readonly NodemailerError[],
): Pick<MailOutcome, 'refused' | 'postponed' | 'reason'> {
  const permanent = new Set(failures.filter(({ permanent }) => permanent).map(({ recipient }) => recipient))
  const [first] = failures
  return {
    refused: addresses.filter((address) => permanent.has(address)),
    postponed: addresses.filter((address) => !permanent.has(address)),
    reason: first === undefined ? undefined : reasonOf(first),
  }
}

const reasonOf = ({ code = 'EUNKNOWN', responseCode }: NodemailerError) =>
  responseCode === undefined ? code : `${code} ${responseCode}`
