import { describe, expect, test } from 'vitest'
import type { MailServer } from '../../../src/core/config/mail-kinds.ts'
import { createSendMail, type Mail } from '../../../src/parts/mail/send-mail.ts'
import { freePort } from '../../support/free-port.ts'
import { LOOPBACK_CERTIFICATE } from '../../support/loopback-certificate.ts'
import { startMailServer } from '../../support/mail-server.ts'

const MAIL: Mail = {
  to: ['it@example.org'],
  subject: 'Bookings are late',
  text: 'Nothing arrived.\nExpected by 04:00.\n',
  messageId: 'notice.1-begin',
}
const FROM = { name: 'Sojourn', address: 'sojourn@center.example' }

const sender = (server: MailServer, ca: string | undefined = LOOPBACK_CERTIFICATE, timeoutMs = 20_000) =>
  createSendMail({ server, from: FROM, timeoutMs, ...(ca !== '' && { ca }) })

const SENT = { accepted: MAIL.to, refused: [], postponed: [], reason: undefined }
const LATER = { accepted: [], refused: [], postponed: MAIL.to }

describe('a message', () => {
  test('has the sender, a plain text, its identifier, and asks machines not to reply', async () => {
    await using server = await startMailServer()
    expect(await sender(server.server('starttls'))(MAIL)).toEqual(SENT)
    const [received] = server.received
    expect(received).toMatchObject({
      from: 'sojourn@center.example',
      to: ['it@example.org'],
      isEncrypted: true,
    })
    const [head = '', body] = received?.source.split('\r\n\r\n') ?? []
    expect(head).toContain('From: Sojourn <sojourn@center.example>')
    expect(head).toContain('Subject: Bookings are late')
    expect(head).toContain('Message-ID: <notice.1-begin@center.example>')
    expect(head).toContain('Auto-Submitted: auto-generated')
    expect(head).toContain('Content-Type: text/plain; charset=utf-8')
    expect(head.toLowerCase()).not.toContain('x-mailer')
    expect(body).toContain('Nothing arrived.')
  })

  test('has attachments as bytes', async () => {
    await using server = await startMailServer()
    const content = Buffer.from('%PDF-1.7 bytes')
    const attachments = [{ filename: 'day ü.pdf', contentType: 'application/pdf', content }]
    expect(await sender(server.server('starttls'))({ ...MAIL, attachments })).toEqual(SENT)
    const source = server.received[0]?.source ?? ''
    expect(source).toContain('Content-Type: application/pdf')
    expect(source).toContain(content.toString('base64'))
  })

  test('cannot get another header through its subject', async () => {
    await using server = await startMailServer()
    await sender(server.server('starttls'))({ ...MAIL, subject: 'Late\r\nBcc: other@example.org' })
    expect(server.received[0]?.to).toEqual(['it@example.org'])
    expect(server.received[0]?.source).not.toMatch(/^bcc:/im)
  })
})

describe('encryption', () => {
  test('from the first byte, with a password', async () => {
    await using server = await startMailServer({ tls: 'implicit', password: 'hunter2' })
    const login = { user: 'sojourn', password: 'hunter2' }
    expect(await sender(server.server('implicit', login))(MAIL)).toEqual(SENT)
    expect(server.received[0]).toMatchObject({ isEncrypted: true, user: 'sojourn' })
  })

  test('nothing is sent to a server that has none, unless that is the setting', async () => {
    await using server = await startMailServer({ tls: 'plain' })
    expect(await sender(server.server('starttls'))(MAIL)).toMatchObject(LATER)
    expect(server.received).toEqual([])
    expect(await sender(server.server('none'))(MAIL)).toEqual(SENT)
    expect(server.received[0]).toMatchObject({ isEncrypted: false })
  })

  test.each(['implicit', 'starttls'] as const)('%s: an unknown certificate gets nothing', async (tls) => {
    await using server = await startMailServer({ tls })
    const outcome = await sender(server.server(tls), '')(MAIL)
    expect(outcome).toMatchObject(LATER)
    expect(server.received).toEqual([])
  })
})

describe('what is not accepted', () => {
  test('a wrong password is corrected by people, so the message waits', async () => {
    await using server = await startMailServer({ password: 'hunter2' })
    const outcome = await sender(server.server('starttls', { user: 'sojourn', password: 'wrong' }))(MAIL)
    expect(outcome).toEqual({ ...LATER, reason: 'EAUTH 535' })
  })

  test('some of the addresses: each is in one list', async () => {
    await using server = await startMailServer()
    const status: Record<string, number> = { 'gone@example.org': 550, 'full@example.org': 452 }
    server.statusOf = (address) => status[address] ?? 250
    const to = ['gone@example.org', 'it@example.org', 'full@example.org']
    expect(await sender(server.server('starttls'))({ ...MAIL, to })).toEqual({
      accepted: ['it@example.org'],
      refused: ['gone@example.org'],
      postponed: ['full@example.org'],
      reason: 'EENVELOPE 550',
    })
    expect(server.received.map((one) => one.to)).toEqual([['it@example.org']])
  })

  test('all addresses', async () => {
    await using server = await startMailServer()
    server.statusOf = (address) => (address.startsWith('gone') ? 550 : 451)
    const to = ['gone@example.org', 'busy@example.org']
    expect(await sender(server.server('starttls'))({ ...MAIL, to })).toMatchObject({
      accepted: [],
      refused: ['gone@example.org'],
      postponed: ['busy@example.org'],
    })
  })

  test.each([
    [451, 'postponed'],
    [554, 'refused'],
  ])(
    'the message with the status %i is %s, and the server’s words are not repeated',
    async (status, list) => {
      await using server = await startMailServer()
      server.statusOfMessage = () => status
      const outcome = await sender(server.server('starttls'))(MAIL)
      expect(outcome).toMatchObject({ accepted: [], [list]: MAIL.to, reason: `EMESSAGE ${status}` })
      expect(JSON.stringify(outcome)).not.toContain('secret-of-the-server')
    },
  )

  test('nobody listens', async () => {
    const server = {
      host: '127.0.0.1',
      port: await freePort(),
      tls: 'starttls',
      user: undefined,
      password: undefined,
    }
    expect(await sender(server as MailServer)(MAIL)).toMatchObject(LATER)
  })

  test('a server that is silent holds no attempt longer than its deadline', async () => {
    await using server = await startMailServer()
    const arrived = Promise.withResolvers<void>()
    server.statusOf = () => {
      arrived.resolve()
      return 250
    }
    const controller = new AbortController()
    const attempt = sender(server.server('starttls'))(MAIL, controller.signal)
    await arrived.promise
    controller.abort()
    const outcome = await attempt
    expect([...outcome.accepted, ...outcome.postponed]).toEqual(MAIL.to)
    expect(await sender(server.server('starttls'), LOOPBACK_CERTIFICATE, 0)(MAIL)).toEqual({
      ...LATER,
      reason: 'EABORT',
    })
  })
})
