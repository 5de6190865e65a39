/** One end of a connection between two processes of Sojourn. Both ends send requests, and both answer. */
import type { Socket } from 'node:net'
import { encodeFrame, type Frame, type FrameKind, FrameReader } from './frames.ts'

export interface Message {
  readonly head: unknown
  readonly bytes: Buffer
}

/** The other process has ended, or the connection was ended here. */
export class PeerGone extends Error {
  override readonly name = 'PeerGone'
}

/** The other process could not do what was requested. The message is its own sentence. */
export class PeerFailed extends Error {
  override readonly name = 'PeerFailed'
}

/** Handles what the other end sends. Any error except PeerFailed ends the connection. */
export interface PeerHandlers {
  answer(message: Message): Promise<{ head?: unknown; bytes?: Buffer }>
  notice?(head: unknown): void
  /** requests of the other end that may run at the same time */
  readonly requestsMax: number
}

interface Waiting {
  resolve(message: Message): void
  reject(error: Error): void
}

const NOTHING = Buffer.alloc(0)

export class Peer {
  readonly #socket: Socket
  readonly #handlers: PeerHandlers
  readonly #waiting = new Map<number, Waiting>()
  #numbers = 0
  #answering = 0
  /** Resolves when the connection has ended, with the error if there was one. */
  readonly closed: Promise<Error | undefined>

  constructor(socket: Socket, handlers: PeerHandlers) {
    this.#socket = socket
    this.#handlers = handlers
    const reader = new FrameReader()
    let failure: Error | undefined
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const frame of reader.push(chunk)) this.#take(frame)
      } catch (error) {
        socket.destroy(error instanceof Error ? error : undefined)
      }
    })
    socket.on('error', (error) => {
      failure = error
    })
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        const gone = new PeerGone('the connection has ended', { cause: failure })
        for (const { reject } of this.#waiting.values()) reject(gone)
        this.#waiting.clear()
        resolve(failure)
      })
    })
  }

  /**
   * Sends a request. @throws {PeerGone} if the connection ends before the answer @throws {PeerFailed} with the other
   * end's sentence
   */
  request(head: unknown, bytes: Buffer = NOTHING): Promise<Message> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(new PeerGone('the connection has ended'))
      const number = this.#numbers++
      this.#waiting.set(number, { resolve, reject })
      this.#send('request', number, head, bytes)
    })
  }

  /** Sends a message that needs no answer. */
  notify(head: unknown): void {
    this.#send('notice', 0, head, NOTHING)
  }

  /** Ends the connection after everything has been sent. */
  end(): void {
    this.#socket.destroySoon()
  }

  /** Ends the connection immediately. */
  cut(): void {
    this.#socket.destroy()
  }

  #take({ kind, number, head, bytes }: Frame): void {
    if (kind === 'notice') {
      this.#handlers.notice?.(head)
      return
    }
    if (kind === 'request') {
      if (this.#answering >= this.#handlers.requestsMax) throw new Error('too many requests at once')
      void this.#answer(number, { head, bytes })
      return
    }
    const waiting = this.#waiting.get(number)
    if (waiting === undefined) throw new Error('an answer to nothing that was asked')
    this.#waiting.delete(number)
    if (kind === 'reply') waiting.resolve({ head, bytes })
    else waiting.reject(new PeerFailed(typeof head === 'string' ? head : 'the other process gave no reason'))
  }

  async #answer(number: number, message: Message): Promise<void> {
    this.#answering += 1
    try {
      const { head, bytes = NOTHING } = await this.#handlers.answer(message)
      this.#send('reply', number, head, bytes)
    } catch (error) {
      if (!(error instanceof PeerFailed)) return this.cut()
      this.#send('failure', number, error.message, NOTHING)
    } finally {
      this.#answering -= 1
    }
  }

  #send(kind: FrameKind, number: number, head: unknown, bytes: Buffer): void {
    if (!this.#socket.writable) return
    this.#socket.cork()
    for (const part of encodeFrame({ kind, number, head, bytes })) this.#socket.write(part)
    this.#socket.uncork()
  }
}
