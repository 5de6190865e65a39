/** Applies the log of erasures in DATA_DIR, and tells the user what that has done. */
import { join, resolve } from 'node:path'
import type { CommandContext } from '../../core/command-line/context.ts'
import { counted } from '../../core/command-line/words.ts'
import type { Database } from '../../core/database/database.ts'
import { ERASURE_LOG } from '../../core/intake/erased/erased.ts'
import { syncErasureLog } from './erasure-log.ts'

/**
 * @param lifts the user has imported erased people on purpose
 * @param signal of a command: that it was interrupted is no problem of the log
 */
export async function keepLog(
  { random, stderr }: Pick<CommandContext, 'random' | 'stderr'>,
  database: Database,
  dataDir: string,
  { lifts = false, signal }: { readonly lifts?: boolean; readonly signal?: AbortSignal } = {},
): Promise<void> {
  const { erased, problem, unsure = 0 } = await syncErasureLog(database, resolve(dataDir), { random, lifts })
  if (erased > 0)
    stderr.write(
      `Erased ${counted(erased, 'person', 'people')} again, who had been erased before and came from an older backup or export.\n`,
    )
  if (unsure > 0)
    stderr.write(
      `${join(resolve(dataDir), ERASURE_LOG)} has ${counted(unsure, 'erasure')} that this database does not know. If it was restored from an older backup, run "sojourn guest erase --again" with this file.\n`,
    )
  if (problem !== undefined && signal?.aborted !== true)
    stderr.write(
      `The log of erasures cannot be used: ${problem}. If a backup is restored later, erase these people again.\n`,
    )
}
