/** Debian's `promtool` evaluates rules of alerts over given samples, as Prometheus does. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { deployFile } from '../../tools/docs/deploy-blocks.ts'
import type { Sample } from './promql.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** Whether this machine has the program. */
export const hasPromtool = spawnSync('promtool', ['--version']).status === 0

/** Seconds between two scrapes. */
export const SCRAPE_SECONDS = 15

/** The samples of each scrape, SCRAPE_SECONDS apart. */
export type Scrapes = readonly (readonly Sample[])[]

const labelsOf = (labels: Sample['labels']) =>
  Object.entries(labels)
    .map(([label, value]) => `${label}=${JSON.stringify(value)}`)
    .sort()
    .join(',')

const seriesOf = ({ name, labels }: Sample) =>
  `${name}{${labelsOf({ ...labels, job: 'sojourn', instance: 'one:9100' })}}`

/** @param metrics the only ones that the rules read */
function inputSeries(scrapes: Scrapes, metrics: ReadonlySet<string>) {
  const values = new Map<string, string[]>()
  for (const [at, samples] of scrapes.entries()) {
    for (const sample of samples) {
      if (!metrics.has(sample.name)) continue
      const series = seriesOf(sample)
      const list = values.get(series) ?? []
      values.set(series, list)
      // `_` is a scrape without this series.
      while (list.length < at) list.push('_')
      list.push(String(sample.value))
    }
  }
  return [...values].map(([series, list]) => ({ series, values: list.join(' ') }))
}

/** Checks the rules as they are. @returns what promtool says of them, and its status */
export function checkRules() {
  const { status, stdout, stderr } = spawnSync(
    'promtool',
    ['check', 'rules', rulesFile(makeTemporaryFolder())],
    {
      encoding: 'utf8',
    },
  )
  return { status, said: `${stdout}${stderr}` }
}

/**
 * Evaluates the rules over the scrapes.
 * @param metrics that the rules read
 * @param alert name of one of them; all if undefined
 * @returns whether it fires at the last scrape; of all, whether any fires or is pending at any scrape
 */
export function fires(scrapes: Scrapes, metrics: ReadonlySet<string>, alert: string | undefined) {
  const folder = makeTemporaryFolder()
  const test = join(folder, 'test.yml')
  const seconds = (scrapes.length - 1) * SCRAPE_SECONDS
  const expected = (expr: string, eval_time: string, samples: readonly object[]) => ({
    expr,
    eval_time,
    exp_samples: samples,
  })
  const expressions =
    alert === undefined
      ? scrapes.map((_, at) => expected('count by (alertname) (ALERTS)', `${at * SCRAPE_SECONDS}s`, []))
      : [
          expected(`count(ALERTS{alertname="${alert}",alertstate="firing"}) >= bool 1`, `${seconds}s`, [
            { labels: '{}', value: 1 },
          ]),
        ]
  writeFileSync(
    test,
    stringify({
      rule_files: [rulesFile(folder)],
      evaluation_interval: `${SCRAPE_SECONDS}s`,
      tests: [
        {
          interval: `${SCRAPE_SECONDS}s`,
          input_series: inputSeries(scrapes, metrics),
          promql_expr_test: expressions,
        },
      ],
    }),
  )
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', test], { encoding: 'utf8' })
  return { status, said: `${stdout}${stderr}` }
}

function rulesFile(folder: string): string {
  const file = join(folder, 'alerts.yml')
  writeFileSync(file, deployFile('alerts.yml'))
  return file
}
