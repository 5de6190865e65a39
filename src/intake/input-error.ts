import { visible } from '../errors/visible.ts'

/**
 * The input as a whole cannot be read: nothing of it goes in, whatever the options say. One clear sentence, or one a
 * line; a file's name in it, whoever gave it, moves no cursor.
 */
export class InputError extends Error {
  override readonly name = 'InputError'

  constructor(message: string) {
    super(message.split('\n').map(visible).join('\n'))
  }
}
