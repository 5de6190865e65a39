/** Loads what sends traces, for a service that has a collector. */
import type { TracingOptions } from '../tracing/open-tracing.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { CommandError } from './context.ts'

/** The packages that an operator installs who wants traces, with their versions. */
const INSTALL =
  'npm install @opentelemetry/api@1.10.0 @opentelemetry/sdk-trace@3.1.1 @opentelemetry/resources@3.1.1 @opentelemetry/exporter-trace-otlp-proto@0.301.1'

/** @throws {CommandError} if the packages are not installed, or a variable cannot be read */
export async function loadTracing(options: TracingOptions): Promise<Tracing> {
  const { openTracing, TracingError } = await import('../tracing/open-tracing.ts').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') {
      throw new CommandError(
        `OTEL_EXPORTER_OTLP_ENDPOINT is set, and the packages that send traces are not installed. Run "${INSTALL}", or remove the variable.`,
      )
    }
    throw error
  })
  try {
    return openTracing(options)
  } catch (error) {
    throw error instanceof TracingError ? new CommandError(error.message) : error
  }
}
