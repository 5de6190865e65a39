/** Loads what sends traces, for a service that has a collector. */
import packageFile from '../../../package.json' with { type: 'json' }
import type { CommandContext } from '../../core/command-line/context.ts'
import { CommandError } from '../../core/command-line/context.ts'
import type { Config } from '../../core/config/config.ts'
import type { Tracing } from '../../core/monitoring/tracing.ts'
import type { TracingOptions } from './open-tracing.ts'

/** What an operator runs who wants traces. The newest version of the major one is in the range. */
export const INSTALL_TRACING = Object.entries(packageFile.peerDependencies).reduce(
  (command, [name, range]) => `${command} ${name}@${/\d+/.exec(range)}`,
  'npm install',
)

/** @throws {CommandError} if the packages are not installed, or a variable cannot be read */
export async function loadTracing(options: TracingOptions): Promise<Tracing> {
  const { openTracing, TracingError } = await import('./open-tracing.ts').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') {
      throw new CommandError(
        `OTEL_EXPORTER_OTLP_ENDPOINT is set, and the packages that send traces are not installed. Run "${INSTALL_TRACING}", or remove the variable.`,
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

/** Loads the SDK of OpenTelemetry, only for those who have set a collector. @throws if it is not installed */
export async function traceTo(
  { otlpEndpoint, otlpTracesEndpoint }: Config,
  stderr: CommandContext['stderr'],
): Promise<Tracing | undefined> {
  if ((otlpEndpoint ?? otlpTracesEndpoint) === undefined || process.env.OTEL_SDK_DISABLED === 'true') {
    return undefined
  }
  return loadTracing({ env: process.env, onChange: (sentence) => void stderr.write(`${sentence}\n`) })
}
