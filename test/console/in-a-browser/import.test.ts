/** The import page in a browser, on the service itself: a person who has the file, and no terminal. */
import { mkdirSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { writeXlsx } from 'hucre/xlsx'
import type { Browser, Locator, Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createIntakeServer } from '../../../src/core/intake/port/intake-server.ts'
import { startTestApi, type TestApi, type TestKey } from '../../support/api.ts'
import { hasBrowser, launchBrowser, openPage, violationsOf } from '../../support/browser.ts'
import { openTestDatabase } from '../../support/database.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { spa } from '../../support/world.ts'
import { openConsole } from './console.ts'

const PICTURES = process.env.PICTURES
const MB = 1024 * 1024
const LANGUAGES = 'en ro no da sv fi is de nl fr es pt pt-BR it pl cs sk hu sl hr bg el uk ru tr'.split(' ')
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Days as texts, which may be read in two ways, and one that does not exist. */
const german = async (id = 'B') => ({
  name: 'Gästeliste.xlsx',
  mimeType: XLSX,
  buffer: Buffer.from(
    await writeXlsx({
      sheets: [
        {
          name: 'Gäste',
          rows: [
            ['Buchung', 'Gast', 'Anreise', 'Abreise', 'Preis'],
            [`${id}-1`, 'Müller, Jürgen', '16.11.2026', '20.11.2026', '1.250'],
            [`${id}-2`, 'Groß, Anna Maria', '16.11.2026', '20.11.2026', '2.500'],
            [`${id}-3`, 'Kurz, Eva', '17.11.2026', '31.11.2026', '1.250'],
          ],
        },
      ],
    }),
  ),
})

describe.skipIf(!hasBrowser)('in a browser', { timeout: 180_000 }, () => {
  let api: TestApi
  let browser: Browser
  let origin: string
  let intake: Server
  let port: number | undefined
  let key: TestKey
  beforeAll(async () => {
    const database = await openTestDatabase()
    const bounds = { bytesMax: 8 * MB, unpackedBytesMax: 8 * MB, silenceMs: 60_000, bytesPerSecondMin: 1 }
    api = await startTestApi({
      database,
      records: [spa({ locale: 'de' })],
      app: {
        intakeAt: () => port,
        intake: {
          database,
          folder: join(makeTemporaryFolder(), 'intake'),
          bounds,
          files: { bounds, allBytesMax: 100 * MB },
        },
      },
    })
    origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
    intake = createIntakeServer(api.app)
    await new Promise<void>((resolve) => intake.listen(0, '127.0.0.1', resolve))
    // A server that listens has an address and a port.
    port = (intake.address() as AddressInfo).port
    key = await api.createKey({ intake: true, scopes: ['import' as never] })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    intake?.closeAllConnections()
    intake?.close()
    await browser?.close()
  })

  const picture = async (page: Page, name: string) => {
    if (PICTURES === undefined) return
    mkdirSync(PICTURES, { recursive: true })
    await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true })
  }

  /** Opens the page without the file of the test before, which is shown for an hour. */
  async function open(width = 1440, scheme: 'light' | 'dark' = 'light', language = 'en') {
    const removed = await fetch(`http://127.0.0.1:${port}/intake/file/discard`, {
      method: 'POST',
      headers: { ...key.bearer, 'content-type': 'application/json' },
      body: '{}',
    })
    expect([200, 204, 404]).toContain(removed.status)
    const opened = await openPage(browser, `${origin}/health/live`, width, scheme)
    await opened.page.evaluate(
      ([intakeKey = '', own = '']) => {
        sessionStorage.setItem('sojourn-intake-key', intakeKey)
        localStorage.setItem('sojourn-language', own)
      },
      [key.apiKey, language],
    )
    await opened.page.goto(`${origin}/console#/import`)
    return opened
  }
  const bookings = () =>
    api.database.query<{ id: string; end: string }>(sql`
      select id, to_char(end_date, 'YYYY-MM-DD') as end from bookings where center_id = 'spa' order by id`)

  it('a German workbook with one wrong row and one question is imported in at most 12 actions', async () => {
    const { page, complaints } = await openPage(browser, `${origin}/console#/import`, 1440)
    let actions = 0
    const click = (target: Locator) => {
      actions += 1
      return target.click()
    }
    const type = (target: Locator, text: string) => {
      actions += 1
      return target.fill(text)
    }
    await page.getByLabel('API key').waitFor({ timeout: 110_000 })
    await type(page.getByLabel('API key'), key.apiKey)
    await click(page.getByRole('button', { name: 'Sign in' }))
    await page.getByText('Drop the file here').waitFor()
    await picture(page, 'import')
    actions += 1
    await page.locator('#file').setInputFiles(await german())
    // The question is open: nothing can be imported.
    const question = page.locator('section.ask').first()
    await question.waitFor()
    expect(await page.getByRole('button', { name: 'Import', exact: true }).count()).toBe(0)
    await picture(page, 'import-asks')
    await click(question.getByRole('radio').first())
    const wrong = page.locator('.wrong').first()
    await wrong.waitFor()
    await picture(page, 'import-check')
    // In the words, days and amounts of the reader, and not as records have them.
    const becomes = page.getByRole('region', { name: 'These rows become these guests' })
    const row = await becomes.getByRole('row').nth(1).textContent()
    expect(row).toContain('Jürgen MüllerB-1')
    expect(row).toContain('11/16/2026 15:00 – 11/20/2026 11:00')
    expect(row).toContain('Role: Patient, Status: Confirmed')
    expect(row).toContain('€1,250.00')
    expect((await page.locator('header.bar').boundingBox())?.height).toBeLessThanOrEqual(72)
    expect(await bookings()).toEqual([])
    await type(wrong.locator('input:not([type=checkbox])').last(), '30.11.2026')
    await click(wrong.getByRole('button', { name: 'Check again' }))
    await page.getByText('3 new').first().waitFor()
    await wrong.waitFor({ state: 'detached' })
    expect(await bookings()).toEqual([])
    await click(page.getByRole('button', { name: 'Import', exact: true }))
    await page.getByRole('heading', { level: 1, name: /^Imported/ }).waitFor()
    await picture(page, 'import-done')
    expect(await bookings()).toMatchObject([{ id: 'B-1' }, { id: 'B-2' }, { id: 'B-3', end: '2026-11-30' }])
    expect(actions).toBeLessThanOrEqual(12)
    expect(complaints.filter((one) => !/40[13]/.test(one))).toEqual([])
    await page.close()
  })

  it('a dash in a column of diets is asked in the language of the page; what the next file changes is in words', async () => {
    const { page, complaints } = await open(1440, 'light', 'de')
    let actions = 0
    const click = (target: Locator) => {
      actions += 1
      return target.click()
    }
    const send = (name: string, rows: readonly string[]) => {
      actions += 1
      const buffer = Buffer.from(`Buchung;Nachname;E-Mail;Anreise;Abreise;Kost;Preis\n${rows.join('\n')}\n`)
      return page.locator('#file').setInputFiles({ name, mimeType: 'text/csv', buffer })
    }
    await page.locator('form.drop').waitFor()
    await send('kost.csv', [
      'K-1;Adler;a@adler.example;2027-02-01;2027-02-06;vegan;900,50',
      'K-2;Brandt;b@brandt.example;2027-02-01;2027-02-06;-;800,25',
      'K-3;Cordes;c@cordes.example;2027-02-02;2027-02-07;"vegan, Quark";700,75',
    ])
    const question = page.getByRole('group', { name: 'Kost: Was bedeutet "-"? So viele Zeilen haben es: 1.' })
    await question.waitFor()
    await picture(page, 'import-dash')
    expect(await page.getByRole('button', { name: 'Importieren', exact: true }).count()).toBe(0)
    await click(question.getByRole('radio', { name: /^nicht gefragt/ }))
    await page.getByText('3 neu').first().waitFor()
    // Which words are allergies is one question for the whole file.
    const allergies = page.getByRole('group', { name: 'Was davon ist eine Allergie?' })
    expect(await allergies.getByRole('combobox').count()).toBe(2)
    actions += 1
    await allergies.getByLabel(/^Quark/).selectOption('allergy')
    await click(page.getByRole('button', { name: 'Diese Bedeutungen verwenden' }))
    await page.locator('.answered').filter({ has: allergies }).waitFor()
    await picture(page, 'import-allergies')
    const first = page.getByRole('region', { name: 'Was sich ändert' })
    expect(await first.getByRole('row').last().textContent()).toMatch(/Kostformen und Allergien: Kost$/)
    await click(page.getByRole('button', { name: 'Importieren', exact: true }))
    await page.getByRole('heading', { level: 1, name: /^Importiert/ }).waitFor()
    expect(actions).toBe(5)
    const [rules] = await api.database.query<{ diets: unknown }>(sql`
      select meal_rules -> 'dietFields' -> 0 -> 'values' as diets from centers where center_id = 'spa'`)
    expect(rules?.diets).toContainEqual({ value: 'Quark', isAllergy: true })
    const [asked] = await api.database.query<{ meta: object }>(sql`
      select c.meta from customers c join bookings b on b.center_id = c.center_id and b.customer_id = c.id
      where c.center_id = 'spa' and b.id = 'K-2'`)
    expect(asked?.meta ?? {}).toEqual({})

    await page.getByRole('button', { name: 'Andere Datei' }).click()
    await page.locator('form.drop').waitFor()
    await send('kost.csv', ['K-1;Adler;a@adler.example;2027-02-01;2027-02-08;vegetarisch;1000,00'])
    const changes = page.getByRole('region', { name: 'Was sich ändert' })
    await changes.waitFor()
    await picture(page, 'import-changes')
    const texts = await changes.getByRole('row').allTextContents()
    const cells = texts.map((text) => text.replaceAll('\u00a0', ' '))
    expect(cells).toContainEqual(
      'Buchungsnummer K-1Ende des Aufenthalts 06.02.2027 11:00 → 08.02.2027 11:00' +
        'Gesamtbetrag 900,50 € → 1.000,00 €',
    )
    expect(cells.some((text) => text.includes('Kost vegan → vegetarisch'))).toBe(true)
    expect(cells.join()).not.toMatch(/[{}]|meta\.|financial|endDate/)
    expect(complaints.filter((one) => !/40[13]/.test(one))).toEqual([])
    await page.close()
  })

  it('what is dropped is the same as what is chosen, and nothing is imported when the page is left', async () => {
    const before = await bookings()
    const { page } = await open()
    await page.getByText('Drop the file here').waitFor()
    const text = 'Buchung;Gast;Anreise;Abreise\nD-1;Müller, Jürgen;16.11.2026;20.11.2026\n'
    // As text, because the types of a browser are not those of this program.
    const data = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([${JSON.stringify(text)}], 'gäste.csv', { type: 'text/csv' }))
      return transfer
    })()`)
    await page.locator('form.drop').dispatchEvent('drop', { dataTransfer: data })
    await page.getByText('1 new').first().waitFor()
    await page.close()
    expect(await bookings()).toEqual(before)
  })

  it('names of files, headings and cells are texts: no script of them runs', async () => {
    const { page, complaints } = await open()
    const script = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
    await page.getByText('Drop the file here').waitFor()
    await page.locator('#file').setInputFiles({
      name: '<img src=x onerror="document.title=1">.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        `Buchung;Gast;Anreise;Abreise;"${script.replaceAll('"', '""')}"\nS-1;"${script.replaceAll('"', '""')}, Eva";16.11.2026;31.11.2026;x\n`,
      ),
    })
    await page.locator('.wrong').first().waitFor()
    await page.getByText(script).first().waitFor()
    expect(await page.title()).toMatch(/^Import/)
    expect(await page.locator('img[src=x]').count()).toBe(0)
    await page.getByRole('button', { name: 'Another file' }).click()
    expect(complaints).toEqual([])
    await page.close()
  })

  it.each([
    [320, 'light'],
    [768, 'dark'],
    [1440, 'dark'],
    [1920, 'light'],
  ] as const)(
    'at %d px, %s, every state is accessible and not wider than the page',
    async (width, scheme) => {
      const { page, complaints } = await open(width, scheme)
      const look = async (name: string) => {
        expect(await violationsOf(page), name).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(width)
        await picture(page, `${name}-${width}-${scheme}`)
      }
      await page.getByText('Drop the file here').waitFor()
      await look('import-start')
      await page.locator('#file').setInputFiles(await german(`W${width}`))
      const question = page.locator('section.ask').first()
      await question.waitFor()
      await look('import-question')
      await question.getByRole('radio').first().click()
      await page.locator('.wrong').first().waitFor()
      await look('import-wrong')
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: /^Imported/ }).waitFor()
      await look('import-over')
      expect(complaints.filter((one) => !/40[13]/.test(one))).toEqual([])
      await page.close()
    },
    180_000,
  )

  it.each(LANGUAGES)('in %s, the page has its words', async (language) => {
    const { page, complaints } = await open(768, 'light', language)
    await page.locator('form.drop').waitFor()
    const heading = await page.getByRole('heading', { level: 1 }).textContent()
    expect(heading?.trim()).not.toBe('')
    expect(await page.evaluate('document.documentElement.lang')).toBe(language)
    expect(await page.content()).not.toMatch(/\{(?:n|file|name)\}/)
    expect(complaints.filter((one) => !/40[13]/.test(one))).toEqual([])
    await page.close()
  })

  it('without an intake port, the page names the setting, and the bar does not lead there', async () => {
    const bare = await startTestApi()
    const at = await bare.app.listen({ port: 0, host: '127.0.0.1' })
    const desk = await bare.createKey({ scopes: ['guests'] })
    const { page } = await openConsole(
      browser,
      { origin: at, key: desk.apiKey, now: new Date().toISOString() },
      'import',
    )
    await page.getByText('INTAKE_PORT=8082 sojourn serve').waitFor()
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Import' }).count()).toBe(0)
    await page.close()
  })
})
