/** How an assistant's question reaches the interface: inside the service, or over HTTP from `sojourn mcp`. */
import type { Question } from './tools.ts'

export interface Asked {
  readonly status: number
  /** undefined where it is longer than an assistant's answer may be */
  readonly body: string | undefined
  /** the header */
  readonly link: string | undefined
  /** the header `Data-Received` */
  readonly dataReceived: string | undefined
}

/** Never throws for what the interface refuses. @throws {CannotAsk} where nothing can be asked */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Asked>

/** The service cannot be reached; the message says so, and what to do. */
export class CannotAsk extends Error {
  override readonly name = 'CannotAsk'
}

/** About 25,000 tokens: a model reads no more of one answer, and 32 calls at a time hold 3 MB. */
export const ANSWER_BYTES_MAX = 100_000

/** Reads to the end, or no further than an answer may be long. @returns undefined where it is longer */
export async function readBounded(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<string | undefined> {
  const read: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > bytesMax) return undefined
    read.push(chunk)
  }
  return Buffer.concat(read).toString('utf8')
}
