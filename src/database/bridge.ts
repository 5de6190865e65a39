/**
 * The way into a running service's embedded database: a local socket in its folder that speaks PostgreSQL's
 * wire protocol, so that the commands, and `psql -h DATA_DIR`, see one more PostgreSQL. Whoever may open the
 * socket file may use it; it has the rights of the folder.
 *
 * PGlite has one session. A client is lent it from the first message of a batch until the database says that no
 * transaction is open, so that neither the service's own reads nor another client ever fall into its
 * transaction. What a session would keep between transactions (settings, prepared statements) is kept here for
 * each client and put back when it is its turn again; the session itself is left as it was found.
 */
import { chmodSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import type { EmbeddedDatabase } from './embedded.ts'
import {
  AUTHENTICATION_OK,
  copyInResponse,
  errorResponse,
  type Message,
  MessageReader,
  message,
  ProtocolError,
  queryMessage,
  readStartup,
  readStrings,
  readyForQuery,
  SYNC,
  splitMessages,
  statusOf,
  type TransactionStatus,
  typeOf,
} from './wire.ts'

/** PostgreSQL's own name for it, which is where clients look for port 5432 of a folder. */
export const SOCKET_FILE = '.s.PGSQL.5432'

/** Linux takes 107 bytes, macOS 103. */
const SOCKET_PATH_BYTES_MAX = 103

export interface Bridge {
  /** Tells the clients, undoes what they had not committed, and removes the socket. */
  close(): Promise<void>
}

export interface BridgeOptions {
  /**
   * How long a client may say nothing while its transaction is open. Everybody else waits for it meanwhile, so
   * it is undone then.
   */
  readonly silenceMs?: number | undefined
  /** Told why there is no socket: the service runs without one. */
  readonly onWarning?: ((sentence: string) => void) | undefined
}

const SILENCE_MS = 10_000
const CLIENTS_MAX = 100

/** Listens in `folder`, whose lock the caller holds. Undefined where there can be no socket. */
export async function startBridge(
  database: EmbeddedDatabase,
  folder: string,
  options: BridgeOptions = {},
): Promise<Bridge | undefined> {
  const path = join(folder, SOCKET_FILE)
  const length = Buffer.byteLength(path)
  if (process.platform === 'win32' || length > SOCKET_PATH_BYTES_MAX) {
    const why =
      length > SOCKET_PATH_BYTES_MAX
        ? `${path} is longer (${length} bytes) than a socket's path may be (${SOCKET_PATH_BYTES_MAX}); a shorter DATA_DIR helps`
        : 'this system has no socket files'
    options.onWarning?.(`Other commands cannot use the embedded database while this service runs: ${why}.`)
    return undefined
  }

  const parameters = await readParameters(database)
  const silenceMs = options.silenceMs ?? SILENCE_MS
  const clients = new Set<Client>()
  const server = createServer((socket) => {
    const client = new Client(socket, database, parameters, silenceMs)
    clients.add(client)
    socket.on('close', () => clients.delete(client))
  })
  server.maxConnections = CLIENTS_MAX
  await listenPrivately(server, folder, path)
  server.on('error', (error) => options.onWarning?.(`The socket ${path} failed: ${error.message}.`))

  return {
    async close() {
      server.close()
      rmSync(path, { force: true })
      await Promise.all([...clients].map((client) => client.shutDown()))
    },
  }
}

/**
 * Listens on `path` with rights for nobody else from the first moment on: the socket is made in a folder that
 * only we may enter, and then put in its place, over one that an owner of before may have left.
 */
async function listenPrivately(server: Server, folder: string, path: string): Promise<void> {
  const workshop = join(folder, '.socket')
  mkdirSync(workshop, { recursive: true, mode: 0o700 })
  const draft = join(workshop, 's')
  rmSync(draft, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(draft, resolve)
  })
  chmodSync(draft, 0o600)
  renameSync(draft, path)
  rmSync(workshop, { recursive: true })
}

/** What a server tells each client of itself; drivers decide by some of it. */
const REPORTED = [
  'server_version',
  'server_encoding',
  'client_encoding',
  'DateStyle',
  'IntervalStyle',
  'TimeZone',
  'integer_datetimes',
  'standard_conforming_strings',
  'is_superuser',
  'session_authorization',
  'search_path',
  'in_hot_standby',
  'default_transaction_read_only',
  'application_name',
]

