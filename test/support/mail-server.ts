/** A mail server on loopback that keeps what it is sent, and refuses what it is asked to refuse. */
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import type { MailServer } from '../../src/core/config/mail-kinds.ts'
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from './loopback-certificate.ts'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** the whole message, as it was sent */
  readonly source: string
  /** the text of a message without attachments */
  readonly text: string
  readonly isEncrypted: boolean
  readonly user: string | undefined
}

export interface TestMailServer extends AsyncDisposable {
  readonly port: number
  /** in the order of their arrival */
  readonly received: readonly ReceivedMail[]
  /** connections so far */
  readonly connections: number
  /** the status for an address; 250 unless this is set. Can be changed at any time. */
  statusOf: (address: string) => number
  /** the status for a whole message; 250 unless this is set */
  statusOfMessage: (source: string) => number
  /** the setting for this server */
  server(tls: MailServer['tls'], login?: { user: string; password: string }): MailServer
}

export interface TestMailOptions {
  /** `implicit`: TLS from the first byte. `plain`: no STARTTLS either. */
  readonly tls?: 'implicit' | 'starttls' | 'plain'
  /** the only password that is accepted, and required; without it nobody logs in */
  readonly password?: string
}

/** Without the line breaks and codes of the encoding in which long lines are sent (quoted-printable). */
function textOf(source: string): string {
  const body = source.slice(source.indexOf('\r\n\r\n') + 4)
  if (!/^content-transfer-encoding: quoted-printable/im.test(source)) return body
  return body
    .replaceAll('=\r\n', '')
    .replaceAll(/(?:=[0-9A-F]{2})+/g, (codes) => Buffer.from(codes.replaceAll('=', ''), 'hex').toString())
}

const refusal = (status: number) =>
  Object.assign(new Error('not taken: secret-of-the-server'), { responseCode: status })

/** Starts a server at a free port. */
export async function startMailServer({
  tls = 'starttls',
  password,
}: TestMailOptions = {}): Promise<TestMailServer> {
  const received: ReceivedMail[] = []
  let connections = 0
  const server = new SMTPServer({
    secure: tls === 'implicit',
    key: LOOPBACK_KEY,
    cert: LOOPBACK_CERTIFICATE,
    ...(tls === 'plain' && { disabledCommands: ['STARTTLS'], hideSTARTTLS: true }),
    allowInsecureAuth: tls === 'plain',
    authOptional: password === undefined,
    disableReverseLookup: true,
    closeTimeout: 50,
    logger: false,
    onConnect(_session, done) {
      connections += 1
      done()
    },
    onAuth(auth, _session, done) {
      if (auth.password === password) done(null, { user: auth.username })
      else done(refusal(535))
    },
    onRcptTo({ address }, _session, done) {
      const status = started.statusOf(address)
      done(status < 300 ? null : refusal(status))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const source = Buffer.concat(chunks).toString()
        const status = started.statusOfMessage(source)
        if (status >= 300) {
          done(refusal(status))
          return
        }
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          source,
          text: textOf(source),
          isEncrypted: session.secure,
          user: typeof session.user === 'string' ? session.user : undefined,
        })
        done()
      })
    },
  })
  // A client that does not trust the certificate breaks off, which is what some tests are about.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const started: TestMailServer = {
    port,
    received,
    get connections() {
      return connections
    },
    statusOf: () => 250,
    statusOfMessage: () => 250,
    server: (kind, login) => ({
      host: '127.0.0.1',
      port,
      tls: kind,
      user: login?.user,
      password: login?.password,
    }),
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return started
}
