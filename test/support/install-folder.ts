/** Installs a folder of programs with its own lockfile, unless that lockfile is installed already. */
import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** @returns why the programs cannot be installed; empty if they are */
export function installFolder(folder: string): string {
  const stamp = join(folder, 'node_modules', '.installed-from')
  const wanted = hash('sha256', readFileSync(join(folder, 'package-lock.json')))
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return ''
  process.stdout.write(`installing the programs in ${folder} …\n`)
  // Uses the npm that runs this process, if it is known.
  const npm = process.env.npm_execpath
  const [command, args] = npm === undefined ? ['npm', []] : [process.execPath, [npm]]
  const { status, stderr, error } = spawnSync(command, [...args, 'ci', '--loglevel=error'], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (status !== 0) return error?.message ?? stderr
  writeFileSync(stamp, wanted)
  return ''
}
