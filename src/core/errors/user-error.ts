/**
 * An error whose message is written for the person who runs a command: what is wrong, and how to go on. It is printed as it
 * is.
 */
export class UserError extends Error {
  override readonly name: string = 'UserError'
}
