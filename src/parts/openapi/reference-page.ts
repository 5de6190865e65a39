/**
 * The reference at `/docs`, made from the OpenAPI document. It is readable without scripts; with `assets/reference.js`,
 * every request can be sent from it. It loads nothing from other hosts.
 */
import { CALENDAR_TYPE } from '../../core/request/calendar.ts'
import { type ClientCall, clientCall, typeInCode } from './client-calls.ts'
import { guide } from './guide.ts'
import type { JsonObject } from './json.ts'
import { html, type Markup, prose, wholePage } from './markup.ts'
import { asTyped, resolve, type Schema, type Schemas, schemaTable, typeInWords } from './schema-view.ts'

interface ParameterObject {
  readonly $ref?: string
  readonly name: string
  readonly in: 'query' | 'path' | 'header'
  readonly required?: boolean
  readonly description: string
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { value: unknown }>>
}

interface ResponseObject {
  readonly $ref?: string
  readonly description: string
  readonly content?: {
    readonly 'application/json'?: { readonly schema: Schema; readonly example?: unknown }
    readonly 'text/event-stream'?: { readonly example: string }
    readonly [CALENDAR_TYPE]?: { readonly example: string }
  }
}

interface OperationObject {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly parameters: readonly ParameterObject[]
  readonly responses: Readonly<Record<string, ResponseObject>>
}

interface ActionObject extends OperationObject {
  readonly requestBody: {
    readonly content: { readonly 'application/json': { readonly schema: Schema; readonly example: unknown } }
  }
}

/** The part of the document that the page shows. */
interface Document {
  readonly info: { title: string; version: string; description: string }
  readonly paths: Readonly<Record<string, { get?: OperationObject; post?: ActionObject }>>
  readonly components: {
    readonly schemas: Schemas
    readonly headers: Readonly<Record<string, { description: string }>>
    readonly responses: Readonly<Record<string, ResponseObject>>
  }
}

export function referencePage(json: JsonObject): string {
  // The document comes from document.ts and has this form.
  const document = json as unknown as Document
  const paths = Object.entries(document.paths)
  const operations = paths.flatMap(([path, { get }]) =>
    get === undefined ? [] : [{ operation: get, section: () => section(path, get, document) }],
  )
  const actions = paths.flatMap(([path, { post }]) =>
    post === undefined ? [] : [{ operation: post, section: () => actionSection(path, post, document) }],
  )
  // In the order of the document, which is that of the interface.
  const all = [...operations, ...actions]
  const { title, version, description } = document.info
  return wholePage({
    title: `${title} reference`,
    head: html`<link rel="stylesheet" href="docs/reference.css">
<script type="module" src="docs/reference.js"></script>`,
    body: html`<header>
<a class="name" href="#top">${title}</a> <span class="version">${version}</span>
<nav aria-label="Operations">
<a href="docs/guide">Guide</a>
<a href="#guide">Getting started</a>
<a href="#credentials">Credentials</a>
${all.map(({ operation }) => html`<a href="#${operation.operationId}">${operation.summary}</a>`)}
<a href="#answer-headers">Headers</a>
<a href="v1/openapi.json">OpenAPI</a>
</nav>
</header>
<main id="top">
<h1>Reference</h1>
${prose(description)}
${guide()}
${credentials()}
${all.map((one) => one.section())}
<section id="answer-headers">
<h2>Headers of answers</h2>
<dl>${Object.entries(document.components.headers).map(
      ([name, header]) => html`<dt><code>${name}</code></dt><dd>${prose(header.description)}</dd>`,
    )}</dl>
</section>
</main>`,
  })
}

function credentials(): Markup {
  const field = (name: string, label: string, kind: string, hint: string) =>
    html`<label>${label}<input name="${name}" type="${kind}" autocomplete="off" spellcheck="false" placeholder="${hint}"></label>`
  return html`<section id="credentials">
<h2>Credentials</h2>
<p>Give a key in either form to try the requests below. What you type stays in this tab: it is not stored, and sent
nowhere but to this service.</p>
<form id="key" autocomplete="off">
<fieldset><legend>One string</legend>
${field('apiKey', 'Bearer', 'password', 'sjn_key_…')}
</fieldset>
<fieldset><legend>or three headers</legend>
${field('appId', 'X-API-APP-ID', 'text', 'sjn_app_…')}
${field('publicKey', 'X-API-PUBLIC-KEY', 'text', 'sjn_pk_…')}
${field('secretKey', 'X-API-SECRET-KEY', 'password', 'sjn_sk_…')}
</fieldset>
<fieldset><legend>Language</legend>
${field('locale', 'X-LOCALE', 'text', 'the center’s own')}
</fieldset>
</form>
</section>`
}