async function readParameters(database: EmbeddedDatabase): Promise<ReadonlyMap<string, string>> {
  return database.session.run(async () => {
    const { rows } = await database.pglite.query<{ name: string; setting: string }>(
      'select name, setting from pg_settings where name = any($1)',
      [REPORTED],
    )
    const settings = new Map(rows.map((row) => [row.name, row.setting]))
    return new Map(REPORTED.map((name) => [name, settings.get(name) ?? FALLBACKS[name] ?? '']))
  })
}

/** Of those that are no settings of the database's own. */
const FALLBACKS: Readonly<Record<string, string>> = {
  is_superuser: 'on',
  session_authorization: 'postgres',
  in_hot_standby: 'off',
}

/**
 * What DISCARD ALL does, but for what is the service's own: its cursors, its prepared statements and their
 * plans live on in the same session.
 */
const CLEAN = `set session authorization default; reset all; unlisten *; select pg_advisory_unlock_all();
  discard sequences; discard temp; set time zone 'UTC'`
const LEFTOVERS = String.raw`
  select 'deallocate ' || quote_ident(name) as undo from pg_prepared_statements where name !~ '^sojourn_\d+$'
  union all
  select 'close ' || quote_ident(name) from pg_cursors where is_holdable and name !~ '^chunks_\d+$'`

let processIds = 1

class Client {
  readonly #socket: Socket
  readonly #database: EmbeddedDatabase
  readonly #parameters: ReadonlyMap<string, string>
  readonly #silenceMs: number
  readonly #reader = new MessageReader()
  /** Everything happens one after the other. */
  #work: Promise<void> = Promise.resolve()
  #begun = false
  #ended = false

  /** Ends the loan of the session; undefined while it is not ours. */
  #giveBack: (() => void) | undefined
  #silence: NodeJS.Timeout | undefined
  /** Since the last answer: what is executed together, up to a Sync, a Flush or a Query. */
  #batch: Message[] = []
  /** The COPY whose data is being collected. */
  #copy: { readonly query: Message; readonly data: Message[]; bytes: number } | undefined
  /** After an error of ours, as PostgreSQL does after one of its own. */
  #ignoreUntilSync = false

  /** What the client has set for its session, and its named statements: put back at each of its turns. */
  #settings: ReadonlyMap<string, string> = new Map()
  #settingsMayChange = false
  readonly #statements = new Map<string, Message>()
  /** The named statements that the session knows in this turn. */
  readonly #prepared = new Set<string>()

