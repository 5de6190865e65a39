/** The time that everything in a package has: SOURCE_DATE_EPOCH, or that of the commit. */
import { spawnSync } from 'node:child_process'

/** @returns seconds since 1970 @throws {Error} where neither is known */
export function sourceSeconds(root: string): number {
  const given = process.env.SOURCE_DATE_EPOCH
  const text =
    given ?? spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }).stdout
  const seconds = Number(text)
  if (!Number.isInteger(seconds) || seconds <= 0) {
    throw new Error(
      `The time of the commit is not known. Set SOURCE_DATE_EPOCH to seconds since 1970, not "${text}".`,
    )
  }
  return seconds
}
