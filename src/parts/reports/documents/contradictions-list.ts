/** The open contradictions that the key may read, by kind, with the compared values; and how many are withheld. */
import type { Field } from '../../../../client/src/index.ts'
import { type Contradiction, KINDS, type Kind } from '../../../documents/contradiction-kinds.ts'
import { writtenDay } from '../../../documents/days.ts'
import { fieldText, momentText, valueText } from '../../../documents/evidence-text.ts'
import { numberText } from '../../../documents/numbers.ts'
import { nameOfOrder } from '../../../documents/order-name.ts'
import type { Block, ReportDocument } from './document.ts'
import { everyPage, finishDocument, type Making, startWriting, type Writing } from './writing.ts'

export async function contradictionsList(making: Making): Promise<ReportDocument> {
  const writing = startWriting(making)
  const { t, language, day, ask } = writing
  const { records, asked, body } = await everyPage<Contradiction>(making, '/contradictions?dismissed=false')
  const fields = (JSON.parse((await ask('/fields', language)).body) as { data: Field[] }).data
  const withheld = (body.withheld ?? []) as { kind: Kind; count: number }[]
  const notReported = (body.notReported ?? []) as Kind[]
  const hidden = withheld.reduce((sum, { count }) => sum + count, 0)
  const kinds = [...new Set(records.map(({ kind }) => kind))]
  const notice = (text: string): Block => ({ kind: 'paragraph', style: 'notice', text })
  const blocks: Block[] = [
    ...(body.complete === true ? [] : [notice(t('contradictionsIncomplete'))]),
    ...(hidden > 0 ? [notice(t('contradictionsWithheld', { n: hidden }))] : []),
    ...(records.length === 0
      ? [
          {
            kind: 'paragraph',
            text: t(hidden > 0 ? 'contradictionsNoneReadable' : 'contradictionsNone'),
          } as const,
        ]
      : [
          {
            kind: 'table',
            caption: t('contradictions'),
            headings: [t('name'), t('what'), t('when')],
            rows: kinds.flatMap((kind) => {
              const own = records.filter((one) => one.kind === kind)
              return [
                { cells: [`${t(KINDS[kind].name)} · ${numberText(own.length, language)}`], isGroup: true },
                ...own.map((one) => ({
                  cells: [nameOf(one), valuesOf(writing, one, fields), momentOf(writing, one.since)],
                })),
              ]
            }),
            widths: [30, 48, 22],
          } as const,
        ]),
    ...(notReported.length === 0
      ? []
      : [
          {
            kind: 'paragraph',
            style: 'small',
            text: t('contradictionsNotReported', {
              list: notReported.map((kind) => t(KINDS[kind].name)).join(', '),
            }),
          } as const,
        ]),
  ]
  return finishDocument(writing, {
    heading: [t('contradictions'), writtenDay(day, language)],
    page: t('contradictions'),
    ages: ['bookings', 'orders'],
    asked,
    blocks,
    file: {
      name: 'contradictions',
      headings: ['id', 'kind', 'severity', 'since', 'records', 'compared'],
      rows: [
        ...records.map(({ id, kind, severity, since, evidence }) => [
          id,
          kind,
          severity,
          since,
          evidence.records.map(({ name, id: own }) => name ?? own).join(', '),
          JSON.stringify(evidence.compared),
        ]),
        ...withheld.map(({ kind, count }) => [null, kind, null, null, 'withheld', String(count)]),
      ],
    },
  })
}

const momentOf = ({ center, language }: Writing, moment: string) =>
  momentText(moment, center.timezone, language)

function nameOf({ evidence: { records } }: Contradiction): string {
  const names = records.map(({ kind, id, name }) =>
    kind === 'order' ? nameOfOrder({ orderNumber: name, uuid: id }) : (name ?? id),
  )
  return [...new Set(names)].join(' · ')
}

/** A report reads one list: sessions and orders in compared values are called by their identifiers. */
const BY_IDENTIFIER = { sessions: new Map<string, string>(), orders: new Map<string, string>() }

/** `Start of the stay: 11/21/2026 | 11/23/2026` */
function valuesOf({ t, language, center }: Writing, one: Contradiction, fields: readonly Field[]): string {
  const writing = { t, language, zone: center.timezone, fields, names: BY_IDENTIFIER }
  const { records, compared } = one.evidence
  const shown = records[0]?.kind === 'room' ? records.slice(0, 1) : records
  return compared
    .map((value) => {
      const texts = shown.map((_, at) => valueText(one, value, at, writing))
      return `${fieldText(one, value.field, writing)}: ${texts.join(' | ')}`
    })
    .join('; ')
}
