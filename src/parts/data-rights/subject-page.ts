/** The data stored about a person, as a page that needs no explanation: no scripts and no external resources. */
import type { TrailRead } from '../../core/audit/list-reads.ts'
import type { JsonObject } from '../../core/intake/kinds/kind.ts'
import { cldrTag } from '../../core/locale/amounts.ts'
import { html, type Markup } from '../openapi/markup.ts'
import type { ContradictionAbout } from './contradictions-about.ts'
import type { SubjectExport } from './export-subject.ts'
import { columnLabel, inWords, labelFor, momentText, type PageForm, valueText } from './page-words.ts'

/** @param others identifiers of other guests' bookings, whose items in shared orders are not this person's data */
export function subjectPage(held: SubjectExport, form: PageForm, others: ReadonlySet<string>): string {
  const { customer, bookings, orders, sessions, kitchenSheets, contradictions, changes, reads } = held
  const { language } = form
  const title = `${form.centerName}: ${[customer.firstName, customer.lastName].filter(Boolean).join(' ')}`
  const moment = (iso: string) => momentText(iso, form)
  return html`<!doctype html>
<html lang="${cldrTag(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 0.5rem 0 1.5rem; }
th, td { text-align: left; vertical-align: top; padding: 0.2rem 0.8rem 0.2rem 0; border-bottom: 1px solid #ccc; overflow-wrap: anywhere; }
section { margin-top: 2rem; }
</style>
</head>
<body>
<h1>${title}</h1>
<p>Everything that is stored about this person. Made on ${moment(held.exportedAt)}. Times are those of ${form.zone}.</p>
<section><h2>Person</h2>${recordTable(customer, form)}</section>
${section(
  'Stays',
  bookings.map((stay) => html`<h3>${spanOf(stay, form)}</h3>${recordTable(stay, form)}`),
)}
${section(
  'Sessions of these stays',
  sessions.map((one) => html`<h3>${String(one.name ?? '')}</h3><p>${spanOf(one, form)}</p>`),
)}
${section(
  'Orders',
  orders.map((order) => orderPart(order, form, others)),
)}
${section(
  'Lists of the kitchen',
  kitchenSheets.map(
    (sheet) =>
      html`<h3>${valueText('day', sheet.day, form)}</h3>${sheet.guests.map((guest) => recordTable(guest, form))}`,
  ),
)}
${section(
  'What does not fit between these records',
  contradictions.map((one) => contradictionPart(one, form)),
)}
<section><h2>Who has read it</h2>
<p>${reads.length === 0 ? 'The audit trail has no read of these records.' : `Reads: ${new Intl.NumberFormat(cldrTag(language)).format(reads.length)}, newest first. Reads older than the trail is stored are not listed.`}</p>
${reads.length === 0 ? undefined : readsTable(reads, form)}
</section>
<section><h2>What changed</h2>
<p>${changes.length === 0 ? 'No changes are on record.' : 'When something changed, and what. Former values are not stored.'}</p>
${
  changes.length === 0
    ? undefined
    : table(
        ['When', 'Record', 'What happened', 'Fields'],
        changes.map(({ at, kind, id, operation, columns }) => [
          moment(at),
          `${inWords(kind)} ${id}`,
          inWords(operation),
          columns.map((column) => columnLabel(column, language)).join(', '),
        ]),
      )
}
</section>
</body>
</html>
`.text
}

const section = (heading: string, parts: readonly Markup[]): Markup => html`<section><h2>${heading}</h2>
${parts.length === 0 ? html`<p>None.</p>` : parts}
</section>`

const spanOf = ({ startDate, endDate }: JsonObject, form: PageForm): string =>
  [startDate, endDate].map((moment) => valueText('', moment, form)).join(' – ')

/** Fields that only programs need. */
const HIDDEN = new Set(['kind', 'centerId', 'items'])

/** A row for each value, with the label of its field. */
const recordTable = (record: object, form: PageForm, currency?: string): Markup => html`<table>
${leavesOf(record).map(([path, value]) => html`<tr><th scope="row">${labelFor(path, form.language)}</th><td>${valueText(path, value, form, currency)}</td></tr>`)}
</table>`

function orderPart(order: JsonObject, form: PageForm, others: ReadonlySet<string>): Markup {
  const currency = typeof order.currency === 'string' ? order.currency : form.currency
  const items = (Array.isArray(order.items) ? order.items : []).filter(isItem)
  const own = items.filter(({ itemId }) => !others.has(String(itemId)))
  // The catalogue has separate labels for the status of an order.
  const { status, ...rest } = order
  return html`<h3>${String(order.number ?? order.uuid)}</h3>
${recordTable({ ...rest, ...(typeof status === 'string' && { orderStatus: status }) }, form, currency)}
${
  own.length === 0
    ? undefined
    : table(
        ['Item', 'Quantity', 'Price'],
        own.map(({ name, quantity, price }) => [
          String(name),
          valueText('quantity', quantity, form),
          valueText('price', price, form, currency),
        ]),
      )
}
${own.length === items.length ? undefined : html`<p>Items of other guests of this order are left out.</p>`}`
}

function contradictionPart(
  { kind, since, records, compared, others, dismissed }: ContradictionAbout,
  form: PageForm,
): Markup {
  const what: Markup[] = compared.map(
    ({ field, values }) =>
      html`<tr><th scope="row">${labelFor(field, form.language)}</th>${values.map((value) => html`<td>${valueText(field, value ?? '', form)}</td>`)}</tr>`,
  )
  return html`<h3>${inWords(kind)}</h3>
<p>Found on ${momentText(since, form)}: ${records.map(({ kind: of, id, name }) => `${inWords(of)} ${of === 'guest' ? id : (name ?? id)}`).join(', ')}.</p>
<table>${what}</table>
${others === 0 ? undefined : html`<p>The records of other people are left out: ${String(others)}.</p>`}
${dismissed === null ? undefined : html`<p>${dismissed.by} decided on ${momentText(dismissed.at, form)} that nothing is to be done: ${dismissed.reason}</p>`}`
}

const isItem = (item: unknown): item is JsonObject => typeof item === 'object' && item !== null

const table = (headings: readonly string[], rows: readonly (readonly string[])[]): Markup => html`<table>
<tr>${headings.map((name) => html`<th scope="col">${name}</th>`)}</tr>
${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}
</table>`

const readsTable = (reads: readonly TrailRead[], form: PageForm): Markup =>
  table(
    ['When', 'Who', 'What was read', 'Through', 'Kinds of data', 'Stays and orders'],
    reads.map(({ at, key, operation, channel, scopes, recordIds }) => [
      momentText(at, form),
      key.name,
      inWords(operation),
      channel ?? 'a program',
      scopes.join(', '),
      recordIds?.join(', ') ?? 'among many',
    ]),
  )

/** The values by path, such as `address.city`. Lists are left whole. */
function leavesOf(value: object, path = ''): [path: string, value: unknown][] {
  return Object.entries(value).flatMap(([name, child]): [string, unknown][] => {
    const own = path === '' ? name : `${path}.${name}`
    if (HIDDEN.has(own) || child === null || child === undefined) return []
    return typeof child === 'object' && !Array.isArray(child) ? leavesOf(child, own) : [[own, child]]
  })
}
