/** An error that the database reports. Its message may quote data, so it is never logged. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  /** SQLSTATE */
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

/** The engine does not start. The message is the reason it gives. */
export class EngineFailed extends Error {
  override readonly name = 'EngineFailed'
}

/**
 * The reason for a failed start if the engine's log has none. Its file system throws objects that are neither errors
 * nor have a message.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof Error && error.message !== '') return error.message.replace(/\.$/, '')
  if (typeof error === 'object' && error !== null && 'errno' in error) {
    return FILE_ERRORS.get(Number(error.errno)) ?? `its file system reports error ${error.errno}`
  }
  return typeof error === 'string' ? error : 'it does not start'
}

/** The wording of the C library that the engine is built with. */
export const NO_SPACE = 'No space left on device'

/** By WASI error number. */
const FILE_ERRORS = new Map([
  [2, 'Permission denied'],
  [29, 'I/O error'],
  [51, NO_SPACE],
  [69, 'Read-only file system'],
])
