import { userInfo } from 'node:os'
import { getSystemErrorMessage } from 'node:util'

/**
 * The operating system's text for a failed call, without codes: `no space left on device`. A permission that is missing is
 * that of a user, who may be another one than the person who gave the command: `permission denied for the user sojourn`.
 */
export function systemMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (!('errno' in error) || typeof error.errno !== 'number') return error.message.replace(/\.$/, '')
  const text = getSystemErrorMessage(error.errno)
  const isDenied = 'code' in error && error.code === 'EACCES'
  return isDenied ? `${text} for the user ${systemUserName() ?? process.getuid?.() ?? ''}`.trim() : text
}

/** The name of this process's user; undefined in a container that runs as a number without a name. */
export function systemUserName(): string | undefined {
  try {
    return userInfo().username
  } catch {
    return undefined
  }
}
