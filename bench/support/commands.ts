/** Runs `sojourn` as a user does, for scripts that break its environment. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { SOJOURN } from '../../test/support/command.ts'

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly ms: number
}

/**
 * The arguments of `sojourn` that create a key without limits.
 * @param may `['--scopes', 'meals']` or `['--preset', 'kitchen']`
 */
export const keysCreate = (center: string, name: string, may: readonly string[]): readonly string[] => [
  ...['keys', 'create', '--center', center, '--name', name, ...may],
  ...['--per-hour', '0', '--per-minute', '0', '--json'],
]

const started = new Set<ChildProcess>()

/** Kills all commands that are still running. */
export function killAll(): void {
  for (const child of started) child.kill('SIGKILL')
}

/** Runs a command to its end. After `msMax` it is killed, and its code is null. */
export const sojourn = (
  dataDir: string,
  args: readonly string[],
  stdin?: string,
  msMax?: number,
): Promise<Ended> => begin(dataDir, args, stdin, msMax).ended

/** Starts a command. */
export function begin(
  dataDir: string,
  args: readonly string[],
  stdin?: string,
  msMax = 120_000,
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const began = performance.now()
  const child = start(dataDir, args)
  child.stdin?.end(stdin)
  const timer = setTimeout(() => child.kill('SIGKILL'), msMax)
  const ended = async () => {
    const [[code], stdout, stderr] = await Promise.all([
      once(child, 'close'),
      textOf(child.stdout),
      textOf(child.stderr),
    ])
    clearTimeout(timer)
    return { code, stdout, stderr, ms: Math.round(performance.now() - began) }
  }
  return { child, ended: ended() }
}

export interface Served {
  readonly child: ChildProcess
  readonly url: string
  /** its output so far */
  readonly said: () => string
  readonly ended: Promise<unknown>
}

/** Starts the service. @returns its output and exit code if it ends before it listens */
export async function serve(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Served | { said: string; code: number }> {
  const child = start(dataDir, ['serve'], env)
  let said = ''
  const listens = Promise.withResolvers<string>()
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const found = /listens on (http:\S+)/.exec(said)?.[1]
      if (found !== undefined) listens.resolve(found)
    })
  }
  const ended = once(child, 'close')
  const first = await Promise.race([listens.promise, ended])
  if (typeof first !== 'string') return { said, code: Number(first[0]) }
  return { child, url: first, said: () => said, ended }
}

function start(
  dataDir: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const child = spawn(process.execPath, [...SOJOURN, ...args], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin?.on('error', () => {})
  started.add(child)
  child.on('close', () => started.delete(child))
  return child
}

async function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = ''
  for await (const chunk of stream ?? []) text += String(chunk)
  return text
}
