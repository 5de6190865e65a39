/** Runs a check, which may fail or hang itself: it then counts as not checked, and the others go on. */
import { DatabaseUnavailable, sqlState } from '../../core/database/database.ts'
import { systemMessage } from '../../core/database/postgres/system-message.ts'
import { type CheckName, notChecked, type Result } from './result.ts'

/** Of one check, in ms. A trail of many centers takes most of it. */
const CHECK_MS_MAX = 30_000

export async function attempt(
  check: CheckName,
  look: () => Promise<readonly Result[]>,
  withinMs: number = CHECK_MS_MAX,
): Promise<readonly Result[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<readonly Result[]>((resolve) => {
    timer = setTimeout(
      () => resolve([notChecked(check, `There was no answer within ${withinMs / 1000} s.`)]),
      withinMs,
    )
  })
  try {
    return await Promise.race([look(), late])
  } catch (error) {
    return [notChecked(check, reasonOf(error))]
  } finally {
    clearTimeout(timer)
  }
}

/** Of an error of the database only its code: its text may quote values. */
export function reasonOf(error: unknown): string {
  const state = sqlState(error)
  if (state === '42501') return 'The role may not read what this check needs (SQLSTATE 42501).'
  if (state !== undefined) return `The database refused a statement of this check (SQLSTATE ${state}).`
  const cause = error instanceof DatabaseUnavailable && error.cause !== undefined ? error.cause : error
  return `The check failed: ${systemMessage(cause)}.`
}
