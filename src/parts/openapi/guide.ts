/** The introduction of the reference, for readers who have only the URL of the service and a key. */
import { html, type Markup, prose } from './markup.ts'

const ENTRIES: readonly (readonly [heading: string, text: string])[] = [
  [
    'Your key',
    'Send it with every request as `Authorization: Bearer …`, or in the three headers `X-API-APP-ID`, `X-API-PUBLIC-KEY` and `X-API-SECRET-KEY`. Both forms are the same key; one is enough. Keep it out of URLs and out of code that others can read. A 401 means that the key is missing or wrong, a 403 that it may not do this; the message says why.',
  ],
  [
    'Pages',
    '`start` is the number of the page, from 1; `length` is how many results it holds. `total` counts the results on all pages. Follow `next` in the `Link` header until there is none; without `Link`, count `start` up until you have `total` results. The list of orders has no pages.',
  ],
  [
    'Dates',
    'A day is a day at the center: `startDate=2025-01-15` is its beginning there, `endDate=2025-01-15` its end. `GET /guests` and `GET /sessions` also take timestamps such as `2025-01-15T08:00:00Z`. A stay or a session is in a range if any part of it is, so one that spans two months is in both. Timestamps in answers are UTC.',
  ],
  [
    'Languages',
    '`X-LOCALE: ro` shows labels, dates and amounts in Romanian. Those texts are for people. Programs should read `ids`, which has the raw values in every language.',
  ],
  [
    'Retrying',
    'After a 429 or a 503, wait the seconds that `Retry-After` says, then ask again. `RateLimit` on every answer says how many requests are left. After a 500, or when the connection breaks, wait a little longer each time. Do not repeat a 400, 401, 403 or 404 unchanged. Reading never changes anything, so repeating a request is always safe.',
  ],
  [
    'Asking again',
    'Keep the `ETag` of an answer and send it in `If-None-Match`. As long as the answer would be the same you get a 304 without a body.',
  ],
]

export function guide(): Markup {
  return html`<section id="guide">
<h2>Getting started</h2>
<dl class="guide">${ENTRIES.map(([heading, text]) => html`<dt>${heading}</dt><dd>${prose(text)}</dd>`)}</dl>
</section>`
}
