/** Copies of the database that a backup was making when it was killed: nobody else removes them. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The draft of a backup, what is written of it, and the folder in which it is opened; with the process that made it. */
const DRAFT = /\.(\d+)-[\da-f]{8}\.unverified(?:\.part|\.opened)?$/
const HOUR_MS = 3_600_000

/**
 * Removes them from a folder. A process of that number may be another one, or on another machine, so what an hour has not
 * changed is removed if there is no such process here, and what a day has not changed in any case.
 * @param now epoch ms @returns how many were removed
 */
export async function removeLeftovers(folder: string, now: number): Promise<number> {
  let count = 0
  for (const name of await readdir(folder)) {
    const pid = DRAFT.exec(name)?.[1]
    if (pid === undefined) continue
    const path = join(folder, name)
    const age = now - (await lastChange(path))
    if (age < HOUR_MS || (age < 24 * HOUR_MS && isRunning(Number(pid)))) continue
    await rm(path, { recursive: true, force: true })
    count += 1
  }
  return count
}

/** Of a file, or of any file in a folder. A file that has gone was changed now. */
async function lastChange(path: string): Promise<number> {
  const timeOf = (one: string) =>
    stat(one).then(
      ({ mtimeMs }) => mtimeMs,
      () => Infinity,
    )
  const within = await readdir(path, { recursive: true }).catch(() => [])
  let last = await timeOf(path)
  for (const name of within) last = Math.max(last, await timeOf(join(path, name)))
  return last
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Of another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
