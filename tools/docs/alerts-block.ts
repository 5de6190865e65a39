/** The alerts of deploy/alerts.yml, as a table. */
import { parse } from 'yaml'
import { deployFile } from './deploy-blocks.ts'
import { code, table } from './markdown.ts'

interface Rule {
  readonly alert: string
  readonly for?: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly description: string }
}

/** What the values in the sentences of an alert become. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\{\{ \$labels\.instance \}\}/g, 'an instance'],
  [/\{\{ \$labels\.pool \}\}/g, '…'],
  [/\{\{ \$value[^}]*\}\}/g, '…'],
]

export function alertsBlock(): string {
  const { groups }: { groups: { rules: Rule[] }[] } = parse(deployFile('alerts.yml'))
  const rows = groups
    .flatMap(({ rules }) => rules)
    .map(({ alert, for: after = '', labels, annotations }) => [
      code(alert),
      labels.severity,
      after,
      plain(annotations.summary),
      plain(annotations.description),
    ])
  return table(['alert', 'severity', 'after', 'what has happened', 'what to do'], rows)
}

const plain = (sentence: string) =>
  WORDS.reduce((text, [pattern, words]) => text.replaceAll(pattern, words), sentence).replace(
    /^an instance/,
    'An instance',
  )
