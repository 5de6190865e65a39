/** A scheduled report on a printer of CUPS: what is printed has its content, once. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasJob } from '../../../../src/parts/reports/destinations/ipp.ts'
import { showReport } from '../../../../src/parts/reports/manage-reports.ts'
import { hasCups, startCups } from '../../../support/cups.ts'
import { inkOf, likeness, pictureOfPdf, textOfPdf } from '../../../support/pdf.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import { guest, metaField, spa } from '../../../support/world.ts'
import { type Clock, type Reporting, startReporting } from '../reporting.ts'

/** More than the printer takes on a machine that is busy. */
const MS_MAX = 300_000
const SIX = Date.parse('2025-01-12T04:00:00Z')

/** A printer draws letters as pictures, so its file has no text; but most of its ink is where it was. */
const ALIKE = 0.8

function sheetOf({ folder }: Reporting): Buffer {
  const [name = ''] = readdirSync(join(folder, 'spa', 'kitchen'))
  return readFileSync(join(folder, 'spa', 'kitchen', name))
}

async function printed(format: 'pdf' | 'text', others: readonly string[] = []) {
  const cups = await startCups()
  const clock: Clock = { now: SIX - 60_000 }
  const reporting = await startReporting({
    clock,
    app: { reportsPrinters: [{ center: 'spa', name: 'kitchen', uri: cups.uri }] },
    records: [
      spa({ mealRules: { dietFields: [{ field: 'diet' }] } }),
      metaField('diet', { label: 'Diet' }),
      ...guest(
        'a',
        { acc: { roomId: '101' } },
        { firstName: 'Ștefan', lastName: 'Ionescu', meta: { diet: 'no nuts' } },
      ),
      ...others.flatMap((one) => guest(one, { acc: { roomId: '102' } })),
    ],
  })
  const { id } = await reporting.add({ format, to: ['printer:kitchen', 'folder:kitchen'] })
  clock.now = SIX + 1000
  await reporting.look()
  const [run] = (await showReport(reporting.api.database, id)).runs
  const job = `${id.replaceAll('_', '-')}-20250112040000`
  return { cups, reporting, run, job }
}

// `npm run test:affected` says that it was skipped, and `.ci/run` installs the printer.
describe.skipIf(!hasCups)('a printer of CUPS', () => {
  it(
    'prints a report as PDF by IPP, with its content, and once',
    async () => {
      const { cups, reporting, run, job } = await printed('pdf')
      expect(run).toMatchObject({ state: 'sent' })
      const paper = pictureOfPdf(await cups.printed(job))
      const sheet = sheetOf(reporting)
      expect(textOfPdf(sheet)).toMatch(/101 +Ștefan Ionescu +no nuts/)
      expect(likeness(paper, pictureOfPdf(sheet))).toBeGreaterThan(ALIKE)
      // Another sheet is seen.
      const other = await printed('pdf', ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'])
      expect(likeness(paper, pictureOfPdf(sheetOf(other.reporting)))).toBeLessThan(ALIKE)
      // It is asked for the job before it is sent, so it does not print it again if its answer was lost.
      expect(await hasJob(cups.uri, job)).toBe(true)
      expect(await hasJob(cups.uri, `${job}1`)).toBe(false)
      expect(cups.count(job)).toBe(1)
    },
    MS_MAX,
  )

  it(
    'prints a report as text',
    async () => {
      const { cups, run, job } = await printed('text')
      expect(run).toMatchObject({ state: 'sent' })
      expect(inkOf(pictureOfPdf(await cups.printed(job)))).toBeGreaterThan(100)
    },
    MS_MAX,
  )

  it(
    'its own program `lp` prints the file of a report',
    async () => {
      const { cups, reporting } = await printed('pdf')
      const path = join(makeTemporaryFolder(), 'sheet.pdf')
      writeFileSync(path, sheetOf(reporting))
      const title = `lp-of-a-report-${process.pid}`
      cups.lp(title, path)
      const paper = pictureOfPdf(await cups.printed(title))
      expect(likeness(paper, pictureOfPdf(sheetOf(reporting)))).toBeGreaterThan(ALIKE)
    },
    MS_MAX,
  )
})
