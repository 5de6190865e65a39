/** What has changed: everything since the commit that raised the counter in `.ci/round`. */
import { spawnSync } from 'node:child_process'

/** Each change raises it with its first commit. */
const COUNTER = '.ci/round'

/**
 * The files that the change touches, committed or not: all since the commit before the one that raised the counter, or since `base`.
 * `undefined` if there is no such commit here, as in a copy without its history.
 */
export function changedFiles(base = process.env.CHANGED_SINCE): string[] | undefined {
  const since = base ?? lines('git', 'log', '-1', '--format=%H^', '--', COUNTER)?.[0]
  if (since === undefined) return undefined
  const committed = lines('git', 'diff', '--name-only', '--no-renames', since)
  const added = lines('git', 'ls-files', '--others', '--exclude-standard')
  return committed && added ? [...committed, ...added] : undefined
}

/** `undefined` if the command fails. */
function lines(command: string, ...args: readonly string[]): string[] | undefined {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 28 })
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : undefined
}
