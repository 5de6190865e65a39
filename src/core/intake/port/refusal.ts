/** What only deliveries are refused for. The codes stand in docs/sending-changes.md, which a test holds to this table. */
export const REFUSALS = {
  BODY_TOO_LARGE: 413,
  BODY_TOO_SLOW: 408,
  BODY_INCOMPLETE: 400,
  BODY_ENCODING: 415,
  IDEMPOTENCY_KEY_REUSED: 422,
  RECORDS_REFUSED: 422,
} as const

export type RefusalCode = keyof typeof REFUSALS

export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  /** next to `error` in the body */
  readonly more: Readonly<Record<string, unknown>>

  constructor(code: RefusalCode, message: string, more: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.code = code
    this.more = more
  }

  get status(): number {
    return REFUSALS[this.code]
  }
}
