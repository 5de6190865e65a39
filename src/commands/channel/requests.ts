/** The requests of the service to the process that the user started. */
import { fieldsOf } from './hello.ts'

export type ClientRequest =
  /** the service has accepted the command */
  | { readonly op: 'begin' }
  /** print these bytes; answered when they have been printed */
  | { readonly op: 'print'; readonly to: 'stdout' | 'stderr' }
  /** print these bytes to standard output; refused if they could not be printed */
  | { readonly op: 'show' }
  /** before this is answered, nothing has been committed; afterwards it may have been */
  | { readonly op: 'commit' }
  /** the next bytes of a file, from its beginning; none at its end */
  | { readonly op: 'read'; readonly file: string }
  | { readonly op: 'create'; readonly file: string }
  | { readonly op: 'append'; readonly file: string }
  | { readonly op: 'keep'; readonly file: string }
  | { readonly op: 'discard'; readonly file: string }

/** Undefined if it is not a valid request. */
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
