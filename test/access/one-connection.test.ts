/** A connection that is retained: what it sent before says nothing about what it sends now. */
import { Agent, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import { startTestApi } from '../support/api.ts'
import { guest, LODGE, lodge, spa } from '../support/world.ts'

const GUESTS = '/v1/guests?startDate=2025-01-01&endDate=2025-01-31'

test('each request of a connection is let in by its own credentials, as they are now', async () => {
  const { app, key, database, createKey } = await startTestApi({ records: [spa(), lodge(), ...guest('b1')] })
  const neighbor = await createKey({ center: LODGE })
  const revoked = await createKey({ revokedAt: '2025-01-01T00:00:00Z' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const ports = new Set<number | undefined>()
  const ask = (headers: Readonly<Record<string, string>>) =>
    new Promise<string>((resolve, reject) => {
      httpRequest({ port, agent, path: GUESTS, headers: { ...headers } }, (answer) => {
        ports.add(answer.socket.localPort)
        let text = ''
        answer.setEncoding('utf8').on('data', (piece: string) => {
          text += piece
        })
        answer.on('end', () =>
          resolve(`${answer.statusCode} ${answer.statusCode === 200 ? text.length > 100 : ''}`),
        )
      })
        .on('error', reject)
        .end()
    })
  const mistyped = { authorization: `${key.bearer.authorization?.slice(0, -1)}_` }
  const asked = [
    key.bearer,
    key.bearer,
    neighbor.bearer,
    key.bearer,
    mistyped,
    revoked.bearer,
    revoked.bearer,
    {},
    key.bearer,
    { ...key.bearer, ...neighbor.headers },
    { ...key.bearer, ...key.headers },
    neighbor.headers,
  ]
  const answers: string[] = []
  for (const headers of asked) answers.push(await ask(headers))
  expect(answers).toEqual([
    '200 true',
    '200 true',
    '200 false',
    '200 true',
    '401 ',
    '401 ',
    '401 ',
    '401 ',
    '200 true',
    '401 ',
    '200 true',
    '200 false',
  ])
  await database.query(sql`update api_keys set revoked_at = now() where public_key = ${key.publicKey}`)
  expect(await ask(key.bearer)).toBe('401 ')
  expect(ports.size).toBe(1)
})
