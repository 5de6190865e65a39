/**
 * The files of a Debian package in a sandbox of bubblewrap: a root that nobody can write to, with this machine's C library and the
 * package in its own place, for a user without rights. Only the folder of the data can be written.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const LIBRARIES = ['/usr/bin', '/usr/lib/x86_64-linux-gnu', '/usr/lib64']

/** Why the sandbox cannot be used; undefined if it can. */
export function sandboxMissing(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'this is not Linux on x86-64'
  const { error, status, stderr } = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-user', 'true'], {
    encoding: 'utf8',
  })
  if (error !== undefined) return 'bubblewrap is not installed'
  return status === 0 ? undefined : `bubblewrap cannot be used here: ${stderr.trim()}`
}

/** The beginning of a command line that runs the rest of it in the sandbox. */
export function sandboxed(
  unpacked: string,
  dataDir: string,
  env: Readonly<Record<string, string>>,
): string[] {
  if (!existsSync(dataDir)) mkdirSync(dataDir)
  const readOnly = (from: string, to = from) => ['--ro-bind', from, to]
  return [
    'bwrap',
    ...[
      '--unshare-user',
      '--unshare-pid',
      '--unshare-ipc',
      '--die-with-parent',
      '--uid',
      '1000',
      '--gid',
      '1000',
    ],
    ...LIBRARIES.flatMap((path) => readOnly(path)),
    ...['--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64', '--symlink', 'usr/bin', '/bin'],
    ...readOnly(join(unpacked, 'usr/lib/sojourn'), '/usr/lib/sojourn'),
    ...readOnly(join(unpacked, 'etc/sojourn'), '/etc/sojourn'),
    ...['--proc', '/proc', '--dev', '/dev', '--bind', dataDir, '/var/lib/sojourn', '--clearenv'],
    ...Object.entries({ PATH: '/usr/bin', ...env }).flatMap(([name, value]) => ['--setenv', name, value]),
    // What is at /usr/bin is this machine's.
    ...readOnly(join(unpacked, 'usr/bin/sojourn'), '/opt/sojourn'),
  ]
}

/** The same for an unpacked image: its own files are the root, and its configuration is the command. */
export function sandboxedImage(
  bundle: string,
  dataDir: string,
  env: Readonly<Record<string, string>>,
): string[] {
  if (!existsSync(dataDir)) mkdirSync(dataDir)
  const { process } = JSON.parse(readFileSync(join(bundle, 'config.json'), 'utf8'))
  const all: string[] = [...process.env, ...Object.entries(env).map((entry) => entry.join('='))]
  return [
    'bwrap',
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--die-with-parent'],
    ...['--uid', String(process.user.uid), '--gid', String(process.user.gid), '--chdir', process.cwd],
    ...['--ro-bind', join(bundle, 'rootfs'), '/', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ...['--bind', dataDir, '/data', '--clearenv'],
    ...all.flatMap((line) => [
      '--setenv',
      line.slice(0, line.indexOf('=')),
      line.slice(line.indexOf('=') + 1),
    ]),
  ]
}
