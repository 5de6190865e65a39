/** Requests made from the OpenAPI document: each operation, parameter, header and method with values that nobody means well by. */

import fc from 'fast-check'
import { STREAMS } from '../../../../src/parts.ts'
import { LODGE_MARK, LODGE_ONLY, UUID } from '../../../support/twin-centers.ts'
import { nastyText } from './values.ts'

/** In latin1, one character a byte. */
export interface HostileRequest {
  readonly who: Who
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/** Whose key it carries. `lodge` is of the other center, `narrow` may read guests without any further scope. */
export const WHO = ['all', 'narrow', 'kitchen', 'lodge', 'nobody'] as const
export type Who = (typeof WHO)[number]

interface DocumentedParameter {
  readonly name: string
  readonly in: string
  readonly schema?: {
    readonly enum?: readonly unknown[]
    readonly items?: { readonly enum?: readonly unknown[] }
  }
}

export interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly parameters?: readonly DocumentedParameter[] }>>>
  >
}

/** Values that are answered: of the centers that are asked, the other's among them. */
const GOOD: Readonly<Record<string, readonly string[]>> = {
  startDate: ['2025-01-01', '2024-03-01', '2025-01-01T00:00:00Z'],
  endDate: ['2025-01-31', '2025-12-31', '2025-01-31T23:59:59Z'],
  sessionId: ['s-1', LODGE_ONLY.session],
  sessionIds: ['s-1,s-2', `s-1,${LODGE_ONLY.session}`],
  sessionIdsExclude: ['s-2', LODGE_ONLY.session],
  uuid: [UUID, LODGE_ONLY.order, LODGE_ONLY.opaqueOrder],
  start: ['1', '2'],
  length: ['1', '100'],
  project: [
    'name,pin,dob,email,address.street',
    'medicalLetter.diagnoses,medicalData.notes,formData.medicalConditions',
    'financial.total,financial.deposit,financial.fullPayment.notes',
    'meta.shared,meta.stayNote,orderNumber',
    `meta.${LODGE_MARK}Only`,
  ],
}

/** Bytes that a URL takes as they are; the others are escaped, or sent raw now and then. */
const escaped = (text: string) =>
  text.replaceAll(/[^\w.~,:-]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
/** Without what would end the request line. */
const raw = (text: string) => text.replaceAll(/[\r\n ]/g, '+')
const onTheWire = (text: string) => fc.constantFrom(escaped(text), escaped(text), escaped(text), raw(text))

function hostileValue({ name, schema }: DocumentedParameter): fc.Arbitrary<string> {
  const documented = (schema?.enum ?? schema?.items?.enum ?? []).map(String)
  const good = [...(GOOD[name] ?? []), ...documented.slice(0, 12)]
  if (good.length === 0) good.push('true', 'false')
  return fc.oneof(
    // Most are good, so that a request is not refused for another one of its parameters.
    { weight: 12, arbitrary: fc.constantFrom(...good) },
    { weight: 1, arbitrary: nastyText },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...good), nastyText).map(([a, b]) => `${a}${b}`) },
  )
}

function queryOf(parameters: readonly DocumentedParameter[]): fc.Arbitrary<string> {
  const pair = (parameter: DocumentedParameter) =>
    hostileValue(parameter)
      .chain(onTheWire)
      .map((value) => `${parameter.name}=${value}`)
  const known = fc.tuple(
    ...parameters.map((parameter) => {
      // Without its dates or a session nearly everything is refused for that alone, and fields need scopes.
      const isNeeded = /^(startDate|endDate|project)$/.test(parameter.name)
      return fc.option(pair(parameter), { nil: undefined, freq: isNeeded ? 8 : 1 })
    }),
  )
  const unknown = fc.tuple(nastyText, nastyText).chain(([name, value]) => onTheWire(`${name}=${value}`))
  const again = parameters.length === 0 ? unknown : fc.constantFrom(...parameters).chain(pair)
  return fc
    .tuple(
      known,
      fc.oneof(
        { weight: 6, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.oneof(unknown, again, nastyText.map(raw)) },
      ),
    )
    .map(([pairs, extra]) => [...pairs, extra].filter((one) => one !== undefined).join('&'))
}

