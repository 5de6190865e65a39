/**
 * Every name, number, diet and allergy of the API's answer can be read on the page and on its printout, or the page says
 * that it leaves it out: for random centers, keys, sizes and languages. `run.ts` repeats one of the cases.
 */
import { spawnSync } from 'node:child_process'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, launchBrowser } from '../../support/browser.ts'
import { openTestDatabase } from '../../support/database.ts'
import { type Checked, Checker } from './checker.ts'
import { type CheckedService, startService } from './service.ts'

const PAGES = 40
const PRINTOUTS = 15
/** The same each time, so that a difference comes from a change of the code; the command takes another seed each time. */
const SEED = Number(process.env.COMPLETENESS_SEED ?? 35)

const hasPdfToText = spawnSync('pdftotext', ['-v']).error === undefined

describe.skipIf(!hasBrowser || !hasPdfToText)('in a browser', () => {
  let service: CheckedService
  let browser: Browser
  beforeAll(async () => {
    service = await startService(await openTestDatabase())
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.app.close()
  })

  it.each([
    ['screen', PAGES],
    ['paper', PRINTOUTS],
  ] as const)(
    `shows or reports everything, on %s (--seed ${SEED})`,
    async (medium, count) => {
      const checker = new Checker({ service, browser, seed: SEED })
      const wrong: Checked[] = []
      for (let at = 0; at < count; at += 1) {
        const checked = await checker.check(at, medium)
        if (checked.differences.length > 0) wrong.push(checked)
      }
      await checker.close()
      const reported = wrong.map(({ case: { at, page }, differences }) => [
        `node test/console/completeness/run.ts --seed ${SEED} --case ${at}${medium === 'paper' ? ' --paper' : ''}`,
        page,
        differences[0],
      ])
      expect(reported).toEqual([])
    },
    900_000,
  )
})
