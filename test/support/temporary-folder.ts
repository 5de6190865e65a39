/** Temporary folders with the process number in their names, so that a later run can delete those of a killed one. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const made: string[] = []

const NAME = /^sojourn-test-(\d+)-/

/** A new folder, deleted when this process exits, or by the next run. */
export function makeTemporaryFolder(): string {
  // A server started by root runs as another user, who may have no access to root's own temporary folder.
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
    // It belongs to another user, or another run is deleting it at this moment.
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
