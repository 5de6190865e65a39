/** `sojourn keys create > /dev/full`: what has a secret that nobody saw is not retained. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { getSystemErrorMap } from 'node:util'
import { describe, expect, test } from 'vitest'
import { SOJOURN } from '../support/command.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { CENTER, databaseSettings, type Env, json, sojourn, startSojourn } from './sojourn.ts'

const SETTINGS = { WEBHOOKS_KEY: Buffer.alloc(32, 7).toString('base64') }
const KEY = ['--center', 'fjord', '--name', 'Lab', '--preset', 'everything']
const HOOK = [...KEY, '--url', 'https://lab.example.org/hook']

describe('an output that takes nothing', () => {
  const settings = async (): Promise<Env> => {
    const env = await databaseSettings()
    await json(['import', '-'], env, CENTER)
    return { ...SETTINGS, ...env }
  }

  test('leaves no key, link or webhook with a secret that nobody saw, and no rotation', async () => {
    const env = await settings()
    const key = await json<{ appId: string }>(['keys', 'create', ...KEY], env)
    const hook = await json<{ id: string }>(['webhooks', 'add', ...HOOK], env)
    const lists = [
      ['keys', 'list'],
      ['links', 'list'],
      ['webhooks', 'list'],
      ['audit', 'list', '--center', 'fjord'],
    ]
    // Each listing of the trail is an entry of it.
    const stored = () =>
      Promise.all(
        lists.map(async (list) =>
          (await json<{ operation?: string }[]>(list, env)).filter(
            ({ operation }) => operation !== 'listTrail',
          ),
        ),
      )
    const before = await stored()

    const attempts: [string[], string][] = [
      [['keys', 'create', ...KEY], 'No key was changed.'],
      [['keys', 'rotate', key.appId, '--overlap', '0'], 'No key was changed.'],
      [
        ['links', 'create', '/sessions?startDate=today&endDate=today', '--key', key.appId, '--name', 'Wall'],
        'No link was changed.',
      ],
      [['webhooks', 'add', ...HOOK], 'No webhook was changed.'],
      [['webhooks', 'rotate', hook.id, '--overlap', '0'], 'No webhook was changed.'],
    ]
    for (const [args, unchanged] of attempts) {
      for (const form of [[], ['--json']]) {
        expect(await sojourn([...args, ...form], env, { stdout: taking('ENOSPC') })).toMatchObject({
          code: 1,
          stderr: `The output cannot be written: no space left on device. ${unchanged}\n`,
        })
      }
      expect(await sojourn(args, env, { stdout: taking('EPIPE') })).toMatchObject({
        code: 1,
        stderr: `The output cannot be written: broken pipe. ${unchanged}\n`,
      })
    }
    expect(await stored()).toEqual(before)
  })
})

test.each(['alone', 'next to a service'])(
  'a process %s says that it could not show a key, and keeps none',
  async (where) => {
    const env = { ...(await databaseSettings()), PORT: '0' }
    await json(['import', '-'], env, CENTER)
    if (where !== 'alone') await startSojourn(['serve'], env).until(/http:/)
    const file = join(makeTemporaryFolder(), 'readable')
    writeFileSync(file, '')
    for (const [stdout, reason] of [
      ['pipe', 'broken pipe'],
      [openSync(file, 'r'), 'bad file descriptor'],
    ] as const) {
      const child = spawn(process.execPath, [...SOJOURN, 'keys', 'create', ...KEY], {
        env,
        stdio: ['ignore', stdout, 'pipe'],
      })
      child.stdout?.destroy()
      let said = ''
      child.stderr?.on('data', (bytes) => {
        said += String(bytes)
      })
      const [code] = await once(child, 'close')
      expect({ code, said }).toEqual({
        code: 1,
        said: `The output cannot be written: ${reason}. No key was changed.\n`,
      })
    }
    expect(await json(['keys', 'list'], env)).toEqual([])
  },
)

/** An output that fails as the system does. */
function taking(code: 'ENOSPC' | 'EPIPE'): Writable {
  const [errno] = [...getSystemErrorMap()].find(([, [name]]) => name === code) ?? [0]
  const output = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(`write ${code}`), { code, errno })),
  })
  return output.on('error', () => {})
}
