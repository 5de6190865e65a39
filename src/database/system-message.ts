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
  return 'code' in error && error.code === 'EACCES' ? `${text} for the ${systemUser()}` : text
}

/** The user of this process: `user sojourn`. A container may run as a number that no name belongs to. */
function systemUser(): string {
  try {
    return `user ${userInfo().username}`
  } catch {
    return `user ${process.getuid?.() ?? ''}`.trim()
  }
}
