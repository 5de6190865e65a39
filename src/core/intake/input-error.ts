import { UserError } from '../errors/user-error.ts'
import { visible } from '../errors/visible.ts'

/**
 * The input as a whole cannot be read, and nothing of it is imported, whatever the options say. The message has one or
 * more lines. Control characters in it are made visible, so that a file's name cannot move the cursor.
 */
export class InputError extends UserError {
  override readonly name = 'InputError'

  constructor(message: string) {
    super(message.split('\n').map(visible).join('\n'))
  }
}
