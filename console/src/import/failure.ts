import { IntakeError } from '../base/intake-port.ts'
import { words } from '../base/signed-in.ts'

/** What went wrong with a request to the intake port, in words. */
export function sayFailure(error: unknown): string {
  const t = words.value
  if (!(error instanceof IntakeError)) return t('failed')
  if (error.status === 0) return t('importNoAnswer')
  if (error.status === 401) return t('importKeyRefused')
  return error.message === '' ? t('failed') : error.message
}
