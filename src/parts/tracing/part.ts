import type { Part } from '../../core/part.ts'

/** Spans of requests for a collector of OpenTelemetry; loaded only if there is one. */
export const tracing: Part = {
  name: 'tracing',
}
