import { getSystemErrorMessage } from 'node:util'

/** The operating system's text for a failed call, without codes: `no space left on device`. */
export function systemMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'errno' in error && typeof error.errno === 'number'
    ? getSystemErrorMessage(error.errno)
    : error.message.replace(/\.$/, '')
}
