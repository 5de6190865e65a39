/** How much can still be written to the disk of `DATA_DIR`, for the metrics. */
import { statfsSync } from 'node:fs'

/**
 * @param folder on that disk
 * @returns a function that asks the operating system, which takes microseconds. `NaN` if it does not say, such as of a
 * folder that was removed: a metric must not fail because of another one.
 */
export function diskFreeBytes(folder: string): () => number {
  return () => {
    try {
      const { bavail, bsize } = statfsSync(folder)
      return bavail * bsize
    } catch {
      return Number.NaN
    }
  }
}
