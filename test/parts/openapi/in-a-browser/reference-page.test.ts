/** The reference at `/docs`, in a browser. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../../support/api.ts'
import { hasBrowser, launchBrowser, openPage, violationsOf } from '../../../support/browser.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import { guest, session } from '../../../support/world.ts'

const ROOT = resolve(import.meta.dirname, '..', '..', '..', '..')
const CLIENT = join(ROOT, 'client', 'src', 'index.ts')
const TYPES = join(ROOT, 'node_modules', '@types')
const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({
    records: [
      session('session-08', '2025-01-10', '2025-01-20'),
      ...guest('b1', { sessionIds: ['session-08'] }, { firstName: 'Ioana', lastName: 'Popescu' }),
      ...guest('b2', { sessionIds: ['session-08'] }, { firstName: 'Mihai', lastName: 'Radu' }),
    ],
  })
})

// Where there is no browser, `reference-page.test.ts` still reads the files.
describe.skipIf(!hasBrowser)('in a browser', () => {
  let browser: Browser
  let origin: string
  beforeAll(async () => {
    origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  const open = (width?: number, colorScheme?: 'light' | 'dark') =>
    openPage(browser, `${origin}/docs`, width, colorScheme)

  it.each([
    ['light', 1440],
    ['dark', 390],
    ['light', 320],
  ] as const)(
    'the first page of the service leads staff to the console, %s and %i wide',
    async (scheme, width) => {
      const { page, complaints } = await openPage(browser, origin, width, scheme)
      expect(await violationsOf(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      expect(complaints).toEqual([])
      await page.getByRole('link', { name: 'Open the console' }).click()
      await page.locator('#key').waitFor()
      await page.close()
    },
  )

  it('answers a request that was filled in, and asks no other origin', async () => {
    const { page, asked, complaints } = await open()
    await page.fill('[name=apiKey]', api.key.apiKey)
    const form = page.locator('#listGuests form')
    await form.locator('[name=sessionId]').fill('session-08')
    await form.locator('[name=length]').fill('1')
    await form.locator('[type=submit]').click()
    expect(await form.locator('.answer .status').textContent()).toBe('200 OK')
    expect(await form.locator('.answer pre').textContent()).toContain('"firstName": "Ioana"')

    await form.getByRole('button', { name: 'Next page' }).click()
    await form.locator('.answer pre', { hasText: 'Mihai' }).waitFor()

    const requests = asked.filter((url) => !url.startsWith('data:'))
    expect(requests.map((url) => new URL(url).origin)).toEqual(requests.map(() => origin))
    expect(requests).toContain(`${origin}/v1/guests?sessionId=session-08&start=2&length=1`)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('shows the headers that matter, and leads from page to page', async () => {
    const { page } = await open()
    const limited = await api.createKey({ perHour: null, perMinute: null })
    await page.fill('[name=apiKey]', limited.apiKey)
    const form = page.locator('#listGuests form')
    await form.locator('[name=sessionId]').fill('session-08')
    await form.locator('[name=length]').fill('1')
    await form.locator('[type=submit]').click()
    const pages = form.locator('.answer .pages')
    expect(await pages.textContent()).toContain('Page 1 of 2, 2 in all')
    expect(await form.getByRole('button', { name: 'Previous page' }).isDisabled()).toBe(true)
    const names = await form.locator('.answer dt').allTextContents()
    expect(names).toEqual(expect.arrayContaining(['Link', 'RateLimit', 'RateLimit-Policy', 'X-Request-Id']))

    await form.getByRole('button', { name: 'Next page' }).click()
    await pages.getByText('Page 2 of 2').waitFor()
    expect(await form.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true)
    await page.close()
  })

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)(
    'is accessible: axe finds nothing, %s and %i wide',
    async (colorScheme, width) => {
      const { page } = await open(width, colorScheme)
      await page.fill('[name=apiKey]', api.key.apiKey)
      const form = page.locator('#listGuests form')
      await form.locator('[name=sessionId]').fill('session-08')
      await form.locator('[type=submit]').click()
      await form.locator('.answer .status').waitFor()
      expect(await violationsOf(page)).toEqual([])
      // By script: clicking hundreds of them one by one takes a minute and shows the same page.
      await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')
      expect(await violationsOf(page)).toEqual([])
      await page.close()
    },
    240_000,
  )

  it('shows a curl line without the secret, and what is wrong without a key', async () => {
    const { page } = await open()
    const form = page.locator('#listSessions form')
    await form.locator('[data-act=example]').click()
    await form.locator('[type=submit]').click()
    expect(await form.locator('.answer .status').textContent()).toBe('401 Unauthorized')
    await page.fill('[name=apiKey]', api.key.apiKey)
    const line = await form.locator('[data-line=curl]').textContent()
    expect(line).toContain('Bearer $SOJOURN_KEY')
    expect(line).not.toContain(api.key.apiKey)
    await page.close()
  })

  it('shows the events of a stream as they come, until its form asks again', async () => {
    const { page } = await open()
    await page.fill('[name=apiKey]', api.key.apiKey)
    const form = page.locator('#streamChanges form')
    expect(await form.locator('[name="Last-Event-ID"]').count()).toBe(0)
    for (const round of [1, 2]) {
      await form.locator('[type=submit]').click()
      await form.locator('.answer pre', { hasText: /^id: \S+$/m }).waitFor()
      expect(await form.locator('.answer .status').textContent(), `round ${round}`).toBe('200 OK')
    }
    expect(await form.locator('[data-line=curl]').textContent()).toMatch(/^curl -N /)
    await page.close()
  })

  it('shows programs with the TypeScript client, which compile and read the center', async () => {
    const folder = makeTemporaryFolder()
    const { page } = await open()
    for (const form of await page.locator('form.try').all()) {
      await form.locator('[data-act=example]').click()
      const session = form.locator('[name=sessionId]')
      if ((await session.count()) === 1) await session.fill('session-08')
      const name = await form.getAttribute('data-method')
      const program = await form.locator('[data-line=client]').textContent()
      expect(program).toContain(`sojourn.${name}(`)
      writeFileSync(join(folder, `${name}.ts`), String(program).replace('@sojourn/client', CLIENT))
    }
    await page.close()
    const options = { target: 'es2024', module: 'nodenext', types: ['node'], typeRoots: [TYPES] }
    const compilerOptions = { strict: true, noEmit: true, allowImportingTsExtensions: true, ...options }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    const { stdout: complaints } = await promisify(execFile)(process.execPath, [TSC, '--pretty', 'false'], {
      cwd: folder,
    }).catch(({ stdout }) => ({ stdout: String(stdout) }))
    expect(complaints).toBe('')

    const env = { PATH: process.env.PATH, SOJOURN_KEY: api.key.apiKey }
    const { stdout } = await promisify(execFile)(process.execPath, ['guests.all.ts'], { cwd: folder, env })
    expect(stdout).toContain('Ioana')
  }, 300_000)

  it.each([
    ['curl', 'bash', ['-c']],
    ['python', 'python3', ['-c']],
    ['php', 'php', ['-r']],
  ] as const)(
    'writes a request in %s that reads this service as it is',
    async (line, program, words) => {
      const { page, complaints } = await open()
      const form = page.locator('#listGuests form')
      await form.locator('[name=sessionId]').fill('session-08')
      await form.locator('[name=project]').fill('firstName')
      await page.fill('[name=locale]', 'ro')
      const text = (await form.locator(`[data-line=${line}]`).textContent()) ?? ''
      expect(text).toContain(`${origin}/v1/guests?sessionId=session-08`)
      expect(text).not.toContain(api.key.apiKey)
      const env = { PATH: process.env.PATH, SOJOURN_KEY: api.key.apiKey }
      const { stdout } = await promisify(execFile)(program, [...words, text.replace('<?php\n', '')], { env })
      const read = await api.get('/v1/guests?sessionId=session-08&project=firstName', { 'x-locale': 'ro' })
      expect(JSON.parse(stdout)).toEqual(read.body)
      expect(complaints).toEqual([])
      await page.close()
    },
    120_000,
  )

  it('shows actions with the address of this service', async () => {
    const { page } = await open()
    const [code] = await page.locator('code[data-address]').allTextContents()
    expect(code).toContain(`"${origin}/v1/actions/`)
    await page.close()
  })

  it('writes chosen fields into project', async () => {
    const { page } = await open()
    const form = page.locator('#listGuests form')
    await form.locator('.choice summary').click()
    await form.getByLabel('lastNameCaps', { exact: true }).check()
    await form.getByLabel('dob', { exact: true }).check()
    await expect.poll(() => form.locator('[name=project]').inputValue()).toBe('lastNameCaps,dob')
    await form.locator('[data-line=curl]', { hasText: 'project=lastNameCaps,dob' }).waitFor()
    await page.close()
  })

  it.each([360, 768, 1280])('fits a window %i wide', async (width) => {
    const { page } = await open(width)
    for (const summary of await page.locator('details > summary').all()) await summary.click()
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await page.close()
  })
})
