/** A device that stays signed in: over a restart, without a connection, and what is left on it afterwards. */
import { mkdirSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ORDINARY_SCOPES } from '../../../src/core/access/keys/scopes.ts'
import type { KeyOptions, TestApi, TestKey } from '../../support/api.ts'
import { hasBrowser, launchDevice } from '../../support/browser.ts'
import { proxyTo, type TcpProxy } from '../../support/tcp-proxy.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { anamaria, goTo, NAME, NOW, startCenter, textOf } from './pages-of-a-center.ts'

const WAIT = { timeout: 60_000 }
const LONG = 400_000
const HOUR = 3_600_000
const at = (hours: number) => new Date(Date.parse(NOW) + hours * HOUR)
/** The clocks of pages go on while a busy machine makes the copy, which is then younger than the time since the beginning. */
const LATER = 5 / 60
/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:1'

/** What is left in the browser, by name. */
const LEFT = `(async () => ({
  caches: (await caches.keys()).sort(),
  workers: (await navigator.serviceWorker.getRegistrations()).length,
  databases: (await indexedDB.databases()).length,
  local: Object.keys(localStorage).sort(),
  tab: Object.keys(sessionStorage).sort(),
  cookies: document.cookie,
}))()`
interface Left {
  readonly caches: readonly string[]
  readonly workers: number
  readonly databases: number
  readonly local: readonly string[]
  readonly tab: readonly string[]
  readonly cookies: string
}
const leftIn = async (page: Page) => (await page.evaluate(LEFT)) as Left
const NOTHING: Left = {
  caches: [],
  workers: 0,
  databases: 0,
  local: ['sojourn-language'],
  tab: [],
  cookies: '',
}

