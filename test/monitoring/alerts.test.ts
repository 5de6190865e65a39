/** deploy/alerts.yml: what each alert names exists, and Prometheus accepts the rules. */
import { describe, expect, it, test } from 'vitest'
import { SETTINGS } from '../../src/core/config/env.ts'
import { commandPaths, describeProgram } from '../../src/describe-program.ts'
import { isSelected, namesOf } from '../support/promql.ts'
import { checkRules, hasPromtool } from '../support/promtool.ts'
import { startFaultyService } from './faulty-service.ts'
import { RULES } from './rules.ts'

if (!hasPromtool) {
  process.stderr.write('\nWARNING: THE ALERTS WERE NOT CHECKED: promtool is not installed.\n\n')
}

describe('what the alerts name', () => {
  it('is in the metrics of a service: each metric, label and value of a label', async () => {
    const service = await startFaultyService()
    await service.probe()
    service.faults.pingFails = true
    await service.probe()
    await service.read(1)
    const samples = await service.scrape()
    for (const { alert, expr } of RULES) {
      const { selectors, grouping } = namesOf(expr)
      expect(selectors.length, alert).toBeGreaterThan(0)
      for (const selector of selectors) {
        // Whichever errors a service has, it has them by status.
        const matchers = selector.matchers.filter(({ label, value }) => label !== 'job' && value !== '5..')
        const found = samples.filter((sample) => isSelected(sample, { ...selector, matchers }))
        expect(found, `${alert}: ${selector.metric}`).not.toEqual([])
        for (const { label } of matchers) expect(found[0]?.labels, alert).toHaveProperty(label)
      }
      const labels = samples
        .filter(({ name }) => selectors.some(({ metric }) => metric === name))
        .flatMap((sample) => Object.keys(sample.labels))
      for (const label of grouping) expect(['job', 'instance', ...labels], alert).toContain(label)
    }
  })

  it('is a command or a setting that exists', async () => {
    const commands = commandPaths(await describeProgram()).map((path) => path.join(' '))
    const settings = new Set<string>(Object.values(SETTINGS).map(({ name }) => name))
    const texts = RULES.map(({ annotations }) => Object.values(annotations).join(' ')).join(' ')
    const named = [...texts.matchAll(/"sojourn ([a-z ]+)"/g)].map(([, command = '']) => command)
    expect(named.length).toBeGreaterThan(2)
    for (const command of named) expect(commands).toContain(command)
    const variables = [...texts.matchAll(/\b[A-Z]+_[A-Z_]+\b/g)].map(([name]) => name)
    expect(variables.length).toBeGreaterThan(5)
    for (const name of variables) expect(settings).toContain(name)
  })

  it('is said with a severity, a summary and what to do', () => {
    for (const { alert, labels, annotations } of RULES) {
      expect(labels, alert).toEqual({ severity: expect.stringMatching(/^(page|ticket)$/) })
      expect(annotations, alert).toEqual({
        summary: expect.stringMatching(/^\S.*[^.]$/),
        description: expect.stringMatching(/^\S.*\.$/),
      })
    }
  })
})

test.runIf(hasPromtool)('Prometheus accepts the rules', () => {
  const { status, said } = checkRules()
  expect({ status, said }).toEqual({
    status: 0,
    said: expect.stringContaining(`SUCCESS: ${RULES.length} rules found`),
  })
})
