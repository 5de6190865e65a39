/**
 * What of the documentation is printed from the code. A test holds every page to this, both ways: no page is
 * stale, and nothing that can be printed is missing from the pages.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsPage } from '../../src/core/config/settings-page.ts'
import { actionsBlock } from './actions-block.ts'
import { alertsBlock } from './alerts-block.ts'
import { asvsPage } from './asvs-page.ts'
import { checksBlock } from './checks-block.ts'
import { commandLineBlock } from './command-line-block.ts'
import { DEPLOY_BLOCKS } from './deploy-blocks.ts'
import { errorsBlock } from './errors-block.ts'
import { fieldGroupsBlock, fieldsBlock } from './fields-block.ts'
import { foldersBlock } from './folders-block.ts'
import { labelsBlock } from './labels-block.ts'
import { withBlocks } from './markdown.ts'
import { metricsBlock } from './metrics-block.ts'
import { RECIPE_BLOCKS } from './recipes-block.ts'
import { recordsBlock } from './records-block.ts'
import { presetsBlock, scopesBlock } from './scopes-block.ts'
import { clauseTestsBlock, testsBlock } from './tests-block.ts'

/** Parts of pages, between `<!-- printed: NAME -->` and `<!-- end -->`. */
export const BLOCKS: Readonly<Record<string, () => string>> = {
  actions: actionsBlock,
  checks: checksBlock,
  'clause-tests': clauseTestsBlock,
  alerts: alertsBlock,
  'command-line': commandLineBlock,
  ...DEPLOY_BLOCKS,
  errors: errorsBlock,
  'field-groups': fieldGroupsBlock,
  fields: fieldsBlock,
  folders: foldersBlock,
  labels: labelsBlock,
  metrics: metricsBlock,
  presets: presetsBlock,
  ...RECIPE_BLOCKS,
  records: recordsBlock,
  scopes: scopesBlock,
  tests: testsBlock,
}

/** Whole pages, by file name. */
export const WHOLE_PAGES: Readonly<Record<string, () => string>> = {
  'asvs.md': asvsPage,
  'settings.md': settingsPage,
}

export interface Page {
  readonly path: string
  /** as it is; undefined where the file is missing */
  readonly now: string | undefined
  /** as the code says it should stand */
  readonly printed: string
}

/** Every page of the folder that has something printed in it. */
export function pagesOf(folder: string): Page[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.md'))
  const whole = Object.entries(WHOLE_PAGES).map(([name, print]) => {
    const path = join(folder, name)
    return { path, now: names.includes(name) ? readFileSync(path, 'utf8') : undefined, printed: print() }
  })
  const partly = names
    .filter((name) => !(name in WHOLE_PAGES))
    .map((name) => {
      const path = join(folder, name)
      const now = readFileSync(path, 'utf8')
      return { path, now, printed: withBlocks(now, (block) => printBlock(block, path)) }
    })
  return [...whole, ...partly]
}

function printBlock(name: string, path: string): string {
  const print = BLOCKS[name]
  if (print === undefined) {
    throw new Error(`${path} wants a block ${name}; known are ${Object.keys(BLOCKS).join(', ')}.`)
  }
  return print()
}
