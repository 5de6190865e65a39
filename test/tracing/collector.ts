/** A collector of OpenTelemetry on this machine: OTLP/HTTP with the spans that it has got. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Tracing } from '../../src/core/monitoring/tracing.ts'
import { openTracing } from '../../src/parts/tracing/open-tracing.ts'
import { afterwards } from '../support/database.ts'

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string
  readonly name: string
  /** 1 internal, 2 server, 3 client */
  readonly kind: number
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  /** 2: an error */
  readonly status: number
}

export interface Collector {
  readonly url: string
  /** the bodies, as they were sent */
  readonly bodies: Buffer[]
  readonly spans: () => readonly ReceivedSpan[]
  /** answers with 200 unless a test replaces it */
  answer: (request: IncomingMessage, response: ServerResponse) => void
  close(): Promise<void>
}

export async function startCollector(port = 0): Promise<Collector> {
  const bodies: Buffer[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks))
      collector.answer(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    spans: () => bodies.flatMap(spansOf),
    answer: (_, response) => void response.writeHead(200).end(),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  afterwards(() => collector.close())
  return collector
}

/** Opens tracing as a service does that has these variables. The exporter reads them from the process itself. */
export function traceWith(
  variables: Readonly<Record<string, string>>,
  onChange: (sentence: string) => void = () => {},
): Tracing {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, variables)
  try {
    return openTracing({ env: process.env, onChange })
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}

/** A field of a protobuf message: its number, and its bytes, or its number if it is one. */
type Field = readonly [number: number, value: Buffer | number]

function fieldsOf(bytes: Buffer): Field[] {
  const fields: Field[] = []
  let at = 0
  const varint = () => {
    let value = 0
    let factor = 1
    for (;;) {
      const byte = bytes[at] ?? 0
      at += 1
      value += (byte & 127) * factor
      if (byte < 128) return value
      factor *= 128
    }
  }
  while (at < bytes.length) {
    const tag = varint()
    const type = tag & 7
    if (type === 0) fields.push([tag >> 3, varint()])
    else {
      const length = type === 2 ? varint() : type === 1 ? 8 : 4
      fields.push([tag >> 3, bytes.subarray(at, at + length)])
      at += length
    }
  }
  return fields
}

/** The messages in one field of a message. */
const within = (bytes: Buffer, field: number) =>
  fieldsOf(bytes).flatMap(([number, value]) => (number === field && Buffer.isBuffer(value) ? [value] : []))

function scalarOf(any: Buffer | undefined): string | number | boolean {
  const [field] = any === undefined ? [] : fieldsOf(any)
  const [kind, value] = field ?? [1, '']
  if (Buffer.isBuffer(value)) return value.toString()
  return kind === 2 ? value === 1 : value
}

/** Of an ExportTraceServiceRequest: resources, scopes, spans. */
function spansOf(body: Buffer): ReceivedSpan[] {
  return within(body, 1)
    .flatMap((resource) => within(resource, 2))
    .flatMap((scope) => within(scope, 2))
    .map((span) => {
      const fields = new Map(fieldsOf(span))
      const bytes = (number: number) => {
        const value = fields.get(number)
        return Buffer.isBuffer(value) ? value : Buffer.alloc(0)
      }
      const attributes = within(span, 9).map((pair) => [
        within(pair, 1)[0]?.toString() ?? '',
        scalarOf(within(pair, 2)[0]),
      ])
      const status = new Map(fieldsOf(bytes(15)))
      return {
        traceId: bytes(1).toString('hex'),
        spanId: bytes(2).toString('hex'),
        parentId: bytes(4).toString('hex'),
        name: bytes(5).toString(),
        kind: Number(fields.get(6) ?? 0),
        attributes: Object.fromEntries(attributes),
        status: Number(status.get(3) ?? 0),
      }
    })
}
