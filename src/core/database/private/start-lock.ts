/** One process at a time creates, starts or stops the private server of a folder. */
import { setTimeout as pause } from 'node:timers/promises'
import { FolderInUse, type FolderLock, lockFolder } from '../../files/folder-lock.ts'

const RETRY_MS = 20

/** Runs `work` alone. Creates the folder, readable only by its owner, if it does not exist. */
export async function alone<T>(folder: string, work: () => Promise<T>): Promise<T> {
  let lock = tryLock(folder)
  while (lock === undefined) {
    await pause(RETRY_MS)
    lock = tryLock(folder)
  }
  try {
    return await work()
  } finally {
    lock.release()
  }
}

function tryLock(folder: string): FolderLock | undefined {
  try {
    return lockFolder(folder)
  } catch (error) {
    if (error instanceof FolderInUse) return undefined
    throw error
  }
}
