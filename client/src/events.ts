/** Server-Sent Events: what a body brings, read as it comes. */
import { SojournError } from './error.ts'

export interface StreamedEvent {
  /** `message` unless the event names another */
  readonly type: string
  readonly id: string | undefined
  /** undefined where the event only moves the `id` on */
  readonly data: string | undefined
}

/**
 * The events that each piece of the body completes; none where it brought only a sign of life.
 * @param silenceMs a body that brings nothing for so long is given up
 * @throws {SojournError} TIMEOUT for a body that is silent, CONNECTION for one that breaks
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
  signal: AbortSignal,
): AsyncGenerator<StreamedEvent[], void, undefined> {
  const reader = body.getReader()
  // Not every `fetch` lets a signal end a body that is being read.
  const abort = () => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', abort, { once: true })
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await orSilence(reader.read(), silenceMs)
      if (done) return
      text += decoder.decode(value, { stream: true }).replaceAll('\r\n', '\n')
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      yield blocks.map(parseEvent)
    }
  } catch (cause) {
    if (cause instanceof SojournError) throw cause
    throw new SojournError('CONNECTION', 'The stream broke off.', { cause })
  } finally {
    signal.removeEventListener('abort', abort)
    // A caller that stops reading closes the connection.
    abort()
  }
}

async function orSilence<T>(reading: Promise<T>, silenceMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new SojournError('TIMEOUT', `The stream was silent for ${silenceMs} ms.`)),
      silenceMs,
    )
  })
  try {
    return await Promise.race([reading, silence])
  } finally {
    clearTimeout(timer)
    // Where the silence won, nobody waits for this any more.
    reading.catch(() => {})
  }
}

function parseEvent(block: string): StreamedEvent {
  let type = 'message'
  let id: string | undefined
  const data: string[] = []
  for (const line of block.split('\n')) {
    const [name, value = ''] = line.split(/: ?(.*)/s, 2)
    if (name === 'event') type = value
    if (name === 'id') id = value
    if (name === 'data') data.push(value)
  }
  return { type, id, data: data.length === 0 ? undefined : data.join('\n') }
}
