/** deploy/dashboard.json: each query is PromQL, and names metrics and labels that a service has. */
import { expect, it } from 'vitest'
import { deployFile } from '../../tools/docs/deploy-blocks.ts'
import { isSelected, namesOf } from '../support/promql.ts'
import { startFaultyService } from './faulty-service.ts'

interface Panel {
  readonly id: number
  readonly type: 'row' | 'timeseries'
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[]
}

const DASHBOARD: {
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] }
} = JSON.parse(deployFile('dashboard.json'))

const QUERIES = DASHBOARD.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr, legendFormat }) => ({ title, expr, legend: legendFormat })),
)

/** Grafana replaces its variables before Prometheus sees the query. */
const sent = (expr: string) => expr.replaceAll('$__rate_interval', '1m').replaceAll(/\$\w+/g, '.*')

it('each query and legend names metrics, labels and values that a service has', async () => {
  const service = await startFaultyService()
  await service.read(2)
  await service.deliver()
  // Prometheus adds these two.
  const samples = (await service.scrape()).map((sample) => ({
    ...sample,
    labels: { ...sample.labels, job: 'sojourn', instance: 'one:9100' },
  }))
  expect(QUERIES.length).toBeGreaterThan(30)
  for (const { title, expr, legend } of QUERIES) {
    const { selectors, grouping } = namesOf(sent(expr))
    expect(selectors.length, title).toBeGreaterThan(0)
    const labels = new Set<string>()
    for (const selector of selectors) {
      // Whichever errors a service has, it has them by status.
      const matchers = selector.matchers.filter(({ value }) => value !== '5..')
      const found = samples.filter((sample) => isSelected(sample, { ...selector, matchers }))
      expect(found, `${title}: ${selector.metric}`).not.toEqual([])
      for (const label of Object.keys(found[0]?.labels ?? {})) labels.add(label)
      for (const { label } of selector.matchers) expect(labels, title).toContain(label)
    }
    for (const label of grouping) expect(labels, title).toContain(label)
    for (const [, label] of legend.matchAll(/\{\{(\w+)\}\}/g)) expect(labels, title).toContain(label)
  }
  for (const { name, definition = '' } of DASHBOARD.templating.list.slice(1)) {
    const [, selector = '', label] = /^label_values\((.+), (\w+)\)$/.exec(definition) ?? []
    expect(namesOf(sent(selector)).selectors, name).toHaveLength(1)
    expect(label).toBe(name)
  }
})

it('each variable is defined, and no panel covers another', () => {
  const variables = new Set([
    '__rate_interval',
    '__all',
    ...DASHBOARD.templating.list.map(({ name }) => name),
  ])
  for (const [, name] of deployFile('dashboard.json').matchAll(/\$\{?(\w+)/g))
    expect(variables).toContain(name)
  const { panels } = DASHBOARD
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
})
