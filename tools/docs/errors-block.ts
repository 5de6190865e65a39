import { ERROR_CATALOGUE } from '../../src/core/errors/catalogue.ts'
import { table } from './markdown.ts'

/** Every error code, with a link to its section. */
export function errorsBlock(): string {
  return table(
    ['code', 'status', 'message, unless there is more to say'],
    Object.entries(ERROR_CATALOGUE).map(([name, { status, message }]) => [
      `[\`${name}\`](#${name.toLowerCase()})`,
      String(status),
      message,
    ]),
  )
}
