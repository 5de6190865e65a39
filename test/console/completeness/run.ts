/**
 * `node test/console/completeness/run.ts --pages 500 --printouts 200`: opens and prints pages of random centers, and says
 * where a page leaves something out of what the API answers without saying so.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { DatabaseUnavailable } from '../../../src/core/database/database.ts'
import { openDatabase } from '../../../src/core/database/open.ts'
import { launchBrowser } from '../../support/browser.ts'
import { type Checked, Checker } from './checker.ts'
import { startService } from './service.ts'

const USAGE = `node test/console/completeness/run.ts [--seed N] [--pages N] [--printouts N] [--from N] [--case N [--paper]] [--only PAGE]

  --seed N       the seed of all centers and cases; another one each time by default
  --pages N      opens the cases 0 to N - 1; 40 by default
  --printouts N  prints the cases 0 to N - 1; 15 by default
  --from N       leaves out the cases before this one, after a run that was interrupted
  --case N       only this case, a page or with --paper a printout; --picture FILE takes a picture of it
  --only PAGE    only cases of this page, such as kitchen/wall
`

const write = (text: string) => process.stdout.write(`${text}\n`)

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      pages: { type: 'string', default: '40' },
      printouts: { type: 'string', default: '15' },
      from: { type: 'string', default: '0' },
      case: { type: 'string' },
      paper: { type: 'boolean', default: false },
      picture: { type: 'string' },
      only: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    write(USAGE)
    return 0
  }
  if (values.case === undefined) {
    for (const name of ['pages', 'printouts'] as const) {
      const count = Number(values[name])
      if (count === 0 || Number(values.from) < count) continue
      write(`--from ${values.from} leaves nothing of --${name} ${values[name]}; --${name} 0 leaves them out`)
      return 2
    }
  }
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  write(`seed ${seed}`)
  const folder = mkdtempSync(join(tmpdir(), 'completeness-'))
  const database = await openDatabase(
    { databaseUrl: undefined, databasePoolSize: 1, dataDir: join(folder, 'data') },
    { purpose: 'serve' },
  )
  const service = await startService(database)
  const browser = await launchBrowser()
  const checker = new Checker({ service, browser, seed })
  let wrong = 0
  const looked = { screen: [] as number[], paper: [] as number[] }
  const check = async (at: number, medium: 'screen' | 'paper') => {
    const checked = await patiently(() => checker.check(at, medium))
    looked[medium].push(at)
    if (checked.differences.length === 0) return
    wrong += 1
    write(reportOf(checked, seed))
  }
  try {
    if (values.case !== undefined) {
      await check(Number(values.case), values.paper ? 'paper' : 'screen')
      if (values.picture !== undefined) {
        const page = await checker.page()
        if (values.paper) await page.pdf({ path: values.picture, preferCSSPageSize: true })
        else await page.screenshot({ path: values.picture, fullPage: true })
      }
    } else {
      for (const [medium, count] of [
        ['screen', values.pages],
        ['paper', values.printouts],
      ] as const) {
        for (let at = Number(values.from); at < Number(count); at += 1) {
          if (values.only !== undefined && (await checker.caseAt(at, medium)).page !== values.only) continue
          await check(at, medium)
          if (at % 50 === 49) write(`${at + 1} of ${count} on ${medium}, ${wrong} with differences`)
        }
      }
    }
  } finally {
    await checker.close()
    await browser.close()
    await service.app.close()
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const counts = [...checker.compared].sort((a, b) => b[1] - a[1])
  write(`compared: ${counts.map(([what, count]) => `${what} ${count}`).join(', ')}`)
  write(`looked at: ${rangeOf('screen', looked.screen)}; ${rangeOf('paper', looked.paper)}`)
  if (counts.length === 0) {
    write('NOTHING WAS COMPARED')
    return 2
  }
  write(wrong === 0 ? 'no difference' : `${wrong} with differences`)
  return wrong === 0 ? 0 : 1
}

function rangeOf(medium: string, cases: readonly number[]): string {
  const [first] = cases
  if (first === undefined) return `none on ${medium}`
  return `${cases.length} on ${medium}, from ${first} to ${cases.at(-1)}`
}

const ATTEMPTS_MAX = 5
const AGAIN_MS = 10_000

/** A machine that is too busy for the database is asked again: what was not looked at must not end the check. */
async function patiently(check: () => Promise<Checked>): Promise<Checked> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await check()
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || attempt === ATTEMPTS_MAX) throw error
      await setTimeout(AGAIN_MS)
    }
  }
}

const SHOWN_MAX = 8

function reportOf({ case: of, center, differences }: Checked, seed: number): string {
  const { at, medium, page, query, width, scheme, language, font, scopes, customFields } = of
  const shown = differences
    .slice(0, SHOWN_MAX)
    .map(({ what, texts, why }) => `    ${what}: ${texts.join(' | ')}\n      ${why}`)
  const more = differences.length > SHOWN_MAX ? [`    and ${differences.length - SHOWN_MAX} more`] : []
  return [
    `--seed ${seed} --case ${at}${medium === 'paper' ? ' --paper' : ''}: ${page}?${new URLSearchParams(query)}`,
    `  ${width} px, ${scheme}, ${language}, ${font ?? 'usual font'}, ${scopes.join(' ')} [${customFields.join(' ')}], ${center.id}`,
    ...shown,
    ...more,
  ].join('\n')
}

process.exitCode = await main()
