/** The terminal and the files of a command's user, as seen by the service that runs the command. */
import { Writable } from 'node:stream'
import type { Files, NewFile } from '../../intake/files.ts'
import { InputError } from '../../intake/input-error.ts'
import { Spool } from '../../intake/spool.ts'
import { NotShown, type Output } from '../context.ts'
import { unlessInterrupted } from '../interruption.ts'
import type { ClientDeadline } from './client-deadline.ts'
import { BYTES_MAX } from './frames.ts'
import type { Hello, Terminal } from './hello.ts'
import { type Message, type Peer, PeerFailed } from './peer.ts'
import type { ClientRequest } from './requests.ts'

export interface RemoteTerminal {
  readonly stdin: Terminal
  readonly stdout: Output
  readonly stderr: Output
  readonly files: Files
  ask(request: ClientRequest, bytes?: Buffer): Promise<Message>
  /** Prints to standard output. @throws {NotShown} if the text was not printed */
  show(text: string): Promise<void>
  /** Waits until everything has been printed. */
  flush(): Promise<void>
  /** Releases what the command's files used here. */
  close(): Promise<void>
}

export interface RemoteTerminalOptions {
  readonly peer: Peer
  readonly hello: Hello
  readonly deadline: ClientDeadline
  readonly signal: AbortSignal
  /** folder for received files while the command runs */
  readonly folder: string
}

export function remoteTerminal({
  peer,
  hello,
  deadline,
  signal,
  folder,
}: RemoteTerminalOptions): RemoteTerminal {
  const spools: Spool[] = []
  const ask = (request: ClientRequest, bytes?: Buffer) => deadline.during(peer.request(request, bytes))
  const stdout = output(ask, 'stdout', hello.stdout)
  const stderr = output(ask, 'stderr', hello.stderr)

  return {
    stdin: hello.stdin,
    stdout,
    stderr,
    ask,
    files: {
      async open(file) {
        const spool = new Spool(folder)
        spools.push(spool)
        while (true) {
          const { bytes } = await unlessInterrupted(signal, asInput(ask({ op: 'read', file })))
          if (bytes.length === 0) return spool.read()
          await spool.add(bytes)
        }
      },
      async create(file) {
        await asInput(ask({ op: 'create', file }))
        return remoteFile(ask, file)
      },
    },
    async show(text) {
      try {
        await ask({ op: 'show' }, Buffer.from(text))
      } catch (error) {
        throw error instanceof PeerFailed ? new NotShown(error.message) : error
      }
    },
    async flush() {
      await ended(stderr)
      // The output of an interrupted command may wait for a reader that never comes.
      if (!signal.aborted) await ended(stdout)
    },
    async close() {
      stdout.destroy()
      stderr.destroy()
      for (const spool of spools) await spool.close()
    },
  }
}

type Ask = RemoteTerminal['ask']

function output(ask: Ask, to: 'stdout' | 'stderr', { isTTY, columns }: Terminal): Writable & Output {
  const write = async (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; at += BYTES_MAX) {
      await ask({ op: 'print', to }, bytes.subarray(at, at + BYTES_MAX))
    }
  }
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      write(chunk).then(() => done(), done)
    },
    writev(chunks, done) {
      // Strings arrive as bytes, which is the default of a stream.
      write(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer))).then(() => done(), done)
    },
  })
  // The caller of `write` gets the error. Without a listener, the stream would end the service.
  stream.on('error', () => {})
  return Object.assign(stream, { isTTY, ...(columns === undefined ? {} : { columns }) })
}

function ended(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    stream.on('close', resolve)
    stream.end(resolve)
    if (stream.destroyed) resolve()
  })
}

function remoteFile(ask: Ask, file: string): NewFile {
  const sendRequest = async (request: ClientRequest, bytes?: Buffer) => {
    await asInput(ask(request, bytes))
  }
  return {
    async write(content) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content)
      for (let at = 0; at < bytes.length; at += BYTES_MAX) {
        await sendRequest({ op: 'append', file }, bytes.subarray(at, at + BYTES_MAX))
      }
    },
    keep: () => sendRequest({ op: 'keep', file }),
    discard: () => sendRequest({ op: 'discard', file }),
  }
}

/** Reports a file error of the client in the same words as the command itself. */
async function asInput<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw error instanceof PeerFailed ? new InputError(error.message) : error
  }
}
