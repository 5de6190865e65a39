/** A separate file system that tests may break: an ext4 image. Needs Linux, root, loop devices and perl. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/**
 * Exits with a message if such a file system cannot be created.
 * @param untold what is then not measured
 */
export function requireDisks(untold: string): void {
  const missing = [
    ...(process.platform === 'linux' ? [] : ['Linux']),
    ...(process.getuid?.() === 0 ? [] : ['root']),
    ...['mkfs.ext4', 'losetup', 'mount', 'perl'].filter((program) => {
      try {
        run('which', program)
        return false
      } catch {
        return true
      }
    }),
  ]
  if (missing.length === 0) return
  console.error(`${untold}: this needs ${missing.join(', ')}, which is not here.`)
  process.exit(2)
}

/** A mounted file system of this size. */
export class Disk {
  readonly place: string
  readonly #home = mkdtempSync(join(tmpdir(), 'sojourn-disk-'))
  readonly #image = join(this.#home, 'image')

  constructor(megabytes: number) {
    this.place = join(this.#home, 'disk')
    mkdirSync(this.place)
    run('truncate', '-s', `${megabytes}M`, this.#image)
    // Without reserved blocks: all free space is available to us.
    run('mkfs.ext4', '-q', '-F', '-m', '0', this.#image)
    this.mount()
  }

  mount(): void {
    run('mount', '-o', 'loop', this.#image, this.place)
  }

  unmount(): void {
    run('umount', this.place)
  }

  /** Unmounts it even if it is still in use after a failure. */
  remove(): void {
    run('umount', '--lazy', this.place)
    rmSync(this.#home, { recursive: true, force: true })
  }

  /** Stops all further writes and discards unwritten data: FS_IOC_SHUTDOWN, without flushing the log. */
  cut(): void {
    run(
      'perl',
      '-e',
      'open F, "<", $ARGV[0] or die; my $how = pack("L", 2); ioctl(F, 0x8004587D, $how) or die $!',
      this.place,
    )
  }

  /** Writes some pages back, as the kernel may do at any time: sync_file_range neither waits nor orders. */
  writeBackSome(folder: string): void {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && Math.random() < 0.3)
      .map((entry) => join(entry.parentPath, entry.name))
    const script = `for (@ARGV) { open F, "+<", $_ or next; my $pages = (-s F) / 4096;
      for (1..20) { syscall(${SYNC_FILE_RANGE}, fileno(F), 4096 * int(rand($pages + 1)), 4096, 2) } }`
    run('perl', '-e', script, ...files)
  }

  /** Fills the file system with a file until only this much is free. */
  async fillTo(freeMb: number): Promise<void> {
    this.empty()
    const { bavail, bsize } = await statfs(this.place)
    const megabytes = Math.floor((bavail * bsize) / MB - freeMb)
    if (megabytes > 0) run('fallocate', '-l', `${megabytes}M`, this.#ballast)
  }

  /** Fills the file system until it takes no byte more. */
  async fillUp(): Promise<void> {
    await this.fillTo(0)
    const blocks = Buffer.alloc(4096, 1)
    try {
      while (true) appendFileSync(this.#ballast, blocks)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
    }
  }

  /** Removes that file. */
  empty(): void {
    rmSync(this.#ballast, { force: true })
  }

  get #ballast(): string {
    return join(this.place, 'ballast')
  }
}

const MB = 1024 * 1024
/** The number of the system call on this architecture. */
const SYNC_FILE_RANGE = process.arch === 'arm64' ? 84 : 277
