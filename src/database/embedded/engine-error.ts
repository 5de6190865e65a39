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

/** The engine does not start; the message is its own reason. */
export class EngineFailed extends Error {
  override readonly name = 'EngineFailed'
}

/** Why it does not, where its log says nothing. Its file system throws what is no error and has no message. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error && error.message !== '') return error.message.replace(/\.$/, '')
  if (typeof error === 'object' && error !== null && 'errno' in error) {
    return FILE_ERRORS.get(Number(error.errno)) ?? `its file system reports error ${error.errno}`
  }
  return typeof error === 'string' ? error : 'it does not start'
}

/** As the C library that the engine is built with says it. */
export const NO_SPACE = 'No space left on device'

/** By the numbers of WASI. */
const FILE_ERRORS = new Map([
  [2, 'Permission denied'],
  [29, 'I/O error'],
  [51, NO_SPACE],
  [69, 'Read-only file system'],
])
