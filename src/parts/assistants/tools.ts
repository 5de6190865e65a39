/**
 * The operations of the interface as tools of an assistant. They are read from the OpenAPI document, so whatever it
 * describes is a tool, with the same words: an operation, a parameter or a field that is added needs nothing here.
 */
import { isScope, type Scope } from '../../core/access/keys/scopes.ts'

type Fields = Readonly<Record<string, unknown>>

export interface Tool {
  /** the operationId */
  readonly name: string
  readonly title: string
  readonly description: string
  /** JSON Schema of the arguments, complete in itself */
  readonly inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown }
  /** undefined where every key may ask */
  readonly scope: Scope | undefined
  /** under `/v1`, with placeholders */
  readonly path: string
}

/** What a call asks of the interface. */
export interface Question {
  /** path and query */
  readonly target: string
  readonly locale: string | undefined
}

const LOCALE_HEADER = 'X-LOCALE'
const LOCALE = 'locale'
/** Where an operation has this parameter, an assistant asks for it: an amount without its currency is not understood. */
const DETAILS = 'includeDetails'

/** @param document OpenAPI, ours or that of the service that is asked */
export function toolsOf(document: unknown): Tool[] {
  const paths = isFields(document) && isFields(document.paths) ? document.paths : {}
  return Object.entries(paths).flatMap(([path, item]) => {
    const operation = isFields(item) && isFields(item.get) ? item.get : undefined
    // Streams of events have no end that a call could wait for.
    return operation === undefined || !answersJson(operation) ? [] : [toolOf(path, operation, document)]
  })
}

function toolOf(path: string, operation: Fields, document: unknown): Tool {
  const scope = String(operation['x-sojourn-scope'])
  const parameters = listOf(operation.parameters)
    .map((parameter) => resolved(parameter, document))
    .filter(isFields)
  const taken = parameters.flatMap((parameter) => {
    if (parameter.in !== 'header') return [{ ...parameter, name: String(parameter.name) }]
    return parameter.name === LOCALE_HEADER ? [{ ...parameter, name: LOCALE }] : []
  })
  const properties = taken.map(({ name, description, schema, example }: Fields & { name: string }) => {
    const own = inlined(schema, document)
    const examples = example === undefined ? {} : { examples: [example] }
    const whole = { ...(isFields(own) ? own : {}), description, ...examples }
    return [name, name === DETAILS ? { ...whole, default: true } : whole]
  })
  const required = taken.filter((parameter: Fields) => parameter.required === true).map(({ name }) => name)
  return {
    name: String(operation.operationId),
    title: String(operation.summary),
    description: `${String(operation.summary)}. ${String(operation.description)}`,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    },
    scope: isScope(scope) ? scope : undefined,
    path,
  }
}

/**
 * A call as a request. What is wrong with its parameters the interface says, which knows them; only what is no text of a
 * URL is refused here.
 * @returns a sentence where it is
 */
export function questionOf({ path, inputSchema }: Tool, given: Fields = {}): Question | string {
  const { [LOCALE]: locale, ...others } = given
  const query = new URLSearchParams()
  const inPath = new Map<string, string>()
  const hasDetails = isFields(inputSchema.properties) && DETAILS in inputSchema.properties
  const asked = hasDetails ? { [DETAILS]: true, ...others } : others
  for (const [name, value] of Object.entries(asked)) {
    const text = textOf(value)
    if (text === undefined) {
      return `${name} must be text, a number, true or false, or a list of these. Leave it out if it has no value.`
    }
    if (path.includes(`{${name}}`)) inPath.set(name, text)
    else query.append(name, text)
  }
  if (locale !== undefined && !isLanguageTag(locale))
    return `${LOCALE} must be a language tag such as en or pt-BR.`
  const missing = listOf(inputSchema.required).find(
    (name) => path.includes(`{${name}}`) && !inPath.get(`${name}`),
  )
  if (missing !== undefined) return `${missing} is required.`
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(inPath.get(name) ?? ''),
  )
  return { target: `/v1${filled}${query.size === 0 ? '' : `?${query}`}`, locale }
}

// It becomes a header: more than this would be refused on the way.
const isLanguageTag = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w-]{2,35}$/.test(value)

/** A list in a list is no value: nested without end it would be more than the stack holds. */
function textOf(value: unknown): string | undefined {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value]
  const isText = entries.every((entry) => ['string', 'number', 'boolean'].includes(typeof entry))
  return isText ? entries.join(',') : undefined
}

function answersJson({ responses }: Fields): boolean {
  const ok = isFields(responses) ? responses['200'] : undefined
  return isFields(ok) && isFields(ok.content) && 'application/json' in ok.content
}

/** A copy with every reference replaced by what it names: an assistant gets the schema of a tool and no document. */
function inlined(value: unknown, document: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => inlined(item, document))
  if (!isFields(value)) return value
  const named = resolved(value, document)
  if (named !== value) return inlined(named, document)
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, inlined(child, document)]))
}

function resolved(value: unknown, document: unknown): unknown {
  const reference = isFields(value) ? value.$ref : undefined
  if (typeof reference !== 'string') return value
  const steps = reference.split('/').slice(1)
  return steps.reduce<unknown>((at, step) => (isFields(at) ? at[step] : undefined), document)
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
