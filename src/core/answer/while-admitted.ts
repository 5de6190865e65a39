/**
 * Ends an answer that is being sent when its key may not read it any more: revoked, expired, without a scope that the
 * answer needs, or without API access of its center.
 */

/** How often a long answer is admitted again. All answers that are being sent share one query at the database. */
export const READMIT_EVERY_MS = 1000

/**
 * Passes pieces through. Before a piece is sent, the request is admitted again if `everyMs` have passed since the last
 * time, however many records were sent.
 * @param admitAgain rejects if the client may not read the answer any more
 * @param monotonic milliseconds of a clock that is never set
 * @throws what `admitAgain` rejects with; nothing is sent after it
 */
export async function* whileAdmitted<Piece>(
  pieces: AsyncIterable<Piece>,
  admitAgain: () => Promise<void>,
  everyMs: number = READMIT_EVERY_MS,
  monotonic: () => number = () => performance.now(),
): AsyncGenerator<Piece> {
  let admittedMs = monotonic()
  for await (const piece of pieces) {
    if (monotonic() - admittedMs >= everyMs) {
      await admitAgain()
      admittedMs = monotonic()
    }
    yield piece
  }
}
