/** Copies of the database that a backup was making when it was killed: nobody else removes them. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The draft of a backup, or what is written of it. */
const DRAFT = /\.[\da-f]{8}\.unverified(?:\.[\da-f]{8}\.part)?$/
const HOUR_MS = 3_600_000

/** Removes from a folder what an hour has not changed. @param now epoch ms @returns how many were removed */
export async function removeLeftovers(folder: string, now: number): Promise<number> {
  let count = 0
  for (const name of await readdir(folder)) {
    if (!DRAFT.test(name)) continue
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found === undefined || now - found.mtimeMs < HOUR_MS) continue
    await rm(path, { force: true })
    count += 1
  }
  return count
}
