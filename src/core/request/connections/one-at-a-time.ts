/**
 * Handles one request of a connection at a time. In HTTP, a client may send many requests before it reads the first
 * answer, and Node starts all of them at once and buffers every answer: 1,500 connections with 200 unread requests each
 * took 1.3 GB. Here a request starts when the answer before it has been sent, so a connection holds one answer.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { leaveOutStacks } from '../../errors/without-stack.ts'

export interface RequestQueueBounds {
  /** requests that may wait on one connection; one more closes it */
  readonly perConnectionMax: number
  /** requests that may wait on all connections together; one more closes the connection that it came on */
  readonly inAllMax: number
}

/** No known client needs this many; browsers and most libraries send one at a time. */
export const DEFAULT_REQUEST_QUEUE: RequestQueueBounds = { perConnectionMax: 32, inAllMax: 2000 }

type Exchange = readonly [request: IncomingMessage, response: ServerResponse]

interface Line {
  /** whether one of its requests is being answered */
  busy: boolean
  readonly waiting: Exchange[]
}

/** Must be called after the server has its request handler and before it listens. */
export function answerOneAtATime(server: Server, bounds: RequestQueueBounds): void {
  const handlers = server.listeners('request')
  server.removeAllListeners('request')
  const lines = new WeakMap<Socket, Line>()
  let waiting = 0

  const drop = (line: Line) => {
    waiting -= line.waiting.length
    line.waiting.length = 0
  }

  const begin = (line: Line, request: IncomingMessage, response: ServerResponse) => {
    line.busy = true
    // The event occurs once; `once` would create a wrapper function for each request.
    response.on('close', () => {
      if (request.socket.destroyed) return drop(line)
      const next = line.waiting.shift()
      if (next === undefined) {
        line.busy = false
        return
      }
      waiting -= 1
      begin(line, ...next)
    })
    // Node calls the handlers with exactly these two arguments.
    for (const handle of handlers) handle.call(server, request, response)
  }

  server.on('request', (request, response) => {
    const { socket } = request
    let line = lines.get(socket)
    if (line === undefined) {
      line = { busy: false, waiting: [] }
      lines.set(socket, line)
    }
    if (!line.busy) begin(line, request, response)
    else if (line.waiting.length >= bounds.perConnectionMax || waiting >= bounds.inAllMax) {
      drop(line)
      socket.destroy()
    } else {
      if (line.waiting.length === 0) closeCheaply(socket)
      line.waiting.push([request, response])
      waiting += 1
    }
  })
}

const closingCheaply = new WeakSet<Socket>()

/**
 * Node creates an error for each unanswered request of a closed connection. With stack traces, each took a tenth of a
 * millisecond: closing a hundred connections with fifty requests each blocked everything for 300 ms.
 */
function closeCheaply(socket: Socket): void {
  if (closingCheaply.has(socket)) return
  closingCheaply.add(socket)
  // Node's own listener, which creates the errors, runs between these two.
  let keepStacks = () => {}
  socket.prependOnceListener('close', () => {
    keepStacks = leaveOutStacks()
  })
  socket.once('close', () => keepStacks())
}