function section(path: string, operation: OperationObject, { components }: Document): Markup {
  const id = operation.operationId
  const parameters = operation.parameters.filter(
    (parameter) => parameter.$ref === undefined && parameter.in !== 'header',
  )
  const content = operation.responses['200']?.content
  const answer = content?.['application/json']
  const call = clientCall(path, operation, answer?.schema, components.schemas)
  const example =
    content?.['text/event-stream']?.example ??
    content?.[CALENDAR_TYPE]?.example ??
    JSON.stringify(answer?.example, undefined, 2)
  return html`<section id="${id}" class="operation">
<h2>${operation.summary}</h2>
<p class="path"><b>GET</b> <code>/v1${path}</code></p>
${prose(operation.description)}
<form class="try" data-path="${path}"${callAttributes(call)} autocomplete="off">
<h3>Parameters</h3>
<table class="parameters"><tbody>
${parameters.map((parameter) => parameterRow(id, parameter, components.schemas, call?.names))}
</tbody></table>
<p class="actions"><button type="submit">Send</button> <button type="button" data-act="example">Fill in an example</button> <button type="reset">Clear</button></p>
<div class="programs">
${line('curl', 'curl', 'The request as a line for a shell')}
${call === undefined ? undefined : line('client', 'TypeScript', 'The request in TypeScript')}
${line('python', 'Python', 'The request in Python')}
${line('php', 'PHP', 'The request in PHP')}
</div>
<div class="answer" aria-live="polite" hidden></div>
</form>
<details><summary>Example of an answer</summary><pre tabindex="0" aria-label="Example of an answer"><code>${example}</code></pre></details>
${
  answer === undefined
    ? undefined
    : html`<details><summary>Every field of an answer</summary>${schemaTable(`${operation.summary}: every field of an answer`, resolve(answer.schema, components.schemas), components.schemas)}</details>`
}
<details><summary>Other answers</summary>${otherAnswers(operation, components.responses)}</details>
</section>`
}

/** An action has no form: a page of documentation is not where a person confirms something. */
function actionSection(path: string, action: ActionObject, { components }: Document): Markup {
  const { schema, example } = action.requestBody.content['application/json']
  const answer = action.responses['200']?.content?.['application/json']
  const [key] = action.parameters
  const curl = `curl -X POST -H "Authorization: Bearer $SOJOURN_KEY" -H "Content-Type: application/json" -H "Idempotency-Key: ${asTyped(key?.example)}" -d '${JSON.stringify(example)}' "/v1${path}"`
  return html`<section id="${action.operationId}" class="operation">
<h2>${action.summary}</h2>
<p class="path"><b>POST</b> <code>/v1${path}</code></p>
${prose(action.description)}
<div class="curl"><pre tabindex="0" aria-label="The request as a line for a shell"><code data-address>${curl}</code></pre></div>
<details><summary>Every field of the body</summary>${schemaTable(`${action.summary}: every field of the body`, schema, components.schemas)}</details>
<details><summary>Example of an answer</summary><pre tabindex="0" aria-label="Example of an answer"><code>${JSON.stringify(answer?.example, undefined, 2)}</code></pre></details>
${
  answer === undefined
    ? undefined
    : html`<details><summary>Every field of an answer</summary>${schemaTable(`${action.summary}: every field of an answer`, resolve(answer.schema, components.schemas), components.schemas)}</details>`
}
<details><summary>Other answers</summary>${otherAnswers(action, components.responses)}</details>
</section>`
}

/** The place where a script shows the form's request as code. */
const line = (form: 'curl' | 'client' | 'python' | 'php', name: string, label: string): Markup =>
  html`<div class="curl"><h4>${name}</h4><pre tabindex="0" aria-label="${label}"><code data-line="${form}"></code></pre><button type="button" data-act="copy">Copy</button></div>`

function callAttributes(call: ClientCall | undefined): Markup | undefined {
  if (call === undefined) return undefined
  return html` data-method="${call.method}"${call.each === undefined ? undefined : html` data-each="${call.each}"`}`
}

