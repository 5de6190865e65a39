/**
 * Who runs a command. Every entry that a command adds to the trail states this, so a new command cannot leave it out: the
 * command line sets it once for all commands (program.ts), and `recordAct` reads it.
 *
 * The name and the machine are those that the user's process states. A user who may enter the folder of the database could
 * state others; the operating system's permissions decide who may enter it.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

export interface Operator {
  /** the name of the user on the machine; `anna as sojourn` if sudo was used */
  readonly user: string
  /** the name of the machine */
  readonly machine: string
}

const current = new AsyncLocalStorage<Operator>()

/** Runs a command: the entries that it adds to the trail are those of this operator. */
export const asOperator = <T>(operator: Operator, work: () => T): T => current.run(operator, work)

/** The facts of an entry about who acted; none for a key, which the entry has in its own columns. */
export function operatorFacts(): Readonly<Record<string, string>> {
  const operator = current.getStore()
  return operator === undefined ? {} : { user: operator.user, machine: operator.machine }
}
