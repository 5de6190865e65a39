/**
 * A request as code in four languages. The reference makes it in the browser, from what is typed into a form, and the guide
 * on the server, from its examples; so this file imports nothing.
 */

/** A value of the TypeScript client: its name there, its text, and how it is written in code. */
export interface ClientValue {
  readonly name: string
  readonly value: string
  readonly type: string | undefined
}

/** How the TypeScript client makes the request. */
export interface ClientRequest {
  readonly method: string
  /** the name of the loop variable, if it returns items one after the other */
  readonly each: string | undefined
  /** the values of the path, in order */
  readonly ofPath: readonly string[]
  readonly query: readonly ClientValue[]
}

export interface RequestAsCode {
  /** the address of the interface, without a slash at its end */
  readonly base: string
  /** what follows it: path and query, encoded; `$NAME` is a variable of the environment */
  readonly path: string
  readonly isStream: boolean
  /** whether the key is sent in three headers */
  readonly hasThreeHeaders: boolean
  /** `X-LOCALE`; '' for none */
  readonly locale: string
  /** undefined if the client makes no such request */
  readonly client: ClientRequest | undefined
}

/** An address that is the same text in all four languages. */
export const addressInCode = (address: string): string =>
  address.replaceAll(/['"`$!\\]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** A line for a shell. The credentials in it are variables, so that it can be passed on. */
export function curlOf({ base, path, isStream, hasThreeHeaders, locale }: RequestAsCode): string {
  const credentials = hasThreeHeaders
    ? '-H "X-API-APP-ID: $APP_ID" -H "X-API-PUBLIC-KEY: $PUBLIC_KEY" -H "X-API-SECRET-KEY: $SECRET_KEY"'
    : '-H "Authorization: Bearer $SOJOURN_KEY"'
  const language = locale === '' ? '' : ` -H ${quoted(`X-LOCALE: ${locale}`)}`
  // Without -N, curl keeps events back until it has many of them.
  return `${isStream ? 'curl -N' : 'curl'} ${credentials}${language} ${quoted(base + path)}`
}

/** A program with the TypeScript client, which reads every page of a list; with `fetch` if the client makes no such request. */
export function clientOf(request: RequestAsCode): string {
  const { base, client, locale, hasThreeHeaders } = request
  if (client === undefined || hasThreeHeaders) return fetchOf(request)
  const { method, each, ofPath, query } = client
  const given = ofPath.map((value) => JSON.stringify(value))
  const values = query.map(({ name, value, type }) => `${name}: ${inProgram(value, type)}`)
  if (values.length > 0) given.push(`{ ${values.join(', ')} }`)
  const call = `sojourn.${method}(${given.join(', ')})`
  const language = locale === '' ? '' : `, locale: ${JSON.stringify(locale)}`
  return [
    "import { Sojourn } from '@sojourn/client'",
    '',
    `const sojourn = new Sojourn({ url: '${base}', key: process.env.SOJOURN_KEY ?? ''${language} })`,
    each === undefined
      ? `${PRINT}(await ${call})`
      : `for await (const ${each} of ${call}) {\n  ${PRINT}(${each})\n}`,
  ].join('\n')
}

/** What a program prints with; this file prints nothing. */
const PRINT = 'console.log'

function inProgram(value: string, type: string | undefined): string {
  const [, variable] = /^\$([A-Z_]+)$/.exec(value) ?? []
  if (variable !== undefined) return `process.env.${variable} ?? ''`
  if (type === 'array') return JSON.stringify(value.split(',').map((name) => name.trim()))
  const isWord = type === 'boolean' ? /^(true|false)$/ : type === 'integer' ? /^\d{1,15}$/ : undefined
  return isWord?.test(value) === true ? value : JSON.stringify(value)
}

function fetchOf(request: RequestAsCode): string {
  const headers = headersOf(request).map(({ name, before, variable, value }) =>
    variable === undefined
      ? `    '${name}': ${JSON.stringify(value)},`
      : `    '${name}': ${before === '' ? '' : `'${before}' + `}(process.env.${variable} ?? ''),`,
  )
  const url = joined(request, ' + ', JSON.stringify, (name) => `(process.env.${name} ?? '')`)
  return [
    `const answer = await fetch(${url}, {`,
    '  headers: {',
    ...headers,
    '  },',
    '})',
    `${PRINT}(await answer.text())`,
  ].join('\n')
}

/** A program in Python, with its standard library alone. */
export function pythonOf(request: RequestAsCode): string {
  const headers = headersOf(request).map(({ name, before, variable, value }) =>
    variable === undefined
      ? `    '${name}': ${JSON.stringify(value)},`
      : `    '${name}': ${before === '' ? '' : `'${before}' + `}os.environ['${variable}'],`,
  )
  const url = joined(request, ' + ', JSON.stringify, (name) => `os.environ['${name}']`)
  return [
    'import os',
    'from urllib.request import Request, urlopen',
    '',
    `request = Request(${url}, headers={`,
    ...headers,
    '})',
    'with urlopen(request) as answer:',
    ...(request.isStream
      ? ['    for line in answer:', "        print(line.decode(), end='', flush=True)"]
      : ['    print(answer.read().decode())']),
  ].join('\n')
}

/** A program in PHP, without an extension. */
export function phpOf(request: RequestAsCode): string {
  const text = (value: string) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const headers = headersOf(request).map(({ name, before, variable, value }) =>
    variable === undefined
      ? `    ${text(`${name}: ${value}`)},`
      : `    '${name}: ${before}' . getenv('${variable}'),`,
  )
  const url = joined(request, ' . ', text, (name) => `getenv('${name}')`)
  return [
    '<?php',
    "$context = stream_context_create(['http' => ['header' => [",
    ...headers,
    ']]]);',
    ...(request.isStream
      ? [
          `$answer = fopen(${url}, 'r', false, $context);`,
          'while (($line = fgets($answer)) !== false) echo $line;',
        ]
      : [`echo file_get_contents(${url}, false, $context);`]),
  ].join('\n')
}

interface CodeHeader {
  readonly name: string
  /** what precedes the variable */
  readonly before: string
  readonly variable: string | undefined
  readonly value: string
}

function headersOf({ hasThreeHeaders, locale }: RequestAsCode): CodeHeader[] {
  const of = (name: string, before: string, variable: string | undefined, value = ''): CodeHeader => ({
    name,
    before,
    variable,
    value,
  })
  const credentials = hasThreeHeaders
    ? [
        of('X-API-APP-ID', '', 'APP_ID'),
        of('X-API-PUBLIC-KEY', '', 'PUBLIC_KEY'),
        of('X-API-SECRET-KEY', '', 'SECRET_KEY'),
      ]
    : [of('Authorization', 'Bearer ', 'SOJOURN_KEY')]
  return locale === '' ? credentials : [...credentials, of('X-LOCALE', '', undefined, locale)]
}

/** The address of the request as an expression: texts, and variables between them. */
function joined(
  { base, path }: RequestAsCode,
  operator: string,
  text: (value: string) => string,
  variable: (name: string) => string,
): string {
  return (base + path)
    .split(/(\$[A-Z_]+)/)
    .filter((part) => part !== '')
    .map((part) => (/^\$[A-Z_]+$/.test(part) ? variable(part.slice(1)) : text(part)))
    .join(operator)
}
