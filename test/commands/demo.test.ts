import { execFile } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { CENTER, json, newFolder, sojourn, startServe, startSojourn } from './sojourn.ts'

const requestsIn = (text: string) => text.split('\n').filter((line) => line.startsWith('curl '))

const curl = async (line: string) => (await promisify(execFile)('sh', ['-c', line])).stdout

async function end({ child, ended }: Awaited<ReturnType<typeof startServe>>): Promise<void> {
  child.kill('SIGINT')
  expect(await ended).toMatchObject({ code: 0 })
}

// The demo always uses a folder.
describe('the demo', { timeout: 300_000 }, () => {
  let DATA_DIR: string
  beforeAll(async () => {
    DATA_DIR = newFolder()
  })

  test('prints requests that answer as printed, and the same key when it runs again, whatever DATABASE_URL says', async () => {
    const first = await startServe({ DATA_DIR }, ['demo'])
    await first.until(/orders\/.+\n/)
    const requests = requestsIn(first.output())
    expect(requests).toHaveLength(4)
    const answers = await Promise.all(requests.map(curl))
    const [guests, projected, report, order] = answers.map((answer) => JSON.parse(answer))
    expect(guests.data).toHaveLength(3)
    expect(Object.keys(projected.data[0])).toEqual(
      expect.arrayContaining(['name', 'age', 'medicalLetter', 'financial', 'ids']),
    )
    expect(report.summary.guestsWithSkipping).toBeGreaterThan(0)
    expect(order.guestNames?.length, answers[3]).toBeGreaterThan(0)

    const file = join(DATA_DIR, 'demo-key.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const key = JSON.parse(readFileSync(file, 'utf8'))
    expect(first.output()).toContain(`\nexport SOJOURN_KEY=${key.apiKey}\n`)
    const webhooksKey = readFileSync(join(DATA_DIR, 'demo-webhooks-key'), 'utf8')
    expect(Buffer.from(webhooksKey, 'base64')).toHaveLength(32)
    await end(first)

    // The PostgreSQL of the settings is nothing to it.
    const settings = { DATA_DIR, DATABASE_URL: 'postgres://u:p@127.0.0.1:1/d' }
    const second = await startServe(settings, ['demo'])
    await second.until(/orders\/.+\n/)
    const withoutPort = (text: string) => text.replaceAll(/127\.0\.0\.1:\d+/g, 'HERE')
    expect(requestsIn(second.output()).map(withoutPort)).toEqual(requests.map(withoutPort))
    expect(readFileSync(join(DATA_DIR, 'demo-webhooks-key'), 'utf8')).toBe(webhooksKey)
    await end(second)

    const anew = await startServe({ DATA_DIR }, ['demo', '--reset'])
    await anew.until(/orders\/.+\n/)
    expect(anew.output()).not.toContain(key.publicKey)
    expect(await curl(requestsIn(anew.output())[0] ?? '')).toBe(answers[0])
    await end(anew)
  })

  test('makes another key where its own was taken back', async () => {
    const key = JSON.parse(readFileSync(join(DATA_DIR, 'demo-key.json'), 'utf8'))
    await json(['keys', 'revoke', key.appId], { DATA_DIR })
    const demo = await startServe({ DATA_DIR }, ['demo'])
    await demo.until(/orders\/.+\n/)
    expect(demo.output()).not.toContain(key.appId)
    expect(JSON.parse(await curl(requestsIn(demo.output())[0] ?? '')).data).toHaveLength(3)
    await end(demo)
  })

  test('continues with a center of the user next to it, and removes nothing of it', async () => {
    await json(['import', '-'], { DATA_DIR }, CENTER)
    const refused = await startSojourn(['demo', '--reset'], { DATA_DIR, PORT: '0' }).ended
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('contains the center fjord, which is not'),
    })
    await end(await startServe({ DATA_DIR }, ['demo']))
    expect((await sojourn(['keys', 'list', '--center', 'fjord'], { DATA_DIR })).code).toBe(0)
  })

  test("is not put among centers of somebody's own", async () => {
    const folder = newFolder()
    await json(['import', '-'], { DATA_DIR: folder }, CENTER)
    const refused = await startSojourn(['demo'], { DATA_DIR: folder, PORT: '0' }).ended
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('contains the center fjord, which is not'),
    })
    expect((await sojourn(['keys', 'list', '--center', 'demo'], { DATA_DIR: folder })).code).toBe(1)
  })
})