/** How a value is written in code; as text by default. */
function fieldAttributes({ name, schema }: ParameterObject, names: ClientCall['names']): Markup {
  const type = typeInCode(schema)
  const as = names?.[name]
  return html`${type === undefined ? undefined : html` data-type="${type}"`}${as === undefined ? undefined : html` data-as="${as}"`}`
}

function parameterRow(
  operation: string,
  parameter: ParameterObject,
  schemas: Schemas,
  names: ClientCall['names'],
): Markup {
  const { name, schema } = parameter
  const id = `${operation}-${name}`
  const examples = Object.values(parameter.examples ?? { only: { value: parameter.example } })
  const [first] = examples
  const example = asTyped(first?.value)
  const start = isStart(parameter) ? html` data-start="${example}"` : undefined
  const [summary = '', ...rest] = parameter.description.split('\n\n')
  const isBoolean = [schema, ...(schema.anyOf ?? [])].some(({ type }) => type === 'boolean')
  const attributes = fieldAttributes(parameter, names)
  const isChoice = schema.enum !== undefined || isBoolean
  const choices = schema.enum ?? [true, false]
  const entries = schema.items?.enum
  const input = isChoice
    ? html`<select id="${id}" name="${name}" data-in="${parameter.in}"${attributes}${start}><option value="">${
        schema.default === undefined ? 'any' : `${asTyped(schema.default)} (default)`
      }</option>${choices.map((value) => html`<option>${asTyped(value)}</option>`)}</select>`
    : html`<input id="${id}" name="${name}" data-in="${parameter.in}"${attributes}${start} placeholder="${
        schema.default === undefined ? example : asTyped(schema.default)
      }"${parameter.required === true ? html` required` : undefined}${
        entries && html` list="${id}-values"`
      } spellcheck="false">${
        entries &&
        html`<datalist id="${id}-values">${entries.map((value) => html`<option>${asTyped(value)}</option>`)}</datalist>`
      }`
  return html`<tr>
<th scope="row"><label for="${id}">${name}</label>${parameter.required === true ? html`<em>required</em>` : undefined}</th>
<td>${input}</td>
<td>${prose(summary)}<p class="type">${isChoice ? undefined : typeInWords(schema)}</p>${
    rest.length === 0
      ? undefined
      : html`<details><summary>All names</summary>${prose(rest.join('\n\n'))}</details>`
  }</td>
</tr>${schema.items?.anyOf === undefined ? undefined : fieldChoice(resolve(schema.items.anyOf[0] ?? {}, schemas), schemas)}`
}

/** These parameters are enough for a first answer; with all parameters together, no guest would match. */
const isStart = ({ name, in: place, required }: ParameterObject) =>
  place === 'path' || required === true || name === 'sessionId' || name === 'project'

/** Check boxes for `project`, grouped by the scope that a field needs. */
function fieldChoice(names: Schema, schemas: Schemas): Markup {
  const byScope = new Map<string, string[]>()
  for (const name of names.enum ?? []) {
    const scope = scopeOf(String(name), schemas.Guest ?? {}) ?? 'guests'
    byScope.set(scope, [...(byScope.get(scope) ?? []), String(name)])
  }
  return html`<tr><td colspan="3"><details class="choice"><summary>Choose fields</summary>${[...byScope].map(
    ([scope, fields]) =>
      html`<fieldset><legend>${scope}</legend>${fields.map((name) => html`<label><input type="checkbox" data-field="${name}"> ${name}</label>`)}</fieldset>`,
  )}</details></td></tr>`
}

/** The scope of a field, or of the fields below a name that means several. */
function scopeOf(name: string, guest: Schema): string | undefined {
  let at: Schema | undefined = guest
  for (const step of name.split('.')) at = at?.properties?.[step]
  const [below] = Object.values(at?.properties ?? {})
  return at?.['x-sojourn-scope'] ?? below?.['x-sojourn-scope']
}

function otherAnswers(operation: OperationObject, shared: Document['components']['responses']): Markup {
  const rows = Object.entries(operation.responses).filter(([status]) => status !== '200')
  return html`<table><tbody>${rows.map(([status, response]) => {
    const found = shared[response.$ref?.split('/').at(-1) ?? ''] ?? response
    return html`<tr><th scope="row">${status}</th><td>${prose(found.description)}</td></tr>`
  })}</tbody></table>`
}
