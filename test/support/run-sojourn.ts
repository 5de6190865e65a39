/** Runs the `sojourn` command within this process. */
import { randomBytes } from 'node:crypto'
import { Readable, Writable } from 'node:stream'
import type { Database } from '../../src/core/database/database.ts'
import { type OpenedDatabase, openDatabase } from '../../src/core/database/open.ts'
import { InputError } from '../../src/core/intake/input-error.ts'
import { type Files, localFiles, type NewFile } from '../../src/core/intake/lines/files.ts'
import { run } from '../../src/program.ts'

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly stdin?: string
  /** Input that arrives in pieces, instead of `stdin`. */
  readonly input?: AsyncIterable<Buffer>
  readonly now?: number
  /** Aborting it corresponds to Ctrl-C. */
  readonly signal?: AbortSignal
  /** The outputs that are terminals; none by default. */
  readonly terminals?: readonly ('stdout' | 'stderr')[]
  /** The database of the command, which remains open; by default the command opens one. */
  readonly database?: Database
  /** Is used before the files of this process's user. */
  readonly files?: (files: Files) => Files
  /** Output streams instead of the recorded ones. */
  readonly stdout?: Writable
  readonly stderr?: Writable
}

/** Runs a command to its end. */
export async function sojourn(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  options: RunOptions = {},
): Promise<Ran> {
  const { stdin = '', input, now, signal = new AbortController().signal, terminals = [] } = options
  const { files = (those) => those } = options

  const printed = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof printed) =>
    Object.assign(
      new Writable({
        write(chunk, _encoding, done) {
          printed[name] += String(chunk)
          done()
        },
      }),
      { isTTY: terminals.includes(name) },
    )
  const code = await run(args, {
    env,
    stdin: {},
    stdout: options.stdout ?? stream('stdout'),
    stderr: options.stderr ?? stream('stderr'),
    files: files(localFiles(input ?? Readable.from([Buffer.from(stdin)]))),
    random: randomBytes,
    user: 'tester',
    machine: 'desk-1',
    now: () => now ?? Date.now(),
    interrupts: () => signal,
    openDatabase: options.database === undefined ? openDatabase : async () => lent(options.database!),
  })
  return { code, ...printed }
}

const lent = (database: Database): OpenedDatabase => ({
  ...database,
  migrationsApplied: [],
  place: 'a test',
  connection: { connectionString: '' },
  close: async () => {},
})

/** Files on a disk that takes no more bytes: one can be made, and neither written nor retained. */
export function onFullDisk(files: Files): Files {
  const refuse = async () => {
    throw new InputError('the file cannot be written: no space left on device')
  }
  return {
    open: (path) => files.open(path),
    async create(path): Promise<NewFile> {
      const file = await files.create(path)
      return { write: refuse, keep: refuse, discard: () => file.discard() }
    },
  }
}
