/** The first message of a command to the service: who asks, for what, and in front of which terminal. */
import packageFile from '../../../package.json' with { type: 'json' }
import { allMigrations } from '../../database/migrate.ts'

export interface Terminal {
  readonly isTTY: boolean
  /** Characters in a line; undefined where it is no terminal. */
  readonly columns?: number | undefined
}

export interface Hello {
  readonly version: string
  readonly args: readonly string[]
  /** Who runs it. */
  readonly user: string
  readonly stdin: Terminal
  readonly stdout: Terminal
  readonly stderr: Terminal
}

/** Linux takes names of 32 characters. */
const USER_LENGTH_MAX = 256

/** What two processes must agree on: the code of a version and the schema it works on. */
export const ownVersion = (): string =>
  `${packageFile.version} (schema ${allMigrations().at(-1)?.version ?? 0})`

/** Undefined where it is none. One of another version is read as far as its version, which every version has. */
export function readHello(head: unknown): Hello | { readonly version: string } | undefined {
  const { op, version, args, user, stdin, stdout, stderr } = fieldsOf(head)
  if (op !== 'run' || typeof version !== 'string') return undefined
  if (version !== ownVersion()) return { version }
  if (typeof user !== 'string' || user.length > USER_LENGTH_MAX) return undefined
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string')) return undefined
  return {
    version,
    args,
    user,
    stdin: terminalOf(stdin),
    stdout: terminalOf(stdout),
    stderr: terminalOf(stderr),
  }
}

export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function terminalOf(value: unknown): Terminal {
  const { isTTY, columns } = fieldsOf(value)
  return { isTTY: isTTY === true, ...(typeof columns === 'number' ? { columns } : {}) }
}
