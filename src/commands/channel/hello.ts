/** The first message of a command to the service: the user, the command line, and the terminal. */
import packageFile from '../../../package.json' with { type: 'json' }
import { allMigrations } from '../../database/migrate.ts'

export interface Terminal {
  readonly isTTY: boolean
  /** characters in a line; undefined if it is not a terminal */
  readonly columns?: number | undefined
}

export interface Hello {
  readonly version: string
  readonly args: readonly string[]
  /** the user who runs it */
  readonly user: string
  /** where */
  readonly machine: string
  readonly stdin: Terminal
  readonly stdout: Terminal
  readonly stderr: Terminal
}

/** Linux allows names of users with 32 characters, and names of machines with 64. */
const NAME_LENGTH_MAX = 256

/** Two processes must agree on the code's version and on its schema. */
export const ownVersion = (): string =>
  `${packageFile.version} (schema ${allMigrations().at(-1)?.version ?? 0})`

/**
 * Undefined if it is not a valid message. From one of another version, only the version is read, which every version
 * sends.
 */
export function readHello(head: unknown): Hello | { readonly version: string } | undefined {
  const { op, version, args, user, machine, stdin, stdout, stderr } = fieldsOf(head)
  if (op !== 'run' || typeof version !== 'string') return undefined
  if (version !== ownVersion()) return { version }
  if (!isName(user) || !isName(machine)) return undefined
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string')) return undefined
  return {
    version,
    args,
    user,
    machine,
    stdin: terminalOf(stdin),
    stdout: terminalOf(stdout),
    stderr: terminalOf(stderr),
  }
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= NAME_LENGTH_MAX

export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function terminalOf(value: unknown): Terminal {
  const { isTTY, columns } = fieldsOf(value)
  return { isTTY: isTTY === true, ...(typeof columns === 'number' ? { columns } : {}) }
}
