/** An error that the database itself reports. Its message may quote data: it is never logged. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  /** SQLSTATE */
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}
