/** A service that takes commands, in this process, and clients of it that do not behave. */
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { connectTo } from '../../../src/commands/channel/channel-socket.ts'
import { ownVersion } from '../../../src/commands/channel/hello.ts'
import { Peer } from '../../../src/commands/channel/peer.ts'
import { type CommandServiceOptions, serveCommands } from '../../../src/commands/channel/serve-commands.ts'
import { run } from '../../../src/commands/program.ts'
import { readConfig } from '../../../src/config/config.ts'
import type { Database, Queryable } from '../../../src/database/database.ts'
import { lockFolder } from '../../../src/database/folder-lock.ts'
import { openPostgres } from '../../../src/database/postgres.ts'
import { afterwards, newPostgresDatabase, openTestDatabase, testEngine } from '../../support/database.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import type { Env } from '../sojourn.ts'

interface Options {
  readonly bounds?: CommandServiceOptions['bounds']
  readonly dataDir?: string
  /** of the service, next to its folder */
  readonly settings?: Env
  /** Is used before the database that commands work on. */
  readonly inFrontOf?: (database: Database) => Database
  readonly now?: (() => number) | undefined
}

export async function startChannel({
  bounds,
  dataDir = makeTemporaryFolder(),
  inFrontOf,
  now = Date.now,
  settings = {},
}: Options = {}) {
  const database = await openTestDatabase()
  const lock = lockFolder(dataDir)
  const service = await serveCommands({
    database: inFrontOf?.(database) ?? database,
    config: readConfig({ ...settings, DATA_DIR: dataDir }),
    place: dataDir,
    dataDir,
    run,
    random: randomBytes,
    now,
    ...(bounds && { bounds }),
  })
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await service.close()
    lock.release()
  }
  afterwards(close)
  return { env: { DATA_DIR: dataDir }, dataDir, database, close }
}

/**
 * A database for a test that runs many commands, and their settings. On the embedded engine a service runs them, so that
 * none of them has to open the folder first, which takes 0.6 s of CPU.
 */
export async function startCommands({
  now,
  settings = {},
}: Pick<Options, 'now' | 'settings'> = {}): Promise<{ env: Env; database: Database }> {
  if (testEngine() === 'embedded') return startChannel({ now, settings })
  const connectionString = await newPostgresDatabase()
  const database = openPostgres({ connection: { connectionString }, poolSize: 2, purpose: 'command' })
  afterwards(() => database.close())
  return { env: { ...settings, DATABASE_URL: connectionString, DATA_DIR: makeTemporaryFolder() }, database }
}

/** Stops every transaction before its first statement that matches, until it is let go. */
export function gate(pattern: RegExp) {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  const wait = async (text: string) => {
    if (!pattern.test(text)) return
    reached.resolve()
    await opened.promise
  }
  return {
    reached: reached.promise,
    open: () => opened.resolve(),
    inFrontOf: (database: Database): Database => ({
      ...database,
      transaction: (work, options) =>
        database.transaction((tx) => {
          const slow: Queryable = {
            async query(sql) {
              await wait(sql.text)
              return tx.query(sql)
            },
          }
          return work(slow)
        }),
    }),
  }
}

/** A client that says what it likes and does with requests what the test does. */
export async function rawClient(
  dataDir: string,
  answer: (op: unknown, bytes: Buffer) => Promise<{ bytes?: Buffer }> = async () => ({}),
): Promise<{ socket: Socket; peer: Peer; hello: (args: readonly string[]) => object }> {
  const socket = await connectTo(dataDir)
  afterwards(async () => socket.destroy())
  const peer = new Peer(socket, {
    requestsMax: 100,
    answer: ({ head, bytes }) => answer((head as { op: unknown }).op, bytes),
  })
  const terminal = { isTTY: false }
  const hello = (args: readonly string[]) => ({
    op: 'run',
    version: ownVersion(),
    args,
    user: 'desk',
    machine: 'desk-1',
    stdin: terminal,
    stdout: terminal,
    stderr: terminal,
  })
  return { socket, peer, hello }
}
