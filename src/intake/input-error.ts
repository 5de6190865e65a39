/** The input as a whole cannot be read: nothing of it goes in, whatever the options say. One clear sentence. */
export class InputError extends Error {
  override readonly name = 'InputError'
}
