/** A minimal Debian in a folder, and what a unit's command gets there. Needs root and `debootstrap`. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** What the package depends on and a minimal Debian lacks: there, `apt` would install it. */
const DEPENDENCIES = 'debconf,init-system-helpers,libatomic1,libstdc++6,postgresql'
const SYSTEMD = 'systemd,systemd-sysv,dbus'

/** The first source of packages that this machine is set to. */
function mirrorOfThisMachine(): { readonly mirror: string; readonly suite: string } {
  const suite = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]
  const { stdout } = spawnSync('apt-get', ['indextargets', '--format', '$(SITE) $(RELEASE)'], {
    encoding: 'utf8',
  })
  const [mirror] = stdout.split('\n').flatMap((line) => {
    const [site = '', release] = line.split(' ')
    return release === suite ? [site] : []
  })
  if (mirror === undefined || suite === undefined) throw new Error('apt-get has no source of packages here.')
  return { mirror, suite }
}

/** Creates the folder, unless it is there. */
export function makeDebian(folder: string, architecture: 'amd64' | 'arm64', include = DEPENDENCIES): void {
  if (existsSync(join(folder, 'usr'))) return
  const { mirror, suite } = mirrorOfThisMachine()
  // Of another architecture, nothing can be carried out here: its files are unpacked only.
  const foreign = architecture === 'amd64' ? [] : ['--foreign']
  const args = [
    '--variant=minbase',
    `--arch=${architecture}`,
    `--include=${include}`,
    ...foreign,
    suite,
    folder,
    mirror,
  ]
  run('debootstrap', args)
  if (foreign.length === 0) return
  const archives = join(folder, 'var/cache/apt/archives')
  for (const name of readdirSync(archives)) {
    if (name.endsWith('.deb')) run('dpkg-deb', ['--extract', join(archives, name), folder])
  }
}

