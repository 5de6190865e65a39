/** What PromQL expressions name, by the grammar of Prometheus itself. */
import { parser } from '@prometheus-io/lezer-promql'

export interface Selector {
  readonly metric: string
  readonly matchers: readonly { readonly label: string; readonly op: string; readonly value: string }[]
}

export interface Named {
  readonly selectors: readonly Selector[]
  /** labels of `by`, `without`, `on`, `ignoring` and `group_left` */
  readonly grouping: readonly string[]
}

/** @throws {Error} if the text is not PromQL */
export function namesOf(text: string): Named {
  const selectors: { metric: string; matchers: { label: string; op: string; value: string }[] }[] = []
  const grouping: string[] = []
  const between = ({ from, to }: { readonly from: number; readonly to: number }) => text.slice(from, to)
  parser.parse(text).iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`not PromQL at ${node.from}: ${text}`)
      if (node.name === 'VectorSelector') selectors.push({ metric: '', matchers: [] })
      const selector = selectors.at(-1)
      if (node.name === 'Identifier' && selector !== undefined) selector.metric = between(node)
      if (node.name === 'UnquotedLabelMatcher') {
        const [, label = '', op = '', value = ''] =
          /^(\w+)\s*(=~|!~|!=|=)\s*"(.*)"$/.exec(between(node)) ?? []
        selector?.matchers.push({ label, op, value })
      }
      if (node.name === 'LabelName' && node.node.parent?.name === 'GroupingLabels') {
        grouping.push(between(node))
      }
    },
  })
  return { selectors, grouping }
}

export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Reads the text format of Prometheus. */
export function readMetrics(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    if (line === '' || line.startsWith('#')) return []
    const [, name, inner = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (name === undefined || value === undefined) throw new Error(`not a sample: ${line}`)
    const labels = [...inner.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', of = '']) => [
      label,
      of,
    ])
    return { name, labels: Object.fromEntries(labels), value: Number(value.replace('Nan', 'NaN')) }
  })
}

/** Whether a sample is one that the selector means. Prometheus compares with the whole value of a label. */
export function isSelected({ name, labels }: Sample, { metric, matchers }: Selector): boolean {
  return (
    name === metric &&
    matchers.every(({ label, op, value }) => {
      const given = labels[label] ?? ''
      const isMatch = op.includes('~') ? new RegExp(`^(?:${value})$`).test(given) : given === value
      return op.startsWith('!') ? !isMatch : isMatch
    })
  )
}
