/**
 * Spans by the SDK of OpenTelemetry, sent over OTLP/HTTP. The one file that knows its packages, which only those install
 * who want traces. The SDK reads the standard variables of the endpoint, headers, compression and resource itself; those
 * of the sampler and of the queue are read here.
 */
import { context, type Span as SdkSpan, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import packageFile from '../../../package.json' with { type: 'json' }
import type { TraceParent } from '../../core/answer/request-ids.ts'
import type { Tracing } from '../../core/monitoring/tracing.ts'
import { createTracing, type Span, type Spans } from './tracing.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface TracingOptions {
  readonly env: Environment
  /** called when spans cannot be sent, and when they can be again */
  readonly onChange: (sentence: string) => void
}

/** In ms: a collector that does not answer in time does not get these spans. The standard is 10 s; a stop takes as long. */
const SENDING_MS = 2000
/** In ms, at the end. */
const CLOSING_MS = 1000

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL }

/** A variable that cannot be read. The message names it and what is allowed. */
export class TracingError extends Error {
  override readonly name = 'TracingError'
}

/** @throws {TracingError} */
export function openTracing({ env, onChange }: TracingOptions): Tracing {
  const own = env.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT ?? env.OTEL_EXPORTER_OTLP_TIMEOUT
  const exporter = new OTLPTraceExporter(own === undefined ? { timeoutMillis: SENDING_MS } : {})
  const provider = new TracerProvider({
    sampler: samplerOf(env),
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'sojourn', 'service.version': packageFile.version }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      // Bounded: what does not fit is dropped. One batch is sent at a time.
      new BatchSpanProcessor({
        exporter: reporting(exporter, onChange),
        maxQueueSize: numberOf(env, 'OTEL_BSP_MAX_QUEUE_SIZE', 2048),
        maxExportBatchSize: numberOf(env, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512),
        scheduledDelayMillis: numberOf(env, 'OTEL_BSP_SCHEDULE_DELAY', 5000),
        exportTimeoutMillis: numberOf(env, 'OTEL_BSP_EXPORT_TIMEOUT', 30_000),
      }),
    ],
  })
  const tracer = provider.getTracer('sojourn', packageFile.version)
  const ofSpans = new WeakMap<Span, SdkSpan>()
  const root = context.active()

  const spans: Spans = {
    begin(kind, name, attributes, parent) {
      const above = parent === undefined ? undefined : contextOf(parent)
      const span = tracer.startSpan(
        name,
        { kind: KINDS[kind], attributes },
        above === undefined ? root : trace.setSpanContext(root, above),
      )
      const { traceId, spanId, traceFlags } = span.spanContext()
      const begun: Span = {
        trace: { traceId, spanId, isSampled: (traceFlags & 1) === 1 },
        get isRecording() {
          return span.isRecording()
        },
        set: (attribute, value) => void span.setAttribute(attribute, value),
        end(failed = false) {
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
      ofSpans.set(begun, span)
      return begun
    },
    async close() {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, CLOSING_MS)
      })
      await Promise.race([provider.shutdown().catch(() => {}), late])
      clearTimeout(timer)
    },
  }
  return createTracing(spans)

  function contextOf(parent: Span | TraceParent) {
    if (!('trace' in parent)) {
      const { traceId, spanId, isSampled } = parent
      return { traceId, spanId, traceFlags: isSampled ? 1 : 0, isRemote: true }
    }
    return ofSpans.get(parent)?.spanContext()
  }
}

/** Says once that spans cannot be sent, and once that they can again, without the address of the collector. */
function reporting(exporter: SpanExporter, onChange: (sentence: string) => void): SpanExporter {
  let isFailing = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== 0
        if (failed !== isFailing) {
          isFailing = failed
          onChange(failed ? 'traces cannot be sent for now' : 'traces are sent again')
        }
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  }
}

function samplerOf(env: Environment): Sampler {
  const ratio = () => {
    const share = Number(env.OTEL_TRACES_SAMPLER_ARG ?? '1')
    if (share >= 0 && share <= 1) return new TraceIdRatioBasedSampler(share)
    throw new TracingError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.')
  }
  const below = (sampler: Sampler) => new ParentBasedSampler({ root: sampler })
  const samplers: Readonly<Record<string, () => Sampler>> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: ratio,
    parentbased_always_on: () => below(new AlwaysOnSampler()),
    parentbased_always_off: () => below(new AlwaysOffSampler()),
    parentbased_traceidratio: () => below(ratio()),
  }
  const name = env.OTEL_TRACES_SAMPLER || 'parentbased_always_on'
  const sampler = samplers[name]
  if (sampler !== undefined) return sampler()
  throw new TracingError(`OTEL_TRACES_SAMPLER must be one of ${Object.keys(samplers).join(', ')}.`)
}

function numberOf(env: Environment, name: string, otherwise: number): number {
  const text = env[name]
  if (text === undefined || text === '') return otherwise
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new TracingError(`${name} must be a whole number above 0.`)
}
