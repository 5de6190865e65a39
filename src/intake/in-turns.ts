/**
 * Processes one or two batches at a time: while the database writes one, the next is merged. When the function returns
 * or throws, no work is still running: a statement sent after the rollback would take effect.
 */
export async function inTurns<T>(
  batches: AsyncIterable<T>,
  atATime: 1 | 2,
  work: (batch: T) => Promise<void>,
): Promise<void> {
  let before: Promise<void> = Promise.resolve()
  let last = before
  try {
    for await (const batch of batches) {
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
