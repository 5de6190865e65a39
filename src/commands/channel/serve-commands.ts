/**
 * The service's side of the channel. It runs the commands of other processes on its own database, which has one
 * session, and no command keeps that session longer than it works.
 */
import { createServer, type Server, type Socket } from 'node:net'
import type { Database } from '../../database/database.ts'
import { onlyReads } from '../../database/embedded/session.ts'
import type { CommandContext, RunCommand, ServiceSide } from '../context.ts'
import { Interrupted } from '../interruption.ts'
import { listenIn, makeChannelFolder } from './channel-socket.ts'
import { ClientDeadline, type ClientDeadlineBounds } from './client-deadline.ts'
import { fieldsOf, type Hello, ownVersion, readHello } from './hello.ts'
import { Peer, PeerFailed } from './peer.ts'
import { remoteTerminal } from './remote-terminal.ts'

export interface CommandService {
  /** Ends every command, which undoes its open changes and informs its user, and removes the socket. */
  close(): Promise<void>
}

export interface CommandServiceOptions extends Pick<ServiceSide, 'database' | 'config' | 'place'> {
  /** The folder of the data; the caller holds its lock. */
  readonly dataDir: string
  readonly run: RunCommand
  readonly random: CommandContext['random']
  readonly now: CommandContext['now']
  readonly bounds?: Partial<ChannelBounds>
}

interface ChannelBounds extends ClientDeadlineBounds {
  /** time from the connection to the request */
  readonly helloMs: number
  readonly commandsMax: number
  /** includes connections that have not sent their request yet */
  readonly connectionsMax: number
}

const BOUNDS: ChannelBounds = {
  holdingMs: 10_000,
  idleMs: 600_000,
  helloMs: 5000,
  commandsMax: 8,
  connectionsMax: 32,
}

/** Time that a client has to read its last message when the service stops. */
const FAREWELL_MS = 2000

export async function serveCommands(options: CommandServiceOptions): Promise<CommandService> {
  const bounds = { ...BOUNDS, ...options.bounds }
  const folder = makeChannelFolder(options.dataDir)
  const connections = new Set<Connection>()
  let isClosing = false

  const server: Server = createServer((socket) => {
    const connection = new Connection(socket, bounds.helloMs, {
      accept(head) {
        const running = [...connections].filter(({ isRunning }) => isRunning).length
        return accepted(head, { isClosing, running, bounds })
      },
      run: (peer, hello, controller) => runFor(peer, hello, controller, { ...options, bounds, folder }),
    })
    connections.add(connection)
    void connection.closed.then(() => connections.delete(connection))
  })
  server.maxConnections = bounds.connectionsMax
  await listenIn(folder, server)

  return {
    async close() {
      isClosing = true
      server.close()
      const all = [...connections]
      for (const connection of all) connection.end(new Interrupted('The service is stopping'))
      const cut = setTimeout(() => {
        for (const connection of all) connection.cut()
      }, FAREWELL_MS)
      await Promise.all(all.map((connection) => connection.closed))
      clearTimeout(cut)
      makeChannelFolder(options.dataDir)
    },
  }
}

interface ConnectionHandlers {
  /** @throws {PeerFailed} with the sentence for the user */
  accept(head: unknown): Hello
  /** @returns the exit code */
  run(peer: Peer, hello: Hello, controller: AbortController): Promise<number>
}

/** One client, which runs one command. */
class Connection {
  readonly #socket: Socket
  /** Aborting it interrupts the command and undoes what is not committed. */
  readonly #controller = new AbortController()
  #running: Promise<number> | undefined
  /** Resolves when the connection has ended and its command has stopped. */
  readonly closed: Promise<void>

  constructor(socket: Socket, helloMs: number, { accept, run }: ConnectionHandlers) {
    this.#socket = socket
    const tooLate = setTimeout(() => socket.destroy(), helloMs)
    const peer: Peer = new Peer(socket, {
      requestsMax: 1,
      answer: async ({ head }) => {
        if (this.#running !== undefined) throw new Error('one command for each connection')
        const hello = accept(head)
        clearTimeout(tooLate)
        this.#running = run(peer, hello, this.#controller)
        // The answer is sent first.
        const end = () => setImmediate(() => peer.end())
        this.#running.then(end, end)
        return { head: { code: await this.#running } }
      },
      notice: (head) => {
        const { op } = fieldsOf(head)
        if (op === 'interrupt') this.#interrupt(new Interrupted('Interrupted', codeOf(head)))
      },
    })
    this.closed = peer.closed.then(async () => {
      clearTimeout(tooLate)
      this.#interrupt(new Interrupted('Its user has gone'))
      await this.#running?.catch(() => {})
    })
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  end(reason: Interrupted): void {
    if (this.isRunning) this.#interrupt(reason)
    else this.cut()
  }

  cut(): void {
    this.#socket.destroy()
  }

  #interrupt(reason: Interrupted): void {
    this.#controller.abort(reason)
  }
}

function accepted(
  head: unknown,
  { isClosing, running, bounds }: { isClosing: boolean; running: number; bounds: ChannelBounds },
): Hello {
  const hello = readHello(head)
  if (hello === undefined) throw new Error('this is no command')
  if (!('args' in hello)) {
    throw new PeerFailed(
      `The service runs Sojourn ${ownVersion()}, and this command is version ${hello.version.slice(0, 60)}; restart the service to use the newer version.`,
    )
  }
  if (isClosing) throw new PeerFailed('The service is stopping; run the command again.')
  if (running >= bounds.commandsMax) {
    throw new PeerFailed(
      `The service is already running ${running} ${running === 1 ? 'command' : 'commands'}; run this one again when one has ended.`,
    )
  }
  return hello
}

const INTERRUPT_CODES = new Set([129, 130, 143])

function codeOf(head: unknown): number {
  const { code } = fieldsOf(head)
  return typeof code === 'number' && INTERRUPT_CODES.has(code) ? code : 130
}

/** A request that waits behind an import is refused after some time; a command waits until Ctrl-C. */
const patient = (database: Database): Database => ({
  ...database,
  query: (sql) =>
    database.transaction(
      (tx) => tx.query(sql),
      onlyReads(sql.text) ? { space: 'none', answersStay: true } : undefined,
    ),
})

/** @returns the exit code */
async function runFor(
  peer: Peer,
  hello: Hello,
  controller: AbortController,
  {
    run,
    database,
    config,
    place,
    random,
    now,
    bounds,
    folder,
  }: CommandServiceOptions & {
    bounds: ChannelBounds
    folder: string
  },
): Promise<number> {
  const { signal } = controller
  const deadline = new ClientDeadline(bounds, () => {
    controller.abort(new Interrupted('Its output was not taken in time'))
    peer.cut()
  })
  const terminal = remoteTerminal({ peer, hello, deadline, signal, folder })
  const { stdin, stdout, stderr, files } = terminal
  try {
    await terminal.ask({ op: 'begin' })
    const code = await run(hello.args, {
      env: {},
      stdin,
      stdout,
      stderr,
      files,
      random,
      user: hello.user,
      machine: hello.machine,
      now,
      interrupts: () => signal,
      service: {
        database: patient(database),
        config,
        place,
        onHold: (holds) => deadline.holds(holds),
        async beforeCommit() {
          await terminal.ask({ op: 'commit' })
          signal.throwIfAborted()
        },
        show: (text) => terminal.show(text),
      },
    })
    await terminal.flush()
    return code
  } finally {
    await terminal.close()
  }
}
