/** Temporary folders that carry their process in their name, so that the next run removes what a killed one left. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const made: string[] = []

const NAME = /^sojourn-test-(\d+)-/

/** A new folder, removed when this process exits and at the latest by the next run. */
export function makeTemporaryFolder(): string {
  // A server that root starts runs as another user, and root's own folder for this may be closed to it.
  const parent = process.getuid?.() === 0 ? '/tmp' : tmpdir()
  for (const name of readdirSync(parent)) {
    const owner = NAME.exec(name)?.[1]
    if (owner !== undefined && !isAlive(Number(owner))) remove(join(parent, name))
  }
  const folder = mkdtempSync(join(parent, `sojourn-test-${process.pid}-`))
  if (made.push(folder) === 1) process.on('exit', () => made.forEach(remove))
  return folder
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // Another user's, or being removed by another run at this moment.
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
