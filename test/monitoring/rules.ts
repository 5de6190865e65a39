/** The rules of deploy/alerts.yml, and the metrics that they read. */
import { parse } from 'yaml'
import { deployFile } from '../../tools/docs/deploy-blocks.ts'
import { namesOf } from '../support/promql.ts'

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

export const RULES: readonly Rule[] = parse(deployFile('alerts.yml')).groups.flatMap(
  ({ rules }: { readonly rules: readonly Rule[] }) => rules,
)

export const METRICS = new Set(
  RULES.flatMap(({ expr }) => namesOf(expr).selectors.map(({ metric }) => metric)),
)
