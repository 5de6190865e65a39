/** Packs and installs with npm, as a user does. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** Uses the npm that runs this process, if it is known. */
export function npmCommand(args: readonly string[]): [command: string, args: string[]] {
  const npm = process.env.npm_execpath
  return npm === undefined ? ['npm', [...args]] : [process.execPath, [npm, ...args]]
}

/** Runs npm and returns its output. */
export async function runNpm(args: readonly string[], cwd: string): Promise<string> {
  const [command, all] = npmCommand(args)
  return (await promisify(execFile)(command, all, { cwd, maxBuffer: 1e8 })).stdout
}

export interface Packed {
  readonly tarball: string
  /** paths, sorted */
  readonly files: readonly string[]
}

/** Runs `npm pack` in a folder, with its scripts. */
export async function pack(folder: string): Promise<Packed> {
  const to = makeTemporaryFolder()
  const stdout = await runNpm(
    ['pack', '--ignore-scripts=false', '--foreground-scripts=false', '--json', '--pack-destination', to],
    folder,
  )
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('[\n')))
  const files = packed.files.map(({ path }: { path: string }) => path).sort()
  return { tarball: join(to, packed.filename), files }
}
