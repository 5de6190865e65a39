/** What a running service does once a day, such as pruning. */

/** A start has better to do; and instances that start together have gone apart a little by then. */
const FIRST_MS = 60_000
const DAY_MS = 86_400_000

/**
 * Runs the work once a day from now on, the first time after a minute. It never keeps the process alive.
 * @param work never rejects
 * @returns what stops it
 */
export function onceADay(work: () => Promise<void>): () => void {
  let timer = setTimeout(function daily() {
    void work()
    timer = setTimeout(daily, DAY_MS).unref()
  }, FIRST_MS).unref()
  return () => clearTimeout(timer)
}
