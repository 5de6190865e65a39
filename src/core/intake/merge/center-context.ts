/** What writing the records of centers needs to know. */
import type { BatchContext } from './write-batch.ts'

export const CONTEXT_OF_CENTERS: BatchContext = {
  // A center's own record depends on none of these facts.
  centerState: () => ({ zone: 'UTC', currency: 'EUR', metaFields: new Map() }),
  // Deleting a center deletes everything in it, so that waits until the other records have been written.
  keepRemoved: true,
}