  constructor(
    socket: Socket,
    database: EmbeddedDatabase,
    parameters: ReadonlyMap<string, string>,
    silenceMs: number,
  ) {
    this.#socket = socket
    this.#database = database
    this.#parameters = parameters
    this.#silenceMs = silenceMs
    socket.on('data', (chunk: Buffer) => {
      this.#stopWaiting()
      // What is not read yet stays with the sender, so memory holds one message at most.
      socket.pause()
      this.#enqueue(async () => {
        this.#reader.push(chunk)
        await this.#readAll()
        socket.resume()
      })
    })
    socket.on('error', () => {})
    socket.on('close', () => this.#enqueue(() => this.#end()))
  }

  async shutDown(): Promise<void> {
    this.#enqueue(() => this.#fail('57P01', 'the service is being stopped'))
    await this.#work
  }

  #enqueue(task: () => Promise<void>): void {
    this.#work = this.#work.then(async () => {
      try {
        await task()
      } catch (error) {
        const code = error instanceof ProtocolError ? '08P01' : 'XX000'
        await this.#fail(code, error instanceof Error ? error.message : 'internal error').catch(() => {})
      }
    })
  }

  #send(...messages: readonly Uint8Array[]): void {
    if (!this.#socket.writable) return
    for (const bytes of messages) this.#socket.write(bytes)
  }

  async #readAll(): Promise<void> {
    while (!this.#begun && !this.#ended) {
      const packet = this.#reader.takeStartup()
      if (packet === undefined) return
      await this.#begin(packet)
    }
    while (!this.#ended) {
      const next = this.#reader.take()
      if (next === undefined) break
      await this.#read(next)
    }
    if (this.#giveBack !== undefined) this.#waitForClient()
  }

  async #begin(packet: Buffer): Promise<void> {
    const startup = readStartup(packet)
    // Nobody else can read a local socket.
    if (startup.kind === 'encryption') return this.#send(Buffer.from('N'))
    // A statement runs to its end before anything else is read, so there is never one to cancel.
    if (startup.kind === 'cancel') return this.#end()
    this.#begun = true
    this.#settings = settingsOf(startup.parameters)
    const reported = [...this.#parameters].map(([name, value]) => message('S', name, value))
    const backendKey = message('K', processIds++, 0)
    this.#send(AUTHENTICATION_OK, ...reported, backendKey, readyForQuery('I'))
  }

  async #read(next: Message): Promise<void> {
    const type = typeOf(next)
    if (this.#copy !== undefined && 'dcfHS'.includes(type)) return this.#readCopyData(type, next)
    if (type === 'X') return this.#end()
    if (this.#ignoreUntilSync && type !== 'S') return
    switch (type) {
      case 'P':
      case 'B':
      case 'D':
      case 'E':
      case 'C':
        this.#batch.push(next)
        return
      case 'H':
        if (this.#batch.length > 0) await this.#execute(next)
        return
      case 'S':
        this.#ignoreUntilSync = false
        return this.#execute(next)
      case 'Q':
        return this.#readQuery(next)
      case 'F':
        this.#batch = []
        return this.#refuse('function calls by message are not taken here')
      case 'd':
      case 'c':
      case 'f':
        // Left over from a COPY that failed.
        return
      default:
        // Never to the database: a message of an unknown type would end its session, and with it the service.
        throw new ProtocolError(`invalid frontend message type ${next[0]}`)
    }
  }

  // COPY … FROM STDIN reads on within the statement, which the embedded database cannot do: it would end, and
  // the service with it. So its data is collected first and handed over together with the statement.
  async #readQuery(query: Message): Promise<void> {
    const [text = ''] = readStrings(query, 1)
    const copies = readsCopyData(text)
    if (copies === 'none') return this.#execute(query)
    if (copies === 'mixed') {
      return this.#refuse('COPY FROM STDIN must be sent as one statement of its own')
    }
    this.#copy = { query, data: [], bytes: 0 }
    await this.#borrow()
    this.#send(copyInResponse(/\bbinary\b/i.test(text)))
  }

  async #readCopyData(type: string, next: Message): Promise<void> {
    const copy = this.#copy!
    // Within COPY the protocol ignores Flush and Sync.
    if (type === 'H' || type === 'S') return
    if (copy.bytes <= COPY_BYTES_MAX) copy.data.push(next)
    copy.bytes += next.length
    if (type === 'd') return
    this.#copy = undefined
    if (copy.bytes > COPY_BYTES_MAX) {
      return this.#refuse(`COPY takes ${COPY_BYTES_MAX} bytes at most here; send the rows in parts`)
    }
    this.#batch.push(copy.query, ...copy.data)
    // The client has had its CopyInResponse.
    await this.#execute(undefined, (type) => type !== 'G')
  }

  /** An error of ours, raised by the database, so that it ends a transaction as any other does. */
  #refuse(sentence: string): Promise<void> {
    return this.#execute(raise(sentence))
  }

  /** Executes the batch and `last` as a whole, and sends the answer but for what `keep` leaves out. */
  async #execute(last: Message | undefined, keep?: (type: string) => boolean): Promise<void> {
    const batch = this.#batch
    this.#batch = []
    if (batch.some(preparesCopy)) return this.#refusePreparedCopy(last)
    if (last !== undefined) batch.push(last)
    await this.#borrow()
    this.#note(batch)
    const forgotten = this.#forgottenStatements(batch)
    const answer = withoutFirst(forgotten.length, '1', await this.#run([...forgotten, ...batch]))
    this.#noteStatements(batch, answer)
    await this.#answer(answer, keep)
  }

  async #refusePreparedCopy(last: Message | undefined): Promise<void> {
    await this.#borrow()
    const answer = await this.#run([
      raise('COPY FROM STDIN cannot be prepared here; send it as a simple query'),
    ])
    // Before a Flush the series goes on to its Sync, which then says that the session is ready.
    const flushed = last !== undefined && typeOf(last) === 'H'
    if (flushed) this.#ignoreUntilSync = true
    await this.#answer(answer, flushed ? (type) => type !== 'Z' : undefined)
  }

  async #answer(answer: Buffer, keep?: (type: string) => boolean): Promise<void> {
    let status: TransactionStatus | undefined
    const kept: Message[] = []
    for (const one of splitMessages(answer)) {
      const type = typeOf(one)
      if (type === 'Z') status = statusOf(one)
      if (keep?.(type)) kept.push(one)
    }
    const ready = keep === undefined || keep('Z') ? status : undefined
    this.#send(keep === undefined ? answer : Buffer.concat(kept))
    if (ready === 'I') await this.#return()
  }

  /** The session is ours until `#return`. */
  async #borrow(): Promise<void> {
    if (this.#giveBack !== undefined) return
    this.#giveBack = await this.#database.session.acquire()
    for (const [name, value] of this.#settings) {
      if (this.#parameters.get(name) === value) continue
      await this.#database.pglite.query('select set_config($1, $2, false)', [name, value]).catch(() => {})
    }
  }

  async #return(): Promise<void> {
    const giveBack = this.#giveBack
    if (giveBack === undefined) return
    try {
      if (this.#settingsMayChange) this.#settings = await this.#readSettings()
      await this.#clean()
    } finally {
      this.#settingsMayChange = false
      this.#prepared.clear()
      this.#giveBack = undefined
      giveBack()
    }
  }

  async #readSettings(): Promise<ReadonlyMap<string, string>> {
    const { rows } = await this.#database.pglite.query<{ name: string; setting: string }>(
      `select name, current_setting(name) as setting from pg_settings
       where source = 'session' and name not in ('role', 'session_authorization')`,
    )
    return new Map(rows.map((row) => [row.name, row.setting]))
  }

  async #clean(): Promise<void> {
    const { pglite } = this.#database
    await pglite.exec(CLEAN)
    const { rows } = await pglite.query<{ undo: string }>(LEFTOVERS)
    for (const { undo } of rows) await pglite.exec(undo)
  }

  /** The named statements that the batch uses and that were prepared in an earlier turn. */
  #forgottenStatements(batch: readonly Message[]): Message[] {
    const forgotten: Message[] = []
    for (const one of batch) {
      const name = usedStatement(one)
      const parse = name === undefined || this.#prepared.has(name) ? undefined : this.#statements.get(name)
      if (name === undefined || parse === undefined) continue
      forgotten.push(parse)
      this.#prepared.add(name)
    }
    return forgotten
  }

  #note(batch: readonly Message[]): void {
    for (const one of batch) {
      const type = typeOf(one)
      if (type !== 'Q' && type !== 'P') continue
      const text = type === 'Q' ? readStrings(one, 1)[0] : readStrings(one, 2)[1]
      this.#settingsMayChange ||= /\b(set|reset|set_config|discard)\b/i.test(text ?? '')
    }
  }

  /** Parses and closes are answered in their order, until the first error. */
  #noteStatements(batch: readonly Message[], answer: Buffer): void {
    const done = { P: 0, C: 0 }
    for (const one of splitMessages(answer)) {
      if (typeOf(one) === '1') done.P += 1
      if (typeOf(one) === '3') done.C += 1
    }
    for (const one of batch) {
      const type = typeOf(one)
      if (type === 'P' && done.P-- > 0) {
        const [name = ''] = readStrings(one, 1)
        if (name === '') continue
        // Its own copy: the bytes it came in hold much more.
        this.#statements.set(name, Buffer.from(one))
        this.#prepared.add(name)
      }
      if (type === 'C' && done.C-- > 0 && one[5] === STATEMENT) {
        const [name = ''] = readStrings(one, 1, 6)
        this.#statements.delete(name)
        this.#prepared.delete(name)
      }
    }
  }

  async #run(messages: readonly Message[]): Promise<Buffer> {
    const parts: Buffer[] = []
    await this.#database.pglite.execProtocolRawStream(Buffer.concat(messages), {
      // A view of the database's own memory, which the next statement changes.
      onRawData: (bytes) => parts.push(Buffer.from(bytes)),
    })
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  }

  /** While its transaction is open everybody else waits, so a client may not be silent for long. */
  #waitForClient(): void {
    this.#stopWaiting()
    this.#silence = setTimeout(() => {
      const seconds = Math.round(this.#silenceMs / 1000)
      this.#enqueue(() =>
        this.#fail(
          '25P03',
          `the transaction was undone: nothing came for ${seconds} s while others waited for it`,
        ),
      )
    }, this.#silenceMs)
  }

  #stopWaiting(): void {
    clearTimeout(this.#silence)
    this.#silence = undefined
  }

  async #fail(code: string, sentence: string): Promise<void> {
    if (!this.#ended) this.#send(errorResponse({ severity: 'FATAL', code, message: sentence }))
    await this.#end()
  }

  async #end(): Promise<void> {
    this.#stopWaiting()
    this.#ended = true
    this.#batch = []
    this.#copy = undefined
    if (!this.#socket.destroyed) {
      this.#socket.destroySoon()
      // A client that has stopped reading would keep it open.
      setTimeout(() => this.#socket.destroy(), 1000).unref()
    }
    if (this.#giveBack === undefined) return
    // A rollback first: a Sync would commit what was executed and not yet synced. After an error in such a
    // series everything up to the Sync is ignored, the first rollback too; then nothing was left to commit.
    const rollback = queryMessage('rollback')
    await this.#run([rollback, SYNC, rollback])
    await this.#return()
  }
}

