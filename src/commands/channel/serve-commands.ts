/**
 * The service's side of the channel: it runs the commands of other processes on its own database, one program and
 * one session, and no command keeps that session longer than it works.
 */
import { createServer, type Server, type Socket } from 'node:net'
import type { Database } from '../../database/database.ts'
import type { CommandContext, RunCommand, ServiceSide } from '../context.ts'
import { Interrupted } from '../interruption.ts'
import { fieldsOf, type Hello, ownVersion, readHello } from './hello.ts'
import { Patience, type PatienceBounds } from './patience.ts'
import { Peer, PeerFailed } from './peer.ts'
import { listenIn, makeChannelFolder } from './place.ts'
import { remoteTerminal } from './remote-terminal.ts'

export interface CommandService {
  /** Ends every command, which undoes what it had begun, tells its user, and removes the socket. */
  close(): Promise<void>
}

export interface CommandServiceOptions extends Pick<ServiceSide, 'database' | 'config' | 'place'> {
  /** The folder of the data, whose lock the caller holds. */
  readonly dataDir: string
  readonly run: RunCommand
  readonly random: CommandContext['random']
  readonly now: CommandContext['now']
  readonly bounds?: Partial<ChannelBounds>
}

interface ChannelBounds extends PatienceBounds {
  /** From the connection to what is asked. */
  readonly helloMs: number
  readonly commandsMax: number
  /** Connections that have not yet said what they want are counted too. */
  readonly connectionsMax: number
}

const BOUNDS: ChannelBounds = {
  holdingMs: 10_000,
  idleMs: 600_000,
  helloMs: 5000,
  commandsMax: 8,
  connectionsMax: 32,
}

/** How long a client has to take what it is told when the service stops. */
const FAREWELL_MS = 2000

export async function serveCommands(options: CommandServiceOptions): Promise<CommandService> {
  const bounds = { ...BOUNDS, ...options.bounds }
  const folder = makeChannelFolder(options.dataDir)
  const connections = new Set<Connection>()
  let isClosing = false

  const server: Server = createServer((socket) => {
    const connection = new Connection(socket, bounds, (peer, head) => {
      const running = [...connections].filter(({ isRunning }) => isRunning).length
      return new RunningCommand(peer, accepted(head, { isClosing, running, bounds }), options, bounds, folder)
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

/** One client, which has one command run. */
class Connection {
  readonly #socket: Socket
  readonly #peer: Peer
  #command: RunningCommand | undefined
  #ran: Promise<unknown> = Promise.resolve()
  /** Resolves when the connection has ended and nothing of its command is under way. */
  readonly closed: Promise<void>

  constructor(
    socket: Socket,
    { helloMs }: ChannelBounds,
    commandOf: (peer: Peer, head: unknown) => RunningCommand,
  ) {
    this.#socket = socket
    const tooLate = setTimeout(() => socket.destroy(), helloMs)
    this.#peer = new Peer(socket, {
      requestsMax: 1,
      answer: async ({ head }) => {
        if (this.#command !== undefined) throw new Error('one command for each connection')
        clearTimeout(tooLate)
        this.#command = commandOf(this.#peer, head)
        const running = this.#command.run()
        this.#ran = running.catch(() => {})
        // The answer is sent first.
        void this.#ran.then(() => setImmediate(() => this.#peer.end()))
        return { head: { code: await running } }
      },
      notice: (head) => {
        const { op } = fieldsOf(head)
        if (op === 'interrupt') this.#command?.end(new Interrupted('Interrupted', codeOf(head)))
      },
    })
    this.closed = this.#peer.closed.then(async () => {
      clearTimeout(tooLate)
      this.#command?.end(new Interrupted('Its user has gone'))
      await this.#ran
    })
  }

  get isRunning(): boolean {
    return this.#command !== undefined
  }

  end(reason: Interrupted): void {
    if (this.#command === undefined) this.cut()
    else this.#command.end(reason)
  }

  cut(): void {
    this.#socket.destroy()
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
      `The service runs Sojourn ${ownVersion()}, this command is of ${hello.version.slice(0, 60)}; restart the service to use the newer one.`,
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

/** A request is refused when it has waited for its turn behind an import; a command waits until Ctrl-C. */
const patient = (database: Database): Database => ({
  ...database,
  query: (sql) => database.transaction((tx) => tx.query(sql)),
})

class RunningCommand {
  readonly #peer: Peer
  readonly #hello: Hello
  readonly #options: CommandServiceOptions
  readonly #bounds: ChannelBounds
  readonly #folder: string
  readonly #controller = new AbortController()

  constructor(
    peer: Peer,
    hello: Hello,
    options: CommandServiceOptions,
    bounds: ChannelBounds,
    folder: string,
  ) {
    this.#peer = peer
    this.#hello = hello
    this.#options = options
    this.#bounds = bounds
    this.#folder = folder
  }

  /** Interrupts it; what it has not committed is undone. */
  end(reason: Interrupted): void {
    if (!this.#controller.signal.aborted) this.#controller.abort(reason)
  }

  /** @returns the exit code */
  async run(): Promise<number> {
    const { signal } = this.#controller
    const { run, database, config, place, random, now } = this.#options
    const patience = new Patience(this.#bounds, () => {
      this.end(new Interrupted('Its output was not taken in time'))
      this.#peer.cut()
    })
    const terminal = remoteTerminal({
      peer: this.#peer,
      hello: this.#hello,
      patience,
      signal,
      folder: this.#folder,
    })
    try {
      await terminal.ask({ op: 'begin' })
      const code = await run(this.#hello.args, {
        env: {},
        stdin: terminal.stdin,
        stdout: terminal.stdout,
        stderr: terminal.stderr,
        files: terminal.files,
        random,
        now,
        interrupts: () => signal,
        service: {
          database: patient(database),
          config,
          place,
          onHold: (holds) => patience.holds(holds),
          async beforeCommit() {
            await terminal.ask({ op: 'commit' })
            signal.throwIfAborted()
          },
        },
      })
      await terminal.flush()
      return code
    } finally {
      await terminal.close()
    }
  }
}
