/**
 * How a migration waits for locks while the service runs. A statement that waits for a table blocks everybody who comes
 * after it, so it waits for a second at most; the transaction is then undone and tried again a little later. Meanwhile,
 * another connection finds out which session holds the lock.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type Database, type Queryable, sqlState } from '../database.ts'
import * as statements from './migrate-sql.ts'

export interface LockOptions {
  /** default 60: two minutes or more */
  readonly attempts?: number
  /** in ms, default 1000 */
  readonly timeoutMs?: number
  /** pause before another attempt, in ms, default 1000 */
  readonly pauseMs?: number
  /** Called with a sentence after each attempt in vain. */
  readonly onWait?: ((sentence: string) => void) | undefined
}

interface Blocker {
  readonly pid: number
  readonly role: string
  readonly application: string
  readonly state: string
  readonly seconds: number
}

const NO_LOCK = '55P03'
const LOOK_EVERY_MS = 200

/**
 * Runs `work` in one transaction, again and again while it does not get a lock in time.
 * @throws if no attempt got its locks; the message names the sessions that hold them
 */
export async function withShortLocks(
  database: Database,
  what: string,
  work: (tx: Queryable) => Promise<void>,
  options: LockOptions,
): Promise<void> {
  // Other processes that migrate are awaited for as long as they take.
  const alone = async (tx: Queryable) => void (await tx.query(statements.lockMigrations))
  const { attempts = 60, timeoutMs = 1000, pauseMs = 1000, onWait } = options
  for (let attempt = 1; ; attempt += 1) {
    let blockers: readonly Blocker[] = []
    const looking = new AbortController()
    let looks: Promise<void> | undefined
    try {
      return await database.transaction(async (tx) => {
        const [own] = await tx.query<{ pid: number }>(statements.selectOwnProcess)
        looks = look(database, own?.pid ?? 0, looking.signal, (found) => {
          blockers = found
        })
        await alone(tx)
        await tx.query(statements.setLockTimeout(timeoutMs))
        await work(tx)
      })
    } catch (error) {
      if (sqlState(error) !== NO_LOCK) throw error
      const sentence = `${what} waits for a lock${heldBy(blockers)}`
      if (attempt >= attempts) throw new Error(`${sentence}. ${ADVICE}`, { cause: error })
      onWait?.(`${sentence}; attempt ${attempt} of ${attempts}.`)
    } finally {
      looking.abort()
      await looks
    }
    await pause(pauseMs)
  }
}

const ADVICE =
  'Nothing of this migration was applied. Wait until these sessions have ended, or end one with "select pg_terminate_backend(PID)", and run "sojourn migrate" again'

/** Looks on a connection of its own, because the first one waits. */
async function look(
  database: Database,
  pid: number,
  signal: AbortSignal,
  found: (blockers: readonly Blocker[]) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await pause(LOOK_EVERY_MS, undefined, { signal })
      const blockers = await database.queryReserved<Blocker>(statements.selectBlockers(pid))
      if (blockers.length > 0) found(blockers)
    } catch {
      // Aborted; or the names are missing, which is no reason to fail.
    }
  }
}

const heldBy = (blockers: readonly Blocker[]) =>
  blockers.length === 0
    ? ''
    : ` that ${blockers.length === 1 ? 'this session holds' : 'these sessions hold'}: ${blockers
        .map(
          ({ pid, role, application, state, seconds }) =>
            `PID ${pid} (role ${role}, application ${JSON.stringify(application)}, ${state}, transaction since ${Math.round(seconds)} s)`,
        )
        .join(', ')}`
