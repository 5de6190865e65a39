/**
 * Processes one or two batches at a time: while the database writes one, the next is merged. When the function returns
 * or throws, no work is still running: a statement sent after the rollback would take effect.
 * @param continues whether a batch depends on what the one before it writes, and has to wait for that
 */
export async function overlapBatches<T>(
  batches: AsyncIterable<T>,
  atATime: 1 | 2,
  continues: (batch: T, before: T) => boolean,
  work: (batch: T) => Promise<void>,
): Promise<void> {
  let before: Promise<void> = Promise.resolve()
  let last = before
  let previous: T | undefined
  try {
    for await (const batch of batches) {
      if (previous !== undefined && continues(batch, previous)) await last
      previous = batch
      last = work(batch)
      last.catch(() => {})
      await (atATime === 1 ? last : before)
      before = last
    }
    await last
  } finally {
    await Promise.allSettled([before, last])
  }
}
