import { ERROR_CATALOGUE, type ErrorCode } from './catalogue.ts'
import { didYouMean } from './suggest.ts'
import { leaveOutStacks } from './without-stack.ts'

/** One problem of a request: which parameter, and what was given, what is allowed, how to go on. */
export interface Problem {
  readonly parameter: string
  readonly message: string
}

/** A problem as it is found: its sentence is made only where it is reported. */
export interface FoundProblem {
  readonly parameter: string
  readonly message: string | (() => string)
}

/** One answer tells so many problems: a sentence costs more than the search for what it is about, and a client can send thousands. */
const PROBLEMS_SHOWN_MAX = 20

const reported = (problems: readonly FoundProblem[]): Problem[] =>
  problems.slice(0, PROBLEMS_SHOWN_MAX).map(({ parameter, message }) => ({
    parameter,
    message: typeof message === 'string' ? message : message(),
  }))

/** An error that a client may see. Its message is public: it holds nothing personal and nothing internal. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  readonly details: readonly Problem[] | undefined
  /** Headers the answer must carry besides the body, such as `WWW-Authenticate`. */
  readonly headers: Readonly<Record<string, string | string[]>>
  /** The message for the record of use, where the message itself shows what was sent without quoting it. */
  readonly withoutValues: string | undefined

  constructor(
    code: ErrorCode,
    options: {
      message?: string
      details?: readonly Problem[]
      headers?: Record<string, string | string[]>
      withoutValues?: string
      cause?: unknown
    } = {},
  ) {
    // It took a tenth of a refusal.
    const keepStacks = leaveOutStacks()
    super(options.message ?? ERROR_CATALOGUE[code].message, { cause: options.cause })
    keepStacks()
    this.code = code
    this.status = ERROR_CATALOGUE[code].status
    this.details = options.details
    this.headers = options.headers ?? {}
    this.withoutValues = options.withoutValues
  }
}

/** The body of every error, everywhere (ruling 8). */
export interface ErrorBody {
  readonly error: {
    readonly code: ErrorCode
    readonly message: string
    readonly details?: readonly Problem[]
    readonly requestId: string
    /** the section of the guide about this code; a URL, or a path of this service where its address is not set */
    readonly docs: string
  }
}

/** @param publicUrl where clients reach the service, without a slash at its end; '' if that is not set */
export function errorBody(error: ApiError, requestId: string, publicUrl: string): ErrorBody {
  return {
    error: {
      code: error.code,
      message: error.message,
      ...(error.details === undefined ? {} : { details: error.details }),
      requestId,
      docs: `${publicUrl}/docs/guide/errors#${error.code.toLowerCase()}`,
    },
  }
}

const REALM = 'Bearer realm="sojourn"'
const BASIC = 'Basic realm="sojourn", charset="UTF-8"'

/** @param sentence around the parts that say what needs which scope */
function forbiddenScopes(
  requiredScopes: readonly { scope: string; what: string }[],
  sentence: (parts: string) => string,
): ApiError {
  const scopes = [...new Set(requiredScopes.map((need) => need.scope))]
  const messageOf = (nameOf: (what: string) => string) => {
    const parts = scopes.map((scope) => {
      const what = requiredScopes.filter((need) => need.scope === scope).map((need) => nameOf(need.what))
      return `${what.join(', ')} ${what.length === 1 ? 'needs' : 'need'} the scope ${scope}`
    })
    return sentence(parts.join('; '))
  }
  return new ApiError('FORBIDDEN', {
    message: messageOf((what) => what),
    // The name of a custom field is the client's own text.
    withoutValues: messageOf((what) => (what.startsWith('meta.') ? 'meta.…' : what)),
    headers: { 'www-authenticate': `${REALM}, error="insufficient_scope", scope="${scopes.join(' ')}"` },
  })
}