const raise = (sentence: string) =>
  queryMessage(`do $$ begin raise exception using errcode = '0A000', message = '${sentence}'; end $$`)

const preparesCopy = (one: Message) =>
  typeOf(one) === 'P' && readsCopyData(readStrings(one, 2)[1] ?? '') !== 'none'

/** An answer without its first `count` messages of a type. */
function withoutFirst(count: number, type: string, answer: Buffer): Buffer {
  if (count === 0) return answer
  let left = count
  return Buffer.concat([...splitMessages(answer)].filter((one) => typeOf(one) !== type || left-- <= 0))
}

const COPY_BYTES_MAX = 256 * 1024 * 1024
const STATEMENT = 'S'.charCodeAt(0)

/** The name of the statement that a Bind or a Describe uses; undefined for the unnamed one and for others. */
function usedStatement(one: Message): string | undefined {
  const type = typeOf(one)
  const name =
    type === 'B'
      ? readStrings(one, 2)[1]
      : type === 'D' && one[5] === STATEMENT
        ? readStrings(one, 1, 6)[0]
        : undefined
  return name === '' ? undefined : name
}

/**
 * Whether a text reads data of the client's: `one` statement that does; or `mixed`, what cannot be told apart
 * safely and might. Both words are keywords that SQL cannot write otherwise, so nothing slips through; a text
 * that only speaks of them passes where it is one statement that begins with another word.
 */
