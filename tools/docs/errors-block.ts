import { ERROR_CATALOGUE } from '../../src/errors/catalogue.ts'
import { code, table } from './markdown.ts'

/** Every error code. */
export function errorsBlock(): string {
  return table(
    ['code', 'status', 'says, unless there is more to say', 'how to go on'],
    Object.entries(ERROR_CATALOGUE).map(([name, { status, message, hint }]) => [
      code(name),
      String(status),
      message,
      hint,
    ]),
  )
}
