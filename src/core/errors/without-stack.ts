/**
 * Errors that are made from now on have no stack, until the function that comes back is called. For errors that say what a
 * client did: where the service noticed is nobody's question, and writing it down costs more than the work itself.
 */
export function leaveOutStacks(): () => void {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  return () => {
    Error.stackTraceLimit = stackTraceLimit
  }
}
