/** An error in the form in which usage stores it: what was wrong, and no values of the request. */
import type { ApiError, Problem } from '../../core/errors/api-error.ts'

export interface ReportedError {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details: readonly Problem[]
}

/** One error takes less than two kilobytes, whatever was sent. */
const MESSAGE_LENGTH_MAX = 300
const DETAILS_MAX = 5

/** What a problem may refer to, in addition to an endpoint's parameters. */
const PARTS_OF_A_REQUEST = new Set(['path', 'Host', 'Expect'])

/** @param parameters of the endpoint; any other name is the client's own text */
export function reportedError(error: ApiError, parameters: ReadonlySet<string>): ReportedError {
  const { status, code, details = [] } = error
  const message = withoutValues(error.withoutValues ?? error.message)
  return {
    status,
    code,
    message,
    details: details.slice(0, DETAILS_MAX).map((problem) => ({
      parameter:
        parameters.has(problem.parameter) || PARTS_OF_A_REQUEST.has(problem.parameter)
          ? problem.parameter
          : '…',
      // If there is only one problem, it is the message.
      message: problem.message === error.message ? message : withoutValues(problem.message),
    })),
  }
}

/**
 * Values are quoted in the messages (request/parameters.ts), escaped as in JSON. After the escapes are removed, every
 * quotation mark belongs to a pair.
 */
function withoutValues(message: string): string {
  const plain = message.includes('"') ? message.replaceAll(/\\./g, '').replaceAll(/"[^"]*"/g, '"…"') : message
  return plain.length > MESSAGE_LENGTH_MAX ? `${plain.slice(0, MESSAGE_LENGTH_MAX)}…` : plain
}
