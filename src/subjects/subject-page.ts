/** What is held of a person, as a page that they can read without help: no script, nothing from elsewhere. */
import type { TrailRead } from '../audit/list-reads.ts'
import { html, type Markup } from '../openapi/markup.ts'
import type { SubjectExport } from './export-subject.ts'

export function subjectPage(held: SubjectExport): string {
  const { customer, bookings, orders, sessions, kitchenSheets, changes, reads } = held
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>What is held of customer ${held.customerId}</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 0.5rem 0; }
th, td { text-align: left; vertical-align: top; padding: 0.2rem 0.8rem 0.2rem 0; border-bottom: 1px solid #ccc; overflow-wrap: anywhere; }
section { margin-top: 2rem; }
</style>
</head>
<body>
<h1>What is held of customer ${held.customerId}</h1>
<p>Center ${held.center}. Made at ${held.exportedAt}. Times that end in Z are UTC.</p>
<section><h2>Person</h2>${recordTable(customer)}</section>
${records('Stays', bookings)}
${records('Sessions of these stays', sessions)}
${records('Orders', orders)}
${records('Kept kitchen sheets', kitchenSheets)}
<section><h2>Who has read it</h2>
<p>${reads.length === 0 ? 'The audit trail has no read of these records.' : `${reads.length} reads, newest first. Reads older than the trail is kept are not listed.`}</p>
${reads.length === 0 ? undefined : readsTable(reads)}
</section>
<section><h2>What changed</h2>
<p>${changes.length === 0 ? 'No changes are on record.' : 'That something changed, never from what to what.'}</p>
${changes.length === 0 ? undefined : listTable(changes)}
</section>
</body>
</html>
`.text
}

const records = (heading: string, list: readonly object[]): Markup => html`<section><h2>${heading}</h2>
${list.length === 0 ? html`<p>None.</p>` : list.map(recordTable)}
</section>`

/** A row for each value, by its path. */
const recordTable = (record: object): Markup => html`<table>
${leavesOf(record).map(([path, text]) => html`<tr><th scope="row">${path}</th><td>${text}</td></tr>`)}
</table>`

const listTable = (rows: readonly object[]): Markup => {
  const [first = {}] = rows
  return html`<table>
<tr>${Object.keys(first).map((name) => html`<th scope="col">${name}</th>`)}</tr>
${rows.map((row) => html`<tr>${Object.values(row).map((value) => html`<td>${textOf(value)}</td>`)}</tr>`)}
</table>`
}

const readsTable = (reads: readonly TrailRead[]): Markup =>
  listTable(
    reads.map(({ at, key, operation, channel, scopes, recordIds }) => ({
      at,
      by: key.name,
      application: key.appId,
      endpoint: operation,
      'read through': channel ?? 'a program',
      scopes,
      records: recordIds ?? 'among many',
    })),
  )

/** `address.city`, `items[0].name` */
function leavesOf(value: unknown, path = ''): [path: string, text: string][] {
  if (Array.isArray(value) && value.some((item) => typeof item === 'object')) {
    return value.flatMap((item, at) => leavesOf(item, `${path}[${at + 1}]`))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, textOf(value)]]
  return Object.entries(value).flatMap(([name, child]) =>
    leavesOf(child, path === '' ? name : `${path}.${name}`),
  )
}

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value ?? ''))