/** The interface's error is a code and a message, so the message is the first problem's own sentence (ruling 8). */
function withProblems(code: ErrorCode, problems: readonly FoundProblem[]): ApiError {
  const details = reported(problems)
  const first = details[0]?.message ?? ERROR_CATALOGUE[code].message
  const others = problems.length - 1
  const where = details.length < problems.length ? `details for the first ${details.length}` : 'details'
  return new ApiError(code, {
    message: others < 1 ? first : `${first} (and ${others} more; see ${where})`,
    details,
  })
}

/** Call sites read `throw errors.invalidParameters(problems)`. */
export const errors = {
  /** 400, all problems of the request in one answer (ruling 8). */
  invalidParameters: (problems: readonly FoundProblem[]) => withProblems('INVALID_PARAMETER', problems),

  /** 404: the answer of `GET /orders` to a request without its dates (ruling 10). */
  withoutDates: (problems: readonly FoundProblem[]) => withProblems('NOT_FOUND', problems),

  /** 400: the range holds more than can be read in time. */
  rangeTooWide(cause: unknown): ApiError {
    const message =
      'The range from startDate to endDate contains more than can be read in time. Ask for a shorter range, such as a month.'
    const details = ['startDate', 'endDate'].map((parameter) => ({ parameter, message }))
    return new ApiError('INVALID_PARAMETER', { message, details, cause })
  },

  /** 400: RFC 9112 wants exactly one. */
  notOneHost(): ApiError {
    return errors.invalidParameters([
      { parameter: 'Host', message: 'A request must have exactly one Host header.' },
    ])
  },

  /**
   * 401, the same body for the same forms of credentials, whatever is wrong with them (ruling 5).
   * @param forms what the names of the headers tell, and nothing that is in them
   */
  unauthorized(forms: {
    readonly given: boolean
    readonly hint: string
    readonly asksForBasic: boolean
  }): ApiError {
    const challenge = forms.given ? `${REALM}, error="invalid_token"` : REALM
    return new ApiError('UNAUTHORIZED', {
      message: `${ERROR_CATALOGUE.UNAUTHORIZED.message} ${forms.hint}`,
      // In headers of their own: some programs read only the first challenge of each.
      headers: { 'www-authenticate': forms.asksForBasic ? [challenge, BASIC] : challenge },
    })
  },

  /**
   * 403 for a scope the key lacks: names the scopes and what needed them (ruling 5).
   * @param instead a sentence that says what the key may do without it
   */
  missingScopes(requiredScopes: readonly { scope: string; what: string }[], instead?: string): ApiError {
    const also = instead === undefined ? '' : ` ${instead}`
    return forbiddenScopes(
      requiredScopes,
      (parts) => `This key does not have a required scope: ${parts}.${also}`,
    )
  },

  /**
   * 403 for a request under pseudonyms (ruling 45).
   * @param given what of the request is not allowed: names of parameters and fields, never values
   * @param allowed what is
   */
  underPseudonyms(given: readonly string[], allowed: string): ApiError {
    return new ApiError('FORBIDDEN', {
      message: `This key reads guests under pseudonyms. It may not ask for ${given.join(', ')}. It may ask for ${allowed}`,
    })
  },

  /** 403 for what an assistant may read only with a key that says so. */
  heldFromAssistants(requiredScopes: readonly { scope: string; what: string }[]): ApiError {
    return forbiddenScopes(
      requiredScopes,
      (parts) =>
        `This key does not allow assistants to read personal or medical data: ${parts}. Remove it from the request, or ask the center for a key that was created with --allow-assistants.`,
    )
  },

  /** 403: a key of the administration grants only what it was created for (ruling 49). */
  notGrantable(scope: string, grants: readonly string[]): ApiError {
    const granted = grants.length === 0 ? 'no scope' : `only ${grants.join(', ')}`
    return new ApiError('FORBIDDEN', {
      message: `This key may not grant the scope ${scope}; it may grant ${granted}. "sojourn keys create --grants" creates a key that may grant others.`,
    })
  },

  /** 403: no key of the administration changes another one, or itself (ruling 49). */
  keyOfAdministration(): ApiError {
    return errors.onlyByCommand('keys of the administration are changed')
  },

  /** 403: what no action does. */
  onlyByCommand(what: string): ApiError {
    return new ApiError('FORBIDDEN', {
      message: `This is not possible by an action: ${what} by a command only.`,
    })
  },

  /** 403: the center has switched API access off (ruling 5). */
  apiAccessOff(): ApiError {
    return new ApiError('FORBIDDEN', { message: 'API access is switched off for the center of this key.' })
  },

  /** 403: the key brings records in. */
  onlyForIntake(): ApiError {
    return new ApiError('FORBIDDEN', {
      message: 'This key can only send records. To read, use a key that was created without --intake.',
    })
  },

  /** 403: the key reads. */
  notForIntake(): ApiError {
    return new ApiError('FORBIDDEN', {
      message: 'This key can only read. To send records, use a key that was created with --intake.',
    })
  },

  /** 403: a page of another site must not use an assistant's key from a browser. */
  noWebPages(): ApiError {
    return new ApiError('FORBIDDEN', {
      message:
        'Web pages may not send messages to this path. Send the request from a program, without an Origin header.',
    })
  },

  /** 403: the key is good, but not from this address. */
  addressNotAllowed(): ApiError {
    return new ApiError('FORBIDDEN', { message: 'This key may not be used from this address.' })
  },

  notFound(message?: string): ApiError {
    return new ApiError('NOT_FOUND', message === undefined ? {} : { message })
  },

  /** 404: @param known the paths of which the closest is named; `given` itself is not repeated */
  noSuchPath(given: string, known: readonly string[]): ApiError {
    const path = given.startsWith('/v1/') ? given : `/v1${given}`
    const close = didYouMean(path, known) || '.'
    return errors.notFound(`There is nothing at this path${close} The documentation lists all paths.`)
  },

  /** 404, the same for every link that is not in force, and for none. */
  noSuchLink(): ApiError {
    return errors.notFound(
      'This link does not exist, or it has ended. Ask the person who gave it to you for a new one.',
    )
  },

  /** 404 for a one-time link that was altered or guessed; 410 for one that its holder cannot use. */
  deviceLink(why: 'unknown' | 'waiting' | 'used' | 'expired' | 'ended'): ApiError {
    const ask = 'Ask the person who gave it to you for a new one.'
    switch (why) {
      case 'used':
        return new ApiError('GONE', {
          message: `This link was used already, and works once. ${ask} If it was not used by you, have its key revoked.`,
        })
      case 'expired':
        return new ApiError('GONE', { message: `The time for using this link is over. ${ask}` })
      case 'ended':
        return new ApiError('GONE', {
          message: `The key of this link was revoked or has expired. ${ask}`,
        })
      default:
        return errors.notFound(
          'There is no such link. Check that it was copied completely: it ends with 54 letters and digits after sjn_once_.',
        )
    }
  },

  /**
   * 410: a client that follows changes has to start again.
   * @param why the commits after the cursor were pruned, or the database has another history than it
   */
  cursorGone(why: 'pruned' | 'history'): ApiError {
    const reason =
      why === 'pruned'
        ? 'The changes after this cursor are older than those that are stored.'
        : 'The database was restored or replaced after this cursor was issued.'
    return new ApiError('GONE', {
      message: `${reason} Start again: get a new cursor from GET /changes without after, then read everything once.`,
    })
  },

  /** 409: pages of one snapshot would not fit together. @param cursor the newest one */
  snapshotMoved(cursor: string): ApiError {
    return new ApiError('CONFLICT', {
      message:
        'This page has changed since its snapshot. Start again at the first page with snapshot=true, or with the new cursor in Snapshot-Cursor.',
      headers: { 'snapshot-cursor': cursor },
    })
  },

  /** 410: whether a list has changed since its snapshot is not known any more. @param why as above */
  snapshotGone(why: 'pruned' | 'history'): ApiError {
    const reason =
      why === 'pruned'
        ? 'This snapshot is older than the changes that are stored.'
        : 'The database was restored or replaced after this snapshot.'
    return new ApiError('GONE', { message: `${reason} Start again at the first page with snapshot=true.` })
  },

  methodNotAllowed(): ApiError {
    return new ApiError('METHOD_NOT_ALLOWED', { headers: { allow: 'GET, HEAD' } })
  },

  /** 405 for `/mcp`, which alone takes messages. */
  onlyMessages(): ApiError {
    const message = 'Assistants send messages to this path by POST; it has no streams and no sessions.'
    return new ApiError('METHOD_NOT_ALLOWED', { message, headers: { allow: 'POST' } })
  },

  /** 405 for `/intake`, which alone takes records. */
  onlyDeliveries(): ApiError {
    return new ApiError('METHOD_NOT_ALLOWED', {
      message: 'Records are sent to this path by POST.',
      headers: { allow: 'POST' },
    })
  },

  /** 405 for a path below `/actions`. */
  onlyActions(): ApiError {
    const message = 'An action is performed by POST, with a JSON body and an Idempotency-Key.'
    return new ApiError('METHOD_NOT_ALLOWED', { message, headers: { allow: 'POST' } })
  },

  /** 403: a page of another site must not act with a key from a browser. */
  foreignOrigin(): ApiError {
    return new ApiError('FORBIDDEN', {
      message:
        'Web pages of this origin may not perform actions. Send the request from the service’s own pages, from a program without an Origin header, or ask the operator of the service to add the origin to CORS_ORIGINS.',
    })
  },

  /** 403: a page of another site must not send files with a key from a browser. */
  foreignPage(): ApiError {
    return new ApiError('FORBIDDEN', {
      message:
        'Web pages of this origin may not send files. Open the import page of this service, or send the request from a program without an Origin header.',
    })
  },

  /** 403: an action says that a person has confirmed something. */
  noActionsOfAssistants(): ApiError {
    return new ApiError('FORBIDDEN', {
      message:
        'Assistants may not perform actions. A person confirms them in the console or in another program.',
    })
  },

  /** 422: the answer to the other request would be wrong, and performing this one would be a second action. */
  idempotencyKeyReused(): ApiError {
    return new ApiError('IDEMPOTENCY_KEY_REUSED')
  },

  rateLimited(message: string, retryAfterSeconds: number): ApiError {
    return new ApiError('RATE_LIMITED', { message, headers: { 'retry-after': String(retryAfterSeconds) } })
  },

  /** 429, as the last event of a stream */
  streamTakenOver(retryAfterSeconds: number): ApiError {
    return errors.rateLimited(
      'Another stream of this application has replaced this one; an application may have one at a time for each `device`.',
      retryAfterSeconds,
    )
  },

  /** 429, as the last event of a stream */
  streamGivenUp(retryAfterSeconds: number): ApiError {
    return errors.rateLimited(
      'This stream was ended for one of another center or application, which has fewer.',
      retryAfterSeconds,
    )
  },

  unavailable(cause?: unknown): ApiError {
    return new ApiError('UNAVAILABLE', { headers: { 'retry-after': '2' }, cause })
  },

  /** 503: nothing is broken, but others have what this request would need. */
  busy(message: string, retryAfterSeconds: number): ApiError {
    return new ApiError('UNAVAILABLE', { message, headers: { 'retry-after': String(retryAfterSeconds) } })
  },

  /** 503: the center is moving to another database, or has moved and the proxy does not know it yet. */
  moving(): ApiError {
    return new ApiError('UNAVAILABLE', {
      message: 'The data of this center is moving to another server. Repeat the request.',
      headers: { 'retry-after': '1' },
    })
  },

  internal(cause: unknown): ApiError {
    return new ApiError('INTERNAL', { cause })
  },
}
