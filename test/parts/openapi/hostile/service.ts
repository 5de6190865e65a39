/** A service over two centers with the same identifiers, and what is wrong with its answer to a hostile request. */
import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { Scope } from '../../../../src/core/access/keys/scopes.ts'
import { ERROR_CATALOGUE } from '../../../../src/core/errors/catalogue.ts'
import { answerName } from '../../../../src/parts/openapi/schemas.ts'
import { OPERATIONS } from '../../../../src/parts.ts'
import { startTestApi, type TestKey } from '../../../support/api.ts'
import { openTestDatabase } from '../../../support/database.ts'
import { schemaChecker } from '../../../support/json-schema.ts'
import { listen } from '../../../support/socket.ts'
import { LODGE_MARK, SPA_MARK, twinCenters } from '../../../support/twin-centers.ts'
import { watchDatabase } from '../../../support/watched-database.ts'
import { LODGE } from '../../../support/world.ts'
import type { Document, HostileRequest, Who } from './requests.ts'

interface Answer {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

/** In the twins' records, and the scope that each needs. */
const SCOPE_OF_TEXT: readonly [RegExp, Scope][] = [
  [/-pin\b|\bstreet\b|1980-01-12/, 'guests.personal'],
  [/\b(diagnoses|medical|psychiatricExam|ultrasoundNotes|medicalConditions)"/, 'guests.medical'],
  [/\bpayment"/, 'guests.financial'],
]

const SCOPES: Readonly<Record<Exclude<Who, 'nobody'>, readonly Scope[]>> = {
  all: ['guests', 'guests.personal', 'guests.medical', 'guests.financial', 'meals', 'sessions', 'orders'],
  lodge: ['guests', 'guests.personal', 'guests.medical', 'guests.financial', 'meals', 'sessions', 'orders'],
  narrow: ['guests'],
  kitchen: ['meals'],
}

/** No request needs more: the key, the center's profile, the rows and what they refer to. */
const STATEMENTS_MAX = 12
/** Of a refusal, whatever was asked. */
const REFUSAL_BYTES_MAX = 32_768

export async function startHostileService() {
  const watched = watchDatabase(await openTestDatabase())
  const api = await startTestApi({
    database: watched.database,
    records: twinCenters(),
    now: '2025-06-01T12:00:00Z',
    app: { failedCredentialsPerMinute: 1_000_000_000, answerCacheMb: 1 },
  })
  const keys: Partial<Record<Who, TestKey>> = {}
  for (const who of ['all', 'narrow', 'kitchen', 'lodge'] as const) {
    keys[who] = await api.createKey({ scopes: SCOPES[who], ...(who === 'lodge' ? { center: LODGE } : {}) })
  }
  const port = await listen(api.app)
  const document = (await api.as(undefined).get('/v1/openapi.json')).body as unknown as Document
  const problemsOf = schemaChecker(document)

  /** How often each status was answered; 0 where the connection was closed without an answer. */
  const statuses: Record<number, number> = {}

  /** @returns what is wrong with the answer; nothing where all is well */
  async function problemsWith(request: HostileRequest): Promise<string[]> {
    watched.sent.length = 0
    const answer = await send(port, bytesOf(request, keys[request.who]))
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    // The trail is written when its time has come.
    const statements = watched.sent.filter(({ by }) => by !== 'transaction').length
    const problems = statements <= STATEMENTS_MAX ? [] : [`${statements} statements`]
    if (answer.status >= 400) return [...problems, ...problemsOfRefusal(request, answer)]
    if (answer.status !== 200 || request.method === 'HEAD') return problems
    return [...problems, ...problemsOfAnswer(request, answer)]
  }

  function problemsOfAnswer(
    { who, target, method }: HostileRequest,
    { body, contentType }: Answer,
  ): string[] {
    const problems: string[] = []
    if (body.includes(who === 'lodge' ? SPA_MARK : LODGE_MARK)) problems.push('shows the other center')
    if (who === 'nobody') {
      if (body.includes(SPA_MARK)) problems.push('shows a center to nobody')
      return problems
    }
    for (const [text, scope] of SCOPE_OF_TEXT) {
      // The list of fields has all their names, and examples of nobody, as the documentation has; what a key sees has names too.
      if (/^(\/v1)?\/(fields|me)\b/.test(target)) break
      // An order has a street and a payment of its own.
      if (text.test(body) && !SCOPES[who].includes(scope) && !SCOPES[who].includes('orders')) {
        problems.push(`shows what needs ${scope}`)
      }
    }
    const path = target
      .replace(/\?.*$/s, '')
      .replace(/^\/v1(?=\/)/, '')
      .replace(/\/$/, '')
    const leadsTo = (template: string) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)
    // A path without placeholders goes before one that would take its last part for a value.
    const operation =
      OPERATIONS.find(({ paths }) => paths.includes(path)) ??
      OPERATIONS.find(({ paths }) => paths.some(leadsTo))
    if (operation === undefined || method !== 'GET') return problems
    if (operation.scope !== 'any' && !SCOPES[who].includes(operation.scope))
      problems.push('needs another scope')
    // A file has no schema, and a calendar neither.
    if (!contentType.startsWith('application/json')) return problems
    return [...problems, ...problemsOf(answerName(operation), JSON.parse(body)).slice(0, 3)]
  }

  return { document, problemsWith, statuses }
}

function problemsOfRefusal({ method }: HostileRequest, { status, contentType, body }: Answer): string[] {
  if (status >= 500) return [`answers ${status}: ${body.slice(0, 500)}`]
  if (method === 'HEAD') return body === '' ? [] : ['HEAD has a body']
  if (!contentType.startsWith('application/json')) return [`is a ${status} of ${contentType}`]
  if (Buffer.byteLength(body) > REFUSAL_BYTES_MAX) return [`a refusal of ${body.length} characters`]
  const { error } = JSON.parse(body)
  const problems = Object.hasOwn(ERROR_CATALOGUE, error.code) ? [] : [`has the code ${error.code}`]
  if (typeof error.message !== 'string' || typeof error.requestId !== 'string')
    problems.push('has no error body')
  if (/\bat .+\.[jt]s:\d+|node_modules|\/src\//.test(body)) problems.push('shows where it was thrown')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(body))
    problems.push('repeats a control')
  return problems
}

function bytesOf({ method, target, headers, body }: HostileRequest, key: TestKey | undefined): Buffer {
  const own: [string, string][] = Object.entries(key?.headers ?? {})
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  if (!names.has('host')) own.unshift(['Host', 'localhost'])
  if (body !== '' && !names.has('content-length')) own.push(['Content-Length', String(body.length)])
  const lines = [...own, ...headers].map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`${[`${method} ${target} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body}`, 'latin1')
}

/** @returns the first answer; status 0 where the connection was closed without one */
function send(port: number, bytes: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let received: Buffer = Buffer.alloc(0)
    let isOver = false
    const finish = (answer: Answer) => {
      isOver = true
      // Without the minute that a closed connection keeps its port.
      socket.resetAndDestroy()
      resolve(answer)
    }
    const method = bytes.toString('latin1', 0, 5)
    socket.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const answer = isOver ? undefined : complete(received, method === 'HEAD ')
      if (answer !== undefined) finish(answer)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      if (!isOver) finish({ status: 0, contentType: '', body: received.toString('latin1') })
    })
    socket.setTimeout(20_000, () => reject(new Error(`no answer to ${bytes.toString('latin1', 0, 500)}`)))
  })
}

function complete(received: Buffer, isHead: boolean): Answer | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = received.toString('latin1', 0, end)
  const status = Number(head.slice(9, 12))
  const rest = received.subarray(end + 4)
  if (status === 100) return complete(rest, isHead)
  const contentType = /^content-type: (.*)$/im.exec(head)?.[1] ?? ''
  if (isHead || status === 204 || status === 304) return { status, contentType, body: '' }
  const length = /^content-length: (\d+)$/im.exec(head)?.[1]
  if (length !== undefined) {
    if (rest.length < Number(length)) return undefined
    return { status, contentType, body: decoded(rest.subarray(0, Number(length)), head) }
  }
  if (!rest.includes('0\r\n\r\n')) return undefined
  return { status, contentType, body: decoded(unchunked(rest), head) }
}

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
}

/** A text that may not be shown would not be found in a compressed answer. */
function decoded(bytes: Buffer, head: string): string {
  const encoding = /^content-encoding: (.*)$/im.exec(head)?.[1]
  const decode = encoding === undefined ? undefined : DECODERS[encoding]
  return (decode === undefined ? bytes : decode(bytes)).toString('utf8')
}

function unchunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  let at = 0
  while (at < bytes.length) {
    const end = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16)
    if (!(size > 0)) break
    parts.push(bytes.subarray(end + 2, end + 2 + size))
    at = end + 4 + size
  }
  return Buffer.concat(parts)
}
