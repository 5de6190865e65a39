/**
 * The examples of the guide as its readers use them: with the address of the service that serves the guide, and each
 * request in four languages.
 */
import { clientCall, typeInCode } from '../openapi/client-calls.ts'
import type { JsonObject } from '../openapi/json.ts'
import { addressInCode, type ClientRequest, clientOf, phpOf, pythonOf } from '../openapi/programs.ts'
import type { Schema, Schemas } from '../openapi/schema-view.ts'

/** The address in the Markdown: that of the demo. */
const WRITTEN = 'http://127.0.0.1:8080'

/** What a block of code begins and ends with: every second part between them is code. */
const FENCE = '\n```'

export interface ExampleOptions {
  /** where clients reach the service, without a slash at its end; '' if that is not set: then a script uses the browser's address */
  readonly publicUrl: string
  /** the OpenAPI document */
  readonly document: JsonObject
}

/** The part of the document that a call of the client follows from. */
interface Described {
  readonly paths: Readonly<Record<string, { readonly get?: DescribedOperation }>>
  readonly components: { readonly schemas: Schemas }
}

interface DescribedOperation {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string; readonly schema?: Schema }[]
  readonly responses: Readonly<
    Record<string, { readonly content?: { readonly 'application/json'?: { readonly schema: Schema } } }>
  >
}

export type ShownCode = { readonly hasAddress: boolean } & (
  | { readonly language: string; readonly text: string }
  | { readonly programs: readonly { title: string; language: string; text: string }[] }
)

/** The examples of a page with the address that is set. Outside of code, the demo's address means the demo. */
export const withAddress = (markdown: string, publicUrl: string): string =>
  publicUrl === ''
    ? markdown
    : markdown
        .split(FENCE)
        .map((part, index) => (index % 2 === 1 ? part.replaceAll(WRITTEN, addressInCode(publicUrl)) : part))
        .join(FENCE)

/** How a block of code is shown: a block that is a request, or several, as each of these in each language. */
export const shownCode =
  ({ publicUrl, document }: ExampleOptions) =>
  (language: string, text: string): readonly ShownCode[] => {
    const hasAddress = publicUrl === '' && text.includes(WRITTEN)
    const base = `${publicUrl === '' ? WRITTEN : addressInCode(publicUrl)}/v1`
    const requests = language === 'sh' ? text.split('\n').map((line) => readCurl(line, base)) : []
    if (!requests.every((one) => one !== undefined) || requests.length === 0)
      return [{ language, text, hasAddress }]
    return requests.map((request) => {
      const [path = '', query = ''] = request.path.split('?')
      // The document comes from document.ts and has this form.
      const client = clientRequest(document as unknown as Described, path, query)
      const asCode = { ...request, base, client }
      return {
        hasAddress,
        programs: [
          { title: 'curl', language, text: request.line },
          { title: 'TypeScript', language: 'ts', text: clientOf(asCode) },
          { title: 'Python', language: 'python', text: pythonOf(asCode) },
          { title: 'PHP', language: 'php', text: phpOf(asCode) },
        ],
      }
    })
  }

const LINE = /^curl (-N )?((?:-H "[^"]*" )+)"([^"]*)"$/

/** @returns undefined for what is more than a request to the interface */
function readCurl(line: string, base: string) {
  const [, isStream, headers = '', url = ''] = LINE.exec(line) ?? []
  if (!url.startsWith(`${base}/`)) return undefined
  const [, locale = ''] = /"X-LOCALE: ([^"]*)"/.exec(headers) ?? []
  return {
    line,
    path: url.slice(base.length),
    isStream: isStream !== undefined,
    hasThreeHeaders: headers.includes('X-API-SECRET-KEY'),
    locale,
  }
}

/** How the client makes it; undefined if it does not, as with a format that is a file. */
function clientRequest(
  { paths, components }: Described,
  path: string,
  query: string,
): ClientRequest | undefined {
  const found = Object.entries(paths)
    .flatMap(([pattern, { get }]) => (get === undefined ? [] : [{ pattern, get }]))
    .map(({ pattern, get }) => ({ pattern, get, ofPath: valuesOfPath(pattern, path) }))
    // `/orders/control` is no order.
    .sort((a, b) => (a.ofPath?.length ?? 0) - (b.ofPath?.length ?? 0))
    .find(({ ofPath }) => ofPath !== undefined)
  if (found?.ofPath === undefined) return undefined
  const { pattern, get, ofPath } = found
  const answer = get.responses['200']?.content?.['application/json']?.schema
  const call = clientCall(pattern, get, answer, components.schemas)
  const given = [...new URLSearchParams(query)]
  if (call === undefined || given.some(([name]) => call.names?.[name] === '')) return undefined
  const schemaOf = (name: string) => get.parameters.find((one) => one.name === name)?.schema
  return {
    method: call.method,
    each: call.each,
    ofPath,
    query: given.map(([name, value]) => ({
      name: call.names?.[name] ?? name,
      value,
      type: typeInCode(schemaOf(name) ?? {}),
    })),
  }
}

/** The values of `/orders/{uuid}` in a path; undefined if it is another one. */
function valuesOfPath(pattern: string, path: string): readonly string[] | undefined {
  const names = pattern.split('/')
  const parts = path.split('/')
  if (names.length !== parts.length) return undefined
  const values: string[] = []
  for (const [at, name] of names.entries()) {
    const part = parts[at] ?? ''
    if (name.startsWith('{')) values.push(decodeURIComponent(part))
    else if (name !== part) return undefined
  }
  return values
}