function readsCopyData(text: string): 'none' | 'one' | 'mixed' {
  if (!/\bcopy\b[\s\S]*\bstdin\b/i.test(text)) return 'none'
  const trimmed = text.trim().replace(/;$/, '')
  const statement = trimmed.replace(/^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/, '')
  const [word] = /^[a-z]+/i.exec(statement) ?? []
  if (word === undefined || statement.includes(';')) return 'mixed'
  // Comments may be nested: what seems to follow one may still be in it.
  if (statement !== trimmed && word.toLowerCase() !== 'copy') return 'mixed'
  // COPY ( … ) is a query, which only ever goes out.
  if (word.toLowerCase() !== 'copy' || /^copy\s*\(/i.test(statement)) return 'none'
  const readsOnce = /\bfrom\s+stdin\b/i.test(statement) && statement.match(/\bstdin\b/gi)?.length === 1
  return readsOnce ? 'one' : 'mixed'
}

/** The settings that a connection begins with, as names and values and as `-c name=value`. */
function settingsOf(parameters: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const settings = new Map<string, string>()
  const notSettings = ['user', 'database', 'replication', 'options', 'client_encoding']
  for (const [name, value] of parameters) {
    if (!notSettings.includes(name) && !name.startsWith('_pq_.')) settings.set(name, value)
  }
  const options = parameters.get('options') ?? ''
  for (const [, name = '', value = ''] of options.matchAll(/(?:-c\s*|--)([\w.-]+)=((?:\\.|[^\s\\])*)/g)) {
    if (name.toLowerCase() !== 'client_encoding')
      settings.set(name.replaceAll('-', '_'), value.replaceAll(/\\(.)/g, '$1'))
  }
  return settings
}
