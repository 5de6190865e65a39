/** The doctor's morning in a browser: new guests, one guest with medical data, print; and what the trail has of it. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PRESETS } from '../../../src/core/access/keys/scopes.ts'
import { entriesOf } from '../../audit/reads.ts'
import { ACTION_APP } from '../../support/action-requests.ts'
import { startTestApi, type TestApi, type TestKey } from '../../support/api.ts'
import { hasBrowser, launchBrowser, openPage, violationsOf } from '../../support/browser.ts'
import { textOfPdf } from '../../support/pdf.ts'
import { guest, metaField, spa, term } from '../../support/world.ts'

const PICTURES = process.env.PICTURES
const DAY = new Date().toISOString().slice(0, 10)
const LATER = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)

describe.skipIf(!hasBrowser)('in a browser', { timeout: 180_000 }, () => {
  let api: TestApi
  let browser: Browser
  let doctor: TestKey
  let origin: string
  beforeAll(async () => {
    api = await startTestApi({
      records: [
        spa({
          timezone: 'UTC',
          mealRules: {
            dietFields: [{ field: 'food', values: [{ value: 'sesame', isAllergy: true }] }],
          },
        }),
        metaField('food', { label: 'Food' }),
        term('program', 'p-1', 'Quiet Weeks'),
        ...guest(
          'g-1',
          {
            startDate: `${DAY}T16:20`,
            endDate: `${LATER}T09:00`,
            programId: 'p-1',
            doctorName: 'Dr. Ilie',
            therapistName: 'Mara',
            formData: { medicalConditions: 'Migraine since childhood' },
            weight1: 81.4,
            weight2: 79.9,
            medicalLetter: { diagnoses: 'Tension headache' },
          },
          { firstName: 'Oana', lastName: 'Vlad', dob: '1971-03-04', meta: { food: 'sesame' } },
        ),
        ...guest('g-2', { startDate: `${DAY}T12:00`, endDate: `${LATER}T09:00` }, { lastName: 'Late' }),
      ],
      app: ACTION_APP,
    })
    doctor = await api.createKey({ scopes: PRESETS.doctor })
    origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  async function picture(page: Page, name: string): Promise<void> {
    if (PICTURES === undefined) return
    mkdirSync(PICTURES, { recursive: true })
    for (const width of [1440, 768, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await page.screenshot({ path: join(PICTURES, `${name}-${width}.png`), fullPage: true })
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  }

  it('new guests, one guest, and a print take at most 6 actions from the sign-in', async () => {
    const { page, complaints } = await openPage(browser, `${origin}/console`, 1440)
    let actions = 0
    const click = (target: Locator) => {
      actions += 1
      return target.click()
    }
    const field = page.getByRole('textbox').first()
    await field.waitFor({ timeout: 110_000 })
    actions += 1
    await field.fill(doctor.apiKey)
    await click(page.getByRole('button', { name: 'Sign in', exact: true }))
    await page.getByRole('heading', { name: /^New guests/ }).waitFor()
    const row = page.getByRole('row', { name: /Oana Vlad/ })
    await row.waitFor()
    const text = (await row.innerText()).replaceAll(/\s+/g, ' ')
    for (const part of ['16:20', 'sesame', 'Quiet Weeks', 'Dr. Ilie', 'Mara']) expect(text).toContain(part)
    expect(await page.getByRole('row', { name: /Late/ }).innerText()).toContain('Not asked')
    expect(await violationsOf(page)).toEqual([])
    await picture(page, 'new-guests')
    expect(await page.content()).not.toContain('Migraine')
    await click(row.getByRole('link', { name: 'Oana Vlad' }))
    await page.getByRole('button', { name: 'Show medical data' }).waitFor()
    await picture(page, 'guest-closed')
    expect(await medicalReads()).toBe(0)
    await click(page.getByRole('button', { name: 'Show medical data' }))
    await page.getByText('Migraine since childhood').waitFor()
    for (const part of ['81.4', '79.9', 'Tension headache']) {
      expect(await page.getByText(part, { exact: true }).count(), part).toBe(1)
    }
    expect(await violationsOf(page)).toEqual([])
    await picture(page, 'guest-open')
    await page.evaluate('window.print = () => { window.hasPrinted = true }')
    await click(page.getByRole('button', { name: 'Print', exact: true }))
    expect(await page.evaluate('window.hasPrinted')).toBe(true)
    const paper = await textOfPdf(await page.pdf({ preferCSSPageSize: true }))
    for (const part of ['Oana Vlad', 'sesame', 'Migraine', '81.4']) expect(paper).toContain(part)
    expect(actions).toBeLessThanOrEqual(6)
    expect(complaints).toEqual([])
    // The trail names the guest whose data was opened, once.
    expect(await medicalReads()).toBe(1)
    await page.close()
  })

  const medicalReads = async () =>
    (await entriesOf(api.database)).filter(
      ({ operation, scopes }) => operation === 'listGuests' && scopes.includes('guests.medical'),
    ).length
})
