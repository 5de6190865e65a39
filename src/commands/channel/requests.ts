/** What the service asks of the process in front of the person who typed the command. */
import { fieldsOf } from './hello.ts'

export type ClientRequest =
  /** The service has taken the command. */
  | { readonly op: 'begin' }
  /** Print these bytes; answered when they are out. */
  | { readonly op: 'print'; readonly to: 'stdout' | 'stderr' }
  /** Print these bytes to standard output; refused where they are not out. */
  | { readonly op: 'show' }
  /** Nothing is in the database before this is answered; afterwards it may be. */
  | { readonly op: 'commit' }
  /** The next bytes of a file, from its beginning; none at its end. */
  | { readonly op: 'read'; readonly file: string }
  | { readonly op: 'create'; readonly file: string }
  | { readonly op: 'append'; readonly file: string }
  | { readonly op: 'keep'; readonly file: string }
  | { readonly op: 'discard'; readonly file: string }

/** Undefined where it is none. */
export function readRequest(head: unknown): ClientRequest | undefined {
  const { op, to, file } = fieldsOf(head)
  switch (op) {
    case 'begin':
    case 'commit':
    case 'show':
      return { op }
    case 'print':
      return to === 'stdout' || to === 'stderr' ? { op, to } : undefined
    case 'read':
    case 'create':
    case 'append':
    case 'keep':
    case 'discard':
      return typeof file === 'string' ? { op, file } : undefined
    default:
      return undefined
  }
}