/** @returns the output @throws {Error} with the output if it fails */
export function run(command: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    input,
    maxBuffer: 1e8,
  })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? `${stdout}${stderr}`}`)
  return `${stdout}${stderr}`
}

export class Chroot {
  readonly folder: string
  constructor(folder: string) {
    this.folder = folder
  }

  path = (path: string) => join(this.folder, path)

  /** The kernel's folder, as on any machine. Devices are those that debootstrap makes: nothing of this machine is within reach. */
  mount(): void {
    run('mount', ['-t', 'proc', 'proc', this.path('proc')])
  }

  unmount(): void {
    spawnSync('umount', [this.path('proc')])
  }

  /** As root, with an empty environment. */
  run(args: readonly string[], input?: string): string {
    return run('chroot', [this.folder, '/usr/bin/env', '-i', `PATH=${PATH}`, ...args], input)
  }

  exists = (path: string) => existsSync(this.path(path))

  /** Starts or stops Debian's PostgreSQL, as a boot does. */
  postgres(action: 'start' | 'stop'): void {
    for (const line of this.run(['pg_lsclusters', '--no-header']).trim().split('\n')) {
      const [version = '', name = ''] = line.split(/ +/)
      this.run(['pg_ctlcluster', version, name, action])
    }
  }
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** A Debian that systemd has booted, in a container of systemd-nspawn with the network of this machine. */
export class Booted {
  readonly folder: string
  readonly #container: ChildProcess
  readonly #leader: number

  private constructor(folder: string, container: ChildProcess, leader: number) {
    this.folder = folder
    this.#container = container
    this.#leader = leader
  }

  /** Makes the Debian, unless it is there, and boots it. */
  static async boot(folder: string): Promise<Booted> {
    makeDebian(folder, 'amd64', `${DEPENDENCIES},${SYSTEMD}`)
    const args = ['--directory', folder, '--boot', '--register=no', '--keep-unit', '--console=pipe']
    const container = spawn('systemd-nspawn', args, { stdio: ['pipe', 'ignore', 'ignore'] })
    // The first child is another one until the namespaces are made.
    const ready = () => {
      const leader = childOf(container.pid)
      if (leader === undefined) return undefined
      const booted = new Booted(folder, container, leader)
      return booted.answer(['systemctl', 'is-system-running']) === 'running\n' ? booted : undefined
    }
    try {
      return await until(ready)
    } catch (error) {
      container.kill('SIGKILL')
      throw error
    }
  }

  path = (path: string) => join(this.folder, path)

  /** As root, with an empty environment. @throws {Error} with the output if it fails */
  run(args: readonly string[], input?: string): string {
    return run('nsenter', this.#entering(args), input)
  }

  /** The output, also of a command that fails. */
  answer(args: readonly string[]): string {
    const { stdout, stderr } = spawnSync('nsenter', this.#entering(args), { encoding: 'utf8' })
    return `${stdout}${stderr}`
  }

  async shutDown(): Promise<void> {
    const ended = once(this.#container, 'exit')
    this.answer(['systemctl', 'poweroff'])
    await ended
  }

  #entering = (args: readonly string[]) => [
    ...['--target', String(this.#leader), '--all', '/usr/bin/env', '-i', `PATH=${PATH}`],
    ...args,
  ]
}

/** The first child of a process, as systemd is of its container. */
function childOf(pid: number | undefined): number | undefined {
  const found = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0]
  return found === undefined || found === '' ? undefined : Number(found)
}

/** The first value that is not undefined. Looks for a minute and a half. */
export async function until<T>(look: () => T | undefined): Promise<T> {
  const end = performance.now() + 90_000
  for (;;) {
    const found = look()
    if (found !== undefined) return found
    if (performance.now() > end) throw new Error(`never: ${look}`)
    await wait(100)
  }
}

/**
 * Starts the command of an installed unit as systemd would: its user, folder, mask and environment. What systemd alone can do
 * (namespaces, filters of system calls) is missing.
 */
export async function startUnit(chroot: Chroot): Promise<StartedUnit> {
  const unit = readFileSync(chroot.path('usr/lib/systemd/system/sojourn.service'), 'utf8')
  const all = (name: string) =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)
  const one = (name: string) => {
    const [value] = all(name)
    if (value === undefined) throw new Error(`The unit has no ${name}.`)
    return value
  }
  const files = all('EnvironmentFile').map((name) => name.replace(/^-/, ''))
  const settings = files.flatMap((name) =>
    readFileSync(chroot.path(name), 'utf8')
      .split('\n')
      .filter((line) => /^\w+=/.test(line)),
  )
  const user = one('User')
  // With a "+", as root.
  for (const line of all('ExecStartPre')) chroot.run([line.replace(/^[-+]+/, '')])
  const args = [
    ...[
      `--userspec=${user}:${user}`,
      chroot.folder,
      '/usr/bin/env',
      '-i',
      `--chdir=${one('WorkingDirectory')}`,
      `PATH=${PATH}`,
    ],
    ...all('Environment').flatMap((line) => line.split(' ')),
    ...settings,
    ...['/bin/sh', '-c', `umask ${one('UMask')}; exec "$@"`, 'sh', ...one('ExecStart').split(' ')],
  ]
  return startCommand(['chroot', ...args])
}

/** Starts the service with a command, and waits until it listens. */
export async function startCommand(
  [command = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<StartedUnit> {
  const began = performance.now()
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
  let said = ''
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
        const found = /listens on (http:\S+)/.exec(said)?.[1]
        if (found !== undefined) resolve(found)
      })
    }
    child.once('error', reject)
    child.once('close', () => reject(new Error(`The service ended: ${said}`)))
  })
  return { url, child, seconds: (performance.now() - began) / 1000, stop: () => stop(child) }
}

export interface StartedUnit {
  readonly url: string
  readonly child: ChildProcess
  /** until it listened */
  readonly seconds: number
  /** @returns its exit code */
  stop(): Promise<number | null>
}

async function stop(child: ChildProcess): Promise<number | null> {
  const ended = once(child, 'close')
  child.kill('SIGTERM')
  const [code] = await ended
  return code
}
