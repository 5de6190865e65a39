/** The whole answer to a question as a file: the service writes it, and the client notices one that was cut. */
import type { ListFile } from '../../../client/src/index.ts'

export const FORMATS = ['csv', 'xlsx', 'ndjson'] as const
export type Format = (typeof FORMATS)[number]

const LINE_BREAK = 10
/** Nobody sees more steps than these. */
const STEPS = 100

/**
 * @param onProgress how many records have come, as far as lines tell it: never more than there are, and none of a workbook,
 * which has no lines
 * @returns the file in pieces
 * @throws whatever ends the file before its end
 */
export async function readWhole(
  { body, count, type }: Pick<ListFile, 'body' | 'count' | 'type'>,
  onProgress: (records: number) => void,
): Promise<Blob> {
  const hasLines = type.startsWith('text/csv') || type.startsWith('application/x-ndjson')
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let lines = 0
  let reported = 0
  for await (const bytes of piecesOf(body)) {
    pieces.push(new Uint8Array(bytes))
    if (!hasLines) continue
    for (const byte of bytes) if (byte === LINE_BREAK) lines += 1
    const records = Math.min(lines, count)
    if (records - reported < count / STEPS) continue
    reported = records
    onProgress(records)
  }
  return new Blob(pieces, { type })
}

/** Not every browser reads a stream by itself. */
async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader()
  while (true) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}