describe.skipIf(!hasBrowser)('a device that stays signed in', () => {
  let api: TestApi
  let proxy: TcpProxy
  let direct: string
  let origin: string
  const devices = makeTemporaryFolder()
  let device = 0
  const open: BrowserContext[] = []
  beforeAll(async () => {
    api = await startCenter()
    direct = await api.app.listen({ port: 0, host: '127.0.0.1' })
    proxy = await proxyTo(direct)
    origin = new URL(proxy.url).origin
  })
  afterAll(async () => {
    for (const context of open) await context.close()
    await proxy?.close()
  })
  const disconnect = () => {
    proxy.leadTo(NOWHERE)
    proxy.cut()
  }
  const connect = () => {
    proxy.heal()
    proxy.leadTo(direct)
  }

  beforeEach(connect)

  /** A key of the administration does not stay. */
  const createKey = (expires: Pick<KeyOptions, 'expiresAt'> = {}) =>
    api.createKey({ scopes: ORDINARY_SCOPES, ...expires })

  /** @param folder of a device that was used before */
  async function start(hours = 0, folder = `${devices}/${++device}`) {
    mkdirSync(folder, { recursive: true })
    const context = await launchDevice(folder)
    open.push(context)
    context.setDefaultTimeout(WAIT.timeout)
    await context.clock.install({ time: hours === 0 ? at(0) : at(hours + LATER) })
    const stop = () => {
      open.splice(open.indexOf(context), 1)
      return context.close()
    }
    return { context, folder, stop, page: context.pages()[0] ?? (await context.newPage()) }
  }
  const shows = async (page: Page, ...texts: string[]) => {
    for (const text of texts) await expect.poll(() => textOf(page), WAIT).toContain(text)
  }
  const goToConsole = (page: Page, place = 'kitchen') => page.goto(`${origin}/console#/${place}`)

  async function signIn(page: Page, key: TestKey, stays: boolean): Promise<void> {
    await goToConsole(page)
    await page.locator('#key').waitFor()
    await page.evaluate(`localStorage.setItem('sojourn-language', 'en')`)
    await page.reload()
    await page.locator('#key').fill(key.apiKey)
    const choice = page.getByRole('checkbox', { name: 'Stay signed in on this device' })
    expect(await choice.isChecked()).toBe(false)
    if (stays) await choice.check()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await shows(page, 'kosher')
  }
  /** Signed in to stay, with everything stored. */
  async function staying(key: TestKey) {
    const started = await start()
    await signIn(started.page, key, true)
    await expect
      .poll(async () => (await leftIn(started.page)).caches, WAIT)
      .toEqual(['sojourn-copy', expect.stringMatching(/^sojourn-shell-/)])
    await expect
      .poll(() => started.page.evaluate('navigator.serviceWorker.controller !== null'), WAIT)
      .toBe(true)
    return started
  }
  /** The device was turned off, and is started later, without a connection. */
  async function startedLater(key: TestKey, hours: number) {
    const { folder, stop } = await staying(key)
    await stop()
    disconnect()
    return start(hours, folder)
  }

  it(
    'is signed in after a restart, and in new tabs, without the key in any tab',
    async () => {
      const { folder, stop } = await staying(await createKey())
      await stop()
      const again = await start(1, folder)
      await goToConsole(again.page)
      await shows(again.page, 'kosher')
      const tab = await again.context.newPage()
      await goToConsole(tab, 'guests?sessionId=s1')
      await shows(tab, NAME)
      expect((await leftIn(tab)).tab).not.toContain('sojourn-key')
      await tab.locator('.bar summary').click()
      expect(await tab.getByRole('button', { name: 'Sign out on this device' }).count()).toBe(1)
      // Nobody uses it for hours: it stays.
      await tab.clock.fastForward(5 * HOUR)
      await shows(tab, NAME)
      await again.stop()
    },
    LONG,
  )

  it(
    'shows the kitchen, the week and the wall without a connection, with their age, and no names',
    async () => {
      const { page, context, stop } = await startedLater(await createKey(), 3)
      await goToConsole(page)
      await shows(page, 'Copy of 11:0', '3 h ago; not connected')
      await shows(page, 'kosher')
      await shows(page, 'No connection since')
      await goTo(page, 'kitchen/week')
      await shows(page, 'Copy of 11:0', '3 h ago; not connected')
      expect(await page.locator('table.week tr.d').count()).toBe(7)
      await goTo(page, 'kitchen/wall')
      await shows(page, 'Copy of 11:0', '3 h ago; not connected')
      await shows(page, 'kosher')
      // What was not copied is not "none".
      await goTo(page, 'guests?sessionId=s1')
      await shows(page, 'so it has nothing to show yet')
      expect(await textOf(page)).not.toContain(NAME)
      const copied = await page.evaluate(
        `(async () => (await (await caches.open('sojourn-copy')).match(new URL('console/copy', location.origin + '/'))).text())()`,
      )
      expect(copied).toContain('kosher')
      expect(copied).not.toContain(NAME)
      // After midnight: the next day, and the six after it.
      await page.clock.fastForward(13 * HOUR)
      await goTo(page, 'kitchen')
      await shows(page, 'Monday')
      await shows(page, '16 h ago; not connected')
      await shows(page, 'kosher')
      const tab = await context.newPage()
      await tab.clock.install({ time: at(17 + LATER) })
      await goToConsole(tab, 'kitchen/week')
      await shows(tab, '17 h ago; not connected')
      expect(await tab.locator('table.week tr.d').count()).toBe(7)
      // The connection is back.
      connect()
      await page.clock.fastForward(20_000)
      await expect.poll(() => textOf(page), WAIT).not.toContain('not connected')
      await stop()
    },
    LONG,
  )

  it(
    'shows them where the network swallows everything',
    async () => {
      const { folder, stop } = await staying(await createKey())
      await stop()
      proxy.goSilent()
      const again = await start(2, folder)
      await goToConsole(again.page)
      await shows(again.page, 'Copy of 11:0', '2 h ago; not connected')
      await shows(again.page, 'kosher')
      connect()
      await again.stop()
    },
    LONG,
  )

  it(
    'has nothing left after somebody signs out, in no tab',
    async () => {
      const { context, page, stop } = await staying(await createKey())
      const tab = await context.newPage()
      await goToConsole(tab)
      await shows(tab, 'kosher')
      await page.locator('.bar summary').click()
      await page.getByRole('button', { name: 'Sign out on this device' }).click()
      for (const one of [page, tab]) await one.locator('#key').waitFor()
      await expect.poll(() => leftIn(page), WAIT).toEqual(NOTHING)
      await page.reload()
      await page.locator('#key').waitFor()
      expect(await leftIn(page)).toEqual(NOTHING)
      await stop()
    },
    LONG,
  )

  const noCopy = (page: Page) =>
    expect.poll(async () => (await leftIn(page)).caches, WAIT).not.toContain('sojourn-copy')

  it(
    'deletes the copy when its key expires',
    async () => {
      const key = await createKey({ expiresAt: at(2).toISOString() })
      const { page, stop } = await startedLater(key, 1)
      await goToConsole(page)
      await shows(page, 'Copy of 11:0', '1 h ago; not connected')
      await page.clock.fastForward(HOUR)
      await shows(page, 'was deleted, because its key has expired')
      expect(await textOf(page)).not.toContain('kosher')
      await noCopy(page)
      connect()
      await stop()
    },
    LONG,
  )

  it(
    'deletes the copy after a day without contact, and goes on when there is contact again',
    async () => {
      const { page, stop } = await startedLater(await createKey(), 25)
      await goToConsole(page)
      await shows(page, 'because the service did not answer for 24 hours')
      expect(await textOf(page)).not.toContain('kosher')
      await noCopy(page)
      connect()
      await page.clock.fastForward(20_000)
      await shows(page, 'kosher')
      await stop()
    },
    LONG,
  )

  it(
    'deletes it also in pages that are open, the wall too',
    async () => {
      const { context, page, stop } = await staying(await createKey())
      const wall = await context.newPage()
      await wall.clock.install({ time: at(0) })
      await goToConsole(wall, 'kitchen/wall')
      await shows(wall, 'kosher')
      disconnect()
      for (const one of [page, wall]) {
        await one.clock.fastForward(25 * HOUR)
        await shows(one, 'because the service did not answer for 24 hours')
        expect(await textOf(one)).not.toContain('kosher')
      }
      await noCopy(page)
      connect()
      await stop()
    },
    LONG,
  )

  it(
    'deletes the copy if its clock has gone back',
    async () => {
      const { page, stop } = await startedLater(await createKey(), -1)
      await goToConsole(page)
      await shows(page, 'because the clock of the device went back')
      expect(await textOf(page)).not.toContain('kosher')
      await noCopy(page)
      connect()
      await stop()
    },
    LONG,
  )

  it(
    'has nothing left when its key was revoked meanwhile, in no tab',
    async () => {
      const key = await createKey()
      const { context, page, stop } = await startedLater(key, 1)
      await goToConsole(page)
      const tab = await context.newPage()
      await goToConsole(tab, 'kitchen/week')
      for (const one of [page, tab]) await shows(one, 'not connected')
      await api.database.runScript(
        `update api_keys set revoked_at = '2025-01-12T08:59:00Z' where public_key = '${key.publicKey}'`,
      )
      connect()
      for (const one of [page, tab]) {
        await one.clock.fastForward(20_000)
        await expect.poll(() => textOf(one), WAIT).toMatch(/no longer valid|API key/)
        expect(await textOf(one)).not.toContain('kosher')
      }
      await expect.poll(() => leftIn(page), WAIT).toEqual(NOTHING)
      await stop()
    },
    LONG,
  )

  it(
    'stores nothing if nobody chose that it stays',
    async () => {
      const { context, page, folder, stop } = await start()
      await signIn(page, await createKey(), false)
      await goTo(page, 'kitchen/week')
      await shows(page, 'kosher')
      await api.load(anamaria('arrived', ['2025-01-14']))
      await shows(page, 'kosher')
      expect(await leftIn(page)).toEqual({ ...NOTHING, tab: ['sojourn-key', 'sojourn-used'] })
      const tab = await context.newPage()
      await goToConsole(tab)
      await tab.locator('#key').waitFor()
      await stop()
      const again = await start(1, folder)
      await goToConsole(again.page)
      await again.page.locator('#key').waitFor()
      expect(await leftIn(again.page)).toEqual(NOTHING)
      await again.stop()
    },
    LONG,
  )
})
