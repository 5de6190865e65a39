/** `sojourn webhooks`, on the command line and as its page shows it. */
import { Webhook } from 'standardwebhooks'
import { beforeAll, describe, expect, it } from 'vitest'
import type { TrailRead } from '../../../src/core/audit/list-reads.ts'
import type { Webhook as Shown, WebhookState } from '../../../src/parts/webhooks/webhook.ts'
import { CENTER, databaseSettings, type Env, json, sojourn, startCommands } from '../../commands/sojourn.ts'
import { blocksOf, pageText } from '../../support/doc-examples.ts'
import { type Receiver, startReceiver, verified } from './receiver.ts'

const KEY = Buffer.alloc(32, 3).toString('base64')

let env: Env
let receiver: Receiver
beforeAll(async () => {
  const settings = { WEBHOOKS_KEY: KEY, WEBHOOKS_ALLOWED_ADDRESSES: '127.0.0.1' }
  ;({ env } = await startCommands(settings))
  await json(['import', '-'], env, CENTER)
  receiver = await startReceiver()
})

const add = (url: string) => [
  'webhooks',
  'add',
  '--center',
  'fjord',
  '--name',
  'Lab',
  '--url',
  url,
  '--preset',
  'medical',
]

describe('a webhook', () => {
  it('is added with its secret shown once, tested, shown, paused, resumed and removed', async () => {
    const { stdout } = await sojourn(add(receiver.url), env)
    const [, id = ''] = /^id +(\S+)$/m.exec(stdout) ?? []
    const [, secret = ''] = /^secret +(\S+)$/m.exec(stdout) ?? []
    expect(stdout).toContain('shown only once')
    const tested = await sojourn(['webhooks', 'test', id], env)
    expect(tested).toMatchObject({ code: 0, stdout: 'delivered, status 204.\n' })
    expect(verified(secret, receiver.received.at(-1)!)).toMatchObject({ type: 'test', data: {} })

    const shown = await sojourn(['webhooks', 'show', id], env)
    expect(shown.stdout).toContain('No attempts yet.')
    expect(shown.stdout).not.toContain(secret)
    const state = async (command: string): Promise<WebhookState> =>
      (await json<Shown>(['webhooks', command, id], env)).state
    expect(await state('pause')).toBe('paused')
    expect(await state('resume')).toBe('active')
    const [listed] = await json<Shown[]>(['webhooks', 'list', '--center', 'fjord'], env)
    expect(listed).toMatchObject({ id, centerId: 'fjord', name: 'Lab', url: receiver.url, state: 'active' })
    expect(JSON.stringify(listed)).not.toContain('whsec_')
    const replayed = await sojourn(['webhooks', 'replay', id, '--from', listed?.cursor ?? ''], env)
    expect(replayed.stdout).toBe(`${id} continues from there.\n`)
    expect((await sojourn(['webhooks', 'remove', id], env)).stdout).toBe(`Removed ${id}.\n`)
    expect((await sojourn(['webhooks', 'list'], env)).stdout).toContain('There are no webhooks')
  })

  it('leaves in the audit trail what commands did to it, without secrets or the whole address', async () => {
    const url = `${receiver.url}?token=hidden`
    const { id, secret } = await json<{ id: string; secret: string }>([...add(url), '--kinds', 'guests'], env)
    for (const command of ['pause', 'resume']) await sojourn(['webhooks', command, id], env)
    const rotated = await sojourn(['webhooks', 'rotate', id, '--overlap', '7d'], env)
    expect(rotated.stdout).toMatch(/^secret +whsec_\S+$/m)
    expect(rotated.stdout).toMatch(/^old secret +until \S+$/m)
    const { cursor } = await json<Shown>(['webhooks', 'show', id], env)
    await sojourn(['webhooks', 'replay', id, '--from', cursor], env)
    await sojourn(['webhooks', 'remove', id], env)
    const text = (await sojourn(['audit', 'list', '--center', 'fjord', '--json'], env)).stdout
    const acts = (JSON.parse(text) as TrailRead[]).filter(({ filters }) => filters.webhook === id)
    expect(acts.map(({ operation }) => operation)).toEqual([
      'removeWebhook',
      'replayWebhook',
      'rotateWebhook',
      'resumeWebhook',
      'pauseWebhook',
      'addWebhook',
    ])
    expect(acts.at(-1)).toMatchObject({
      key: { name: 'command line', appId: '', publicKey: '' },
      filters: { webhook: id, name: 'Lab', receiver: new URL(url).origin, kinds: 'guests' },
      scopes: ['guests', 'guests.personal', 'guests.medical', 'meals', 'sessions', 'contradictions'],
      records: 0,
    })
    expect(text).not.toContain('hidden')
    expect(text).not.toContain(secret)
    for (const act of acts) {
      const listed = await json<TrailRead[]>(['audit', 'list', '--endpoint', act.operation], env)
      expect(listed.filter(({ filters }) => filters.webhook === id)).toEqual([act])
    }
    const verified = await sojourn(['audit', 'verify', '--center', 'fjord'], env)
    expect(verified).toMatchObject({ code: 0 })
  })

  it.each([
    ['an address in the own network', add('https://10.0.0.1/'), () => env, 'WEBHOOKS_ALLOWED_ADDRESSES'],
    ['no key of the service', add('https://example.org/'), databaseSettings, 'openssl rand -base64 32'],
    ['an unknown webhook', ['webhooks', 'show', 'nothing'], () => env, 'There is no webhook "nothing"'],
  ])('with %s is one sentence', async (_, args, settings, sentence) => {
    const ran = await sojourn(args, await settings())
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toContain(sentence)
    expect(ran.stderr.trim().split('\n')).toHaveLength(1)
  })
})

describe('docs/webhooks.md', () => {
  const blocks = blocksOf(pageText('docs/webhooks.md'))

  it('shows three lines that check a message, and refuse another', async () => {
    const webhook = await json<{ id: string; secret: string }>(add(receiver.url), env)
    await sojourn(['webhooks', 'test', webhook.id], env)
    const { headers, text } = receiver.received.at(-1)!
    const [line, ...code] = (blocks.find(({ language }) => language === 'js')?.text ?? '').trim().split('\n')
    expect(line).toBe("import { Webhook } from 'standardwebhooks'")
    expect(code).toHaveLength(2)
    const check = new Function('Webhook', 'process', 'headers', 'body', `${code.join('\n')}\nreturn message`)
    const surroundings = { env: { WEBHOOK_SECRET: webhook.secret } }
    expect(check(Webhook, surroundings, headers, text)).toEqual(JSON.parse(text))
    expect(() => check(Webhook, surroundings, headers, `${text} `)).toThrow('No matching signature')
  })
})