function targetsOf(document: Document): fc.WeightedArbitrary<string>[] {
  // A client that asks for a stream waits without end.
  const ending = Object.entries(document.paths).filter(
    ([path]) => !STREAMS.some(({ paths }) => paths[0] === path),
  )
  return ending.map(([template, methods]) => {
    const parameters = methods.get?.parameters ?? []
    const [inPath, inQuery] = [
      parameters.filter((one) => one.in === 'path'),
      parameters.filter((one) => one.in === 'query'),
    ]
    const path = fc
      .tuple(...inPath.map((one) => hostileValue(one).chain(onTheWire)))
      .map((values) =>
        inPath.reduce((text, { name }, at) => text.replace(`{${name}}`, values[at]!), template),
      )
    const arbitrary = fc
      .tuple(fc.constantFrom('/v1', '/v1', ''), path, queryOf(inQuery))
      .map(([prefix, text, query]) => `${prefix}${text}${query === '' ? '' : `?${query}`}`)
    // Most has to be refused where there is the most to read.
    return { weight: 1 + Math.floor(inQuery.length / 4), arbitrary }
  })
}

const METHODS = [
  'HEAD',
  'OPTIONS',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'TRACE',
  'PROPFIND',
  'get',
  'FOO',
  'G\xc3\x8bT',
]

const HEADERS = [
  ...[
    'X-LOCALE',
    'If-None-Match',
    'If-Modified-Since',
    'Accept',
    'Accept-Encoding',
    'Accept-Language',
    'Range',
    'Origin',
  ],
  ...[
    'Authorization',
    'X-API-APP-ID',
    'X-API-PUBLIC-KEY',
    'X-API-SECRET-KEY',
    'Cookie',
    'Expect',
    'Connection',
    'Upgrade',
  ],
  ...[
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'Forwarded',
    'X-HTTP-Method-Override',
    'Content-Type',
    'Content-Encoding',
    'TE',
  ],
  ...[
    'X-Original-URL',
    'X-Request-Id',
    'Transfer-Encoding',
    'Content-Length',
    'Host',
    '__proto__',
    'Referer',
    'User-Agent',
  ],
]

/** Without what would end the header. */
const inHeader = (text: string) => text.replaceAll(/[\r\n]/g, ' ')

const header = fc.tuple(
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...HEADERS) },
    { weight: 1, arbitrary: nastyText.map((name) => inHeader(name).replaceAll(/[: ]/g, '-') || 'x') },
  ),
  nastyText.map(inHeader),
)

export function hostileRequests(document: Document): fc.Arbitrary<HostileRequest> {
  const documented = fc.oneof(...targetsOf(document))
  const elsewhere = nastyText.map((text) => `/${raw(text)}`)
  return fc.record({
    who: fc.oneof(
      { weight: 4, arbitrary: fc.constant('all' as const) },
      { weight: 3, arbitrary: fc.constantFrom(...WHO) },
    ),
    method: fc.oneof(
      { weight: 12, arbitrary: fc.constant('GET') },
      { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
    ),
    target: fc.oneof({ weight: 20, arbitrary: documented }, { weight: 1, arbitrary: elsewhere }),
    headers: fc.oneof(
      { weight: 60, arbitrary: fc.constant([]) },
      { weight: 40, arbitrary: fc.array(header, { minLength: 1, maxLength: 3 }) },
      { weight: 2, arbitrary: fc.array(header, { minLength: 100, maxLength: 300 }) },
    ),
    body: fc.oneof({ weight: 20, arbitrary: fc.constant('') }, { weight: 1, arbitrary: nastyText }),
  })
}
