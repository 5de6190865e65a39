/** The newest deliveries of a source: what came, what its records did, and what was rejected. */
import { type ComponentChild, h } from 'preact'
import type { DataSource } from '../../../client/src/openapi.ts'
import { numberText } from '../../../src/documents/numbers.ts'
import { language, words } from '../base/signed-in.ts'
import { momentOf } from '../frame/states.ts'
import { COUNT_WORDS, type Delivery, KIND_WORDS, OUTCOME_WORDS, WAY_WORDS } from './source-words.ts'

/** Enough to compare with what `sha256sum` prints. */
const DIGEST_LENGTH = 12

export function Deliveries({
  source: { name, deliveries, kinds },
}: {
  readonly source: DataSource
}): ComponentChild {
  const t = words.value
  // What a program writes with SQL is received without a delivery.
  if (deliveries.length === 0 && kinds.some(({ receivedAt }) => receivedAt !== null)) return null
  if (deliveries.length === 0) return h('p', null, t('sourceNoDeliveries'))
  const label = `${name}: ${t('sourceDeliveries')}`
  return [
    h('h3', null, t('sourceDeliveries')),
    h(
      'div',
      { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': label },
      h('table', { class: 'lines deliveries' }, [
        h('caption', { class: 'vh' }, label),
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            (
              ['when', 'sourceWay', 'sourceOutcome', 'sourceRecords', 'sourceRejected', 'sourceFile'] as const
            ).map((word) => h('th', { scope: 'col' }, t(word))),
          ),
        ),
        h(
          'tbody',
          null,
          deliveries.map((delivery) => h(OneDelivery, { delivery, key: delivery.import })),
        ),
      ]),
    ),
  ]
}

function OneDelivery({ delivery }: { readonly delivery: Delivery }): ComponentChild {
  const t = words.value
  const { at, way, outcome, counts, rejected, causes } = delivery
  return h('tr', null, [
    h('th', { scope: 'row' }, h('time', { dateTime: at }, momentOf(at))),
    h('td', null, t(WAY_WORDS[way])),
    h('td', null, outcome === 'done' ? t('outcomeDone') : h('b', null, t(OUTCOME_WORDS[outcome]))),
    h('td', null, counts.length === 0 ? t('sourceNoRecords') : lines(counts.map(countText))),
    h('td', null, [
      numberText(rejected, language.value),
      // The service's sentences are in English, and have no value of a record.
      ...causes.map(({ count, kind, field, message }) =>
        h('p', { class: 'small', lang: 'en' }, [
          `${count} × ${[kind, field].filter((part) => part !== null).join(' ')}: ${message}`,
        ]),
      ),
    ]),
    h('td', null, h(File, { delivery })),
  ])
}

function countText(count: Delivery['counts'][number]): string {
  const t = words.value
  const said = COUNT_WORDS.filter(([name]) => count[name] > 0).map(([name, word]) =>
    t(word, { n: count[name] }),
  )
  return `${t(KIND_WORDS[count.kind])}: ${said.length === 0 ? '0' : said.join(', ')}`
}

function File({ delivery: { files, fileTime } }: { readonly delivery: Delivery }): ComponentChild {
  const t = words.value
  if (files.length === 0) return t('sourceNoFile')
  return [
    fileTime !== null && h('div', null, t('sourceFileTime', { time: momentOf(fileTime) })),
    ...files.map(({ sha256, bytes }) =>
      h('div', { key: sha256 }, [
        `${t('sourceBytes', { n: bytes })} `,
        h('span', { class: 'code soft' }, [
          // A line may otherwise end at its hyphen.
          h('span', { class: 'whole' }, 'SHA-256'),
          ` ${sha256.slice(0, DIGEST_LENGTH)}…`,
        ]),
      ]),
    ),
  ]
}

const lines = (texts: readonly string[]): ComponentChild => texts.map((text) => h('div', null, text))
