/** What went wrong, as a person has to know it. */
import { SojournError } from '../../../client/src/error.ts'

export interface Problem {
  /**
   * `offline`: nobody answers. `limited`: the key has used up its requests. `ended`: the key is no longer valid.
   * `forbidden`: the key may not. `refused`: the service says what is wrong with what was asked. `failed`: anything else.
   */
  readonly kind: 'offline' | 'limited' | 'ended' | 'forbidden' | 'refused' | 'failed'
  /** since when, epoch milliseconds */
  readonly since: number
  /** the service's sentence; '' where it is of no use to a reader */
  readonly message: string
  /** for the administrator: code and request */
  readonly code: string
  /** when the page asks again, epoch milliseconds; undefined where it does not by itself */
  readonly againAt: number | undefined
}

/** A problem that is known already, in place of a request that would only meet it again. */
export class KnownProblem extends SojournError {
  readonly problem: Problem
  constructor(problem: Problem) {
    super('CONNECTION', 'The request was not sent.')
    this.problem = problem
  }
}

const AGAIN_MS = 10_000
const LIMITED_MS = 60_000

/** @param now epoch milliseconds */
export function problemOf(error: unknown, now: number): Problem {
  if (error instanceof KnownProblem) return error.problem
  const since = now
  if (!(error instanceof SojournError)) {
    return { kind: 'failed', since, message: '', code: nameOf(error), againAt: undefined }
  }
  const code = [error.code, error.requestId].filter(Boolean).join(' ')
  const problem = (kind: Problem['kind'], againAt?: number, message = ''): Problem => ({
    kind,
    since,
    message,
    code,
    againAt,
  })
  switch (error.code) {
    case 'CONNECTION':
    case 'TIMEOUT':
      return problem('offline', now + AGAIN_MS)
    case 'RATE_LIMITED':
      return problem('limited', now + (error.retryAfterSeconds ?? LIMITED_MS / 1000) * 1000 + 1000)
    case 'UNAUTHORIZED':
      return problem('ended')
    case 'FORBIDDEN':
      return problem('forbidden', undefined, error.message)
    case 'INVALID_PARAMETER':
    case 'NOT_FOUND':
      return problem(
        'refused',
        undefined,
        error.details.map(({ message }) => message).join(' ') || error.message,
      )
    default:
      // The database is away, or a proxy answers in its place.
      return problem('failed', now + 3 * AGAIN_MS)
  }
}

const nameOf = (error: unknown) =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error)

/** Whether the key may not read what is shown, or nothing any more. */
export const isOver = ({ kind }: Problem): boolean => kind === 'ended' || kind === 'forbidden'
